"""New segments for what a tree wants and no segment of it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hybridindex.segments import records as rec
from hybridindex.segments.catalogue import Catalogue, Resolved
from hybridindex.segments.encoding import RawRecord, encode
from hybridindex.text import encode_path
from hybridindex.types import KEY_BYTES, FileRecord, Fingerprint

#: Vectors in a segment: with 384 dimensions about 400 kB, and records beside them.
MAX_VECTORS = 1024
#: `check-added-large-files` refuses 500 kB; what is left over is for the header.
MAX_VECTOR_BYTES = 410_000
MAX_RECORD_BYTES = 80_000


def vectors_per_segment(dimensions: int) -> int:
    """How many vectors of so many int8 dimensions one segment may hold."""
    return max(1, min(MAX_VECTORS, MAX_VECTOR_BYTES // (dimensions + KEY_BYTES)))


def body_of(record: FileRecord, known: Catalogue | None) -> bytes:
    """The record in its shortest form: whole, or as changes to one that ``known`` has."""
    if record.skipped:
        return rec.skipped_body(record.skipped)
    placed = rec.relative(record.chunks)
    best = rec.whole_body(placed)
    if known is None:
        return best
    versions = [version.resolved for version in known.versions(record.path)]
    base = _nearest(placed, [item for item in versions if not item.skipped])
    if base is not None:
        changed = rec.changed_body(base.placed, base.depth + 1, placed)
        if len(changed) < len(best):
            return changed
    return best


def _nearest(placed: Sequence[rec.Placed], versions: Sequence[Resolved]) -> Resolved | None:
    """The version that shares most chunk keys, the shallowest of equals."""
    keys = {chunk.key for chunk in placed}
    usable = [v for v in versions if v.depth < rec.MAX_DEPTH and v.placed]
    if not usable:
        return None
    return max(usable, key=lambda v: (len(keys.intersection(c.key for c in v.placed)), -v.depth))


def new_segments(
    fingerprint: Fingerprint,
    records: Sequence[FileRecord],
    vectors: Mapping[bytes, bytes],
    known: Catalogue | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each new segment; none for nothing.

    Records are split by ranges of their path and vectors by ranges of their key, so that equal
    input gives equal files.
    """
    bodies = sorted(
        RawRecord(
            encode_path(record.path),
            bytes.fromhex(record.blob_id),
            body_of(record, known),
        )
        for record in records
    )
    vector_parts = list(
        _evenly(sorted(vectors.items()), vectors_per_segment(fingerprint.dimensions))
    )
    record_parts = list(_by_size(bodies))
    for i in range(max(len(vector_parts), len(record_parts))):
        yield encode(
            fingerprint.id,
            fingerprint.model,
            fingerprint.dimensions,
            record_parts[i] if i < len(record_parts) else (),
            vector_parts[i] if i < len(vector_parts) else (),
        )


def _evenly(
    items: Sequence[tuple[bytes, bytes]], most: int
) -> Iterator[Sequence[tuple[bytes, bytes]]]:
    parts = -(-len(items) // most)
    for i in range(parts):
        yield items[len(items) * i // parts : len(items) * (i + 1) // parts]


def _by_size(records: Sequence[RawRecord]) -> Iterator[Sequence[RawRecord]]:
    part: list[RawRecord] = []
    size = 0
    for record in records:
        length = len(record.path) + len(record.blob_id) + len(record.body) + 8
        if part and size + length > MAX_RECORD_BYTES:
            yield part
            part, size = [], 0
        part.append(record)
        size += length
    if part:
        yield part
