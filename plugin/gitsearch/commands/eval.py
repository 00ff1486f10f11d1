"""``git search-index eval``: how well this repository's questions are answered."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gitsearch.commands.options import (
    cached_option,
    here,
    json_option,
    mode_option,
    revision_option,
)
from gitsearch.terminal.failing import FOUND, NOTHING, report
from gitsearch.wording import counted, plain
from hybridindex.types import Mode

PROGRAM = "git search-index"
FILE = click.Path(path_type=Path)


@click.command(
    "eval",
    short_help="Say how well a set of questions is answered.",
    epilog="Exit status: 0, 1 when a number fell below the baseline, 2 on trouble.",
)
@click.argument("queries", required=False, type=FILE)
@mode_option
@cached_option
@revision_option
@json_option
@click.option(
    "--baseline", type=FILE, metavar="FILE",
    help="What --json printed earlier; exit 1 when a mean fell by more than the tolerance.",
)  # fmt: skip
@click.option(
    "--tolerance", type=click.FloatRange(0, 1), default=0.01, show_default=True,
    help="How far a mean may fall below the baseline.",
)  # fmt: skip
@click.option(
    "--compare", nargs=2, type=FILE, metavar="BEFORE AFTER",
    help="Ask nothing; compare two files that --json printed.",
)  # fmt: skip
def evaluate(
    queries: Path | None,
    mode: Mode,
    cached: bool,
    rev: str | None,
    as_json: bool,
    baseline: Path | None,
    tolerance: float,
    compare: tuple[Path, Path] | None,
) -> int:
    """Ask every question of QUERIES and say how well it was answered.

    QUERIES is JSON: a list of {"id", "query", "targets": [{"path", "start", "end", "relevance"}]},
    of which only query and the path of a target are required; or CSV with the columns query,
    result1, result2, …, each result as path:start-end:relevance.
    """
    if compare is not None:
        if queries is not None or baseline is not None:
            raise click.UsageError("--compare asks nothing: leave out QUERIES and --baseline")
        return _compare(*compare, as_json)
    if queries is None:
        raise click.UsageError("name a file of questions")
    if cached and rev is not None:
        raise click.UsageError("--cached and --rev exclude each other")
    from gitsearch.terminal.evaluation_text import evaluation_lines
    from hybridindex.evaluation import read_questions, read_scores, rounded

    questions = read_questions(queries)
    # Before the questions are asked: a wrong name must not cost their time.
    before = read_scores(baseline) if baseline is not None else None
    found = here().evaluate(questions, mode=mode, cached=cached, revision=rev, source=queries)
    for note in found.notes:
        report(PROGRAM, note.text, note.hint)
    if as_json:
        click.echo(json.dumps(found.fields(), ensure_ascii=True))
    else:
        for line in evaluation_lines(found):
            click.echo(line)
    if before is None:
        return FOUND
    return _guard(before, {o.id: rounded(o.scores) for o in found.outcomes}, tolerance)


def _guard(
    before: dict[str, dict[str, float]], now: dict[str, dict[str, float]], tolerance: float
) -> int:
    from gitsearch.terminal.evaluation_text import TITLES
    from hybridindex.evaluation import dropped

    fallen = dropped(before, now, tolerance)
    for name, was, value in fallen:
        click.echo(f"{TITLES[name]} fell from {was:.4f} to {value:.4f}", err=True)
    apart = len(before.keys() ^ now.keys())
    if apart:
        click.echo(f"not in both sets and not compared: {counted(apart, 'question')}", err=True)
    return NOTHING if fallen else FOUND


def _compare(before: Path, after: Path, as_json: bool) -> int:
    from dataclasses import asdict

    from gitsearch.terminal.evaluation_text import comparison_lines
    from hybridindex.evaluation import compare, read_scores

    comparison = compare(read_scores(before), read_scores(after))
    if as_json:
        click.echo(json.dumps({"version": 1, **asdict(comparison)}))
    else:
        for line in comparison_lines(comparison):
            click.echo(plain(line))
    return FOUND
