from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridindex.errors import SegmentDamaged
from hybridindex.segments import records as rec
from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.encoding import (
    NAME,
    PLAIN,
    RawRecord,
    decode_head,
    decode_vectors,
    encode,
    masked,
    segment_name,
)
from hybridindex.segments.writing import MAX_VECTORS, body_of, new_segments, vectors_per_segment
from hybridindex.types import FileRecord, Fingerprint, KeyedChunk

DIMENSIONS = 8
FINGERPRINT = Fingerprint("model", "", "", DIMENSIONS, 128)


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def vector(number: int) -> bytes:
    return bytes((number + i) % 256 for i in range(DIMENSIONS))


def blob(number: int) -> str:
    return f"{number:040x}"


def chunks_of(numbers: list[int], lines: int = 10, first: int = 1) -> tuple[KeyedChunk, ...]:
    starts = range(first, first + lines * len(numbers), lines)
    return tuple(
        KeyedChunk(start, start + lines - 1, (f"symbol{n}",), key(n))
        for start, n in zip(starts, numbers, strict=True)
    )


def catalogue(segments: dict[str, bytes], fingerprint: Fingerprint = FINGERPRINT) -> Catalogue:
    return Catalogue(fingerprint, segments, lambda name: [segments[name]])


def written(
    records: list[FileRecord], known: Catalogue | None = None, extra: tuple[int, ...] = ()
) -> dict[str, bytes]:
    numbers = {int.from_bytes(c.key, "big") for r in records for c in r.chunks} | set(extra)
    vectors = {key(n): vector(n) for n in numbers if known is None or key(n) not in known}
    return dict(new_segments(FINGERPRINT, records, vectors, known))


def test_what_was_written_is_read() -> None:
    records = [
        FileRecord("a/b.py", blob(1), chunks_of([1, 2, 3])),
        FileRecord("caf\udce9.py", blob(2), chunks_of([4], first=7)),
        FileRecord("image.dat", blob(3), (), "binary content"),
    ]
    found = catalogue(written(records))
    assert [found.record(r.path, r.blob_id) for r in records] == records
    assert found.vector(key(3)) == vector(3)
    assert found.vector(key(99)) is None
    assert all(found.covers(r.path, r.blob_id) for r in records)
    assert not found.covers("a/b.py", blob(9))


def test_overlapping_chunks_keep_their_lines() -> None:
    overlapping = (
        KeyedChunk(1, 70, (), key(1)),
        KeyedChunk(61, 130, (), key(2)),
        KeyedChunk(61, 62, (), key(3)),
    )
    record = FileRecord("a.py", blob(1), overlapping)
    assert catalogue(written([record])).record("a.py", blob(1)) == record


def test_a_name_is_made_of_the_unmasked_bytes_and_masking_undoes_itself() -> None:
    name, data = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(1))])
    assert NAME.match(name)
    plain = masked(name, data)
    assert segment_name(plain) == name
    assert masked(name, plain) == data
    assert plain[:PLAIN] == data[:PLAIN] == b"GSEG\x01"
    assert plain[PLAIN:] != data[PLAIN:]


def test_equal_content_has_one_name_and_other_vectors_another() -> None:
    record = FileRecord("a.py", blob(1), chunks_of([1, 2]))
    assert written([record]) == written([record])
    one = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(1))])[0]
    other = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(2))])[0]
    assert one != other


def test_a_change_costs_its_own_chunks_not_the_file() -> None:
    before = FileRecord("CHANGES.rst", blob(1), chunks_of(list(range(80))))
    first = written([before])
    after = FileRecord("CHANGES.rst", blob(2), chunks_of([500, *range(80)]))
    second = written([after], catalogue(first))
    assert sum(map(len, second.values())) < 300 < len(body_of(after, None))
    both = catalogue(first | second)
    assert both.record("CHANGES.rst", blob(2)) == after
    assert both.record("CHANGES.rst", blob(1)) == before


def test_a_record_whose_base_is_gone_is_no_record() -> None:
    before = FileRecord("a.py", blob(1), chunks_of(list(range(40))))
    first = written([before])
    second = written([FileRecord("a.py", blob(2), chunks_of([90, *range(40)]))], catalogue(first))
    alone = catalogue(second)
    assert alone.record("a.py", blob(2)) is None
    assert not alone.covers("a.py", blob(2))


def test_a_chain_of_changes_stays_short() -> None:
    segments: dict[str, bytes] = {}
    numbers = list(range(30))
    for step in range(3 * rec.MAX_DEPTH):
        numbers = [1000 + step, *numbers[1:]]
        record = FileRecord("a.py", blob(step), chunks_of(numbers))
        segments |= written([record], catalogue(segments))
        resolved = catalogue(segments).resolved("a.py", blob(step))
        assert resolved is not None
        assert resolved.depth <= rec.MAX_DEPTH
    assert catalogue(segments).record("a.py", blob(0)) is not None


def test_one_key_in_two_segments_reads_the_smallest_name() -> None:
    one = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(1))])
    two = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(2))])
    smallest = min(one, two)
    plain = masked(*smallest)
    assert catalogue(dict([one, two])).vector(key(1)) == plain[-DIMENSIONS:]


def test_a_record_whose_vectors_are_there_wins_over_one_whose_are_not() -> None:
    bare = RawRecord(b"a.py", bytes.fromhex(blob(1)), rec.whole_body(rec.relative(chunks_of([1]))))
    for vectorless in range(20):  # whichever of the two names is smaller
        filler = [(key(1000 + vectorless), vector(0))]
        poor = encode(FINGERPRINT.id, "m", DIMENSIONS, [bare], filler)
        rich = written([FileRecord("a.py", blob(1), chunks_of([2, 3]))])
        both = catalogue(dict([poor]) | rich)
        assert both.covers("a.py", blob(1))
        record = both.record("a.py", blob(1))
        assert record is not None
        assert [c.key for c in record.chunks] == [key(2), key(3)]


def test_segments_of_another_fingerprint_are_counted_and_not_used() -> None:
    record = FileRecord("a.py", blob(1), chunks_of([1, 2]))
    other = Fingerprint("other", "", "", DIMENSIONS, 128)
    found = catalogue(written([record]), other)
    assert found.foreign == {"model": 2}
    assert found.record("a.py", blob(1)) is None
    assert key(1) not in found


def test_segments_stay_small_and_none_is_empty() -> None:
    assert written([]) == {}
    record = FileRecord("big.py", blob(1), chunks_of(list(range(2500))))
    segments = written([record])
    heads = [decode_head(name, data) for name, data in segments.items()]
    assert sum(len(head.keys) for head in heads) == 2500
    assert all(len(head.keys) <= MAX_VECTORS for head in heads)
    wide = Fingerprint("wide", "", "", 1024, 512)
    numbers = {key(n): bytes(1024) for n in range(1000)}
    for name, data in new_segments(wide, [], numbers):
        assert len(data) < 500_000, name
    assert vectors_per_segment(384) == MAX_VECTORS


@pytest.mark.parametrize("cut", [0, 4, 10, 30, -1, -DIMENSIONS])
def test_a_truncated_segment_is_damage(cut: int) -> None:
    ((name, data),) = written([FileRecord("a.py", blob(1), chunks_of([1, 2]))]).items()
    with pytest.raises(SegmentDamaged):
        decode_head(name, data[:cut])
    found = catalogue({name: data[:cut]})
    assert list(found.damaged) == [name]
    assert found.record("a.py", blob(1)) is None


@given(position=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_no_flipped_bit_is_ever_believed(position: int, bit: int) -> None:
    record = FileRecord("a.py", blob(1), chunks_of([1, 2, 3]))
    ((name, data),) = written([record]).items()
    flipped = bytearray(data)
    flipped[position % len(data)] ^= 1 << bit
    found = catalogue({name: bytes(flipped)})
    assert found.record("a.py", blob(1)) in (None, record)
    assert found.vector(key(1)) is None
    assert found.damaged


@settings(max_examples=300)
@given(body=st.binary(max_size=60))
def test_no_body_makes_a_reader_fail(body: bytes) -> None:
    """A hostile segment may be well-formed outside and anything inside."""
    raw = [RawRecord(b"a.py", bytes(20), bytes([kind]) + body) for kind in range(4)]
    raw.append(RawRecord(b"a.py", bytes(20), rec.whole_body(rec.relative(chunks_of([1])))))
    name, data = encode(FINGERPRINT.id, "m", DIMENSIONS, raw, [(key(1), vector(1))])
    found = catalogue({name: data})
    found.record("a.py", blob(0))
    found.covers("a.py", blob(0))
    assert not found.damaged


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_history_of_edits_reads_back(seed: int) -> None:
    drawn = random.Random(seed)
    segments: dict[str, bytes] = {}
    numbers = [drawn.randrange(50) for _ in range(drawn.randrange(1, 40))]
    history = []
    for step in range(12):
        for _ in range(drawn.randrange(4)):
            at = drawn.randrange(len(numbers) + 1)
            numbers[at : at + drawn.randrange(3)] = [
                drawn.randrange(200) for _ in range(drawn.randrange(3))
            ]
        record = FileRecord("a.py", blob(step), chunks_of(numbers, drawn.randrange(1, 30)))
        segments |= written([record], catalogue(segments))
        history.append(record)
    found = catalogue(segments)
    assert [found.record(r.path, r.blob_id) for r in history] == history


def test_decoding_vectors_needs_the_bytes_the_name_was_made_from() -> None:
    ((name, data),) = written([FileRecord("a.py", blob(1), chunks_of([1, 2]))]).items()
    head = decode_head(name, data)
    assert decode_vectors(name, head, data) == [vector(1), vector(2)]
    damaged = data[:-1] + bytes([data[-1] ^ 1])
    assert decode_head(name, damaged) == head
    with pytest.raises(SegmentDamaged):
        decode_vectors(name, head, damaged)
