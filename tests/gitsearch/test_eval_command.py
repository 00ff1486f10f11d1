"""``git search-index eval`` as people run it. By keyword, so that no model is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gitsearch.config import Config, write_config
from hybridindex.types import Fingerprint
from tests.conftest import Work

QUESTIONS = [
    {
        "id": "auth",
        "group": "easy",
        "query": "strip_auth",
        "targets": [{"path": "auth.py", "start": 1, "end": 2, "relevance": 2}],
    },
    {
        "id": "retry",
        "group": "hard",
        "query": "wait and try again",
        "targets": [{"path": "retry.py"}, {"path": "missing.py"}],
    },
]
CSV = (
    "query,result1,result2,result3\n"
    "strip_auth,auth.py:1-2:2,,\n"
    "wait and try again,retry.py:1-3:2,auth.py:1-2:1,\n"
)


@pytest.fixture
def repository(work: Work) -> Work:
    work.write("auth.py", "def strip_auth(headers):\n    headers.pop('Authorization')\n")
    work.write("retry.py", "def retry(call):\n    # wait, then try again\n    return call()\n")
    work.write(
        ".search/config.toml", write_config(Config.of(Fingerprint("none/x", "", "", 8, 128)))
    )
    work.git("add", "-A")
    work.commit()
    work.write("questions.json", json.dumps(QUESTIONS))
    return work


def evaluate(repository: Work, *arguments: str) -> dict[str, Any]:
    ran = repository.index("eval", "questions.json", "--mode", "keyword", "--json", *arguments)
    assert (ran.code, ran.err) == (0, "")
    parsed: dict[str, Any] = json.loads(ran.out)
    return parsed


def test_the_table_has_all_questions_and_each_group(repository: Work) -> None:
    ran = repository.index("eval", "questions.json", "--mode", "keyword")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert "hit@1" in lines[0]
    assert "mean rank" in lines[0]
    assert [line.split()[:2] for line in lines[1:4]] == [["all", "2"], ["easy", "1"], ["hard", "1"]]
    assert "p50" in ran.out
    assert "p95" in ran.out


def test_json_has_the_numbers_and_every_question(repository: Work) -> None:
    found = evaluate(repository)
    assert found["overall"]["hit_1"] == 1.0
    assert found["overall"]["recall_10"] == 0.75
    assert found["groups"]["hard"]["recall_10"] == 0.5
    first = found["questions"][0]
    assert (first["id"], first["group"], first["first_rank"]) == ("auth", "easy", 1)
    assert first["results"][0] == {"path": "auth.py", "start": 1, "end": 2}


def test_what_is_measured_is_what_git_search_prints(repository: Work) -> None:
    found = evaluate(repository)
    for asked in found["questions"]:
        ran = repository.search("--json", "--mode", "keyword", "-n", "20", asked["query"])
        shown = [
            {k: hit[k] for k in ("path", "start", "end")} for hit in json.loads(ran.out)["results"]
        ]
        assert shown == asked["results"]


def test_csv_as_octocode_writes_it(repository: Work) -> None:
    repository.write("code.csv", CSV)
    ran = repository.index("eval", "code.csv", "--mode", "keyword", "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert [question["id"] for question in found["questions"]] == ["code-001", "code-002"]
    assert found["overall"]["hit_1"] == 1.0


def test_it_runs_below_the_root_and_on_a_revision(repository: Work) -> None:
    folder = repository.path / "sub"
    folder.mkdir()
    command = ("git", "search-index", "eval", "../questions.json", "--mode", "keyword", "--json")
    assert repository.run(*command, cwd=folder).code == 0
    repository.git("rm", "-q", "auth.py")
    repository.commit()
    assert evaluate(repository)["overall"]["hit_1"] == 0.5
    assert evaluate(repository, "--rev", "HEAD~1")["overall"]["hit_1"] == 1.0


def test_without_its_model_it_measures_keywords_and_says_so(repository: Work) -> None:
    ran = repository.index("eval", "questions.json", "--json")
    assert ran.code == 0
    assert ran.err.count("searching by keyword alone") == 1
    found = json.loads(ran.out)
    assert found["overall"]["hit_1"] == 1.0
    assert len(found["notes"]) == 1


def save(repository: Work, name: str, *arguments: str) -> Path:
    return repository.write(name, json.dumps(evaluate(repository, *arguments)))


def test_a_baseline_fails_when_a_number_drops(repository: Work) -> None:
    save(repository, "baseline.json")
    command = ("eval", "questions.json", "--mode", "keyword", "--baseline", "baseline.json")
    assert repository.index(*command).code == 0
    (repository.path / "auth.py").unlink()
    dropped = repository.index(*command)
    assert dropped.code == 1
    assert "hit@1 fell from 1.0000 to 0.5000" in dropped.err
    assert repository.index(*command, "--tolerance", "0.9").code == 0


def test_compare_says_which_questions_moved(repository: Work) -> None:
    save(repository, "before.json")
    (repository.path / "auth.py").unlink()
    save(repository, "after.json")
    ran = repository.index("eval", "--compare", "before.json", "after.json")
    assert (ran.code, ran.err) == (0, "")
    assert "1 worse" in ran.out
    assert "auth  1 -> none" in ran.out
    assert "0 better" in ran.out
    again = repository.index("eval", "--compare", "before.json", "after.json", "--json")
    found = json.loads(again.out)
    assert found["worse"] == [["auth", 1, 21]]
    assert {change["name"] for change in found["changes"]} >= {"hit_1", "mrr", "ndcg_10"}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("missing.json",),
        (".",),
        ("bad.json",),
        ("empty.csv",),
        ("questions.json", "--baseline", "missing.json"),
        ("questions.json", "--baseline", "bad.json"),
        ("questions.json", "--baseline", "questions.json"),
        ("questions.json", "--rev", "no-such-revision", "--mode", "keyword"),
        ("questions.json", "--rev", "HEAD", "--cached"),
        ("questions.json", "--compare", "a", "b"),
        ("--compare", "questions.json", "missing.json"),
        ("questions.json", "--tolerance", "7"),
    ],
)
def test_trouble_is_one_line_and_code_two(repository: Work, arguments: tuple[str, ...]) -> None:
    repository.write("bad.json", "{\x1b[31m")
    repository.write("empty.csv", "")
    ran = repository.index("eval", *arguments)
    assert ran.code == 2
    assert ran.out == ""
    problem, *hint = ran.err.splitlines()
    assert problem.startswith("git search-index: ")
    assert len(hint) <= 1
    assert "Traceback" not in ran.err
    assert "unexpected" not in ran.err
    assert "\x1b" not in ran.err


def test_paths_that_are_not_utf8_do_not_stop_it(repository: Work) -> None:
    name = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    (repository.path / name).write_text("def strip_auth_again():\n    strip_auth()\n")
    repository.git("add", name)
    found = evaluate(repository)
    assert len(found["questions"][0]["results"]) == 2
    repository.write("questions.json", json.dumps(QUESTIONS[:1]))
    assert repository.index("eval", "questions.json", "--mode", "keyword").code == 0


def test_a_question_file_that_answers_itself_is_pointed_out(repository: Work) -> None:
    repository.git("add", "questions.json")
    ran = repository.index("eval", "questions.json", "--mode", "keyword", "--json")
    assert ran.code == 0
    assert "questions.json is in the index and answers its own questions" in ran.err
    assert json.loads(ran.out)["questions"][0]["results"][-1]["path"] == "questions.json"


def test_with_a_model_it_measures_both(indexed: Work) -> None:
    question = {"query": "Seconds to wait", "targets": [{"path": "src/retry.py"}]}
    indexed.write("questions.json", json.dumps([question]))
    ran = indexed.index("eval", "questions.json", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["coverage"] == 1.0
    shown = indexed.search("--json", "-n", "20", "Seconds to wait")
    assert [hit["path"] for hit in json.loads(shown.out)["results"]] == [
        result["path"] for result in found["questions"][0]["results"]
    ]
