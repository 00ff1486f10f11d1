"""``git search-index``: everything that makes and keeps the committed index."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gitsearch.commands.check import check
from gitsearch.commands.ci import ci
from gitsearch.commands.compact import compact
from gitsearch.commands.doctor import doctor
from gitsearch.commands.eval import evaluate
from gitsearch.commands.init import init
from gitsearch.commands.install import install
from gitsearch.commands.model import model
from gitsearch.commands.options import run_command, version_option
from gitsearch.commands.status import status
from gitsearch.commands.uninstall import uninstall
from gitsearch.commands.update import update
from gitsearch.commands.verify import verify

PROGRAM = "git search-index"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@version_option
def maintain() -> None:
    """Make and keep the search index that is committed with the code."""


for command in (
    init, update, compact, model, status, check, verify, doctor, install, uninstall, evaluate, ci,
):  # fmt: skip
    maintain.add_command(command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    return run_command(maintain, PROGRAM, argv)
