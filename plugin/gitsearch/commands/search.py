"""``git search``: asks a question and prints where the answer is."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from gitsearch.commands.options import (
    cached_option,
    here,
    json_option,
    mode_option,
    revision_option,
    run_command,
    version_option,
)
from gitsearch.terminal.failing import FOUND, NOTHING, report
from hybridindex.types import ROLES, Mode, Role

PROGRAM = "git search"


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 when something was found, 1 when nothing was, 2 on trouble.",
)
@click.argument("question")
@click.argument("pathspec", nargs=-1)
@click.option(
    "-n", "--max-count", type=click.IntRange(1), default=10, show_default=True,
    metavar="NUMBER", help="Show at most so many results.",
)  # fmt: skip
@click.option(
    "--lang", "languages", multiple=True, metavar="LANGUAGE",
    help="Only files of this language (python, go, …). Repeatable.",
)  # fmt: skip
@click.option(
    "--role", "roles", multiple=True, type=click.Choice(ROLES),
    help="Only files of this role. Repeatable.",
)  # fmt: skip
@click.option("--no-tests", is_flag=True, help="Leave out tests.")
@click.option("--no-docs", is_flag=True, help="Leave out documentation.")
@click.option("-l", "--files-with-matches", is_flag=True, help="Print only the paths of files.")
@click.option(
    "-C", "--context", type=click.IntRange(0), metavar="LINES",
    help="Show each result whole, with so many lines around it.",
)  # fmt: skip
@mode_option
@cached_option
@revision_option
@click.option(
    "--color", "color", type=click.Choice(["auto", "always", "never"]), default="auto",
    show_default=True, help="Colour the output.",
)  # fmt: skip
@click.option(
    "--explain", is_flag=True, help="Tell each result's rank in every list and each prior's part."
)
@json_option
@click.option("-z", "--null", "null", is_flag=True, help="End each result with NUL, not a newline.")
@version_option
def search(
    question: str,
    pathspec: tuple[str, ...],
    max_count: int,
    languages: tuple[str, ...],
    roles: tuple[Role, ...],
    no_tests: bool,
    no_docs: bool,
    files_with_matches: bool,
    context: int | None,
    mode: Mode,
    cached: bool,
    rev: str | None,
    color: str,
    explain: bool,
    as_json: bool,
    null: bool,
) -> int:
    """Find the lines of this repository that answer QUESTION.

    QUESTION is a sentence in plain words, or an identifier; quote it. PATHSPEC narrows the search
    as it does for git.
    """
    if cached and rev is not None:
        raise click.UsageError("--cached and --rev exclude each other")
    from gitsearch.terminal import output
    from gitsearch.terminal.pager import page

    repository = here()
    found = repository.search(
        question,
        count=max_count,
        mode=mode,
        roles=_roles(roles, no_tests, no_docs),
        languages=[name.lower() for name in languages] or None,
        paths=pathspec,
        context=context,
        cached=cached,
        revision=rev,
    )
    for note in found.notes:
        report(PROGRAM, note.text, note.hint)
    end = "\0" if null else "\n"
    terminal = sys.stdout.isatty()
    if as_json:
        output.write(output.as_json(found, explain) + end)
    elif files_with_matches:
        output.write("".join(path + end for path in output.files_of(found)))
    elif terminal or context is not None or explain:
        paint = output.Paint(output.wants_color(color, repository.settings, terminal))
        lines = output.for_terminal(found, paint, explain)
        if terminal:
            page(lines, repository.settings)
        else:
            output.write("".join(line + end for line in lines))
    else:
        output.write("".join(line + end for line in output.for_pipe(found)))
    return FOUND if found else NOTHING


def _roles(chosen: Sequence[Role], no_tests: bool, no_docs: bool) -> list[Role] | None:
    if not chosen and not no_tests and not no_docs:
        return None
    left_out = {role for role, out in (("test", no_tests), ("docs", no_docs)) if out}
    return [role for role in (chosen or ROLES) if role not in left_out]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    return run_command(search, PROGRAM, argv)
