"""What the segments of one tree know: file records and vectors under one fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from hybridindex.errors import SegmentDamaged
from hybridindex.segments import records as rec
from hybridindex.segments.encoding import (
    NAME,
    Head,
    RawRecord,
    decode_head,
    decode_vectors,
)
from hybridindex.segments.varint import Reader
from hybridindex.text import decode_path, encode_path
from hybridindex.types import FileRecord, Fingerprint

T = TypeVar("T")

#: Gives the file bytes of a segment from each place that has some, the cheapest first.
ReadSegment = Callable[[str], Iterable[bytes]]


@dataclass(frozen=True)
class Resolved:
    """A record's chunks, how many records it was read through, and why it has none, if so.

    ``base`` is the digest of the chunks it was written against, empty for a whole record.
    """

    placed: tuple[rec.Placed, ...]
    depth: int
    skipped: str = ""
    base: bytes = b""


@dataclass(frozen=True)
class Version:
    """One readable record of a path: the segment it lies in, its bytes, what it says."""

    segment: str
    raw: RawRecord
    resolved: Resolved


class Catalogue:
    """Records and vectors of a set of segments; reads each segment once, its vectors on demand.

    Damaged segments are left out and named in ``damaged``; segments of another fingerprint are
    left out too, ``foreign_names``, their vectors counted by model in ``foreign``. Where two
    segments speak of one thing, the smallest name wins.
    """

    def __init__(self, fingerprint: Fingerprint, names: Iterable[str], read: ReadSegment) -> None:
        self.fingerprint = fingerprint
        self._id = fingerprint.id
        self.damaged: dict[str, str] = {}
        self.foreign: dict[str, int] = {}
        self.foreign_names: set[str] = set()
        self.heads: dict[str, Head] = {}
        self.names = frozenset(names)
        self.bytes_read = 0
        self._read = read
        self._raw: dict[bytes, list[tuple[str, RawRecord]]] = {}
        self._versions: dict[bytes, list[Version]] = {}
        self._places: dict[bytes, tuple[str, int]] = {}
        self._vectors: dict[str, list[bytes]] = {}
        for name in sorted(self.names):
            self._add(name)

    def _add(self, name: str) -> None:
        if not NAME.match(name):
            return
        head = self._try(name, lambda data: decode_head(name, data))
        if head is None:
            return
        self.bytes_read += head.vectors_at + len(head.keys) * head.dimensions
        if head.fingerprint != self._id:
            self.foreign[head.model] = self.foreign.get(head.model, 0) + len(head.keys)
            self.foreign_names.add(name)
            return
        if head.dimensions != self.fingerprint.dimensions:
            wanted = self.fingerprint.dimensions
            self.damaged[name] = f"{name} has vectors of {head.dimensions} dimensions, not {wanted}"
            return
        self.heads[name] = head
        for record in head.records:
            self._raw.setdefault(record.path, []).append((name, record))
        for position, key in enumerate(head.keys):
            self._places.setdefault(key, (name, position))

    def without(
        self, removed: Collection[str], added: Mapping[str, bytes] = MappingProxyType({})
    ) -> Catalogue:
        """What a tree knows that lacks some of these segments and has others, by their bytes."""

        def read(name: str) -> Iterable[bytes]:
            return [added[name]] if name in added else self._read(name)

        return Catalogue(self.fingerprint, (self.names - {*removed}) | {*added}, read)

    def _try(self, name: str, decode: Callable[[bytes], T]) -> T | None:
        """What ``decode`` makes of the first bytes it accepts; else the damage is noted."""
        damage = f"{name} is not in this clone"
        for data in self._read(name):
            try:
                return decode(data)
            except SegmentDamaged as error:
                damage = error.problem
        self.damaged[name] = damage
        return None

    def __contains__(self, key: bytes) -> bool:
        return key in self._places

    @property
    def keys(self) -> Mapping[bytes, tuple[str, int]]:
        """Where the vector of each known chunk key lies: segment name and position."""
        return self._places

    def vector(self, key: bytes) -> bytes | None:
        """The int8 vector of a chunk key as bytes, or None where no whole segment has it."""
        place = self._places.get(key)
        if place is None:
            return None
        name, position = place
        vectors = self._vectors.get(name)
        if vectors is None:
            head = self.heads[name]
            vectors = self._try(name, lambda data: decode_vectors(name, head, data)) or []
            self._vectors[name] = vectors
        return vectors[position] if position < len(vectors) else None

    def record(self, path: str, blob_id: str) -> FileRecord | None:
        """The file record of (path, blob id), or None where none can be read."""
        resolved = self.resolved(path, blob_id)
        if resolved is None:
            return None
        try:
            return FileRecord(path, blob_id, rec.absolute(resolved.placed), resolved.skipped)
        except SegmentDamaged:
            return None

    def resolved(self, path: str, blob_id: str) -> Resolved | None:
        """As :meth:`record`, the chunks relative to each other and the depth told."""
        version = self.version(path, blob_id)
        return version.resolved if version else None

    def version(self, path: str, blob_id: str) -> Version | None:
        """The record that speaks for (path, blob id): the first whose keys all have vectors."""
        wanted = bytes.fromhex(blob_id)
        found = [version for version in self.versions(path) if version.raw.blob_id == wanted]
        # Two chunkers may have spoken of one blob, and the vectors of one of them got lost.
        whole = (v for v in found if all(c.key in self._places for c in v.resolved.placed))
        return next(whole, found[0] if found else None)

    def versions(self, path: str) -> list[Version]:
        """The readable records of a path in the order of their segments' names."""
        encoded = encode_path(path)
        known = self._versions.get(encoded)
        if known is None:
            known = self._versions[encoded] = _resolve_all(self._raw.get(encoded, ()))
        return known

    def covers(self, path: str, blob_id: str) -> bool:
        """Whether a file needs nothing more: its record is here and all its keys have vectors."""
        resolved = self.resolved(path, blob_id)
        return resolved is not None and all(c.key in self._places for c in resolved.placed)

    @property
    def paths(self) -> list[str]:
        """Every path that some record speaks of, sorted."""
        return [decode_path(path) for path in sorted(self._raw)]


def _resolve_all(raw: Sequence[tuple[str, RawRecord]]) -> list[Version]:
    """Decode the records of one path; those whose base is missing or damaged are left out.

    A base has a smaller depth than what is written against it, so one pass by depth finds every
    base, whatever a damaged or hostile segment claims.
    """
    by_depth = sorted(range(len(raw)), key=lambda i: rec.depth_of(raw[i][1].body))
    changed = any(record.body[:1] == bytes([rec.CHANGED]) for _, record in raw)
    bases: dict[bytes, tuple[rec.Placed, ...]] = {}
    found: dict[int, Resolved] = {}
    for i in by_depth:
        try:
            resolved = _decode(raw[i][1].body, bases)
        except SegmentDamaged:
            continue
        if resolved is None:
            continue
        found[i] = resolved
        if changed and not resolved.skipped:
            bases.setdefault(rec.digest(resolved.placed), resolved.placed)
    return [Version(*raw[i], found[i]) for i in sorted(found)]


def _decode(body: bytes, bases: Mapping[bytes, tuple[rec.Placed, ...]]) -> Resolved | None:
    reader = Reader(body)
    kind = reader.take(1)[0]
    if kind == rec.SKIPPED:
        return Resolved((), 0, body[1:].decode("utf-8", "replace") or "skipped")
    if kind == rec.WHOLE:
        return Resolved(rec.read_whole(reader), 0)
    if kind != rec.CHANGED:
        return None
    depth, wanted = rec.read_depth_and_base(reader)
    base = bases.get(wanted)
    if base is None or depth > rec.MAX_DEPTH:
        return None
    return Resolved(rec.read_changed(reader, base), depth, base=wanted)
