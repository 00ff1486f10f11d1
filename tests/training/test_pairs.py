"""What an adapter learns from: comments, commits, and batches of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.conftest import Work
from training.batches import SIZE, batches, shown
from training.comments import parted, says_something
from training.commits import telling
from training.mine import from_comments, from_commits
from training.pairs import Pair, read_pairs, write_pairs

BODY = "def may_retry(request):\n{}    if request.method in SAFE:\n        return 1\n    return 0"


@pytest.mark.parametrize(
    ("language", "body", "sentence", "rest"),
    [
        ("go", "// EvictOldest drops one entry.\n// And more.\nfunc EvictOldest() {\n}",
         "EvictOldest drops one entry.", "func EvictOldest() {\n}"),
        ("java",
         "/**\n * Drops the <b>old</b> entry of {@link Cache}.\n * @param n\n */\nvoid x() {}",
         "Drops the old entry of Cache.", "void x() {}"),
        ("rust", "/// Drops the oldest entry of it\n/// and frees.\n///\n/// # Panics\nfn x() {}",
         "Drops the oldest entry of it and frees.", "fn x() {}"),
        ("python", BODY.format('    """Whether a request may be sent again."""\n'),
         "Whether a request may be sent again.", BODY.format("")),
        ("elixir",
         'defmodule A do\n  @doc """\n  Sends the `message` to all of them.\n  """\n  def x, do: 1',
         "Sends the message to all of them.", "defmodule A do\n  def x, do: 1"),
        ("haskell", "-- | Drops the oldest entry of it\nx = 1",
         "Drops the oldest entry of it", "x = 1"),
    ],
)  # fmt: skip
def test_a_comment_is_parted_from_its_code(
    language: str, body: str, sentence: str, rest: str
) -> None:
    assert parted(body, language) == (sentence, rest)


@pytest.mark.parametrize(
    "body", ["x = 1", "// only a comment", '"""A module."""\nimport os', BODY.format("")]
)
def test_code_without_a_comment_has_no_parts(body: str) -> None:
    assert parted(body, "python") is None
    assert parted(body.replace('"""', ""), "go") is None


def test_noise_says_nothing() -> None:
    assert says_something("Drops the oldest entry of the cache.")
    for noise in (
        "Copyright 2020 by the people",
        "frozen_string_literal: true",
        "x",
        "TODO do it all",
    ):
        assert not says_something(noise)


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("fix(http): retry a request whose connection was reset (#123)",
         "retry a request whose connection was reset"),
        ("[2.x] Buffer all until the end came", "Buffer all until the end came"),
        ("Bump requests from 2.31 to 2.32 in /tools", ""),
        ("Fix typo in the retry documentation of requests", ""),
        ("retry", ""),
    ],
)  # fmt: skip
def test_a_subject_that_tells_is_taken_without_its_scope(subject: str, told: str) -> None:
    assert telling(subject) == told


def test_pairs_come_out_of_a_history(work: Work, tmp_path: Path) -> None:
    documented = BODY.format('    """Whether a request may be sent again."""\n')
    work.write("src/retry.py", documented + "\n\n\ndef wait(attempt):\n    return attempt\n")
    work.write("tests/test_retry.py", documented.replace("may_retry", "test_it"))
    work.git("add", ".")
    work.commit("first")
    doubled = "def wait(attempt):\n    pause = 2**attempt\n    return min(pause, 60)\n"
    work.write("src/retry.py", f"{documented}\n\n\n{doubled}")
    work.git("add", ".")
    head = work.commit("Wait twice as long after each attempt (#7)")
    (comment,) = from_comments(work.path, "o/n", head, random.Random(1))
    assert (comment.kind, comment.path, comment.line) == ("comment", "src/retry.py", 1)
    assert comment.written == "Whether a request may be sent again."
    assert "sent again" not in comment.body
    (commit,) = from_commits(work.path, "o/n", head, random.Random(1))
    assert commit.written == "Wait twice as long after each attempt"
    assert commit.path == "src/retry.py"
    assert "2**attempt" in commit.body
    write_pairs(tmp_path / "pairs.jsonl", [commit, comment])
    assert set(read_pairs(tmp_path / "pairs.jsonl")) == {comment, commit}


def test_a_batch_is_of_one_repository_where_it_is_large_enough() -> None:
    def pairs(name: str, count: int) -> list[Pair]:
        return [Pair(name, "comment", "a.py", i, f"w {i}", ("x",), "b") for i in range(count)]

    made = batches({"a": pairs("a", 700), "b": pairs("b", 70)}, random.Random(3))
    whole = [batch for batch in made if {pair.repository for pair in batch} == {"a"}]
    assert len(whole) >= 4
    assert all(len(batch) <= SIZE for batch in made)
    places = [pair.place for batch in made for pair in batch]
    assert len(places) == len(set(places)) > 600


def test_a_question_does_not_begin_with_the_name_it_asks_for() -> None:
    pair = Pair(
        "r", "comment", "c.go", 1, "EvictOldest drops one entry", ("c.EvictOldest",), "func"
    )
    assert shown(pair) == ("drops one entry", "c.go\nc.EvictOldest\nfunc")
