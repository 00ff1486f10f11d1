from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridindex.chunking.keyed import chunk_key
from hybridindex.ranking.terms import MAX_TERMS, fts_query, terms_of
from hybridindex.text import (
    body_of,
    decode,
    embedded_text,
    lines_of,
    spaced,
    split_identifiers,
)
from hybridindex.types import Fingerprint


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),  # Latin-1
        (b"\xef\xbb\xbfx = 1", "x = 1"),  # a byte order mark
        (b"", ""),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_lines_are_those_git_counts() -> None:
    assert lines_of("a\nb\n") == ["a", "b"]
    assert lines_of("a\n\nb") == ["a", "", "b"]
    assert lines_of("a\rb\x0cc\u2028d\n") == ["a\rb\x0cc\u2028d"]
    assert lines_of("") == []
    assert body_of(["a", "b", "c"], 2, 3) == "b\nc"
    assert body_of(["a"], 5, 9) == ""


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("should_strip_auth", "should strip auth"),
        ("shouldStripAuth", "should Strip Auth"),
        ("HTTPAdapter", "HTTP Adapter"),
        ("parseURL", "parse URL"),
        ("sha256sum", "sha256sum"),
        ("__init__", "  init  "),
    ],
)
def test_identifiers_are_split(identifier: str, words: str) -> None:
    assert split_identifiers(identifier) == words


def test_unspaced_scripts_are_read_in_pairs() -> None:
    assert spaced("日本語 text").split() == ["日本", "本語", "text"]
    assert spaced("ไทย").split() == ["ไท", "ทย"]
    assert spaced("字").split() == ["字"]
    assert spaced("naïve café") == "naïve café"


def test_terms_keep_identifiers_whole_and_split() -> None:
    terms = terms_of("Where is raise_for_status called by HTTPAdapter?")
    assert terms.exact == ("raise_for_status", "called", "httpadapter")
    assert terms.split == ("raise", "status", "called", "http", "adapter")


def test_a_question_of_stop_words_keeps_them() -> None:
    assert terms_of("what is this").split == ("what", "is", "this")


def test_punctuation_is_no_term_and_a_paste_is_cut() -> None:
    assert terms_of("??? -- \"'* ()").split == ()
    assert fts_query(()) == '""'
    many = terms_of(" ".join(f"word{i}" for i in range(100_000)))
    assert len(many.split) == MAX_TERMS


def test_embedded_text_starts_with_the_path_and_the_symbols() -> None:
    assert embedded_text("a/b.py", ["f", "g"], "def f(): 1") == "a/b.py\nf, g\ndef f(): 1"
    assert embedded_text("caf\udce9.md", [], "x") == "caf\ufffd.md\nx"


@given(st.text(), st.text())
def test_a_key_names_the_text_under_one_fingerprint(one: str, other: str) -> None:
    a, b = Fingerprint("a", "", "", 8, 128), Fingerprint("b", "", "", 8, 128)
    assert (chunk_key(a, one) == chunk_key(a, other)) == (one == other)
    assert chunk_key(a, one) != chunk_key(b, one)
    assert len(chunk_key(a, one)) == 16
