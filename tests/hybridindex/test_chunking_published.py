"""The published rule, by windows small enough to count by hand."""

from __future__ import annotations

import pytest

from hybridindex.chunking import chunk
from hybridindex.chunking.published import published_chunks


def _ranges(text: str) -> list[tuple[int, int]]:
    return [(part.start, part.end) for part in published_chunks(text)]


def test_windows_fill_up_and_go_back() -> None:
    # A line is 100 characters with its line feed: 28 lines reach 2,800, 4 lines reach 320.
    assert _ranges(("x" * 99 + "\n") * 60) == [(1, 28), (25, 52), (49, 60)]


def test_a_window_that_ends_with_the_text_is_the_last() -> None:
    assert _ranges(("x" * 99 + "\n") * 28) == [(1, 28)]
    assert _ranges(("x" * 99 + "\n") * 29) == [(1, 28), (25, 29)]


def test_the_line_that_reaches_the_bound_is_inside() -> None:
    assert _ranges("x" * 2_798 + "\n" + "y" * 50 + "\nz\n") == [(1, 2), (2, 3)]


def test_it_always_moves_forward() -> None:
    assert _ranges(("x" * 5_000 + "\n") * 3) == [(1, 1), (2, 2), (3, 3)]


def test_no_line_feed_at_the_end_changes_nothing() -> None:
    assert _ranges("a\nb") == _ranges("a\nb\n") == [(1, 2)]


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_white_space_has_no_chunks(text: str) -> None:
    assert _ranges(text) == []


def test_it_is_the_method_lines() -> None:
    text = ("x" * 99 + "\n") * 60
    assert chunk(text, "python", "lines") == published_chunks(text)


def test_another_method_is_an_error() -> None:
    with pytest.raises(ValueError, match="windows"):
        chunk("x", "python", "windows")  # type: ignore[arg-type]
