"""What a source lacks, and the segments that complete it. Needs no database.

``uncovered`` looks up, ``complete`` chunks, embeds and encodes; ``chunks_of`` is every chunk of a
source with its text and key, for whoever checks, embeds or exports them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hybridindex.chunking.keyed import chunk_key
from hybridindex.files import SourceFile, read_files
from hybridindex.segments import new_segments
from hybridindex.source import Source
from hybridindex.types import Encoder, FileRecord, KeyedChunk, Role, Watch, unwatched
from hybridindex.vectors import LocalVectors

#: Chunks between two savings of an update: what a cut-off update loses at most.
SAVE_EVERY = 512


@dataclass(frozen=True)
class PlacedChunk:
    """A chunk of a source file (1-based, inclusive), the text that is embedded for it, its key."""

    path: str
    start: int
    end: int
    symbols: tuple[str, ...]
    language: str | None
    role: Role
    text: str
    key: bytes


@dataclass(frozen=True)
class Missing:
    """What a source's segments lack: file records, and texts by chunk key."""

    records: Sequence[FileRecord]
    texts: Mapping[bytes, str]


@dataclass(frozen=True)
class Completion:
    """File records written, chunks embedded, and the new segments: name and bytes of each."""

    records: int = 0
    embedded: int = 0
    segments: Sequence[tuple[str, bytes]] = ()
    keys: frozenset[bytes] = frozenset()


#: Whether it is known of (path, blob id) that nothing is missing.
KnownCovered = Callable[[str, str], bool]


def uncovered(source: Source, known: KnownCovered | None = None) -> list[str]:
    """Paths of the source files that the segments do not cover, sorted.

    Files that are ``known`` to be covered are not looked at, and segments are not opened for them.
    """
    files = source.files.items()
    in_doubt = [item for item in files if known is None or not known(*item)]
    return sorted(path for path, blob_id in in_doubt if not source.catalogue.covers(path, blob_id))


def chunks_of(source: Source, paths: Sequence[str] | None = None) -> Iterator[PlacedChunk]:
    """The chunks of source files, by default of all; files in any order, chunks by their lines.

    A file record's chunks are taken as it has them, and their keys are its claim; without a record
    a file is chunked here. ``honest`` tells whether a key is that of its text.
    """
    wanted = sorted(source.files) if paths is None else sorted(paths)
    for file in read_files(source, wanted, source.catalogue.record):
        for chunk in file.chunks:
            yield _placed(file, chunk)


def _placed(file: SourceFile, chunk: KeyedChunk) -> PlacedChunk:
    return PlacedChunk(
        file.path,
        chunk.start,
        min(chunk.end, len(file.lines)),
        chunk.symbols,
        file.language,
        file.role,
        file.text(chunk),
        chunk.key,
    )


def honest(source: Source, chunk: PlacedChunk) -> bool:
    """Whether a chunk's key is that of its own lines: else its vector is of another text."""
    return chunk_key(source.fingerprint, chunk.text) == chunk.key


def missing_of(source: Source, paths: Sequence[str], watch: Watch = unwatched) -> Missing:
    """Chunk the files at ``paths``; files whose content holds nothing to search get the reason."""
    records: list[FileRecord] = []
    unknown: dict[bytes, str] = {}
    with watch("reading", "files", len(paths)) as advance:
        for file in read_files(source, paths):
            advance(1)
            records.append(FileRecord(file.path, file.blob_id, tuple(file.chunks), file.skipped))
            for chunk in file.chunks:
                if chunk.key not in source.catalogue:
                    unknown[chunk.key] = file.text(chunk)
    return Missing(records, unknown)


def embed(
    wanted: Mapping[bytes, str],
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    watch: Watch = unwatched,
) -> tuple[dict[bytes, bytes], int]:
    """int8 vectors as bytes by chunk key, and how many of them had to be embedded.

    The encoder is opened, for as many texts as are left, only where ``local`` does not have them
    all. What was embedded is saved as it comes, so that an update that is cut off goes on where it
    was.
    """
    here = local.snapshot()
    known = ((key, here.vector(key)) for key in wanted)
    vectors = {key: vector for key, vector in known if vector is not None}
    # Similar lengths together: a batch is as slow as its longest text.
    unknown = sorted((k for k in wanted if k not in vectors), key=lambda k: (len(wanted[k]), k))
    if not unknown:
        return vectors, 0
    from hybridindex.embedding.quantise import quantise

    opened = encoder(len(unknown))
    with watch("embedding", "chunks", len(unknown)) as advance:
        for at in range(0, len(unknown), SAVE_EVERY):
            batch = unknown[at : at + SAVE_EVERY]
            rows = quantise(opened.encode_documents([wanted[key] for key in batch], advance))
            made = [(key, row.tobytes()) for key, row in zip(batch, rows, strict=True)]
            vectors.update(made)
            if len(unknown) > SAVE_EVERY:
                local.put(made)
    return vectors, len(unknown)


def complete(
    source: Source,
    paths: Sequence[str],
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    watch: Watch = unwatched,
) -> Completion:
    """The segments that cover the files at ``paths``; none for none.

    ``encoder`` is told how many texts there are. Raises what it raises, ModelUnavailable first of
    all; nothing is lost then but what was not saved in ``local`` yet.
    """
    if not paths:
        return Completion()
    missing = missing_of(source, paths, watch)
    vectors, embedded = embed(missing.texts, encoder, local, watch)
    segments = new_segments(source.fingerprint, missing.records, vectors, source.catalogue)
    return Completion(len(missing.records), embedded, tuple(segments), frozenset(vectors))
