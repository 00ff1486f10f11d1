from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridindex.evaluation.questions import Target
from hybridindex.evaluation.reading import QuestionsUnreadable, read_questions


def write(folder: Path, content: object, name: str = "set.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_json_with_everything_and_with_the_least(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        [
            {
                "id": "one",
                "query": "where is it",
                "group": "hard",
                "targets": [{"path": "a.py", "start": 3, "end": 9, "relevance": 2}],
            },
            {"query": "and this", "targets": [{"path": "b.py"}, {"path": "c.py", "start": 4}]},
        ],
    )
    first, second = read_questions(path)
    assert (first.id, first.group, first.query) == ("one", "hard", "where is it")
    assert first.targets == (Target("a.py", 3, 9, 2.0),)
    assert (second.id, second.group) == ("set-002", "")
    assert second.targets == (Target("b.py", None, None, 1.0), Target("c.py", 4, 4, 1.0))


@pytest.mark.parametrize("key", ["group", "kind", "category"])
def test_a_group_goes_by_three_names(tmp_path: Path, key: str) -> None:
    path = write(tmp_path, [{"query": "q", key: "g", "targets": [{"path": "a"}]}])
    assert read_questions(path)[0].group == "g"


def test_csv_as_octocode_writes_it(tmp_path: Path) -> None:
    text = (
        "query,result1,result2,result3\n"
        '"parse ""the, config""",src/a.rs:41-61:2,src/b.rs:64-114:1,\n'
        "open it,doc/x y:z.md:1-1:2,,\n"
    )
    first, second = read_questions(write(tmp_path, text.replace("\n", "\r\n"), "code.csv"))
    assert first.id == "code-001"
    assert first.query == 'parse "the, config"'
    assert first.targets == (Target("src/a.rs", 41, 61, 2.0), Target("src/b.rs", 64, 114, 1.0))
    assert second.targets == (Target("doc/x y:z.md", 1, 1, 2.0),)


GOOD = {"path": "a"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "no question set"),
        ("[" * 100_000, "no question set"),
        ({"query": "q"}, "not a list"),
        ([], "no question in it"),
        ([7], "entry 1 is not an object"),
        ([{"targets": [GOOD]}], "entry 1 has no query"),
        ([{"query": " ", "targets": [GOOD]}], "entry 1 has no query"),
        ([{"query": "q"}], "entry 1 has no targets"),
        ([{"query": "q", "targets": []}], "entry 1 has no targets"),
        ([{"query": "q", "targets": [{"file": "a"}]}], "a target of entry 1 has no path"),
        ([{"query": "q", "targets": [{"path": "a", "end": 2}]}], "an end but no start"),
        ([{"query": "q", "targets": [{"path": "a", "start": 0}]}], "no line number"),
        ([{"query": "q", "targets": [{"path": "a", "start": True}]}], "no line number"),
        ([{"query": "q", "targets": [{"path": "a", "start": 3, "end": 2}]}], "ends before"),
        ([{"query": "q", "targets": [{"path": "a", "relevance": 0}]}], "relevance"),
        ([{"query": "q", "targets": [{"path": "a", "relevance": float("nan")}]}], "relevance"),
        ([{"id": [], "query": "q", "targets": [GOOD]}], "has an id"),
        ([{"id": "x", "query": "q", "targets": [GOOD]}] * 2, "two questions have the id 'x'"),
    ],
)
def test_bad_json_says_what_is_wrong(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(QuestionsUnreadable, match=said) as caught:
        read_questions(write(tmp_path, content))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "lacks the columns"),
        ("question,result1\nq,a:1-2:1\n", "lacks the columns"),
        ("query,result1\n", "no question in it"),
        ("query,result1\n,a:1-2:1\n", "row 1 has no query"),
        ("query,result1\nq,\n", "row 1 has no result"),
        ("query,result1\nq,a:1:1\n", "where path:start-end:relevance belongs"),
        ("query,result1\nq,a:5-2:1\n", "ends before"),
        ("query,result1\nq,a:0-2:1\n", "above 0"),
        ('query,result1\n"q,a:0-2:1\n', "no question set"),
    ],
)
def test_bad_csv_says_what_is_wrong(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(QuestionsUnreadable, match=said):
        read_questions(write(tmp_path, content, "set.csv"))


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'["\xff"]')
    for path in (tmp_path / "missing.json", tmp_path, tmp_path / "latin.json"):
        with pytest.raises(QuestionsUnreadable):
            read_questions(path)


@given(st.binary(max_size=200), st.sampled_from(["x.json", "x.csv"]))
def test_no_bytes_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    with contextlib.suppress(QuestionsUnreadable):
        read_questions(path)
