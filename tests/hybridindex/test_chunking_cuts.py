"""Where a cut falls: sizes, fences, remainders, and what stays with what it leads to.

Sizes are written out: another size is another set of chunks, and every index is embedded again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from hybridindex.chunking import chunk
from hybridindex.chunking.measure import Measure
from hybridindex.chunking.pieces import Piece, join

#: Of a row with its line end: twenty rows are a full chunk, ten are enough to cut, three no scrap.
ROW = 50


def cut(
    rows: int, weakness: Mapping[int, int] | None = None, fences: Collection[int] = ()
) -> list[tuple[int, int]]:
    """First and last row of the chunks of so many rows of 50 characters, each a piece."""
    measure = Measure("\n".join(f"{row:04}".ljust(ROW - 1, "x") for row in range(rows)))
    pieces = [Piece(row, row, (weakness or {}).get(row, 5), row in fences) for row in range(rows)]
    return [(start, end) for start, end, _ in join(pieces, measure)]


def test_a_thousand_characters_are_one_chunk_and_more_are_two() -> None:
    assert cut(20) == [(0, 19)]
    (first, second) = cut(21)
    assert first[0] == 0
    assert first[1] + 1 == second[0]
    assert first[1] in (9, 10)


def test_a_cut_is_not_made_before_500_characters() -> None:
    assert cut(30, {8: 0, 12: 1}) == [(0, 11), (12, 29)]
    assert cut(30, {9: 0, 12: 1}) == [(0, 11), (12, 29)]
    assert cut(30, {10: 0, 12: 1}) == [(0, 9), (10, 29)]


def test_the_last_cut_leaves_a_remainder_worth_a_chunk() -> None:
    assert cut(24, {19: 0, 12: 3}) == [(0, 11), (12, 23)]
    assert cut(24, {15: 0, 12: 3}) == [(0, 11), (12, 23)]
    assert cut(24, {14: 0, 12: 3}) == [(0, 13), (14, 23)]
    # Not where more than two chunks are left: then it is not the last cut.
    assert cut(41, {19: 0, 12: 3})[0] == (0, 18)


def test_the_strongest_boundary_within_reach_is_cut() -> None:
    assert cut(38, {12: 3, 16: 1, 18: 2})[0] == (0, 15)
    assert cut(45, {12: 3, 20: 1, 21: 0})[0] == (0, 19)


def test_a_fence_ends_one_chunk_and_begins_another() -> None:
    assert cut(16, fences={8}) == [(0, 7), (8, 15)]
    assert cut(16) == [(0, 15)]


def test_a_remainder_below_150_characters_joins_its_neighbour() -> None:
    assert cut(12, fences={9}) == [(0, 8), (9, 11)]
    assert cut(12, fences={10}) == [(0, 11)]
    assert cut(12, fences={2}) == [(0, 11)]
    assert cut(12, fences={3}) == [(0, 2), (3, 11)]


def test_a_remainder_joins_behind_the_weaker_boundary() -> None:
    assert cut(18, {8: 9, 10: 1}, fences={8, 10}) == [(0, 9), (10, 17)]
    assert cut(18, {8: 1, 10: 9}, fences={8, 10}) == [(0, 7), (8, 17)]


def test_a_last_remainder_may_make_a_chunk_larger_and_another_may_not() -> None:
    assert cut(22, fences={20}) == [(0, 21)]
    assert cut(22, {20: 1}, fences={20}) == [(0, 21)]


WORDS = "words of a line that is long enough to fill it\n"


def starts(text: str, language: str | None = None) -> list[str]:
    """The first line of each chunk."""
    lines = text.split("\n")
    return [lines[part.start - 1] for part in chunk(text, language)]


def block(name: str, rows: int = 12) -> str:
    return f"{name}\n" + f"    {WORDS}" * rows


def test_a_comment_right_above_a_block_stays_with_it() -> None:
    assert starts(block("one") + "# about two\n" + block("two")) == ["one", "# about two"]
    # One that is worth a chunk of its own, too.
    long = "# about two\n" + "# more words about two, enough to be no scrap\n" * 4
    assert starts(block("one") + long + block("two")) == ["one", "# about two"]


def test_an_indented_comment_or_another_line_leads_nothing() -> None:
    assert starts(block("one") + "    # of one\n" + block("two")) == ["one", "two"]
    assert starts(block("one") + ")\n" + block("two")) == ["one", "two"]


def test_what_closes_a_block_begins_none() -> None:
    for closing in ("}", "end", "];", "</div>", "fi", "-----", "else:"):
        text = block("one") + closing + "\n\n" + block("two")
        assert starts(text) == ["one", "two"], closing


FUNCTION = "def {name}(value):\n" + "    value = step(value, 'some words to fill it')\n" * 10


def python(*parts: str) -> list[str]:
    return starts("".join(parts), "python")


def test_a_comment_goes_with_the_definition_right_below_it() -> None:
    pytest.importorskip("tree_sitter_python")
    one, two = FUNCTION.format(name="one"), FUNCTION.format(name="two")
    assert python(one, "# about two\n", two) == ["def one(value):", "# about two"]
    assert python(one, "\n\n# about two\n# and more\n", two) == ["def one(value):", "# about two"]


def test_a_comment_apart_from_what_follows_is_no_part_of_it() -> None:
    """Three such comments are worth a chunk of their own; held ones would be in the second."""
    pytest.importorskip("tree_sitter_python")
    one, two = FUNCTION.format(name="one"), FUNCTION.format(name="two")
    apart = "".join(
        f"# section {i} of the file, told about at some length here\n" for i in range(4)
    )
    assert python(one, "\n", apart, "\n\n", two) == [
        "def one(value):", "# section 0 of the file, told about at some length here",
        "def two(value):",
    ]  # fmt: skip
    assert python(one, "\n", apart, two) == [
        "def one(value):", "# section 0 of the file, told about at some length here",
    ]  # fmt: skip


def test_brackets_nested_without_end_are_cut_by_lines() -> None:
    """Going down without a limit ended in a RecursionError."""
    pytest.importorskip("tree_sitter_javascript")
    depth = 500
    opening = "".join(f"['value {i} of some length to fill it',\n" for i in range(depth))
    text = f"x = {opening}" + "]\n" * depth
    parts = chunk(text, "javascript")
    covered = {row for part in parts for row in range(part.start, part.end + 1)}
    assert covered == set(range(1, 2 * depth + 1))
    assert max(part.end - part.start for part in parts[:20]) < 60
