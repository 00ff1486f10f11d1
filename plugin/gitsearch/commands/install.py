"""``git search-index install``: puts our lines into git's hooks."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gitsearch.commands.options import here, say
from gitsearch.terminal.failing import FOUND


@click.command()
@click.option(
    "--everywhere", is_flag=True,
    help="Also where core.hooksPath gives all of your repositories these hooks.",
)  # fmt: skip
def install(everywhere: bool) -> int:
    """Put the index into git's hooks: at every commit, what is staged is indexed."""
    from gitsearch.hooks.installing import install as install_hooks
    from gitsearch.hooks.running import HOOKS

    for done in install_hooks(here().location, HOOKS, _program(), everywhere):
        say(f"{done.path}: {done.change}")
    return FOUND


def _program() -> str:
    """The program a hook runs: the one beside the Python that runs now, whatever PATH says."""
    beside = Path(sys.executable).with_name("git-search-index")
    return str(beside) if beside.exists() else str(Path(sys.argv[0]).absolute())
