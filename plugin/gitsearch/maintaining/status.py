"""How complete the committed index of a tree is, without a model, a grammar or a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitsearch.tree import Tree
from hybridindex.indexing import uncovered


@dataclass(frozen=True)
class Status:
    """The state of one tree's index.

    ``skipped`` holds the reason of every tracked file that is not indexed, ``uncovered`` the
    source files that lack a file record or vectors, ``damaged`` what is wrong with a segment,
    ``foreign`` how many vectors there are of other models. ``segment_bytes`` counts file bytes.
    """

    model: str
    dimensions: int
    files: int
    chunks: int
    vectors: int
    uncovered: Sequence[str]
    skipped: Mapping[str, str]
    segments: int
    segment_bytes: int
    damaged: Mapping[str, str]
    foreign: Mapping[str, int]

    @property
    def coverage(self) -> float:
        """Between 0 and 1; a tree without source files is covered."""
        return 1 - len(self.uncovered) / self.files if self.files else 1.0


def status_of(tree: Tree) -> Status:
    """Look up every source file of the tree in its segments."""
    catalogue = tree.catalogue
    skipped = dict(tree.skipped)
    chunks = files = 0
    for path, blob_id in tree.files.items():
        resolved = catalogue.resolved(path, blob_id)
        if resolved is not None and resolved.skipped:
            skipped[path] = resolved.skipped
            continue
        files += 1
        chunks += len(resolved.placed) if resolved else 0
    return Status(
        model=tree.fingerprint.model,
        dimensions=tree.fingerprint.dimensions,
        files=files,
        chunks=chunks,
        vectors=len(catalogue.keys),
        uncovered=uncovered(tree),
        skipped=dict(sorted(skipped.items())),
        segments=len(tree.segments),
        segment_bytes=catalogue.bytes_read,
        damaged=catalogue.damaged,
        foreign=catalogue.foreign,
    )
