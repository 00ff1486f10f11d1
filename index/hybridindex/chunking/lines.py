"""Chunks by lines, for languages without a grammar: blocks begin at unindented lines."""

from __future__ import annotations

import re

from hybridindex.chunking.measure import ALONE, MAX_SIZE, Measure
from hybridindex.chunking.pieces import Piece, join
from hybridindex.types import Chunk

#: A line that ends what stands above it, or underlines it: a cut before it is the worst of all.
_CLOSES = re.compile(
    r"[\])}>;,]|</|(?:end|else|elif|elsif|fi|done|esac)\b|([=\-~^*#+.`\"'_])\1{2,}$"
)

#: A line that most languages take for a comment or an annotation: it belongs to the line below.
_LEADS = re.compile(r"(?:#|//|--|;|/\*|\*|<!--|%|@)")

#: Indentation counts up to here; deeper lines are all the same.
_MAX_INDENT = 16
_CLOSING = 2 * (_MAX_INDENT + 1)


def line_chunks(text: str) -> list[Chunk]:
    """Chunks of whole lines that cover every line which is not blank; no symbols."""
    measure = Measure(text)
    spans = join(line_pieces(measure, 0, measure.last), measure)
    return [Chunk(start + 1, end + 1) for start, end, _ in spans]


def line_pieces(measure: Measure, start: int, end: int) -> list[Piece]:
    """One piece for each block that fits a chunk, one for each line of a larger block.

    A block begins at an unindented line, or at the comment right above it. A block with indented
    lines that is large enough to stand alone is taken for a definition, and fenced.
    """
    starts = [row for row in range(start, end + 1) if row == start or _begins(measure, row)]
    pieces: list[Piece] = []
    fence = False
    for first, following in zip(starts, [*starts[1:], end + 1], strict=True):
        last = following - 1
        size = measure.size(first, last)
        alone = last > first and size >= ALONE
        weakness = 0 if measure.blank(first - 1) else 1
        if size <= MAX_SIZE:
            pieces.append(Piece(first, last, weakness, alone or fence))
        else:
            pieces.append(Piece(first, first, weakness, alone or fence))
            pieces.extend(
                Piece(row, row, _weakness(measure, row)) for row in range(first + 1, last + 1)
            )
        fence = alone
    return pieces


def _begins(measure: Measure, row: int) -> bool:
    line = measure.lines[row]
    if not line or line[0].isspace() or _CLOSES.match(measure.stripped[row]):
        return False
    above = measure.lines[row - 1] if row else ""
    return not (above and not above[0].isspace() and _LEADS.match(above))


def _weakness(measure: Measure, row: int) -> int:
    if measure.blank(row) or _CLOSES.match(measure.stripped[row]):
        return _CLOSING
    line = measure.lines[row]
    indent = len(line) - len(line.lstrip())
    return 2 * min(indent, _MAX_INDENT) + (0 if measure.blank(row - 1) else 1)
