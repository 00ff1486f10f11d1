from __future__ import annotations

import random

import pytest

from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.compaction import MAX_SHARE_OF_OUTPUT, compact
from hybridindex.types import FileRecord
from tests.hybridindex.test_segments import (
    FINGERPRINT,
    blob,
    catalogue,
    chunks_of,
    key,
    vector,
    written,
)

Segments = dict[str, bytes]


def history(seed: int, commits: int = 40) -> tuple[Segments, list[dict[str, FileRecord]]]:
    """Segments of a series of commits, and what each commit's tree holds."""
    drawn = random.Random(seed)
    numbers = {f"f{i}.py": [drawn.randrange(10_000) for _ in range(8)] for i in range(6)}
    segments: Segments = {}
    trees: list[dict[str, FileRecord]] = []
    tree: dict[str, FileRecord] = {}
    for commit in range(commits):
        changed = drawn.sample(sorted(numbers), 1 if commit else len(numbers))
        for path in changed:
            numbers[path][drawn.randrange(8)] = drawn.randrange(10_000)
            tree[path] = FileRecord(path, blob(commit), chunks_of(numbers[path]))
        segments |= written([tree[path] for path in changed], catalogue(segments))
        trees.append(dict(tree))
    return segments, trees


def apply(segments: Segments, wanted: set[tuple[str, str]], above: int) -> Segments:
    done = compact(FINGERPRINT, catalogue(segments), lambda p, b: (p, b) in wanted, above)
    return {n: d for n, d in segments.items() if n not in done.removed} | dict(done.added)


def pairs(*trees: dict[str, FileRecord]) -> set[tuple[str, str]]:
    return {(record.path, record.blob_id) for tree in trees for record in tree.values()}


def whole(found: Catalogue, tree: dict[str, FileRecord]) -> bool:
    return all(found.record(r.path, r.blob_id) == r for r in tree.values()) and all(
        found.vector(c.key) == vector(int.from_bytes(c.key, "big"))
        for r in tree.values()
        for c in r.chunks
    )


@pytest.mark.parametrize("seed", range(8))
def test_what_is_wanted_outlives_any_compaction(seed: int) -> None:
    segments, trees = history(seed)
    wanted = pairs(trees[-1], *trees[-10:])
    smaller = apply(segments, wanted, above=8)
    assert len(smaller) < len(segments)
    for tree in trees[-10:]:
        assert whole(catalogue(smaller), tree)
    again = apply(smaller, wanted, above=8)
    assert whole(catalogue(again), trees[-1])


@pytest.mark.parametrize("seed", range(4))
def test_two_compactions_that_meet_lose_nothing(seed: int) -> None:
    segments, trees = history(seed)
    one = apply(segments, pairs(trees[-1]), above=4)
    other = apply(segments, pairs(*trees[20:]), above=16)
    # A merge takes out what either side took out, and has what either side put in.
    merged = {n: d for n, d in segments.items() if n in one and n in other}
    merged |= {n: d for n, d in {**one, **other}.items() if n not in segments}
    assert whole(catalogue(merged), trees[-1])


def test_nothing_is_done_up_to_the_threshold_and_the_same_is_done_twice() -> None:
    segments, trees = history(1)
    wanted = pairs(trees[-1])
    assert apply(segments, wanted, above=len(segments)) == segments
    assert apply(segments, wanted, above=8) == apply(segments, wanted, above=8)


def test_what_nobody_wants_is_left_out() -> None:
    segments, trees = history(2)
    smaller = apply(segments, pairs(trees[-1]), above=4)
    assert sum(map(len, smaller.values())) < 0.6 * sum(map(len, segments.values()))


def test_no_input_is_most_of_an_output() -> None:
    segments, trees = history(3, commits=20)
    large = written([FileRecord("big.py", blob(1), chunks_of(list(range(20_000, 20_400))))])
    wanted = pairs(trees[-1]) | {("big.py", blob(1))}
    every = segments | large
    done = compact(FINGERPRINT, catalogue(every), lambda p, b: (p, b) in wanted, 4)
    total = sum(len(data) for _, data in done.added)
    merged = [n for n in done.removed if not _dead(every, n, wanted)]
    assert merged
    assert all(len(every[name]) <= MAX_SHARE_OF_OUTPUT * total for name in merged)
    assert not set(large) & set(done.removed)


def _dead(segments: Segments, name: str, wanted: set[tuple[str, str]]) -> bool:
    """Whether taking the segment out leaves every wanted file covered."""
    rest = catalogue({n: d for n, d in segments.items() if n != name})
    return all(rest.covers(path, blob_id) for path, blob_id in wanted)


def test_segments_of_another_model_stay() -> None:
    segments, trees = history(4)
    foreign = {"f" * 32 + ".seg": b"GSEG\x01 of somebody else"}
    smaller = apply(segments | foreign, pairs(trees[-1]), above=4)
    assert set(foreign) <= set(smaller)
    assert key(0) not in catalogue(foreign)
