from __future__ import annotations

from hybridindex.chunking import chunk
from hybridindex.types import Chunk

_PROSE = "".join(f"Line {number} of a paragraph about something.\n" for number in range(12))


def _chunks(text: str) -> list[Chunk]:
    return chunk(text, "markdown")


def _symbols(text: str) -> list[str]:
    return [symbol for part in _chunks(text) for symbol in part.symbols]


def test_sections_are_chunks_named_by_their_headings() -> None:
    text = f"# Usage\n\n{_PROSE}\n## Options ##\n\n{_PROSE}\nInstall\n=======\n\n{_PROSE}"
    assert _chunks(text) == [
        Chunk(1, 14, ("Usage",)),
        Chunk(16, 29, ("Usage > Options",)),
        Chunk(31, 45, ("Install",)),
    ]


def test_small_sections_share_a_chunk() -> None:
    assert _chunks("intro\n\n# A\n\na\n\n# B\n\nb\n") == [Chunk(1, 9, ("A", "B"))]


def test_a_large_section_is_cut_at_paragraphs_and_keeps_its_name() -> None:
    chunks = _chunks("# A\n\n## B\n\n" + "\n".join([_PROSE * 2] * 3))
    assert [(part.start, part.end) for part in chunks] == [(1, 28), (30, 53), (55, 78)]
    assert [part.symbols for part in chunks] == [("A", "A > B"), *[("A > B",)] * 2]


def test_what_is_no_heading() -> None:
    assert _symbols("```sh\n# a\n```\n~~~\n# b\n```\n~~~\n    # c\n#d\n- e\n---\n\n---\n") == []
    assert _symbols("---\ntitle: x\n---\n\n# A\n") == ["A"]
    assert _symbols("| a |\n---\n") == []


def test_setext_and_unclosed_fences() -> None:
    assert _symbols("One\n===\n\nTwo\n---\n\n```\n# x\n") == ["One", "One > Two"]


def test_levels_may_jump() -> None:
    assert _symbols("# A\n### B\n## C\n# D\n") == ["A", "A > B", "A > C", "D"]


def test_titles_are_words() -> None:
    assert _symbols("# The `run` [command](http://x/) <a id='x'></a> **now**\n") == [
        "The run command now"
    ]


def test_headings_without_words_name_nothing() -> None:
    assert _chunks("#\n\ntext\n") == [Chunk(1, 3)]


def test_carriage_returns() -> None:
    assert _symbols("# A\r\n\r\nB\r\n---\r\n") == ["A", "A > B"]
