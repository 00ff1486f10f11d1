"""Merges small segments into larger ones, and leaves out what nobody uses any more.

Nothing here edits a segment: inputs are taken out of the tree whole and outputs are new files, so
that a branch which knows nothing of the compaction merges with it. Equal input gives equal output.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from hybridindex.errors import SearchError, SegmentDamaged
from hybridindex.segments import records as rec
from hybridindex.segments.catalogue import Catalogue, Version
from hybridindex.segments.writing import new_segments
from hybridindex.text import decode_path
from hybridindex.types import FileRecord, Fingerprint

#: A tree may have so many segments before a compaction is worth its bytes.
ABOVE = 64
#: An input larger than this share of what is written could be taken for it by a rename detection;
#: merging only smaller ones also keeps what is written again small.
MAX_SHARE_OF_OUTPUT = 0.4


@dataclass(frozen=True)
class Compaction:
    """What leaves the tree and what comes into it. Empty where there is nothing to do."""

    removed: tuple[str, ...] = ()
    added: tuple[tuple[str, bytes], ...] = ()


#: Whether the record of (path, blob id in hex) is still wanted by somebody.
Wanted = Callable[[str, str], bool]


def compact(
    fingerprint: Fingerprint,
    catalogue: Catalogue,
    wanted: Wanted,
    above: int = ABOVE,
    drop_foreign: bool = False,
) -> Compaction:
    """Bring a tree of more than ``above`` segments to about half of that.

    Segments that hold nothing wanted are taken out first, which costs no bytes; then the smallest
    are merged. ``catalogue`` is of all segments of the tree; those of other fingerprints stay, or
    are taken out as well. Raises SearchError where a wanted file that is covered would not be.
    """
    kept = _kept_records(catalogue, wanted)
    done = Compaction()
    if len(catalogue.names) > above:
        done = _compacted(fingerprint, catalogue, kept, above)
    if drop_foreign:
        done = Compaction(tuple(sorted({*done.removed, *catalogue.foreign_names})), done.added)
    _require_complete(catalogue, done, kept)
    return done


def _compacted(
    fingerprint: Fingerprint, catalogue: Catalogue, kept: Sequence[Version], above: int
) -> Compaction:
    keys = {chunk.key for version in kept for chunk in version.resolved.placed}
    dead = _unused(catalogue, kept, keys)
    sizes = {
        name: head.vectors_at + len(head.keys) * head.dimensions
        for name, head in catalogue.heads.items()
        if name not in dead
    }
    smallest = sorted(sizes, key=lambda name: (sizes[name], name))
    count = min(len(catalogue.names) - len(dead) - max(above // 2, 1) + 1, len(smallest))
    while count > 1:
        if sizes[smallest[count - 1]] > MAX_SHARE_OF_OUTPUT * sum(
            sizes[n] for n in smallest[:count]
        ):
            count -= 1  # what is written is not larger than what is read
            continue
        inputs = frozenset(smallest[:count])
        added = tuple(_merged(fingerprint, catalogue, inputs | dead, kept))
        total = sum(len(data) for _, data in added)
        # The largest input alone decides; without it the others may do.
        if sizes[smallest[count - 1]] <= MAX_SHARE_OF_OUTPUT * total:
            return Compaction(tuple(sorted(inputs | dead)), added)
        count -= 1
    if not dead:
        return Compaction()
    # Dropping alone: what is written is nothing, unless a base must outlive its segment.
    return Compaction(tuple(sorted(dead)), tuple(_merged(fingerprint, catalogue, dead, kept)))


def _require_complete(catalogue: Catalogue, done: Compaction, kept: Iterable[Version]) -> None:
    """Raise SearchError if a file that is covered now would not be after the compaction."""
    if not done.removed:
        return
    after = catalogue.without(done.removed, dict(done.added))
    pairs = [(decode_path(v.raw.path), v.raw.blob_id.hex()) for v in kept]
    lost = [pair[0] for pair in pairs if catalogue.covers(*pair) and not after.covers(*pair)]
    if lost:
        raise SearchError(
            f"the compaction would leave {len(lost)} files uncovered, {min(lost)} among them",
            "nothing was changed; please report it",
        )


def _kept_records(catalogue: Catalogue, wanted: Wanted) -> list[Version]:
    """Of each wanted (path, blob id), the record that a reader would take."""
    kept = []
    for path in catalogue.paths:
        blob_ids = dict.fromkeys(v.raw.blob_id.hex() for v in catalogue.versions(path))
        chosen = (catalogue.version(path, i) for i in blob_ids if wanted(path, i))
        kept += [version for version in chosen if version is not None]
    return kept


def _unused(
    catalogue: Catalogue, kept: Iterable[Version], keys: Collection[bytes]
) -> frozenset[str]:
    """Names of readable segments without a kept record and without a vector that is read."""
    used = {version.segment for version in kept}
    used |= {catalogue.keys[key][0] for key in keys if key in catalogue.keys}
    return frozenset(catalogue.heads) - used


def _merged(
    fingerprint: Fingerprint,
    catalogue: Catalogue,
    inputs: frozenset[str],
    kept: Iterable[Version],
) -> Iterable[tuple[str, bytes]]:
    """The segments that replace ``inputs``."""
    rest = catalogue.without(inputs)
    records: list[FileRecord] = []
    needed: dict[bytes, bytes] = {}
    for version in kept:
        path = decode_path(version.raw.path)
        blob_id = version.raw.blob_id.hex()
        for chunk in version.resolved.placed:
            if chunk.key not in rest and chunk.key not in needed:
                vector = catalogue.vector(chunk.key)
                if vector is not None:
                    needed[chunk.key] = vector
        # In an input, or in the rest but written against a base that was in an input.
        if rest.resolved(path, blob_id) is None:
            try:
                chunks = rec.absolute(version.resolved.placed)
            except SegmentDamaged:
                continue
            records.append(FileRecord(path, blob_id, chunks, version.resolved.skipped))
    return new_segments(fingerprint, records, needed, rest)
