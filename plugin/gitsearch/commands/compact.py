"""``git search-index compact``: makes few segments of many."""

from __future__ import annotations

import click

from gitsearch.commands.options import here, say
from gitsearch.terminal.failing import FOUND
from gitsearch.wording import counted


@click.command()
@click.option(
    "--above", type=click.IntRange(1), default=64, show_default=True, metavar="NUMBER",
    help="Only where there are more segments than this.",
)  # fmt: skip
@click.option(
    "--keep-commits", type=click.IntRange(0), default=100, show_default=True, metavar="NUMBER",
    help="Keep what the files of so many last commits use.",
)  # fmt: skip
@click.option(
    "--keep-refs", multiple=True, metavar="PATTERN",
    help="Keep what these branches use, as of git for-each-ref. Repeatable.",
)  # fmt: skip
@click.option(
    "--drop-foreign", is_flag=True, help="Take out segments of models that are not configured."
)
def compact(above: int, keep_commits: int, keep_refs: tuple[str, ...], drop_foreign: bool) -> int:
    """Merge small segments and drop what nobody uses; stage it for a commit of its own.

    Best on the default branch alone: branches that know nothing of it merge with it.
    """
    done = here().compact(
        above=above, keep_commits=keep_commits, keep_refs=keep_refs, drop_foreign=drop_foreign
    )
    if done.removed:
        say(
            f"{counted(done.removed, 'segment')} taken out, {done.added} put in"
            f" ({done.added_bytes / 1e6:.2f} MB); staged"
        )
    else:
        say(f"{counted(done.segments, 'segment')}: nothing to do")
    return FOUND
