"""Makes one result of what stands together: people look for a place in a file, not for a chunk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import apsw

from hybridindex.database.searching import Hit
from hybridindex.database.statements import statement

#: A definition longer than this is shown in several results: it would name half a file.
MOST_LINES = 150
#: Neighbours are joined up to this: what can be read at once. With 150 a result is a fifth longer
#: and semble gains .001.
MOST_JOINED = 80
#: Lines between two results that still stand together: what parts them is blank.
MOST_BETWEEN = 3
#: The share of the better one's score from which on a neighbour is worth its lines.
WORTH = 0.4
#: Candidates that are looked at; nobody sees what comes after them.
DEPTH = 200


def merged(connection: apsw.Connection, hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each definition, its lines those of all the definition's parts.

    Parts are chunks one after another with the same first symbol. The order of the hits stays.
    """
    considered = hits[:DEPTH]
    spans = _spans(connection, sorted({hit.file_id for hit in considered if hit.symbols}))
    seen: set[tuple[int, int]] = set()
    kept = []
    for hit in considered:
        start, end = spans.get(hit.chunk_id, (hit.start, hit.end))
        if (hit.file_id, start) not in seen:
            seen.add((hit.file_id, start))
            kept.append(replace(hit, start=start, end=end))
    return kept


def joined(hits: Sequence[Hit]) -> list[Hit]:
    """Hits of a file that stand next to each other, or in each other, as one.

    ``hits`` are best first. The better one's place, score and focus stay; the lines become those of
    both, and the symbols of the other come after its own.
    """
    kept: list[Hit] = []
    for hit in hits:
        beside = [place for place, other in enumerate(kept) if _together(other, hit)]
        if not beside:
            kept.append(hit)
            continue
        first, *others = beside
        whole = _both(kept[first], hit)
        # Between two others, a hit joins both.
        for place in reversed(others):
            if _together(whole, kept[place]):
                whole = _both(whole, kept.pop(place))
        kept[first] = whole
    return kept


def _together(better: Hit, worse: Hit) -> bool:
    if better.file_id != worse.file_id:
        return False
    if better.start <= worse.start and worse.end <= better.end:
        return True
    between = max(better.start, worse.start) - min(better.end, worse.end) - 1
    lines = max(better.end, worse.end) - min(better.start, worse.start) + 1
    worth = worse.score >= WORTH * better.score
    return worth and between <= MOST_BETWEEN and lines <= MOST_JOINED


def _both(better: Hit, worse: Hit) -> Hit:
    return replace(
        better,
        start=min(better.start, worse.start),
        end=max(better.end, worse.end),
        symbols=tuple(dict.fromkeys((*better.symbols, *worse.symbols))),
    )


def _spans(connection: apsw.Connection, file_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """First and last line of the definition of each chunk that has parts beside it."""
    runs: list[tuple[list[int], int, int]] = []
    before: tuple[int, str] | None = None
    rows = connection.execute(statement("parts_of_files"), {"files": json.dumps(file_ids)})
    for chunk_id, file_id, start, end, symbol in rows:
        this = (file_id, symbol)
        if symbol and this == before and end - runs[-1][1] < MOST_LINES:
            ids, first, _ = runs[-1]
            ids.append(chunk_id)
            runs[-1] = (ids, first, end)
        else:
            runs.append(([chunk_id], start, end))
        before = this
    return {i: (start, end) for ids, start, end in runs if len(ids) > 1 for i in ids}
