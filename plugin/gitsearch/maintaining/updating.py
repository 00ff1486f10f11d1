"""Completes the index of a tree: new segments on disk and in the git index."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import SEGMENTS, segment_path
from gitsearch.maintaining.sharding import Shard
from gitsearch.tree import Tree
from hybridindex.errors import SearchError
from hybridindex.indexing import KnownCovered, complete, uncovered
from hybridindex.types import Encoder, Watch, unwatched
from hybridindex.vectors import LocalVectors


@dataclass(frozen=True)
class Update:
    """What an update did: file records written, chunks embedded, names of new segments."""

    records: int = 0
    embedded: int = 0
    segments: tuple[str, ...] = ()


def update(
    tree: Tree,
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    shard: Shard | None = None,
    known: KnownCovered | None = None,
    watch: Watch = unwatched,
) -> Update:
    """Write and stage the segments that make the tree's coverage full; nothing for a full one.

    A ``shard`` takes its part of the uncovered files. Files that are ``known`` to be covered are
    not looked at. Looks at the whole tree, not at the difference of one commit: that heals what
    merges, reverts and skipped hooks left open. Raises SearchError.
    """
    paths = uncovered(tree, known)
    done = complete(tree, shard.paths_of(paths) if shard else paths, encoder, local, watch)
    write_and_stage(tree, done.segments)
    local.discard(done.keys)
    return Update(done.records, done.embedded, tuple(name for name, _ in done.segments))


def write_and_stage(
    tree: Tree, segments: Iterable[tuple[str, bytes]], removed: Iterable[str] = ()
) -> None:
    """Put segments on disk and into the git index, and take others out of both.

    Raises SearchError where the disk refuses.
    """
    added, gone = list(segments), list(removed)
    location = tree.location
    if location.bare:
        raise SearchError("a bare repository has no git index", "run it in a clone")
    if not added and not gone:
        return
    folder = location.root / SEGMENTS
    entries = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in added:
            entries.append((segment_path(name), write_blob(location, data)))
            partial = folder / f".{name}.part"
            partial.write_bytes(data)
            partial.replace(folder / name)
        stage(location, entries, [segment_path(name) for name in gone])
        for name in gone:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise SearchError(
            f"a segment cannot be written: {error}", f"make {SEGMENTS} writable"
        ) from error
