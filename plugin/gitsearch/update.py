"""Makes the index whole: chunks what no file record speaks of, embeds unknown chunk keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import SEGMENTS, segment_path
from gitsearch.progress import Progress
from gitsearch.tree import Tree
from hybridindex import text as texts
from hybridindex.database.deriving import HEAD_BYTES, keyed_chunks
from hybridindex.database.local import LocalVectors
from hybridindex.errors import SearchError
from hybridindex.languages import language_of
from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.writing import new_segments
from hybridindex.skipping import skip_by_content
from hybridindex.types import Encoder, FileRecord

#: Chunks between two savings of an update: what a cut-off update loses at most.
SAVE_EVERY = 512


@dataclass(frozen=True)
class Update:
    """What an update did: file records written, chunks embedded, names of new segments."""

    records: int = 0
    embedded: int = 0
    segments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What a tree wants and its segments lack: file records, and texts by chunk key."""

    records: Sequence[FileRecord]
    texts: Mapping[bytes, str]


def uncovered(
    tree: Tree, catalogue: Catalogue, covered: Callable[[str, str], bool] | None = None
) -> list[str]:
    """Paths of the source files that the tree's segments do not cover, sorted.

    Files that are ``covered``, as somebody knows, are not looked at.
    """
    files = tree.sorted.files.items()
    open_ = [item for item in files if covered is None or not covered(*item)]
    return sorted(path for path, blob_id in open_ if not catalogue.covers(path, blob_id))


def wanted_of(tree: Tree, catalogue: Catalogue, paths: Sequence[str]) -> Wanted:
    """Chunk the files at ``paths``; files whose content holds nothing to search get the reason."""
    records: list[FileRecord] = []
    unknown: dict[bytes, str] = {}
    fingerprint = tree.config.model
    with Progress("reading", "files", len(paths)) as advance:
        for path, data in tree.read(paths):
            blob_id = tree.sorted.files[path]
            advance(1)
            if reason := skip_by_content(path, data):
                records.append(FileRecord(path, blob_id, (), reason))
                continue
            language = language_of(path, data[:HEAD_BYTES])
            chunks = []
            for chunk, text in keyed_chunks(
                fingerprint, path, texts.decode(data), language, tree.config.chunking
            ):
                chunks.append(chunk)
                if chunk.key not in catalogue:
                    unknown[chunk.key] = text
            records.append(FileRecord(path, blob_id, tuple(chunks)))
    return Wanted(records, unknown)


def embed(
    wanted: Mapping[bytes, str], encoder: Callable[[int], Encoder], local: LocalVectors
) -> tuple[dict[bytes, bytes], int]:
    """int8 vectors as bytes by chunk key, and how many of them had to be embedded.

    The encoder is opened, for as many texts as are left, only where ``local`` does not have them
    all. What was embedded is saved
    as it comes, so that an update that is cut off goes on where it was.
    """
    vectors: dict[bytes, bytes] = {}
    for key in wanted:
        vector = local.get(key)
        if vector is not None:
            vectors[key] = vector
    # Similar lengths together: a batch is as slow as its longest text.
    unknown = sorted((k for k in wanted if k not in vectors), key=lambda k: (len(wanted[k]), k))
    if not unknown:
        return vectors, 0
    from hybridindex.embedding.quantise import quantise

    opened = encoder(len(unknown))
    with Progress("embedding", "chunks", len(unknown)) as advance:
        for at in range(0, len(unknown), SAVE_EVERY):
            batch = unknown[at : at + SAVE_EVERY]
            rows = quantise(opened.encode_documents([wanted[key] for key in batch], advance))
            made = [(key, row.tobytes()) for key, row in zip(batch, rows, strict=True)]
            vectors.update(made)
            if len(unknown) > SAVE_EVERY:
                local.put(made)
    return vectors, len(unknown)


def update(
    tree: Tree,
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    paths_of: Callable[[Sequence[str]], Sequence[str]] | None = None,
    covered: Callable[[str, str], bool] | None = None,
) -> Update:
    """Write and stage the segments that make the tree's coverage full; nothing for a full one.

    ``paths_of`` may choose a part of the uncovered files; ``covered`` tells of which (path, blob
    id) it is known that nothing is missing. Looks at the whole tree, not at the difference of one
    commit: that heals what merges, reverts and skipped hooks left open.
    """
    if covered is not None and all(covered(*item) for item in tree.sorted.files.items()):
        return Update()
    catalogue = tree.catalogue
    paths = uncovered(tree, catalogue, covered)
    if paths_of is not None:
        paths = list(paths_of(paths))
    if not paths:
        return Update()
    wanted = wanted_of(tree, catalogue, paths)
    vectors, embedded = embed(wanted.texts, encoder, local)
    segments = list(new_segments(tree.config.model, wanted.records, vectors, catalogue))
    write_and_stage(tree, segments)
    local.discard(vectors)
    return Update(len(wanted.records), embedded, tuple(name for name, _ in segments))


def write_and_stage(
    tree: Tree, segments: Iterable[tuple[str, bytes]], removed: Iterable[str] = ()
) -> None:
    """Put segments on disk and into the git index, and take others out of both.

    Raises SearchError where the disk refuses.
    """
    repository = tree.repository
    if repository.bare:
        raise SearchError("a bare repository has no git index", "run it in a clone")
    folder = repository.root / SEGMENTS
    entries = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in segments:
            entries.append((segment_path(name), write_blob(repository, data)))
            partial = folder / f".{name}.part"
            partial.write_bytes(data)
            partial.replace(folder / name)
        stage(repository, entries, [segment_path(name) for name in removed])
        for name in removed:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise SearchError(
            f"a segment cannot be written: {error}", f"make {SEGMENTS} writable"
        ) from error
