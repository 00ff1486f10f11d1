"""The reference in Markdown and as man pages, written from the commands themselves.

    python -m gitsearch.commands.reference docs

The one definition of an option is where it is parsed; a test compares these files with it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gitsearch import __version__
from gitsearch.commands.maintain import PROGRAM as MAINTAIN
from gitsearch.commands.maintain import maintain
from gitsearch.commands.search import PROGRAM as SEARCH
from gitsearch.commands.search import search
from gitsearch.git.settings import SETTINGS

PROGRAMS: tuple[tuple[str, click.Command], ...] = ((SEARCH, search), (MAINTAIN, maintain))
#: Help is wrapped at this many columns whatever the terminal is.
_WIDTH = 90


def _commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for part in sorted(command.commands):
            yield from _commands(f"{name} {part}", command.commands[part])


def _context(name: str, command: click.Command) -> click.Context:
    settings = {**command.context_settings, "help_option_names": ["-h", "--help"]}
    return click.Context(
        command, info_name=name, max_content_width=_WIDTH, terminal_width=_WIDTH, **settings
    )


def markdown() -> str:
    """Every command's own help, one after another."""
    parts = ["# Commands\n\nWritten by `make docs` from the commands themselves.\n"]
    for program, command in PROGRAMS:
        for name, part in _commands(program, command):
            parts.append(f"## {name}\n\n```text\n{_context(name, part).get_help()}\n```\n")
    return "\n".join(parts)


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in escaped.split("\n"))


def _roff_command(name: str, command: click.Command) -> Iterator[str]:
    context = _context(name, command)
    yield f".SH {_roff(name.upper())}"
    yield f".B {_roff(name)} {_roff(' '.join(command.collect_usage_pieces(context)))}"
    for paragraph in (command.help or "").split("\n\n"):
        yield ".PP"
        yield _roff(" ".join(paragraph.split()))
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield ".TP"
            yield f".B {_roff(record[0])}"
            yield _roff(" ".join(record[1].split()))
    if command.epilog:
        yield ".PP"
        yield _roff(command.epilog)


def man_page(program: str, command: click.Command) -> str:
    """A man page: its name, then a section for each command with its options."""
    page = program.replace(" ", "-")
    lines = [
        f'.TH "{page.upper()}" "1" "" "git-search {__version__}" "Git Manual"',
        ".SH NAME",
        f"{_roff(page)} \\- {_roff((command.help or '').split(chr(10))[0].rstrip('.'))}",
    ]
    for name, part in _commands(program, command):
        lines += _roff_command(name, part)
    return "\n".join(lines) + "\n"


def settings() -> str:
    """The table of git's settings that are read."""
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in SETTINGS.items())
    return (
        "# Settings\n\nWritten by `make docs`. Read from git config as git has it for you"
        " (`git config --global NAME VALUE`);\nnothing that is committed can set them.\n\n"
        f"| name | |\n|---|---|\n{rows}\n"
    )


def files() -> dict[str, str]:
    """Text of each file below the documentation folder."""
    written = {"commands.md": markdown(), "settings.md": settings()}
    for program, command in PROGRAMS:
        written[f"man/{program.replace(' ', '-')}.1"] = man_page(program, command)
    return written


def main(argv: Sequence[str]) -> int:
    """Write the files below the folder named first."""
    for name, text in files().items():
        target = Path(argv[0]) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
