"""What holds for every text, in every language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridindex.chunking import chunk
from hybridindex.syntax.grammars import GRAMMARS
from hybridindex.types import Chunk

LANGUAGES = [None, "rst", "markdown", *GRAMMARS]

_FRAGMENTS = """def f(x):|    return 1|class A {|}|  void f() {|  }|end|do|module M|(|)|[
|]|\'\'\'|"|/*|*/
|#|//|# a|## b|===|---|```|- item|\t|\r|<?php|?>|fn main() {|func a() {|let x = 1;|@decorator|;|\\
|\udcff|\ud800|日本語のテキスト|é = 'x'|\x0c|\x00|function f()|local x = {|case 1:|if x then|
"""
_LINES = st.sampled_from(_FRAGMENTS.split("|"))
_TEXTS = st.one_of(
    st.lists(_LINES, max_size=60).map("\n".join),
    st.lists(st.tuples(_LINES, st.integers(0, 40)), max_size=40).map(
        lambda rows: "\n".join(line * (1 + times) for line, times in rows)
    ),
    st.text(st.characters(exclude_categories=()), max_size=300),
)


def check(text: str, chunks: list[Chunk]) -> None:
    """In order, no overlap, nothing outside the text, and every line that is not blank."""
    lines = text.split("\n")
    covered: set[int] = set()
    previous = 0
    for part in chunks:
        assert previous < part.start <= part.end <= len(lines)
        assert lines[part.start - 1].strip()
        assert lines[part.end - 1].strip()
        assert all(part.symbols)
        previous = part.end
        covered.update(range(part.start, part.end + 1))
    assert not [
        line for number, line in enumerate(lines, 1) if line.strip() and number not in covered
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=_TEXTS)
@settings(max_examples=60, deadline=None)
def test_every_text(language: str | None, text: str) -> None:
    chunks = chunk(text, language)
    check(text, chunks)
    assert chunk(text, language) == chunks


@given(text=_TEXTS)
@settings(deadline=None)
def test_the_published_rule_covers_and_moves_forward(text: str) -> None:
    chunks = chunk(text, None, "lines")
    reach = 0
    for before, part in zip([None, *chunks], chunks, strict=False):
        assert part.start <= reach + 1
        assert before is None or (before.start < part.start and before.end < part.end)
        reach = part.end
    assert reach == (len(text.removesuffix("\n").split("\n")) if text.strip() else 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("opener", ["[", "(\n", "{ ", "if x:\n "])
def test_deep_nesting(language: str | None, opener: str) -> None:
    text = opener * 2_000
    check(text, chunk(text, language))


def test_ten_thousand_brackets() -> None:
    for text in ("x = " + "[" * 10_000 + "]" * 10_000, "[\n" * 10_000 + "]\n" * 10_000):
        check(text, chunk(text, "python"))


def test_a_long_line_is_a_chunk() -> None:
    text = "a = 1\nx = '" + "y" * 5_000 + "'\nb = 2\n" + "c = 3\n" * 100
    assert Chunk(2, 2, ("x",)) in chunk(text, "python")
    assert Chunk(2, 2) in chunk(text, None)


def test_white_space_has_no_chunks() -> None:
    for text in ("", "\n\n", " \t\r\n"):
        assert chunk(text, "python") == []


def test_only_line_feeds_end_a_line() -> None:
    text = "a = 1\r\nb = '\x0c \u2028'\rc = 2\r\nd = 3\r\n"
    for language in LANGUAGES:
        assert [(part.start, part.end) for part in chunk(text, language)] == [(1, 3)]
