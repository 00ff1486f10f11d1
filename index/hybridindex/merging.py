"""Makes one result of the parts of a definition: people look for the function, not a part of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import apsw

from hybridindex.database.searching import Hit
from hybridindex.database.statements import statement

#: A definition longer than this is shown in several results: it would name half a file.
MOST_LINES = 150
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
