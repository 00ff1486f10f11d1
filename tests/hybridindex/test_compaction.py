from __future__ import annotations

import random

import pytest

from hybridindex.errors import SearchError
from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.compaction import compact
from hybridindex.segments.writing import new_segments
from hybridindex.types import FileRecord, Fingerprint
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
    assert all(len(every[name]) <= 0.4 * total for name in merged)
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


def equal(count: int, chunks: int = 100) -> tuple[Segments, list[FileRecord]]:
    """So many segments of one size: a file and the vectors of its chunks in each."""
    segments: Segments = {}
    records = []
    for number in range(count):
        numbers = list(range(1000 + number * chunks, 1000 + (number + 1) * chunks))
        record = FileRecord(f"{number:03}.py", blob(number), chunks_of(numbers))
        made = written([record])
        assert len(made) == 1
        segments |= made
        records.append(record)
    return segments, records


def of(records: list[FileRecord]) -> set[tuple[str, str]]:
    return {(record.path, record.blob_id) for record in records}


@pytest.mark.parametrize(("above", "left"), [(69, 34), (30, 15), (8, 4), (2, 1), (1, 1)])
def test_a_compaction_leaves_half_of_the_threshold(above: int, left: int) -> None:
    segments, records = equal(70, chunks=2)
    smaller = apply(segments, of(records), above)
    assert len(smaller) == left
    assert all(catalogue(smaller).record(r.path, r.blob_id) == r for r in records)


def test_64_segments_are_not_compacted_and_65_are_to_32() -> None:
    segments, _ = equal(65, chunks=2)
    done = compact(FINGERPRINT, catalogue(segments), lambda *_: True)
    assert 65 - len(done.removed) + len(done.added) == 32
    few = dict(sorted(segments.items())[:64])
    assert compact(FINGERPRINT, catalogue(few), lambda *_: True).removed == ()


def test_segments_that_nobody_uses_do_not_make_more_be_merged() -> None:
    segments, records = equal(15, chunks=2)
    smaller = apply(segments, of(records[:10]), above=8)
    assert len(smaller) == 4
    assert len(set(smaller) & set(segments)) == 3


def test_a_file_that_is_not_covered_before_stops_no_compaction() -> None:
    segments, records = equal(5, chunks=2)
    bare = FileRecord("bare.py", blob(99), chunks_of([7]))
    segments |= dict(new_segments(FINGERPRINT, [bare], {}))
    smaller = apply(segments, of([*records, bare]), above=2)
    assert len(smaller) < len(segments)
    assert catalogue(smaller).record("bare.py", blob(99)) == bare


def test_three_of_one_size_are_merged_and_two_are_not() -> None:
    """An input of more than 40 % of an output could be taken for it by a rename detection."""
    segments, records = equal(3)
    assert len(apply(segments, of(records), above=1)) == 1
    segments, records = equal(2)
    assert apply(segments, of(records), above=1) == segments


def test_what_is_written_decides_not_what_is_read() -> None:
    """Most of the inputs is dead: each of them would be most of the output."""
    segments, records = equal(4)
    part = [FileRecord(r.path, blob(100 + i), r.chunks[:30]) for i, r in enumerate(records)]
    segments |= dict(new_segments(FINGERPRINT, part, {}))
    assert apply(segments, of(part), above=1) == segments
    assert all(catalogue(segments).covers(r.path, r.blob_id) for r in part)


def test_a_segment_whose_records_are_dead_stays_while_its_vectors_are_used() -> None:
    old = FileRecord("a.py", blob(1), chunks_of([1, 2, 3]))
    first = written([old])
    new = FileRecord("a.py", blob(2), chunks_of([1, 2, 9]))
    second = written([new], catalogue(first))
    smaller = apply(first | second, {("a.py", blob(2))}, above=1)
    assert whole(catalogue(smaller), {"a.py": new})


def test_a_segment_that_nobody_uses_is_dropped_alone_and_nothing_is_written() -> None:
    segments, records = equal(3)
    done = compact(FINGERPRINT, catalogue(segments), lambda p, _: p != "001.py", 2)
    assert done.added == ()
    assert [n for n in segments if n in done.removed] == list(done.removed)
    assert len(done.removed) == 1
    left = catalogue({n: d for n, d in segments.items() if n not in done.removed})
    assert [left.covers(r.path, r.blob_id) for r in records] == [True, False, True]


def test_a_compaction_that_would_lose_something_is_refused_and_says_what() -> None:
    """The vectors of one input are damaged, which its head does not tell."""
    segments, records = equal(5)
    name = min(segments)
    segments[name] = segments[name][:-1] + bytes([segments[name][-1] ^ 1])
    ours = next(r for r in records if catalogue({name: segments[name]}).covers(r.path, r.blob_id))
    with pytest.raises(SearchError, match=f"would leave 1 files uncovered, {ours.path} among them"):
        compact(FINGERPRINT, catalogue(segments), lambda *_: True, 2)
    # A file that nobody wants any more is no reason to refuse.
    smaller = apply(segments, of([r for r in records if r != ours]), above=2)
    assert all(catalogue(smaller).covers(r.path, r.blob_id) for r in records if r != ours)


def test_foreign_segments_go_only_when_that_is_asked() -> None:
    other = Fingerprint("other", "", "", 8, 64)
    foreign = dict(new_segments(other, [], {key(5): vector(5)}))
    segments, _ = equal(2)
    every = catalogue(segments | foreign)
    assert compact(FINGERPRINT, every, lambda *_: True, 64).removed == ()
    done = compact(FINGERPRINT, every, lambda *_: True, 64, drop_foreign=True)
    assert (done.removed, done.added) == (tuple(foreign), ())
