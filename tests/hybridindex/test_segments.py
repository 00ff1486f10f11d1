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
from hybridindex.segments.varint import Reader, append_signed, append_unsigned
from hybridindex.segments.writing import body_of, new_segments, vectors_per_segment
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


def test_a_chain_of_changes_stays_short_and_every_record_of_it_is_read() -> None:
    """Another chunk is edited at each step, so that the latest record is always the nearest."""
    segments: dict[str, bytes] = {}
    numbers = list(range(30))
    depths, history = [], []
    for step in range(72):
        numbers[step % 30] = 1000 + step
        record = FileRecord("a.py", blob(step), chunks_of(numbers))
        segments |= written([record], catalogue(segments))
        history.append(record)
        resolved = catalogue(segments).resolved("a.py", blob(step))
        assert resolved is not None, step
        depths.append(resolved.depth)
    assert depths[:25] == list(range(25))
    assert max(depths) == 24
    found = catalogue(segments)
    assert [found.record(r.path, r.blob_id) for r in history] == history


def test_of_equally_near_records_the_shallowest_is_the_base() -> None:
    numbers = list(range(30))
    segments: dict[str, bytes] = {}
    for step in range(4):
        record = FileRecord("a.py", blob(step), chunks_of([1000 + step, *numbers]))
        segments |= written([record], catalogue(segments))
        resolved = catalogue(segments).resolved("a.py", blob(step))
        assert resolved is not None
        assert resolved.depth == min(step, 1)


def test_a_file_written_anew_is_a_whole_record() -> None:
    first = written([FileRecord("a.py", blob(1), chunks_of(list(range(10))))])
    second = written([FileRecord("a.py", blob(2), chunks_of([90, 91]))], catalogue(first))
    resolved = catalogue(first | second).resolved("a.py", blob(2))
    assert resolved is not None
    assert (resolved.depth, resolved.base) == (0, b"")


def hostile(*bodies: bytes) -> Catalogue:
    """A well-formed segment with such records of a.py, the vectors of chunks 0 to 9 beside them."""
    raw = [
        RawRecord(b"a.py", bytes.fromhex(blob(number)), body) for number, body in enumerate(bodies)
    ]
    pairs = [(key(n), vector(n)) for n in range(10)]
    return catalogue(dict([encode(FINGERPRINT.id, "m", DIMENSIONS, raw, pairs)]))


PLACED = rec.relative(chunks_of(list(range(10))))


@pytest.mark.parametrize(("depth", "read"), [(0, True), (1, True), (24, True), (25, False)])
def test_a_record_that_claims_a_longer_chain_is_not_read(depth: int, read: bool) -> None:
    found = hostile(rec.changed_body(PLACED, depth, PLACED[1:]), rec.whole_body(PLACED))
    assert (found.record("a.py", blob(0)) is not None) is read
    assert found.record("a.py", blob(1)) is not None


def copying(*steps: tuple[int, int], base: tuple[rec.Placed, ...] = PLACED) -> bytes:
    """A record that copies (offset from where the last copy ended, count) of its base's chunks."""
    out = bytearray([rec.CHANGED, 1]) + rec.digest(base)
    append_unsigned(out, len(steps))
    for offset, count in steps:
        append_unsigned(out, count << 1)
        append_signed(out, offset)
    return bytes(out)


@pytest.mark.parametrize(
    ("steps", "read"),
    [
        ([(0, 10)], True),
        ([(9, 1)], True),
        ([(0, 5), (-5, 10)], True),
        ([(0, 11)], False),
        ([(10, 1)], False),
        ([(-1, 1)], False),
        ([(0, 10), (0, 1)], False),
        ([(0, 5), (-6, 1)], False),
    ],
)
def test_a_record_copies_only_what_its_base_has(steps: list[tuple[int, int]], read: bool) -> None:
    """A slice past the end would be cut without a word, one before the start taken from the end."""
    found = hostile(copying(*steps), rec.whole_body(PLACED))
    record = found.record("a.py", blob(0))
    assert (record is not None) is read
    if record is not None:
        assert len(record.chunks) == sum(count for _, count in steps)


def test_a_small_record_cannot_ask_for_more_than_a_million_chunks() -> None:
    base = rec.relative(chunks_of([0] * 1000))
    million = hostile(
        copying(*[(0, 1000)] + [(-1000, 1000)] * 999, base=base), rec.whole_body(base)
    )
    record = million.resolved("a.py", blob(0))
    assert record is not None
    assert len(record.placed) == 1_000_000
    more = hostile(copying(*[(0, 1000)] + [(-1000, 1000)] * 1000, base=base), rec.whole_body(base))
    assert more.resolved("a.py", blob(0)) is None
    assert more.resolved("a.py", blob(1)) is not None


@pytest.mark.parametrize(("gap", "length"), [(-1, 5), (-9, 5), (0, 0)])
def test_a_record_of_lines_that_no_file_has_is_no_record(gap: int, length: int) -> None:
    found = hostile(rec.whole_body([rec.Placed(gap, length, (), key(1))]))
    assert found.record("a.py", blob(0)) is None


def test_numbers_take_nine_bytes_at_most() -> None:
    for number in (0, 127, 128, 2**62, 2**63 - 1):
        out = bytearray()
        append_unsigned(out, number)
        assert Reader(bytes(out)).unsigned() == number
    for number in (0, 1, -1, 63, -64, 2**62 - 1, -(2**62)):
        out = bytearray()
        append_signed(out, number)
        assert Reader(bytes(out)).signed() == number
    with pytest.raises(SegmentDamaged):
        Reader(b"\x80" * 9 + b"\x00").unsigned()
    with pytest.raises(SegmentDamaged):
        Reader(b"\x80").unsigned()
    with pytest.raises(SegmentDamaged):
        Reader(b"abc", 0, 2).take(3)


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
    assert sorted(len(head.keys) for head in heads) == [833, 833, 834]
    wide = Fingerprint("wide", "", "", 1024, 512)
    numbers = {key(n): bytes(1024) for n in range(1000)}
    for name, data in new_segments(wide, [], numbers):
        assert len(data) < 500_000, name


@pytest.mark.parametrize(
    ("dimensions", "most"), [(8, 1024), (384, 1024), (385, 1022), (1024, 394), (8192, 49)]
)
def test_a_segment_holds_as_many_vectors_as_stay_under_500_kb(dimensions: int, most: int) -> None:
    """``check-added-large-files`` refuses more."""
    assert vectors_per_segment(dimensions) == most
    assert most * (dimensions + 16) + 80_000 < 500_000


def test_records_are_split_at_80_kb_and_a_larger_one_lies_alone() -> None:
    long = [FileRecord(f"{n:02}.py", blob(n), chunks_of(list(range(100)))) for n in range(60)]
    size = len(body_of(long[0], None)) + len("00.py") + 20 + 8
    heads = [decode_head(n, d) for n, d in new_segments(FINGERPRINT, long, {})]
    most = 80_000 // size
    counts = [len(head.records) for head in heads]
    assert counts == [most] * (60 // most) + [60 % most] * (60 % most > 0)
    assert len(counts) > 1
    huge = FileRecord("00.py", blob(1), chunks_of(list(range(5000))))
    alone = [decode_head(n, d) for n, d in new_segments(FINGERPRINT, [huge, *long[1:3]], {})]
    assert [[r.path for r in head.records] for head in alone] == [[b"00.py"], [b"01.py", b"02.py"]]


def sized(length: int) -> tuple[str, bytes]:
    """A sound segment of so many bytes."""
    _, small = encode(FINGERPRINT.id, "m", DIMENSIONS, [RawRecord(b"a", b"", bytes(3_000_000))], [])
    rest = length - len(small)
    raw = [RawRecord(b"a", b"", bytes(3_000_000 + rest))]
    return encode(FINGERPRINT.id, "m", DIMENSIONS, raw, [])


def test_a_file_of_more_than_8_mb_is_no_segment() -> None:
    name, data = sized(8_000_000)
    assert len(data) == 8_000_000
    assert decode_head(name, data).records[0].path == b"a"
    name, data = sized(8_000_001)
    with pytest.raises(SegmentDamaged, match="is not a segment"):
        decode_head(name, data)


@pytest.mark.parametrize("data", [b"", b"GSEG", b"GSEG\x01" + bytes(11), b"GSEH\x01" + bytes(90)])
def test_what_is_no_segment_is_told_so(data: bytes) -> None:
    with pytest.raises(SegmentDamaged, match="is not a segment"):
        decode_head("0" * 32 + ".seg", data)


def test_another_format_says_what_reads_it() -> None:
    name, data = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(1))])
    with pytest.raises(SegmentDamaged, match="has format 2, this program reads 1") as caught:
        decode_head(name, data[:4] + b"\x02" + data[5:])
    assert caught.value.hint == "upgrade git-search"


@pytest.mark.parametrize(
    ("dimensions", "sound"), [(0, False), (1, True), (8192, True), (8193, False)]
)
def test_dimensions_have_bounds(dimensions: int, sound: bool) -> None:
    name, data = encode(FINGERPRINT.id, "m", dimensions, [], [(key(1), bytes(dimensions))])
    if sound:
        assert decode_head(name, data).dimensions == dimensions
    else:
        with pytest.raises(SegmentDamaged):
            decode_head(name, data)


@pytest.mark.parametrize("more", [b"\0", bytes(DIMENSIONS), bytes(DIMENSIONS + 16)])
def test_bytes_behind_the_vectors_are_damage(more: bytes) -> None:
    name, data = encode(FINGERPRINT.id, "m", DIMENSIONS, [], [(key(1), vector(1))])
    with pytest.raises(SegmentDamaged):
        decode_head(name, data + more)


def test_the_next_place_is_asked_where_the_first_is_damaged() -> None:
    """The disk's copy may be cut off by a crash while git has it whole."""
    ((name, data),) = written([FileRecord("a.py", blob(1), chunks_of([1, 2]))]).items()
    flipped = data[:-1] + bytes([data[-1] ^ 1])
    places = [b"", data]
    for first in (b"", data[:50], flipped):
        places[0] = first
        found = Catalogue(FINGERPRINT, [name], lambda _: places)
        assert found.covers("a.py", blob(1))
        assert found.vector(key(1)) == vector(1)
        assert found.damaged == {}
    absent = Catalogue(FINGERPRINT, [name], lambda _: [])
    assert absent.damaged == {name: f"{name} is not in this clone"}


def test_names_that_no_segment_has_are_not_read() -> None:
    def read(name: str) -> list[bytes]:
        raise AssertionError(name)

    names = ["../../etc/passwd", "A" * 32 + ".seg", "0" * 32 + ".seg\n", "0" * 31 + ".seg"]
    assert Catalogue(FINGERPRINT, names, read).heads == {}


def test_a_record_whose_vector_is_missing_covers_nothing() -> None:
    record = FileRecord("a.py", blob(1), chunks_of([1, 2]))
    found = catalogue(dict(new_segments(FINGERPRINT, [record], {key(1): vector(1)})))
    assert found.record("a.py", blob(1)) == record
    assert not found.covers("a.py", blob(1))


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
