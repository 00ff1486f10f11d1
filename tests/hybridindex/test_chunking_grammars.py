"""Every grammar: exact definitions, and large sources taken apart at them.

``samples/`` holds a small source in each language, then ``====``, then what it defines: one
"name:first-last" a line, where a leading "~" marks a scope, which qualifies what it encloses and
is no symbol itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridindex.chunking import chunk
from hybridindex.syntax import grammars, loading, naming
from hybridindex.syntax.grammar import Grammar
from hybridindex.types import Chunk
from tests.hybridindex.parsing import definitions_of


def _sample(language: str) -> tuple[str, list[str]]:
    path = Path(__file__).parent / "samples" / f"{language}.sample"
    source, _, expected = path.read_text(encoding="utf-8").partition("====\n")
    return source, expected.splitlines()


@pytest.mark.parametrize("language", grammars.GRAMMARS)
def test_definitions(language: str) -> None:
    source, expected = _sample(language)
    found = definitions_of(source, language)
    assert found is not None
    assert [
        f"{'~' if item.scope else ''}{item.name}:{item.start + 1}-{item.end + 1}" for item in found
    ] == expected


@pytest.mark.parametrize("language", grammars.GRAMMARS)
def test_symbols_of_a_small_file_are_its_definitions(language: str) -> None:
    source, expected = _sample(language)
    names = [item.rpartition(":")[0] for item in expected if not item.startswith("~")]
    found = [symbol for part in chunk(source, language) for symbol in part.symbols]
    assert found == list(dict.fromkeys(names))


#: Language: a head, a member with "NAME" in it, and an end; "BODY" becomes statements.
LARGE = {
    "python": ("class Big:\n", "    # On NAME.\n    @cached\n    def NAME(self):\nBODY\n", ""),
    "javascript": ("class Big {\n", "  // On NAME.\n  NAME() {\nBODY  }\n\n", "}\n"),
    "typescript": ("export class Big {\n", "  // On NAME.\n  NAME() {\nBODY  }\n\n", "}\n"),
    "java": ("class Big {\n", "  /** On NAME. */\n  void NAME() {\nBODY  }\n\n", "}\n"),
    "csharp": ("class Big {\n", "  // On NAME.\n  void NAME() {\nBODY  }\n\n", "}\n"),
    "cpp": ("class Big {\n", "  // On NAME.\n  void NAME() {\nBODY  }\n\n", "};\n"),
    "php": ("<?php\nclass Big {\n", "  // On.\n  function NAME() {\nBODY  }\n\n", "}\n"),
    "scala": ("class Big {\n", "  // On.\n  def NAME() = {\nBODY  }\n\n", "}\n"),
    "kotlin": ("class Big {\n", "  // On.\n  fun NAME() {\nBODY  }\n\n", "}\n"),
    "swift": ("class Big {\n", "  // On.\n  func NAME() {\nBODY  }\n\n", "}\n"),
    "rust": ("impl Big {\n", "  /// On.\n  #[inline]\n  fn NAME() {\nBODY  }\n\n", "}\n"),
    "ruby": ("class Big\n", "  # On.\n  def NAME\nBODY  end\n\n", "end\n"),
    "elixir": ("defmodule Big do\n", '  @doc "On."\n  def NAME() do\nBODY  end\n\n', "end\n"),
    "go": ("package a\n\n", "// On.\nfunc (b *Big) NAME() {\nBODY}\n\n", ""),
    "lua": ("", "-- On.\nfunction Big.NAME()\nBODYend\n\n", ""),
    "zig": ("const Big = struct {\n", "  /// On.\n  fn NAME() void {\nBODY  }\n\n", "};\n"),
}
_TERMINATED = {"javascript", "typescript", "java", "csharp", "cpp", "php", "rust", "zig"}


def _large(language: str, members: int, statements: int) -> tuple[str, list[tuple[int, int]]]:
    """A source with members of the same size, and the lines each of them is on."""
    head, member, end = LARGE[language]
    stop = ";" if language in _TERMINATED else ""
    body = "".join(
        f"        call_the_{number}_step_of_this({number}){stop}\n" for number in range(statements)
    )
    if language == "php":
        body = body.replace("call", "$call")
    text, ranges = head, []
    for index in range(members):
        start = text.count("\n") + 1
        text += member.replace("NAME", f"member{index}").replace("BODY", body)
        ranges.append((start, len(text.rstrip("\n").split("\n"))))
    return text + end, ranges


@pytest.mark.parametrize("language", LARGE)
def test_members_that_fit_stay_whole_with_what_leads_them(language: str) -> None:
    text, ranges = _large(language, members=6, statements=15)
    chunks = chunk(text, language)
    members = [part for part in chunks if any("member" in name for name in part.symbols)]
    assert [part.symbols[-1] for part in members] == [f"Big.member{index}" for index in range(6)]
    # The first may have the class's own line above it, the last its end below.
    assert [part.start for part in members[1:]] == [start for start, _ in ranges[1:]]
    assert [part.end for part in members[:-1]] == [end for _, end in ranges[:-1]]


@pytest.mark.parametrize("language", LARGE)
def test_parts_of_a_large_member_carry_its_name(language: str) -> None:
    text, ranges = _large(language, members=3, statements=90)
    start, end = ranges[1]
    inside = [part for part in chunk(text, language) if start <= part.start <= end]
    assert len(inside) >= 3
    assert all(part.symbols == ("Big.member1",) for part in inside)


def test_small_neighbours_share_a_chunk() -> None:
    text, _ = _large("python", members=6, statements=1)
    assert chunk(text, "python") == [
        Chunk(1, 30, ("Big", *(f"Big.member{index}" for index in range(6))))
    ]


def test_haskell_clauses_and_signature_are_one() -> None:
    clauses = "".join(f"step {n} value = combine value {n} (step {n} value)\n" for n in range(10))
    text = "".join(
        f"-- | Doc {letter}.\nstep{letter} :: Int -> Int -> Int\n"
        + clauses.replace("step", f"step{letter}")
        + "\n"
        for letter in "ABC"
    )
    assert chunk(text, "haskell") == [
        Chunk(1, 12, ("stepA",)),
        Chunk(14, 25, ("stepB",)),
        Chunk(27, 38, ("stepC",)),
    ]


def test_a_comment_too_large_for_its_function_carries_the_name() -> None:
    comment = "".join(f"# {number} words on what the function does\n" for number in range(24))
    body = "".join(f"    call_the_step({number})\n" for number in range(15))
    chunks = chunk(f"import a\n\n\n{comment}def run():\n{body}", "python")
    assert chunks == [Chunk(1, 18, ("run",)), Chunk(19, 43, ("run",))]


def test_syntax_errors_lose_no_definition_around_them() -> None:
    text = "def a():\n    pass\n\ndef (:\n    ]]\n\ndef b():\n    pass\n"
    symbols = [symbol for part in chunk(text, "python") for symbol in part.symbols]
    assert symbols[0] == "a"
    assert symbols[-1] == "b"


@pytest.fixture
def _no_cache() -> Iterator[None]:
    loading.load.cache_clear()
    yield
    loading.load.cache_clear()


@pytest.mark.usefixtures("_no_cache")
def test_a_missing_grammar_falls_back_to_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    text, _ = _large("python", members=4, statements=15)
    chunks = chunk(text, "python")
    assert definitions_of(text, "python") is None
    assert len(chunks) > 1
    assert all(part.symbols == () for part in chunks)


@pytest.mark.usefixtures("_no_cache")
def test_a_grammar_without_some_of_our_nodes_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    known = grammars.GRAMMARS["python"]
    other = Grammar(
        known.module,
        {**known.names, "unheard_of": naming.field},
        placed=known.placed,
        patterns=(*known.patterns, "(unheard_of) @d"),
    )
    monkeypatch.setitem(grammars.GRAMMARS, "python", other)
    assert [item.name for item in definitions_of("def a(): pass\n", "python") or []] == ["a"]
