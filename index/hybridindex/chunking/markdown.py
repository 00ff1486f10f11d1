"""Chunks of Markdown by heading; the symbols are the headings, with those above them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from hybridindex.chunking.measure import ALONE, MAX_SIZE, Measure
from hybridindex.chunking.pieces import Piece, join
from hybridindex.types import Chunk

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
_LIST = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")

#: Weakness of a boundary inside a section, all weaker than the heading of the lowest level (6).
_PARAGRAPH, _ITEM, _LINE, _FENCED, _HELD = 8, 9, 10, 12, 14

#: Between the headings of a symbol: "Usage > Options".
SEPARATOR = " > "


@dataclass(frozen=True)
class Heading:
    """A heading at a 0-based row (of its text), with its level from 1 to 6."""

    row: int
    level: int
    title: str


def markdown_chunks(text: str) -> list[Chunk]:
    """Chunks that cover every line which is not blank, cut at headings, then at paragraphs."""
    measure = Measure(text)
    headings, fenced = read_headings(measure)
    paths = _paths(headings)
    bounds = [heading.row for heading in headings]
    pieces: list[Piece] = []
    fence = False
    for index, start in enumerate([0, *bounds]):
        end = (bounds[index] if index < len(bounds) else measure.last + 1) - 1
        if end < start:
            continue
        size = measure.size(start, end)
        level = headings[index - 1].level if index else 0
        section = _section(measure, start, end, level, index > 0, fenced, size > MAX_SIZE)
        section[0].fence = fence or size >= ALONE
        pieces.extend(section)
        fence = size >= ALONE
    chunks = []
    for first, last, _ in join(pieces, measure):
        low, high = bisect_left(bounds, first), bisect_right(bounds, last)
        if low and first not in bounds[low : low + 1]:
            low -= 1
        symbols = dict.fromkeys(path for path in paths[low:high] if path)
        chunks.append(Chunk(first + 1, last + 1, tuple(symbols)))
    return chunks


def read_headings(measure: Measure) -> tuple[list[Heading], set[int]]:
    """The ATX and setext headings in order, and the rows inside code fences or front matter."""
    headings: list[Heading] = []
    fenced: set[int] = set()
    row = _front_matter(measure)
    fenced.update(range(1, row))
    fence = ""
    while row <= measure.last:
        line = measure.lines[row].rstrip("\r")
        mark = _FENCE.match(line)
        if fence:
            fenced.add(row)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif atx := _ATX.match(line):
            headings.append(Heading(row, len(atx[1]), _title(atx[2] or "")))
        elif (under := _SETEXT.match(line)) and _underlines(measure, row, headings, fenced):
            level = 1 if under[1][0] == "=" else 2
            headings.append(Heading(row - 1, level, _title(measure.stripped[row - 1])))
        row += 1
    return headings, fenced


def _front_matter(measure: Measure) -> int:
    """Rows of a YAML block at the top."""
    if measure.lines[0].rstrip() == "---":
        for row in range(1, measure.last + 1):
            if measure.lines[row].rstrip() in ("---", "..."):
                return row + 1
    return 0


def _underlines(measure: Measure, row: int, headings: list[Heading], fenced: set[int]) -> bool:
    """Whether the row above is a paragraph's last line, not a heading, list, quote or table."""
    above = row - 1
    if measure.blank(above) or above in fenced or (headings and headings[-1].row == above):
        return False
    line = measure.lines[above]
    text = measure.stripped[above]
    return not (
        line.startswith(("    ", "\t"))
        or text.startswith((">", "|", "#"))
        or _LIST.match(text)
        or _SETEXT.match(line)
        or _FENCE.match(line)
    )


def _title(text: str) -> str:
    """A heading's words, without links, images and emphasis."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]{1,200}>", "", text)
    return " ".join(text.replace("`", "").replace("**", "").split())


def _paths(headings: list[Heading]) -> list[str]:
    """Each heading with those it stands under, outermost first."""
    stack: list[Heading] = []
    paths = []
    for heading in headings:
        while stack and stack[-1].level >= heading.level:
            stack.pop()
        stack.append(heading)
        paths.append(SEPARATOR.join(above.title for above in stack if above.title))
    return paths


def _section(
    measure: Measure,
    start: int,
    end: int,
    level: int,
    headed: bool,
    fenced: set[int],
    large: bool,
) -> list[Piece]:
    """One piece, or one a line when the section is too large for a chunk."""
    if not large:
        return [Piece(start, end, level)]
    pieces = [Piece(start, start, level)]
    words = not headed
    for row in range(start + 1, end + 1):
        underline = headed and row == start + 1 and _SETEXT.match(measure.lines[row])
        if not words or underline or measure.blank(row):
            # A heading keeps the first line of its text.
            pieces[-1].end = row
            words = words or not (measure.blank(row) or underline)
            continue
        pieces.append(Piece(row, row, _weakness(measure, row, fenced)))
    return pieces


def _weakness(measure: Measure, row: int, fenced: set[int]) -> int:
    if row in fenced:
        return _HELD if _FENCE.match(measure.lines[row]) else _FENCED
    if measure.blank(row - 1):
        return _PARAGRAPH
    return _ITEM if _LIST.match(measure.lines[row]) else _LINE
