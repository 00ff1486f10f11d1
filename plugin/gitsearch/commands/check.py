"""``git search-index check``: fails where the index is not complete."""

from __future__ import annotations

import click

from gitsearch.commands.options import cached_option, here, say
from gitsearch.terminal.failing import FOUND, NOTHING
from gitsearch.wording import counted


@click.command()
@cached_option
def check(cached: bool) -> int:
    """Exit 0 when every source file is covered, 1 when one is not, 2 on trouble."""
    state = here().status(cached=cached)
    missing = state.uncovered
    if not missing:
        return FOUND
    say(f"not covered: {len(missing)} of {counted(state.files, 'source file')}")
    for path in missing[:10]:
        say(f"  {path}")
    say("hint: git search-index update")
    return NOTHING
