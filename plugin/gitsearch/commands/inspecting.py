"""``status``, ``check``, ``verify``, ``doctor``: what looks at the committed index."""

from __future__ import annotations

import json

import click

from gitsearch.commands.options import cached_option, json_option, say, tree_of
from gitsearch.failing import FOUND, NOTHING, plain


@click.command()
@cached_option
@json_option
@click.option("--skipped", is_flag=True, help="List the files left out, each with its reason.")
def status(cached: bool, as_json: bool, skipped: bool) -> int:
    """Say how whole the index is, and what it leaves out."""
    from dataclasses import asdict

    from gitsearch.git.repository import find_repository
    from gitsearch.status import status_of
    from hybridindex.text import printable

    state = status_of(tree_of(find_repository(), cached))
    if as_json:
        fields = {"version": 1, "coverage": round(state.coverage, 4), **asdict(state)}
        fields["uncovered"] = [printable(path) for path in state.uncovered]
        fields["skipped"] = {printable(path): why for path, why in state.skipped.items()}
        click.echo(json.dumps(fields, ensure_ascii=False))
        return FOUND
    if skipped:
        for path, reason in state.skipped.items():
            click.echo(f"{plain(path)}\t{plain(reason)}")
        return FOUND
    click.echo(f"coverage  {state.coverage:.1%} of {state.files} source files")
    click.echo(f"model     {plain(state.model)}, {state.dimensions} dimensions")
    click.echo(f"chunks    {state.chunks}, vectors {state.vectors}")
    click.echo(f"segments  {state.segments}, {state.segment_bytes / 1e6:.2f} MB")
    click.echo(f"skipped   {len(state.skipped)} files (list them: --skipped)")
    for path in state.uncovered[:10]:
        click.echo(f"missing   {plain(path)}")
    if len(state.uncovered) > 10:
        click.echo(f"missing   and {len(state.uncovered) - 10} more")
    for model, vectors in state.foreign.items():
        click.echo(f"foreign   {vectors} vectors of {plain(model)}, not used")
    for damage in state.damaged.values():
        click.echo(f"damaged   {plain(damage)}")
    return FOUND


@click.command()
@cached_option
def check(cached: bool) -> int:
    """Exit 0 when every source file is covered, 1 when one is not, 2 on trouble."""
    from gitsearch.git.repository import find_repository
    from gitsearch.update import uncovered

    tree = tree_of(find_repository(), cached)
    missing = uncovered(tree, tree.catalogue)
    if not missing:
        return FOUND
    say(f"{len(missing)} of {len(tree.sorted.files)} source files are not covered:")
    for path in missing[:10]:
        say(f"  {path}")
    say("to mend it: git search-index update")
    return NOTHING


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

    from gitsearch.git.repository import find_repository
    from gitsearch.model import update_encoder
    from gitsearch.verifying import verify as verify_tree

    tree = tree_of(find_repository(), cached)
    drawn = random.SystemRandom().randrange(2**32) if seed is None else seed
    done = verify_tree(
        tree, lambda texts: update_encoder(tree, texts), None if every else sample, drawn, since
    )
    for lie in done.lies:
        why = "the key is not that of these lines" if lie.cosine is None else f"{lie.cosine:.4f}"
        click.echo(f"{plain(lie.path)}:{lie.start}-{lie.end}\t{why}")
    say(
        f"{done.claims} chunk keys checked, {done.checked} chunks embedded again"
        f" (seed {drawn}): {len(done.lies)} are not what they claim"
    )
    return NOTHING if done.lies else FOUND


@click.command()
def doctor() -> int:
    """Say what is wrong in this clone, each with the line that mends it.

    Exit 0 when answers are as good as they can be, 1 when something makes them worse.
    """
    from gitsearch.doctor import examine
    from gitsearch.git.repository import find_repository

    worse = False
    for finding in examine(find_repository()):
        worse = worse or finding.serious
        click.echo(plain(finding.problem))
        click.echo(f"  to mend it: {plain(finding.remedy)}")
    if not worse:
        say("answers are as good as they can be here")
    return NOTHING if worse else FOUND
