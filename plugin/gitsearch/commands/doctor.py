"""``git search-index doctor``: what is wrong here, and what mends it."""

from __future__ import annotations

import click

from gitsearch.commands.options import here, say
from gitsearch.terminal.failing import FOUND, NOTHING
from gitsearch.wording import plain


@click.command()
def doctor() -> int:
    """Say what is wrong in this clone, each with the line that mends it.

    Exit 0 when answers are as good as they can be, 1 when something makes them worse.
    """
    worse = False
    for finding in here().examine():
        worse = worse or finding.serious
        click.echo(plain(finding.problem))
        click.echo(f"hint: {plain(finding.hint)}")
    if not worse:
        say("answers are as good as they can be here")
    return NOTHING if worse else FOUND
