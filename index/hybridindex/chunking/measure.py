"""How large a line range is, in the unit that chunk sizes are stated in."""

from __future__ import annotations

from itertools import accumulate

#: A definition up to this size stays whole, and nothing is merged beyond it. 700-1,000 characters
#: retrieved better than 1,200 and more with an encoder that reads 256 tokens.
MAX_SIZE = 1_000

#: A cut is looked for between this and ``MAX_SIZE``, which makes long runs average about 750.
MIN_CUT = 500

#: A definition of this size is a chunk of its own. Smaller ones (accessors, one-line wrappers)
#: say too little alone and share a chunk with their neighbours.
ALONE = 350

#: A remainder smaller than this joins a neighbour across a definition boundary: a class header or
#: a closing statement alone is noise in a result list.
SCRAP = 150


class Measure:
    """The lines of one text (split at line feeds only, as git does) and their sizes.

    Rows are 0-based here. The size of a line is its length without surrounding white space, plus
    one: indentation costs an encoder next to nothing, so it must not decide where a chunk ends.
    A blank line has size 0.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.stripped = [line.strip() for line in self.lines]
        sizes = [len(line) + 1 if line else 0 for line in self.stripped]
        self._sums = list(accumulate(sizes, initial=0))

    @property
    def last(self) -> int:
        """The last row."""
        return len(self.lines) - 1

    def size(self, start: int, end: int) -> int:
        """Size of the rows ``start`` to ``end``, both included; 0 when the range is empty."""
        return self._sums[end + 1] - self._sums[start] if end >= start else 0

    def blank(self, row: int) -> bool:
        """Whether the row is blank; rows before the text are."""
        return row < 0 or not self.stripped[row]

    def trim(self, start: int, end: int) -> tuple[int, int] | None:
        """The range without blank rows at its ends, or None when nothing is left."""
        while start <= end and not self.stripped[start]:
            start += 1
        while end >= start and not self.stripped[end]:
            end -= 1
        return (start, end) if start <= end else None
