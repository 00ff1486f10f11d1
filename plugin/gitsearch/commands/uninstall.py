"""``git search-index uninstall``: takes our lines out of git's hooks."""

from __future__ import annotations

import click

from gitsearch.commands.options import here, say
from gitsearch.terminal.failing import FOUND


@click.command()
def uninstall() -> int:
    """Take our lines out of git's hooks, and nothing else."""
    from gitsearch.hooks.installing import uninstall as uninstall_hooks
    from gitsearch.hooks.running import HOOKS

    done = uninstall_hooks(here().location, HOOKS)
    for change in done:
        say(f"{change.path}: {change.change}")
    if not done:
        say("there was nothing to remove")
    return FOUND
