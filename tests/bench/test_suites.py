"""Each benchmark end to end, over made-up repositories and questions, with the real product."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from bench import octocode, osfoundry, riido07, semble
from bench.__main__ import main
from bench.asking import Asking
from bench.corpora import open_corpus
from bench.databases import database_of
from bench.models import no_vectors
from bench.riido07 import numbers_of, path_of, position_of
from bench.semble import split_names
from hybridindex.errors import SearchError
from tests.conftest import PROJECT, Work

GO = (
    "package a\n\n"
    "// parseHeader reads the header.\n"
    "func parseHeader(raw string) string {\n\treturn raw\n}\n\n"
    "// It counts the open sockets.\n"
    "func tally(sockets []int) int {\n\treturn len(sockets)\n}\n"
)


def make(folder: Path, files: dict[str, str]) -> tuple[Work, str]:
    folder.mkdir(parents=True)
    made = Work(folder)
    made.git("init", "-q")
    for path, content in files.items():
        made.write(path, content)
    made.git("add", "-A")
    return made, made.commit()


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with ``data`` and ``corpora`` of all four benchmarks."""
    data, corpora = tmp_path / "data", tmp_path / "corpora"
    _, commit = make(corpora / "octocode", PROJECT)
    monkeypatch.setattr(octocode, "COMMIT", commit)
    target = {"path": "src/retry.py", "start": 6, "end": 8, "relevance": 2}
    question = {"id": "c1", "kind": "hard", "query": "backoff seconds", "targets": [target]}
    write(data / "octocode/code.json", [question])
    docs = {"path": "docs/retry.md", "start": 3, "end": 3, "relevance": 2}
    write(data / "octocode/docs.json", [{"id": "d1", "query": "idempotent", "targets": [docs]}])
    keys = octocode._PUBLISHED_KEYS.values()
    variant = {"variant": "theirs", **dict.fromkeys(keys, 0.5)}
    write(data / "octocode/published.json", {"matrix": {"variants": [variant]}})

    _, commit = make(corpora / "semble/one", PROJECT)
    entry = {"name": "one", "language": "python", "commit": commit, "root": "src"}
    write(data / "semble/repos.json", [entry])
    write(data / "semble/by_repo.json", [{"repo": "one", **dict.fromkeys(semble._PUBLISHED, 0.5)}])
    asked = {"id": "one-01", "repo": "one", "category": "symbol", "query": "backoff"}
    write(data / "semble/queries.json", [{**asked, "targets": [{"path": "src/retry.py"}]}])

    repositories = {}
    for name in ("first", "second"):
        _, commit = make(corpora / name, {"a.go": GO})
        repositories[f"owner/{name}"] = (name, commit)
    monkeypatch.setattr(riido07, "REPOSITORIES", repositories)
    functions = [
        {"repo": f"owner/{name}", "path": "a.go", "name": function, "start": start, "end": end}
        for name in ("first", "second")
        for function, start, end in (("parseHeader", 4, 6), ("tally", 9, 11))
    ]
    write(data / "riido07/functions.json", [{"i": i, **f} for i, f in enumerate(functions)])
    described = [
        ("parseHeader reads the header.", True, [0, 2]),
        ("It counts the open sockets.", False, [1, 3]),
        ("Nothing like anything.", False, [3]),
    ]
    write(
        data / "riido07/queries.json",
        [
            {"id": f"q{i}", "query": query, "named": named, "targets": targets}
            for i, (query, named, targets) in enumerate(described)
        ],
    )
    numbers = dict.fromkeys(riido07._KEYS, 0.5)
    parts = dict.fromkeys(("all", "name_present", "name_absent"), numbers)
    write(data / "riido07/published.json", {"raw": parts, "identifiers": parts})

    _, commit = make(corpora / "requests", PROJECT)
    monkeypatch.setattr(osfoundry, "COMMIT", commit)
    write(
        data / "osfoundry/queries.json",
        [
            {
                "id": "q01",
                "kind": "question",
                "query": "how long to wait before the next attempt",
                "path": "src/retry.py",
                "symbol": "backoff",
                "def_line": 6,
                "published_rank": {"bm25": 9, "hybrid_bge_m3": None},
            }
        ],
    )
    hits = {"whole repo": {"bm25": [6, 7]}, "src only": {"bm25": [7, 7]}}
    write(data / "osfoundry/published.json", {"hits_top5_top10_of_10": hits})
    return tmp_path


def run(bench: Path, suite: str, *options: str) -> dict[str, Any]:
    target = bench / "result.json"
    arguments = ["--data", str(bench / "data"), "--corpora", str(bench / "corpora"), *options]
    arguments += ["--cache", str(bench / "cache"), "--json", str(target)]
    code = main([suite, *arguments])
    assert code == 0
    fields: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return fields


def without_latency(fields: Any) -> Any:
    if isinstance(fields, dict):
        return {k: without_latency(v) for k, v in fields.items() if k != "latency_seconds"}
    return fields


def test_octocode(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = run(bench, "octocode", "--mode", "keyword")
    assert fields["code"]["overall"]["hit_1"] == 1.0
    assert fields["docs"]["overall"]["hit_5"] == 1.0
    assert fields["code"]["groups"]["hard"]["questions"] == 1
    printed = capsys.readouterr().out
    assert "theirs" in printed
    assert "* ours (1 questions)" in printed


def test_semble_indexes_only_the_root(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = run(bench, "semble", "--mode", "keyword", "--split", "1/2")
    assert fields["mean_over_repositories"]["ndcg_10"] == 1.0
    assert "part 1 of 2" in capsys.readouterr().out
    database = next((bench / "cache/databases").glob("semble-one-*.db"))
    paths = {p for (p,) in apsw.Connection(str(database)).execute("SELECT path FROM file")}
    assert paths == {b"src/retry.py", b"src/cache.go"}


def test_riido07_ranks_every_function_without_its_comment(bench: Path) -> None:
    fields = run(bench, "riido07", "--mode", "keyword")
    assert fields["functions"] == 4
    # q0 by the name; q1 by a word of the body; q2 by nothing, so by the order of the file.
    assert fields["ranks"] == {"q0": 1, "q1": 1, "q2": 4}
    assert fields["numbers"]["name_absent"]["recall1"] == 0.5
    assert fields["numbers"]["all"]["mean_rank"] == 2.0


def test_osfoundry_gives_the_rank_of_the_definition(bench: Path) -> None:
    fields = run(bench, "osfoundry", "--mode", "keyword")
    assert fields["ranks"]["q01"]["src"] == 1
    assert fields["hits"]["whole"] == [1, 1]


@pytest.mark.parametrize("suite", ["octocode", "semble", "riido07", "osfoundry"])
def test_two_runs_give_the_same_and_the_second_needs_no_model(
    bench: Path, tiny_model: Path, suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ("--model", "tiny/model", "--model-path", str(tiny_model))
    first = run(bench, suite, *model)
    assert first["model"]["model"] == "tiny/model"

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the model was opened")

    monkeypatch.setattr("hybridindex.embedding.open_encoder", refuse)
    assert without_latency(run(bench, suite, *model)) == without_latency(first)


def test_what_is_measured_is_what_git_search_prints(indexed: Work, tmp_path: Path) -> None:
    commit = indexed.git("rev-parse", "HEAD")
    vectors = no_vectors(tmp_path / "cache")
    corpus = open_corpus(indexed.path, "project", commit)
    asking = Asking(database_of(tmp_path / "cache", corpus, vectors), vectors, "keyword")
    for question in ("may a request be retried", "backoff", "evict oldest"):
        ran = indexed.search("--json", "--mode", "keyword", "-n", "50", question)
        shown = [(hit["path"], hit["start"]) for hit in json.loads(ran.out)["results"]]
        assert shown == [(hit.path, hit.start) for hit in asking(question)]


def test_a_clone_without_the_commit_is_refused(
    bench: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(octocode, "COMMIT", "0" * 40)
    arguments = ["--data", str(bench / "data"), "--corpora", str(bench / "corpora")]
    arguments += ["--cache", str(bench / "cache"), "--mode", "keyword"]
    assert main(["octocode", *arguments]) == 2
    assert "does not have commit 0000" in capsys.readouterr().err


def test_a_commit_is_read_whatever_is_checked_out(work: Work, tmp_path: Path) -> None:
    work.write("a.py", "first = 1\n")
    work.git("add", "-A")
    commit = work.commit()
    work.write("a.py", "second = 2\n")
    work.commit("change", "-a")
    corpus = open_corpus(work.path, "any", commit)
    vectors = no_vectors(tmp_path / "cache")
    asking = Asking(database_of(tmp_path / "cache", corpus, vectors), vectors, "keyword")
    assert len(asking("first")) == 1
    assert asking("second") == []
    for wrong in (commit[:12], "HEAD", "--all"):
        with pytest.raises(SearchError, match="does not have commit"):
            open_corpus(work.path, "any", wrong)
    with pytest.raises(SearchError, match="no clone"):
        open_corpus(tmp_path / "cache", "any", commit)


def test_missing_data_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suite in ("octocode", "semble", "riido07", "osfoundry"):
        arguments = ["--data", str(tmp_path), "--corpora", str(tmp_path), "--mode", "keyword"]
        assert main([suite, *arguments, "--cache", str(tmp_path / "cache")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_paths_of_functions_hold_no_word_and_keep_the_order() -> None:
    paths = [path_of(position) for position in range(4000)]
    assert [position_of(path) for path in paths] == list(range(4000))
    assert paths == sorted(paths)
    assert not any(c.isalnum() for path in paths for c in path)


def test_numbers_of_ranks() -> None:
    assert numbers_of([1, 2, 20]) == {
        "queries": 3,
        "recall1": pytest.approx(1 / 3),
        "recall5": pytest.approx(2 / 3),
        "recall10": pytest.approx(2 / 3),
        "mrr": pytest.approx((1 + 1 / 2 + 1 / 20) / 3),
        "mean_rank": pytest.approx(23 / 3),
    }


def test_splits_are_apart_and_whole() -> None:
    names = [f"r{i}" for i in range(10)]
    parts = [split_names(names, k, 3) for k in (1, 2, 3)]
    assert sorted(name for inside, _ in parts for name in inside) == names
    assert all(sorted(inside + outside) == names for inside, outside in parts)
