"""``git search-index update``: completes the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitsearch.commands.options import cached_option, here, say
from gitsearch.terminal.failing import FOUND
from gitsearch.wording import counted

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
    say(told(here().update(cached=cached, shard=shard), shard))
    return FOUND


def told(done: Update, shard: Shard | None = None) -> str:
    """What an update did, as one line."""
    if not done.segments:
        return f"share {shard} is complete" if shard else "the index is complete; nothing to do"
    files, chunks = counted(done.records, "file"), counted(done.embedded, "chunk")
    return f"{files} indexed, {chunks} embedded, {counted(len(done.segments), 'segment')} staged"
