"""Completes the index of a tree: new segments on disk and in the git index."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import SEGMENTS, segment_path
from gitsearch.maintaining.sharding import Shard
from gitsearch.tree import Tree
from gitsearch.wording import counted
from gitsearch.writing import remove_inside, write_inside
from hybridindex.errors import SearchError
from hybridindex.indexing import Completion, KnownCovered, complete, uncovered
from hybridindex.types import Encoder, Watch, unwatched
from hybridindex.vectors import LocalVectors

GRAMMARS_HINT = "pip install 'gitsearch[index]'"


@dataclass(frozen=True)
class Update:
    """What an update did: files covered, chunks embedded, names of new segments.

    ``left`` are files that stay uncovered, ``why`` says why (with a hint), None for none;
    ``trouble`` is what was wrong with the model.
    """

    records: int = 0
    embedded: int = 0
    segments: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    why: SearchError | None = None
    trouble: SearchError | None = None


def update(
    tree: Tree,
    encoder: Callable[[int], Encoder],
    local: LocalVectors,
    shard: Shard | None = None,
    known: KnownCovered | None = None,
    watch: Watch = unwatched,
    seconds: float = math.inf,
) -> Update:
    """Write and stage the segments that make the tree's coverage full; nothing for a full one.

    A ``shard`` takes its part of the uncovered files. Files that are ``known`` to be covered are
    not looked at. Looks at the whole tree, not at the difference of one commit: that heals what
    merges, reverts and skipped hooks left open. After ``seconds`` the rest is left. Raises
    SearchError; a model or a grammar that is missing here is no error, but leaves files.
    """
    paths = uncovered(tree, known)
    paths = shard.paths_of(paths) if shard else paths
    done = complete(tree, paths, encoder, local, watch, seconds)
    write_and_stage(tree, done.segments)
    local.discard(done.keys)
    names = tuple(name for name, _ in done.segments)
    why = _why(done, seconds)
    return Update(done.records, done.embedded, names, tuple(done.left), why, done.trouble)


def _why(done: Completion, seconds: float) -> SearchError | None:
    if not done.left:
        return None
    files = f"{counted(len(done.left), 'file')} found by keyword alone"
    if done.trouble is not None:
        return SearchError(f"{files}: {done.trouble.problem}", done.trouble.hint)
    if done.languages:
        grammars = ", ".join(done.languages)
        return SearchError(f"{files}: no grammar here for {grammars}", GRAMMARS_HINT)
    return SearchError(f"{files} after {seconds:g} s of indexing", "git search-index update")


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
    entries = []
    try:
        for name, data in added:
            entries.append((segment_path(name), write_blob(location, data)))
            write_inside(location.root, segment_path(name), data)
        stage(location, entries, [segment_path(name) for name in gone])
        for name in gone:
            remove_inside(location.root, segment_path(name))
    except OSError as error:
        raise SearchError(
            f"a segment cannot be written: {error}", f"make {SEGMENTS} writable"
        ) from error
