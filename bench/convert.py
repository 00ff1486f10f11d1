"""Turns what upstream publishes into the layout of ``--data``.

    python -m bench.convert octocode CLONE DATA
    python -m bench.convert semble CLONE DATA

CLONE is a clone of the repository that publishes the questions (see README.md), checked out.
Published numbers are not converted: README.md says what the files beside the questions hold.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.reading import read_json
from hybridindex.errors import SearchError
from hybridindex.evaluation.reading import read_questions

#: The first so many code questions of Octocode are its standard ones, the others its hard ones.
OCTOCODE_STANDARD = 100

Entry = dict[str, Any]


def convert_octocode(clone: Path, data: Path) -> None:
    """``benchmark/{code,docs}.csv`` to ``octocode/{code,docs}.json``. Raises SearchError."""
    for name in ("code", "docs"):
        entries: list[Entry] = []
        for at, question in enumerate(read_questions(clone / "benchmark" / f"{name}.csv")):
            entry: Entry = {"id": question.id}
            if name == "code":
                entry["kind"] = "standard" if at < OCTOCODE_STANDARD else "hard"
            entry["query"] = question.query
            entry["targets"] = [
                {"path": t.path, "start": t.start, "end": t.end, "relevance": int(t.relevance)}
                for t in question.targets
            ]
            entries.append(entry)
        write_entries(data / "octocode" / f"{name}.json", entries)


def convert_semble(clone: Path, data: Path) -> None:
    """``benchmarks/annotations/*.json`` and ``repos.json`` to ``semble/``. Raises SearchError.

    Upstream gives paths relative to the repository or to the folder that is indexed; those that
    do not begin with that folder get it put before them.
    """
    folder = clone / "benchmarks"
    repositories: list[Entry] = []
    questions: list[Entry] = []
    for item in read_json(folder / "repos.json"):
        name, root = item["name"], item.get("benchmark_root")
        annotations = folder / "annotations" / f"{name}.json"
        if not annotations.exists():
            continue
        own = [
            _semble_question(task, f"{name}-{at:02}", item)
            for at, task in enumerate(read_json(annotations), 1)
        ]
        questions += own
        repositories.append(
            {
                "name": name,
                "language": item["language"],
                "github": item["url"].removeprefix("https://github.com/").removesuffix(".git"),
                "commit": item["revision"],
                "root": root,
                "queries": len(own),
            }
        )
    write_entries(data / "semble" / "repos.json", repositories)
    write_entries(data / "semble" / "queries.json", questions)


def _semble_question(task: Mapping[str, Any], question_id: str, item: Mapping[str, Any]) -> Entry:
    root = item.get("benchmark_root")
    targets = [_semble_target(raw, root, True) for raw in task.get("relevant", [])]
    targets += [_semble_target(raw, root, False) for raw in task.get("secondary", [])]
    return {
        "id": question_id,
        "repo": item["name"],
        "language": item["language"],
        "category": task.get("category") or category_of(task["query"]),
        "query": task["query"],
        "targets": targets,
    }


def _semble_target(raw: str | Mapping[str, Any], root: str | None, primary: bool) -> Entry:
    given: Mapping[str, Any] = {"path": raw} if isinstance(raw, str) else raw
    path = given["path"].replace("\\", "/")
    if root and not path.startswith(f"{root}/"):
        path = f"{root}/{path}"
    target: Entry = {"path": path, "primary": primary}
    if given.get("start_line") is not None and given.get("end_line") is not None:
        target |= {"start": int(given["start_line"]), "end": int(given["end_line"])}
    return target


def category_of(query: str) -> str:
    """The suite's rule for a question without a category: one word, "how …", anything else."""
    if " " not in query.strip():
        return "symbol"
    return "architecture" if query.lower().startswith("how ") else "semantic"


def write_entries(path: Path, entries: Iterable[Entry]) -> None:
    """A JSON list, one entry a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


CONVERTERS: dict[str, Callable[[Path, Path], None]] = {
    "octocode": convert_octocode,
    "semble": convert_semble,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Convert; returns the exit code: 2 for trouble, in one line."""
    parser = argparse.ArgumentParser(prog="python -m bench convert", description=__doc__)
    parser.add_argument("suite", choices=[*CONVERTERS])
    parser.add_argument("clone", type=Path)
    parser.add_argument("data", type=Path)
    options = parser.parse_args(argv)
    try:
        CONVERTERS[options.suite](options.clone, options.data)
    except (SearchError, csv.Error) as error:
        print(f"bench.convert: {error}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, AttributeError) as error:
        print(f"bench.convert: upstream's files have another form: {error!r}", file=sys.stderr)
        return 2
    return 0
