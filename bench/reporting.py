"""Prints tables, and writes the result file that is named by the commit it was made with."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.suites import Report, Setting, Table

PROJECT = Path(__file__).resolve().parent.parent
#: Version of the result files.
VERSION = 1


def lines_of(table: Table) -> Iterator[str]:
    """A table as text; our rows are marked."""
    names = [("* " if row.ours else "  ") + row.name for row in table.rows]
    width = max(map(len, names), default=0)
    widths = [max(9, len(column)) for column in table.columns]
    yield table.title
    head = "  ".join(f"{c:>{w}}" for c, w in zip(table.columns, widths, strict=True))
    yield f"{'':{width}}  {head}"
    for name, row in zip(names, table.rows, strict=True):
        cells = (
            f"{_shown(row.numbers.get(column)):>{w}}"
            for column, w in zip(table.columns, widths, strict=True)
        )
        yield f"{name:{width}}  {'  '.join(cells)}"


def _shown(number: float | None) -> str:
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.4f}"


def project_commit() -> str:
    """The first 12 digits of the commit at hand, ``-edited`` where tracked files differ from it."""

    def git(*arguments: str) -> str:
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    commit = git("rev-parse", "--short=12", "HEAD") or "unknown"
    edited = git("status", "--porcelain", "--untracked-files=no", "--", "index", "plugin", "bench")
    return f"{commit}-edited" if edited else commit


def fields_of(name: str, setting: Setting, report: Report) -> dict[str, Any]:
    """What the result file holds. Two runs of one commit give the same, latency aside."""
    return {
        "version": VERSION,
        "benchmark": name,
        "project_commit": project_commit(),
        "mode": setting.mode,
        "chunking": setting.chunking,
        "model": asdict(setting.vectors.fingerprint),
        **report.fields,
    }


def write_result(path: Path, fields: Mapping[str, Any]) -> None:
    """Write the result file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(fields, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")
