"""Options that several commands share, and how a command is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitsearch import __version__
from gitsearch.terminal.failing import TROUBLE, guarded, report
from gitsearch.wording import plain
from hybridindex.types import MODES

if TYPE_CHECKING:
    from gitsearch.repository import Repository

cached_option = click.option("--cached", is_flag=True, help="The git index, not the work tree.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
mode_option = click.option(
    "--mode", type=click.Choice(MODES), default="hybrid", show_default=True,
    help="By keywords, by meaning, or both.",
)  # fmt: skip
revision_option = click.option("--rev", metavar="REVISION", help="A commit, branch or tag.")
model_path_option = click.option(
    "--model-path", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Where the model's files lie, if not where they are usually found.",
)  # fmt: skip
max_tokens_option = click.option(
    "--max-tokens", type=click.IntRange(8), metavar="NUMBER",
    help="How many tokens of a chunk the model reads.",
)  # fmt: skip
adapter_option = click.option(
    "--adapter", metavar="NAME",
    help="Change of the model's weights that comes with git-search, or none."
    "  [default: the newest for the model]",
)  # fmt: skip
download_option = click.option(
    "--download", is_flag=True, help="Allow the model to be fetched from its hub."
)
version_option = click.version_option(__version__, prog_name="git-search")


def model_options(command: Callable[..., int]) -> Callable[..., int]:
    """What is said of a model beside its name."""
    for option in (download_option, adapter_option, max_tokens_option, model_path_option):
        command = option(command)
    return command


def run_command(command: click.Command, program: str, argv: Sequence[str] | None) -> int:
    """Run a click command as ``main(argv) -> int``: its result is the exit code."""

    def work() -> int:
        arguments = list(sys.argv[1:] if argv is None else argv)
        try:
            # Not `command.main`, which answers a broken pipe with exit code 1.
            with command.make_context(program, arguments) as context:
                result = command.invoke(context)
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except click.Abort:
            raise KeyboardInterrupt from None
        except click.ClickException as error:
            hint = f"see `{program} -h`" if isinstance(error, click.UsageError) else ""
            report(program, error.format_message(), hint)
            return TROUBLE
        return result if isinstance(result, int) else 0

    return guarded(program, work)


def say(text: str) -> None:
    """Tell a person something, on standard error."""
    sys.stderr.write(plain(text) + "\n")


def here() -> Repository:
    """The repository a command is run in; what takes long is shown on the terminal."""
    from gitsearch.repository import Repository
    from gitsearch.terminal.progress import Progress

    return Repository(watch=Progress)
