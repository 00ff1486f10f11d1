"""What a source lacks, and the segments that complete it. Needs no database.

``uncovered`` looks up, ``complete`` chunks, embeds and encodes; ``chunks_of`` is every chunk of a
source with its text and key, for whoever checks, embeds or exports them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hybridindex.chunking.keyed import chunk_key
from hybridindex.errors import ModelMismatch, ModelUnavailable, SearchError
from hybridindex.files import SourceFile, read_files
from hybridindex.segments import new_segments
from hybridindex.source import Source
from hybridindex.types import Encoder, FileRecord, KeyedChunk, Role, Watch, unwatched
from hybridindex.vectors import LocalVectors

#: Chunks between two savings of an update: what a cut-off update loses at most.
SAVE_EVERY = 512
#: Chunks between two looks at the clock: about half a second of work.
HURRIED = 32


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
    """What a source's segments lack: file records, and texts by chunk key.

    ``without_grammar`` has the language of each file that another machine has to cut, ``unread``
    the files that time did not suffice for.
    """

    records: Sequence[FileRecord]
    texts: Mapping[bytes, str]
    without_grammar: Mapping[str, str] = field(default_factory=dict)
    unread: Sequence[str] = ()


@dataclass(frozen=True)
class Completion:
    """File records written, chunks embedded, and the new segments: name and bytes of each.

    ``left`` are the files that stay uncovered: those of ``languages`` without a grammar here, all
    that ``trouble`` with the model left without vectors, and what time did not suffice for.
    """

    records: int = 0
    embedded: int = 0
    segments: Sequence[tuple[str, bytes]] = ()
    keys: frozenset[bytes] = frozenset()
    left: Sequence[str] = ()
    languages: Sequence[str] = ()
    trouble: SearchError | None = None


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


def missing_of(
    source: Source, paths: Sequence[str], watch: Watch = unwatched, until: float = math.inf
) -> Missing:
    """Chunk the files at ``paths``; files whose content holds nothing to search get the reason.

    Stops at ``until``, a time of ``time.monotonic``. A file whose grammar is not installed gets no
    record: its chunks would not be those that the others have.
    """
    records: list[FileRecord] = []
    unknown: dict[bytes, str] = {}
    without_grammar: dict[str, str] = {}
    unread = set(paths)
    with watch("reading", "files", len(paths)) as advance:
        for file in read_files(source, paths):
            advance(1)
            unread.discard(file.path)
            if file.lacks_grammar:
                without_grammar[file.path] = file.lacks_grammar
                continue
            records.append(FileRecord(file.path, file.blob_id, tuple(file.chunks), file.skipped))
            for chunk in file.chunks:
                if chunk.key not in source.catalogue:
                    unknown[chunk.key] = file.text(chunk)
            if time.monotonic() > until:
                return Missing(records, unknown, without_grammar, sorted(unread))
    return Missing(records, unknown, without_grammar)


def embed(
    wanted: Mapping[bytes, str],
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    watch: Watch = unwatched,
    until: float = math.inf,
) -> tuple[dict[bytes, bytes], int]:
    """int8 vectors as bytes by chunk key, and how many of them had to be embedded.

    The encoder is opened, for as many texts as are left, only where ``local`` does not have them
    all. What was embedded is saved as it comes, so that an update that is cut off goes on where it
    was. At ``until``, a time of ``time.monotonic``, the rest is left. Raises what ``encoder`` does.
    """
    vectors = _known(wanted, local)
    unknown = [key for key in wanted if key not in vectors]
    if not unknown:
        return vectors, 0
    from hybridindex.embedding.quantise import quantise

    opened = encoder(len(unknown))
    step = SAVE_EVERY
    if until == math.inf:
        # Similar lengths together: a batch is as slow as its longest text.
        unknown.sort(key=lambda key: (len(wanted[key]), key))
    else:
        # File by file, so that whole files are done when time is up.
        step = HURRIED
    done = 0
    with watch("embedding", "chunks", len(unknown)) as advance:
        while done < len(unknown) and time.monotonic() <= until:
            batch = unknown[done : done + step]
            rows = quantise(opened.encode_documents([wanted[key] for key in batch], advance))
            made = [(key, row.tobytes()) for key, row in zip(batch, rows, strict=True)]
            vectors.update(made)
            done += len(batch)
            if len(unknown) > SAVE_EVERY:
                local.put(made)
    return vectors, done


def _known(wanted: Iterable[bytes], local: LocalVectors) -> dict[bytes, bytes]:
    here = local.snapshot()
    found = ((key, here.vector(key)) for key in wanted)
    return {key: vector for key, vector in found if vector is not None}


def complete(
    source: Source,
    paths: Sequence[str],
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    watch: Watch = unwatched,
    seconds: float = math.inf,
) -> Completion:
    """The segments that cover the files at ``paths``, or what of them can be covered here.

    ``encoder`` is told how many texts there are. Where it raises ModelUnavailable or ModelMismatch,
    file records are made all the same, and the trouble is told. After ``seconds`` the rest is left.
    """
    if not paths:
        return Completion()
    until = time.monotonic() + seconds
    missing = missing_of(source, paths, watch, until)
    trouble = None
    try:
        vectors, embedded = embed(missing.texts, encoder, local, watch, until)
    except (ModelUnavailable, ModelMismatch) as error:
        trouble = error
        vectors, embedded = _known(missing.texts, local), 0
    catalogue = source.catalogue
    # A record that an earlier committer without the model has made is not made again.
    new = [r for r in missing.records if catalogue.record(r.path, r.blob_id) != r]
    bare = [
        r.path
        for r in missing.records
        if any(chunk.key not in vectors and chunk.key not in catalogue for chunk in r.chunks)
    ]
    return Completion(
        records=len(missing.records) - len(bare),
        embedded=embedded,
        segments=tuple(new_segments(source.fingerprint, new, vectors, catalogue)),
        keys=frozenset(vectors),
        left=tuple(sorted({*bare, *missing.unread, *missing.without_grammar})),
        languages=tuple(sorted({*missing.without_grammar.values()})),
        trouble=trouble,
    )
