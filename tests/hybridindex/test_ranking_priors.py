from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hybridindex.database.connection import open_database
from hybridindex.queries import Hit
from hybridindex.ranking.priors import asked_of, weighed
from hybridindex.ranking.stems import stem, stems
from hybridindex.types import Role
from tests.hybridindex.sources import FINGERPRINT, Made, fill, hits


def hit(path: str, *symbols: str, score: float = 1.0, role: Role = "source", file: int = 0) -> Hit:
    return Hit(
        path=path, start=1, end=9, focus=(1, 9), symbols=symbols, language=path, role=role,
        score=score, lists={}, chunk_id=1, file_id=file or hash(path),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [("mapping", "map"), ("retries", "retry"), ("encoded", "encoder"), ("stopping", "stops"),
     ("connections", "connect"), ("caches", "cached")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_words_of_names_are_split_before_they_are_stemmed() -> None:
    assert stems("shouldStripAuths") == stems("should_strip_auth")
    assert stem("bus") == "bus"


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("JsonConvert", hit("a.cs", "JsonConvert"), hit("a.cs", "JsonConverter")),
        ("Builder", hit("b.rb", "Rack.Builder"), hit("b.rb", "Rack.Builder.use")),
        ("how is auth rebuilt", hit("s.py", "S.rebuild_auth"), hit("s.py", "S.send")),
        ("json object fields", hit("gson/JsonObject.java"), hit("gson/JsonReader.java")),
        ("cookie store", hit("session/x.ex"), hit("session/x.ex", role="docs")),
        ("read a pipe", hit("unix/pipe.c"), hit("win/pipe.c")),
        ("read a pipe", hit("os/pipe.go"), hit("os/pipe_windows.go")),
        ("trim removes a prefix", hit("a.go", "trim"), hit("a.go", "prefix")),
    ],
)  # fmt: skip
def test_priors_lift_what_the_question_names(question: str, better: Hit, worse: Hit) -> None:
    better, worse = replace(better, file_id=1), replace(worse, file_id=2)
    for order in ([worse, better], [better, worse]):
        first, second = weighed(order, asked_of(question))
        assert (first.path, first.symbols, first.role) == (better.path, better.symbols, better.role)
        assert first.score > second.score


def test_a_role_that_is_asked_for_is_not_lowered() -> None:
    (lowered,) = weighed([hit("t.py", role="test")], asked_of("retry"))
    (asked,) = weighed([hit("t.py", role="test")], asked_of("tests of retry"))
    assert (lowered.priors["role"], lowered.score) == (0.5, 0.5)
    assert (asked.score, dict(asked.priors)) == (1.0, {})


@pytest.mark.parametrize(
    ("question", "lowered"),
    [
        ("How to add a header", False),
        ("how do I add a header", False),
        ("how can we add a header?", False),
        ("how does a header get added", True),
        ("where do we add a header", True),
        ("add a header, and how to", True),
    ],
)
def test_who_asks_for_instructions_asks_for_documents(question: str, lowered: bool) -> None:
    (found,) = weighed([hit("docs/headers.md", role="docs")], asked_of(question))
    assert ("role" in found.priors) is lowered


def test_a_platform_that_is_asked_for_is_not_lowered() -> None:
    (lowered,) = weighed([hit("os/pipe_windows.go")], asked_of("read a pipe"))
    (asked,) = weighed([hit("os/pipe_windows.go")], asked_of("read a pipe on Windows"))
    assert (lowered.priors, lowered.score) == ({"platform": 0.75}, 0.75)
    assert "platform" not in asked.priors


def test_a_file_where_several_chunks_answer_comes_first() -> None:
    alone = hit("a.py", score=1.0, file=1)
    company = [hit("b.py", score=0.98, file=2), hit("b.py", score=0.9, file=2)]
    first = weighed([alone, *company], asked_of("x"))[0]
    assert first.path == "b.py"
    assert first.priors["company"] > 1


@pytest.mark.parametrize(
    ("role", "prior"),
    [("source", 1.0), ("test", 0.5), ("docs", 0.55), ("example", 0.6), ("config", 0.7),
     ("generated", 0.6)],
)  # fmt: skip
def test_each_role_counts_as_published(role: Role, prior: float) -> None:
    (found,) = weighed([hit("x", role=role, score=2.0)], asked_of("zebra"))
    assert found.score == pytest.approx(2.0 * prior)


@pytest.mark.parametrize(
    ("path", "named"),
    [("a/cookie.test.js", True), (".cookie", True), ("cookie/jar.c", False), ("a/.c", False)],
)
def test_the_name_of_a_file_is_what_stands_before_its_endings(path: str, named: bool) -> None:
    (found,) = weighed([hit(path)], asked_of("a cookie"))
    assert ("file name" in found.priors) is named


def test_a_question_without_a_word_changes_nothing() -> None:
    (found,) = weighed([hit("a.py", "x")], asked_of("?!"))
    assert (dict(found.priors), found.score) == ({}, 1.0)


def test_each_prior_multiplies_as_published() -> None:
    (found,) = weighed([hit("win/cookie.c", "trim", score=1.0)], asked_of("trim a cookie"))
    assert dict(found.priors) == {
        "subject": 1.25, "symbol words": 1.25, "file name": 1.3, "platform": 0.75,
    }  # fmt: skip
    assert found.score == pytest.approx(1.25 * 1.25 * 1.3 * 0.75)


def test_the_best_of_a_file_gets_a_fifth_of_its_next_three() -> None:
    scores = [1.0, 0.8, 0.6, 0.4, 0.2]
    found = weighed([hit("a.py", score=score, file=1) for score in scores], asked_of("x"))
    assert [h.score for h in found] == pytest.approx([1.36, 0.8, 0.6, 0.4, 0.2])
    assert dict(found[0].priors) == {"company": pytest.approx(1.36)}
    assert all("company" not in h.priors for h in found[1:])


def test_company_is_of_one_file_and_the_best_of_each_gets_it() -> None:
    hits_ = [hit("a.py", score=1.0, file=1), hit("b.py", score=0.9, file=2),
             hit("b.py", score=0.7, file=2), hit("c.py", score=0.1, file=3)]  # fmt: skip
    found = weighed(hits_, asked_of("x"))
    assert [h.path for h in found] == ["b.py", "a.py", "b.py", "c.py"]
    assert [h.score for h in found] == pytest.approx([1.04, 1.0, 0.7, 0.1])


def test_equal_scores_are_told_apart_by_path_and_line() -> None:
    places = [("b.py", 1), ("a.py", 9), ("a.py", 2)]
    tied = [replace(hit(path, file=n), start=start) for n, (path, start) in enumerate(places, 1)]
    for order in (tied, tied[::-1]):
        assert [(h.path, h.start) for h in weighed(order, asked_of("x"))] == [
            ("a.py", 2), ("a.py", 9), ("b.py", 1),
        ]  # fmt: skip


def test_parts_of_a_definition_are_one_result_with_its_lines(tmp_path: Path) -> None:
    """What a person looks for is the function, not the third part of it."""
    steps = "".join(f"    value = step_{i}(value, 'some words to fill it')\n" for i in range(60))
    text = f"def pipeline(value):\n{steps}    return zebra(value)\n\n\ndef other():\n    pass\n"
    connection = open_database(tmp_path / "work.db", FINGERPRINT)
    fill(connection, Made({"a.py": text.encode()}))
    assert connection.execute("SELECT count(*) FROM chunk").get > 3
    found = hits(connection, "zebra pipeline")
    (pipeline,) = found  # five parts, the last of them with the small function after it
    assert (pipeline.start, pipeline.end) == (1, 66)
    first, last = pipeline.focus
    assert 1 <= first <= last <= 66
    assert last - first < 30
