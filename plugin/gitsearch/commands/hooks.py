"""``install`` and ``uninstall``: our lines in git's hooks."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gitsearch.commands.options import say
from gitsearch.failing import FOUND


@click.command()
def install() -> int:
    """Put the index into git's hooks: at every commit, what is staged is indexed."""
    from gitsearch.git.repository import find_repository
    from gitsearch.hooking import HOOKS
    from gitsearch.installing import install as install_hooks

    for done in install_hooks(find_repository(), HOOKS, _program()):
        say(f"{done.path}: {done.change}")
    return FOUND


@click.command()
def uninstall() -> int:
    """Take our lines out of git's hooks, and nothing else."""
    from gitsearch.git.repository import find_repository
    from gitsearch.hooking import HOOKS
    from gitsearch.installing import uninstall as uninstall_hooks

    done = uninstall_hooks(find_repository(), HOOKS)
    for change in done:
        say(f"{change.path}: {change.change}")
    if not done:
        say("there was nothing to remove")
    return FOUND


def _program() -> str:
    """The program a hook runs: the one beside the Python that runs now, whatever PATH says."""
    beside = Path(sys.executable).with_name("git-search-index")
    return str(beside) if beside.exists() else str(Path(sys.argv[0]).absolute())
