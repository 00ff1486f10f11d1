"""Segments that a hook staged and no commit has yet: an aborted commit must leave no debris."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from gitsearch.git.listing import list_revision
from gitsearch.git.location import Location
from gitsearch.git.process import GitError
from gitsearch.layout import segment_path
from gitsearch.maintaining.updating import write_and_stage
from gitsearch.tree import Tree
from hybridindex.errors import SearchError
from hybridindex.vectors import LocalVectors


def _file(location: Location) -> Path:
    return location.private / "pending"


def remember(location: Location, names: Iterable[str]) -> None:
    """Note the segments that were staged for the commit that is being made."""
    try:
        location.private.mkdir(parents=True, exist_ok=True)
        with _file(location).open("a", encoding="ascii") as file:
            file.writelines(name + "\n" for name in names)
    except OSError:
        return  # then a segment of an aborted commit stays, which costs bytes and nothing else


def forget(location: Location) -> None:
    """The commit was made: what was pending is part of history."""
    _file(location).unlink(missing_ok=True)


def drop_stale(tree: Tree, local: LocalVectors) -> bool:
    """Take out the segments of an aborted commit that speak of content no longer staged.

    Their vectors are kept locally, so that staging the content again embeds nothing.
    """
    location = tree.location
    try:
        noted = set(_file(location).read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError):
        return False
    pending = noted & set(tree.segments) & set(tree.catalogue.heads)
    pending -= _committed(location) if pending else set()
    stale = sorted(name for name in pending if not _speaks_of_tree(tree, name))
    keep_vectors(tree, stale, local)
    write_and_stage(tree, (), stale)
    if pending:
        _file(location).write_text("".join(f"{n}\n" for n in sorted(pending - set(stale))))
    else:
        forget(location)
    return bool(stale)


def keep_vectors(tree: Tree, names: Iterable[str], local: LocalVectors) -> None:
    """Keep the vectors of segments locally, which may not become part of a history."""
    for name in names:
        keys = tree.catalogue.heads[name].keys
        vectors = ((key, tree.catalogue.vector(key)) for key in keys)
        local.put((key, vector) for key, vector in vectors if vector is not None)


def _committed(location: Location) -> set[str]:
    """Names of the segments of HEAD, and of what is being merged into it."""
    names: set[str] = set()
    for revision in ("HEAD", "MERGE_HEAD"):
        try:
            entries = list_revision(location, revision)
        except (SearchError, GitError):
            continue
        paths = {entry.path for entry in entries}
        names |= {path.rpartition("/")[2] for path in paths if path.startswith(segment_path(""))}
    return names


def _speaks_of_tree(tree: Tree, name: str) -> bool:
    """Whether each file record of a segment is of a file as it is staged."""
    files = tree.files
    return all(
        files.get(os.fsdecode(record.path)) == record.blob_id.hex()
        for record in tree.catalogue.heads[name].records
    )
