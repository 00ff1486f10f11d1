"""Joins small pieces of a text to chunks, so that an edit moves only the chunks around it.

Three rules keep an edit local. A *fence* (a definition large enough to stand alone) always ends
one chunk and begins another. Between fences a cut falls at the strongest boundary within reach,
equal ones being told apart by a checksum of the line that follows: the same lines attract the same
cut, wherever counting began. Remainders join a direct neighbour only.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from hybridindex.chunking.measure import MAX_SIZE, MIN_CUT, SCRAP, Measure


@dataclass(slots=True)
class Piece:
    """Rows ``start`` to ``end`` (0-based, inclusive) that are never cut apart.

    ``weakness`` is that of the boundary before the piece: 0 is the best place for a cut.
    ``opens`` is the row of the definition that begins with this piece, or -1.
    """

    start: int
    end: int
    weakness: int
    fence: bool = False
    opens: int = -1


#: Rows after a boundary that tell it from equal ones.
MARKED_ROWS = 3

#: First and last index into the pieces of one chunk.
Group = tuple[int, int]


def join(pieces: Sequence[Piece], measure: Measure) -> list[tuple[int, int, list[Piece]]]:
    """Joins adjacent pieces to chunks, in order.

    Each is (first row, last row, its pieces), rows 0-based and inclusive, without blank rows at
    the ends; chunks of nothing but blank rows are left out.
    """
    groups: list[Group] = []
    first = 0
    for index in range(1, len(pieces) + 1):
        if index == len(pieces) or pieces[index].fence:
            groups.extend(_cut(pieces, first, index - 1, measure))
            first = index
    spans = []
    for first, last in _absorb(pieces, groups, measure):
        rows = measure.trim(pieces[first].start, pieces[last].end)
        if rows:
            spans.append((*rows, list(pieces[first : last + 1])))
    return spans


def _cut(pieces: Sequence[Piece], first: int, last: int, measure: Measure) -> list[Group]:
    """Cuts one run between fences into groups up to ``MAX_SIZE``, single large pieces aside."""
    groups: list[Group] = []
    end = pieces[last].end
    while first <= last:
        start = pieces[first].start
        left = measure.size(start, end)
        if left <= MAX_SIZE:
            groups.append((first, last))
            break
        best = first + 1
        rank = (True, 0, 0)
        for index in range(first + 1, last + 1):
            piece = pieces[index]
            size = measure.size(start, piece.start - 1)
            if size > MAX_SIZE:
                break
            # The last cut leaves a remainder worth a chunk, where that can be had.
            thin = size < MIN_CUT or (left <= 2 * MAX_SIZE and left - size < MIN_CUT)
            if thin and not rank[0]:
                continue
            if thin:
                best = index
                continue
            candidate = (False, piece.weakness, _mark(measure, piece.start))
            if candidate < rank:
                best, rank = index, candidate
        groups.append((first, best - 1))
        first = best
    return groups


def _mark(measure: Measure, row: int) -> int:
    """A checksum of the next lines: of several, for many blocks begin with the same line."""
    text = "\n".join(measure.stripped[row : row + MARKED_ROWS])
    return zlib.crc32(text.encode("utf-8", "replace"))


def _absorb(pieces: Sequence[Piece], groups: list[Group], measure: Measure) -> list[Group]:
    """Joins remainders to the neighbour behind the weaker boundary, when both fit a chunk."""

    def size(group: Group) -> int:
        return measure.size(pieces[group[0]].start, pieces[group[1]].end)

    done: list[Group] = []
    queue = groups[::-1]
    while queue:
        group = queue.pop()
        if size(group) >= SCRAP:
            done.append(group)
            continue
        after = (group[0], queue[-1][1]) if queue else None
        before = (done[-1][0], group[1]) if done else None
        if after and size(after) > MAX_SIZE:
            after = None
        # Rather a chunk a little too large than a method's end joined to the next class.
        inward = not queue or pieces[queue[-1][0]].weakness < pieces[group[0]].weakness
        if before and size(before) > (MAX_SIZE + SCRAP if inward else MAX_SIZE):
            before = None
        if before and (inward or not after):
            done[-1] = before
        elif after:
            queue[-1] = after
        else:
            done.append(group)
    return done
