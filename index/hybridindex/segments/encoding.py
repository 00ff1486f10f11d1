"""One segment as bytes. The layout, in order, is the one of ``docs/segment-format.md``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hybridindex.errors import SegmentDamaged
from hybridindex.segments.varint import Reader, append_bytes, append_unsigned
from hybridindex.types import KEY_BYTES

MAGIC = b"GSEG"
VERSION = 1
#: Bytes that stay unmasked, so that a program can tell what the file is.
PLAIN = len(MAGIC) + 1
_CHECK_BYTES = 8
_FINGERPRINT_BYTES = 16
#: Larger than this is not a segment of ours (we write under 500 kB); asked before anything is read.
MAX_BYTES = 8_000_000
_MAX_DIMENSIONS = 8192

NAME = re.compile(r"[0-9a-f]{32}\.seg\Z")


@dataclass(frozen=True, order=True)
class RawRecord:
    """A file record as it lies in a segment: ``body`` is decoded only when its path is wanted."""

    path: bytes
    blob_id: bytes
    body: bytes


@dataclass(frozen=True)
class Head:
    """All of a segment but its vectors, which start at byte ``vectors_at``."""

    fingerprint: bytes
    model: str
    dimensions: int
    records: tuple[RawRecord, ...]
    keys: tuple[bytes, ...]
    vectors_at: int


def segment_name(plain: bytes) -> str:
    """File name of a segment: 128 bits of the SHA-256 of its unmasked bytes, in hex."""
    return hashlib.sha256(plain).hexdigest()[:32] + ".seg"


def masked(name: str, data: bytes) -> bytes:
    """``data`` XOR the SHAKE-256 stream of ``name``, past the plain bytes; its own inverse.

    Without it git takes a compacted segment for a rename of one of its inputs and conflicts.
    """
    length = len(data) - PLAIN
    if length <= 0:
        return data
    stream = hashlib.shake_256(name[:32].encode()).digest(length)
    mixed = int.from_bytes(data[PLAIN:], "little") ^ int.from_bytes(stream, "little")
    return data[:PLAIN] + mixed.to_bytes(length, "little")


def encode(
    fingerprint: bytes,
    model: str,
    dimensions: int,
    records: Sequence[RawRecord],
    vectors: Sequence[tuple[bytes, bytes]],
) -> tuple[str, bytes]:
    """Name and file bytes of a segment.

    ``vectors`` are (chunk key, ``dimensions`` bytes of int8), each key once. Records and keys are
    sorted here, so that equal content has one name.
    """
    table = bytearray()
    for record in sorted(records):
        append_bytes(table, record.path)
        append_bytes(table, record.blob_id)
        append_bytes(table, record.body)
    ordered = sorted(vectors)
    head = bytearray(fingerprint)
    append_bytes(head, model.encode())
    append_unsigned(head, dimensions)
    append_unsigned(head, len(records))
    append_unsigned(head, len(ordered))
    append_unsigned(head, len(table))
    head += table
    for key, _ in ordered:
        head += key
    check = hashlib.blake2b(head, digest_size=_CHECK_BYTES).digest()
    plain = MAGIC + bytes([VERSION]) + check + len(head).to_bytes(4, "little") + bytes(head)
    plain += b"".join(vector for _, vector in ordered)
    name = segment_name(plain)
    return name, masked(name, plain)


def decode_head(name: str, data: bytes) -> Head:
    """Records and keys of the file bytes ``data``, without unmasking the vectors.

    Raises SegmentDamaged for anything that is not a whole segment of that name.
    """
    fixed = PLAIN + _CHECK_BYTES + 4
    if len(data) < fixed or len(data) > MAX_BYTES or data[: len(MAGIC)] != MAGIC:
        raise SegmentDamaged(f"{name} is not a segment")
    if data[len(MAGIC)] != VERSION:
        raise SegmentDamaged(
            f"{name} has format {data[len(MAGIC)]}, this program reads {VERSION}",
            "upgrade git-search",
        )
    front = masked(name, data[:fixed])
    check = front[PLAIN : PLAIN + _CHECK_BYTES]
    end = fixed + int.from_bytes(front[PLAIN + _CHECK_BYTES :], "little")
    if end > len(data):
        raise SegmentDamaged(f"{name} is cut off")
    plain = masked(name, data[:end])
    if hashlib.blake2b(plain[fixed:], digest_size=_CHECK_BYTES).digest() != check:
        raise SegmentDamaged(f"{name} is damaged")
    reader = Reader(plain, fixed)
    fingerprint = reader.take(_FINGERPRINT_BYTES)
    model = reader.counted().decode("utf-8", "replace")
    dimensions = reader.unsigned()
    record_count, key_count, table_bytes = (reader.unsigned() for _ in range(3))
    table = Reader(plain, reader.at, reader.at + table_bytes)
    records = []
    for _ in range(record_count):
        records.append(RawRecord(table.counted(), table.counted(), table.counted()))
    at = table.end
    whole = at + key_count * KEY_BYTES == end and len(data) - end == key_count * dimensions
    if not whole or not table.exhausted or not 0 < dimensions <= _MAX_DIMENSIONS:
        raise SegmentDamaged(f"{name} is cut off or damaged")
    keys = tuple(plain[i : i + KEY_BYTES] for i in range(at, end, KEY_BYTES))
    return Head(fingerprint, model, dimensions, tuple(records), keys, end)


def decode_vectors(name: str, head: Head, data: bytes) -> list[bytes]:
    """Vectors in the order of ``head.keys``, each ``head.dimensions`` bytes of int8.

    Raises SegmentDamaged where the bytes are not those the name was made from.
    """
    plain = masked(name, data)
    if segment_name(plain) != name:
        raise SegmentDamaged(f"{name} is damaged")
    step = head.dimensions
    return [plain[i : i + step] for i in range(head.vectors_at, len(plain), step)]
