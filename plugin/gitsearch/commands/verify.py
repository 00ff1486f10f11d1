"""``git search-index verify``: tells an honest index from a poisoned one."""

from __future__ import annotations

import click

from gitsearch.commands.options import cached_option, here, say
from gitsearch.terminal.failing import FOUND, NOTHING
from gitsearch.wording import counted, plain


@click.command()
@cached_option
@click.option("--all", "every", is_flag=True, help="Embed every chunk again.")
@click.option(
    "--sample", type=click.IntRange(1), default=100, show_default=True, metavar="NUMBER",
    help="Embed so many chunks again.",
)  # fmt: skip
@click.option("--seed", type=int, metavar="NUMBER", help="Draw the same sample as before.")
@click.option("--since", metavar="REVISION", help="Only what came after this revision.")
def verify(cached: bool, every: bool, sample: int, seed: int | None, since: str | None) -> int:
    """Embed chunks again and compare them with the committed vectors.

    Exit 0 when all are what they claim, 1 when one is not, 2 on trouble. Every chunk key is
    checked; vectors are checked for a sample.
    """
    import random

    drawn = random.SystemRandom().randrange(2**32) if seed is None else seed
    done = here().verify(sample=None if every else sample, seed=drawn, since=since, cached=cached)
    for lie in done.lies:
        why = "the key is not that of these lines" if lie.cosine is None else f"{lie.cosine:.4f}"
        click.echo(f"{plain(lie.path)}:{lie.start}-{lie.end}\t{why}")
    say(
        f"{counted(done.claims, 'chunk key')} checked,"
        f" {counted(done.checked, 'chunk')} embedded again (seed {drawn});"
        f" not what they claim: {len(done.lies)}"
    )
    return NOTHING if done.lies else FOUND
