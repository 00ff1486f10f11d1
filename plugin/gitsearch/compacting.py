"""Brings the committed segments back to a small number; staged, for a commit of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitsearch.git.listing import is_shallow, list_revision, matching_refs, recent_blobs
from gitsearch.tree import Tree
from gitsearch.update import uncovered, write_and_stage
from hybridindex.errors import SearchError
from hybridindex.segments.compaction import ABOVE, compact

#: Commits whose files keep their records and vectors: what a revert or a branch that forked not
#: long ago may bring back.
KEEP_COMMITS = 100


@dataclass(frozen=True)
class Compacted:
    """How many segments were taken out and put in, and the bytes that came with them."""

    removed: int = 0
    added: int = 0
    added_bytes: int = 0


def compact_tree(
    tree: Tree,
    above: int = ABOVE,
    keep_commits: int = KEEP_COMMITS,
    keep_refs: Sequence[str] = (),
    drop_foreign: bool = False,
) -> Compacted:
    """Compact the segments of the git index and stage the result.

    Records and vectors stay that the tree uses, that the last ``keep_commits`` commits used, or
    that the refs matching ``keep_refs`` use. In a shallow clone, where history cannot tell, all
    stay. Raises SearchError where the coverage would become smaller; nothing is changed then.
    """
    repository = tree.repository
    wanted = set(tree.sorted.files.items())
    keep_all = is_shallow(repository)
    if not keep_all:
        wanted |= recent_blobs(repository, keep_commits)
    for ref in matching_refs(repository, list(keep_refs)):
        wanted |= {(entry.path, entry.blob_id) for entry in list_revision(repository, ref)}
    names = set(tree.sorted.segments)
    foreign = names - set(tree.catalogue.heads) - set(tree.catalogue.damaged)
    done = compact(
        tree.config.model,
        sorted(names),
        tree.read_segment,
        lambda path, blob_id: keep_all or (path, blob_id) in wanted,
        above,
    )
    removed = set(done.removed) | (foreign if drop_foreign else set())
    if not removed:
        return Compacted()
    _require_as_whole(tree, removed, dict(done.added))
    write_and_stage(tree, done.added, sorted(removed - {name for name, _ in done.added}))
    return Compacted(len(removed), len(done.added), sum(len(data) for _, data in done.added))


def _require_as_whole(tree: Tree, removed: set[str], added: dict[str, bytes]) -> None:
    """Raise SearchError if a file that is covered now would not be after the compaction."""
    from hybridindex.segments.catalogue import Catalogue

    names = (set(tree.sorted.segments) - removed) | set(added)

    def read(name: str) -> list[bytes]:
        return [added[name]] if name in added else list(tree.read_segment(name))

    after = Catalogue(tree.config.model.id, names, read)
    lost = set(uncovered(tree, after)) - set(uncovered(tree, tree.catalogue))
    if lost:
        raise SearchError(
            f"the compaction would leave {len(lost)} files uncovered, {min(lost)} among them",
            "nothing was changed; please report it",
        )
