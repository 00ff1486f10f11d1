"""Brings the committed segments back to a small number; staged, for a commit of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitsearch.git.library import list_revisions
from gitsearch.git.listing import is_shallow, matching_refs, recent_blobs
from gitsearch.maintaining.updating import write_and_stage
from gitsearch.tree import Tree
from hybridindex.segments import ABOVE, compact

#: Commits whose files keep their records and vectors: what a revert or a branch that forked not
#: long ago may bring back.
KEEP_COMMITS = 100


@dataclass(frozen=True)
class Compacted:
    """Of how many segments how many were taken out and put in, and the bytes that came in."""

    segments: int
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
    location = tree.location
    wanted = set(tree.files.items())
    keep_all = is_shallow(location)
    if not keep_all:
        wanted |= recent_blobs(location, keep_commits)
    kept = list_revisions(location, matching_refs(location, list(keep_refs)))
    wanted |= {(entry.path, entry.blob_id) for entry in kept}
    done = compact(
        tree.fingerprint,
        tree.catalogue,
        lambda path, blob_id: keep_all or (path, blob_id) in wanted,
        above,
        drop_foreign,
    )
    if not done.removed:
        return Compacted(len(tree.segments))
    added = dict(done.added)
    write_and_stage(tree, done.added, [name for name in done.removed if name not in added])
    size = sum(len(data) for data in added.values())
    return Compacted(len(tree.segments), len(done.removed), len(added), size)
