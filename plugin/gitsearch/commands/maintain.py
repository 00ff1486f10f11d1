"""``git search-index``: everything that makes and keeps the committed index."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gitsearch.commands import building, hooks, inspecting
from gitsearch.commands.evaluate import evaluate
from gitsearch.commands.integrate import integrate
from gitsearch.commands.options import run_command, version_option

PROGRAM = "git search-index"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@version_option
def maintain() -> None:
    """Make and keep the search index that is committed with the code."""


for command in (
    building.init,
    building.update,
    building.compact,
    inspecting.status,
    inspecting.check,
    inspecting.verify,
    inspecting.doctor,
    hooks.install,
    hooks.uninstall,
    evaluate,
    integrate,
):
    maintain.add_command(command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    return run_command(maintain, PROGRAM, argv)
