"""Makes one result of what stands together: people look for a place in a file, not for a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hybridindex.queries import Hit

#: A definition longer than this is shown in several results: it would name half a file.
MAX_LINES = 150
#: Neighbours are joined up to this: what can be read at once. With 150 a result is a fifth longer
#: and semble gains .001.
MAX_JOINED = 80
#: Lines between two results that still stand together: what parts them is blank.
MAX_BETWEEN = 3
#: The share of the better one's score from which on a neighbour is worth its lines.
MIN_SHARE = 0.4

#: A chunk of a file: its row, the file's, first and last line, first symbol ('' for none).
Part = tuple[int, int, int, int, str]


def definitions(hits: Sequence[Hit], parts: Iterable[Part]) -> list[Hit]:
    """The best hit of each definition, its lines those of all the definition's parts.

    ``parts`` are all chunks of the files of the hits that have symbols, by file and line. Those one
    after another with the same first symbol are one definition. The order of the hits stays.
    """
    spans = _spans(parts)
    seen: set[tuple[int, int]] = set()
    kept = []
    for hit in hits:
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
    worth = worse.score >= MIN_SHARE * better.score
    return worth and between <= MAX_BETWEEN and lines <= MAX_JOINED


def _both(better: Hit, worse: Hit) -> Hit:
    return replace(
        better,
        start=min(better.start, worse.start),
        end=max(better.end, worse.end),
        symbols=tuple(dict.fromkeys((*better.symbols, *worse.symbols))),
    )


def beyond(shown: Sequence[Hit], more: Iterable[Hit]) -> list[Hit]:
    """The hits of ``more`` that share no line with one of ``shown``, in their order."""
    taken: dict[int, list[Hit]] = {}
    for hit in shown:
        taken.setdefault(hit.file_id, []).append(hit)
    return [
        hit
        for hit in more
        if not any(
            hit.start <= other.end and other.start <= hit.end
            for other in taken.get(hit.file_id, ())
        )
    ]


def _spans(parts: Iterable[Part]) -> dict[int, tuple[int, int]]:
    """First and last line of the definition of each chunk that has parts beside it."""
    runs: list[tuple[list[int], int, int]] = []
    before: tuple[int, str] | None = None
    for chunk_id, file_id, start, end, symbol in parts:
        this = (file_id, symbol)
        if symbol and this == before and end - runs[-1][1] < MAX_LINES:
            ids, first, _ = runs[-1]
            ids.append(chunk_id)
            runs[-1] = (ids, first, end)
        else:
            runs.append(([chunk_id], start, end))
        before = this
    return {i: (start, end) for ids, start, end in runs if len(ids) > 1 for i in ids}
