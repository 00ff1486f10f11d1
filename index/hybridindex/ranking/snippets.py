"""The few lines of a hit that answer best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hybridindex import text as texts
from hybridindex.queries import Hit, Snippet
from hybridindex.source import Source

#: Lines shown of a hit unless the person asks for context.
LINES = 4
_WORD = re.compile(r"\w+")


def _weights(lines: Sequence[str], words: frozenset[str]) -> list[int]:
    """How many words of the question each line has."""
    weights = []
    for line in lines:
        split = texts.split_identifiers(texts.spaced(line)).lower()
        weights.append(len(words.intersection(_WORD.findall(split))))
    return weights


def best_window(lines: Sequence[str], words: frozenset[str], size: int) -> int:
    """Index of the first line of the best ``size`` lines; the first of equals, so the head wins."""
    weights = _weights(lines, words)
    best, best_weight = 0, -1
    for at in range(max(1, len(lines) - size + 1)):
        weight = sum(weights[at : at + size])
        if weight > best_weight:
            best, best_weight = at, weight
    return best


def snippet_of(
    lines: Sequence[str], hit: Hit, words: frozenset[str], context: int | None
) -> Snippet:
    """The lines to show of a hit: its best few, or all of it with ``context`` lines around."""
    if context is not None:
        start = max(1, hit.start - context)
        end = min(len(lines), hit.end + context)
    else:
        first, last = hit.focus
        chunk = lines[first - 1 : last]
        while len(chunk) > 1 and not chunk[-1].strip():
            chunk = chunk[:-1]
        start = first + best_window(chunk, words, LINES)
        end = min(start + LINES - 1, first + len(chunk) - 1)
    shown = tuple(line.rstrip("\r") for line in lines[start - 1 : end])
    weights = _weights(shown, words)
    return Snippet(start, shown, frozenset(start + i for i, w in enumerate(weights) if w))


def with_snippets(
    source: Source, hits: Sequence[Hit], words: frozenset[str], context: int | None
) -> list[Hit]:
    """The hits with their snippets, read from the source that was searched.

    ``words`` are those of the question, split and in lower case.
    """
    paths = sorted({hit.path for hit in hits})
    read = {path: texts.lines_of(texts.decode(data)) for path, data in source.read_shown(paths)}
    return [
        replace(hit, snippet=snippet_of(read.get(hit.path, ()), hit, words, context))
        for hit in hits
    ]
