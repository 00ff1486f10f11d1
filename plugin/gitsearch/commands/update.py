"""``git search-index update``: completes the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitsearch.commands.options import cached_option, here, say
from gitsearch.terminal.failing import FOUND, NOTHING, report
from gitsearch.wording import counted

PROGRAM = "git search-index"

if TYPE_CHECKING:
    from gitsearch.maintaining.sharding import Shard
    from gitsearch.maintaining.updating import Update


def _shard(_: click.Context, __: click.Parameter, text: str | None) -> Shard | None:
    from gitsearch.maintaining.sharding import parse_shard
    from hybridindex.errors import SearchError

    try:
        return None if text is None else parse_shard(text)
    except SearchError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@cached_option
@click.option(
    "--shard", metavar="I/N", callback=_shard,
    help="Take only share I of N of the files, for jobs that run at the same time.",
)  # fmt: skip
def update(cached: bool, shard: Shard | None) -> int:
    """Index what the tree wants and its segments lack; write and stage it as new segments."""
    return tell(here().update(cached=cached, shard=shard), shard)


def tell(done: Update, shard: Shard | None = None) -> int:
    """Say what an update did and left; the exit code. Raises what the model's trouble is."""
    files, chunks = counted(done.records, "file"), counted(done.embedded, "chunk")
    if done.segments:
        segments = counted(len(done.segments), "segment")
        say(f"{files} indexed, {chunks} embedded, {segments} staged")
    elif not done.left:
        say(f"share {shard} is complete" if shard else "the index is complete; nothing to do")
    if done.trouble is not None:
        raise done.trouble
    if done.why is None:
        return FOUND
    report(PROGRAM, done.why.problem, done.why.hint)
    return NOTHING
