from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.convert import category_of, main


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_octocode(tmp_path: Path) -> None:
    rows = ["query,result1,result2,result3"]
    rows += ['"open ""it""",src/a.rs:1-5:2,src/b.rs:7-9:1,']
    rows += [f"question {n},src/c.rs:1-2:2,," for n in range(100)]
    write(tmp_path / "up/benchmark/code.csv", "\n".join(rows) + "\n")
    write(tmp_path / "up/benchmark/docs.csv", "query,result1\ninstall,README.md:3-4:2\n")
    assert main(["octocode", str(tmp_path / "up"), str(tmp_path / "data")]) == 0
    code = read(tmp_path / "data/octocode/code.json")
    assert code[0] == {
        "id": "code-001",
        "kind": "standard",
        "query": 'open "it"',
        "targets": [
            {"path": "src/a.rs", "start": 1, "end": 5, "relevance": 2},
            {"path": "src/b.rs", "start": 7, "end": 9, "relevance": 1},
        ],
    }
    assert [entry["kind"] for entry in code[98:]] == ["standard", "standard", "hard"]
    docs = read(tmp_path / "data/octocode/docs.json")
    assert [(entry["id"], entry.get("kind")) for entry in docs] == [("docs-001", None)]


def test_semble(tmp_path: Path) -> None:
    folder = tmp_path / "up/benchmarks"
    write(
        folder / "repos.json",
        [
            {
                "name": "tool",
                "language": "go",
                "url": "https://github.com/some/tool.git",
                "revision": "1" * 40,
                "benchmark_root": "pkg",
            },
            {"name": "unasked", "language": "c", "url": "u", "revision": "2" * 40},
        ],
    )
    write(
        folder / "annotations/tool.json",
        [
            {
                "query": "how it retries",
                "relevant": ["pkg/retry.go"],
                "secondary": [{"path": "wait.go", "start_line": "3", "end_line": 9}],
            },
            {"query": "Retry", "relevant": ["retry.go"], "category": "symbol"},
        ],
    )
    assert main(["semble", str(tmp_path / "up"), str(tmp_path / "data")]) == 0
    assert read(tmp_path / "data/semble/repos.json") == [
        {
            "name": "tool",
            "language": "go",
            "github": "some/tool",
            "commit": "1" * 40,
            "root": "pkg",
            "queries": 2,
        }
    ]
    first, second = read(tmp_path / "data/semble/queries.json")
    assert (first["id"], first["category"], first["repo"]) == ("tool-01", "architecture", "tool")
    assert first["targets"] == [
        {"path": "pkg/retry.go", "primary": True},
        {"path": "pkg/wait.go", "primary": False, "start": 3, "end": 9},
    ]
    assert second["category"] == "symbol"


@pytest.mark.parametrize(
    ("query", "category"),
    [("Retry", "symbol"), ("How it works", "architecture"), ("a retry policy", "semantic")],
)
def test_categories_follow_the_suites_rule(query: str, category: str) -> None:
    assert category_of(query) == category


def test_other_layouts_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["octocode", str(tmp_path), str(tmp_path / "data")]) == 2
    assert main(["semble", str(tmp_path), str(tmp_path / "data")]) == 2
    write(tmp_path / "benchmarks/repos.json", [{"title": "x"}])
    assert main(["semble", str(tmp_path), str(tmp_path / "data")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
