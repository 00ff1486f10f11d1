"""File records as bytes: whole, or as what changed from an earlier record of the same path.

A record of a large file that changed in one place would cost more than the vectors of that
change; written against its base it costs the changed chunks alone. A base is named by what it
says (a digest of its chunks), never by where it lies, so that compaction may move it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from hybridindex.errors import SegmentDamaged
from hybridindex.segments.varint import Reader, append_bytes, append_signed, append_unsigned
from hybridindex.types import KEY_BYTES, KeyedChunk

WHOLE, CHANGED, SKIPPED = 0, 1, 2

#: Bytes of a base's digest. Candidates are the few records of one path, so 64 bits are plenty.
DIGEST_BYTES = 8
#: Longest chain from a changed record to a whole one: bounds what one record costs to read.
MAX_DEPTH = 24
#: What a reader accepts in one file record: a file has at most 1 MB, so at most as many chunks.
MAX_CHUNKS = 1_000_000


@dataclass(frozen=True)
class Placed:
    """A chunk relative to the one before it, so that lines inserted above change nothing."""

    gap: int  # lines between the end of the chunk before and this start; negative for an overlap
    length: int  # lines
    symbols: tuple[str, ...]
    key: bytes


def relative(chunks: Sequence[KeyedChunk]) -> tuple[Placed, ...]:
    """Chunks placed one after another."""
    placed = []
    end = 0
    for chunk in chunks:
        placed.append(
            Placed(chunk.start - end - 1, chunk.end - chunk.start + 1, chunk.symbols, chunk.key)
        )
        end = chunk.end
    return tuple(placed)


def absolute(placed: Sequence[Placed]) -> tuple[KeyedChunk, ...]:
    """The inverse of :func:`relative`. Raises SegmentDamaged for a range before line 1."""
    chunks = []
    end = 0
    for item in placed:
        start = end + item.gap + 1
        end = start + item.length - 1
        if start < 1 or item.length < 1:
            raise SegmentDamaged("a chunk lies before the first line")
        chunks.append(KeyedChunk(start, end, item.symbols, item.key))
    return tuple(chunks)


def _append_chunk(out: bytearray, chunk: Placed) -> None:
    append_signed(out, chunk.gap)
    append_unsigned(out, chunk.length)
    append_unsigned(out, len(chunk.symbols))
    for symbol in chunk.symbols:
        append_bytes(out, symbol.encode("utf-8", "replace"))
    out += chunk.key


def _read_chunk(reader: Reader) -> Placed:
    gap, length = reader.signed(), reader.unsigned()
    symbols = tuple(
        reader.counted().decode("utf-8", "replace")
        for _ in range(_count(reader, reader.unsigned()))
    )
    return Placed(gap, length, symbols, reader.take(KEY_BYTES))


def _count(reader: Reader, count: int) -> int:
    # Every counted thing takes a byte at least, so a larger count is damage, found before a loop.
    if count > reader.end - reader.at:
        raise SegmentDamaged("a count is larger than what follows it")
    return count


def digest(placed: Sequence[Placed]) -> bytes:
    """``DIGEST_BYTES`` that name what a record says."""
    out = bytearray()
    for chunk in placed:
        _append_chunk(out, chunk)
    return hashlib.blake2b(out, digest_size=DIGEST_BYTES).digest()


def whole_body(placed: Sequence[Placed]) -> bytes:
    """A record that needs no other."""
    out = bytearray([WHOLE])
    append_unsigned(out, len(placed))
    for chunk in placed:
        _append_chunk(out, chunk)
    return bytes(out)


def skipped_body(reason: str) -> bytes:
    """A record of a file whose content holds nothing to search."""
    return bytes([SKIPPED]) + reason.encode()


def changed_body(base: Sequence[Placed], depth: int, placed: Sequence[Placed]) -> bytes:
    """A record as copies of runs of ``base`` and new chunks; ``depth`` is this record's own."""
    # Here, because whoever only reads records should not wait for it.
    from difflib import SequenceMatcher

    out = bytearray([CHANGED])
    append_unsigned(out, depth)
    out += digest(base)
    matcher = SequenceMatcher(None, base, placed, autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] != "delete"]
    append_unsigned(out, len(steps))
    at = 0
    for tag, low, high, new_low, new_high in steps:
        if tag == "equal":
            append_unsigned(out, (high - low) << 1)
            append_signed(out, low - at)
            at = high
        else:
            append_unsigned(out, (new_high - new_low) << 1 | 1)
            for chunk in placed[new_low:new_high]:
                _append_chunk(out, chunk)
    return bytes(out)


def read_whole(reader: Reader) -> tuple[Placed, ...]:
    """The chunks of a WHOLE body, its first byte read."""
    return tuple(_read_chunk(reader) for _ in range(_count(reader, reader.unsigned())))


def read_depth_and_base(reader: Reader) -> tuple[int, bytes]:
    """Depth and base digest of a CHANGED body, its first byte read."""
    return reader.unsigned(), reader.take(DIGEST_BYTES)


def depth_of(body: bytes) -> int:
    """How many records are read to read this one, as it claims; 0 for one that needs no other."""
    if body[:1] != bytes([CHANGED]):
        return 0
    try:
        return max(1, Reader(body, 1).unsigned())
    except SegmentDamaged:
        return MAX_DEPTH + 1


def read_changed(reader: Reader, base: Sequence[Placed]) -> tuple[Placed, ...]:
    """The chunks of a CHANGED body, its depth and base digest read."""
    placed: list[Placed] = []
    at = 0
    for _ in range(_count(reader, reader.unsigned())):
        step = reader.unsigned()
        count = step >> 1
        if step & 1:
            placed.extend(_read_chunk(reader) for _ in range(_count(reader, count)))
            continue
        low = at + reader.signed()
        at = low + count
        if low < 0 or at > len(base) or len(placed) + count > MAX_CHUNKS:
            raise SegmentDamaged("a record copies chunks that its base does not have")
        placed.extend(base[low:at])
    return tuple(placed)
