"""Paths that a repository's attributes declare generated or vendored."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gitsearch.git.listing import Entry
from gitsearch.git.location import Location
from gitsearch.git.objects import read_blobs
from gitsearch.git.process import run
from gitsearch.layout import ATTRIBUTES

LINGUIST = "marked generated, vendored or not detectable in .gitattributes"

_ATTRIBUTES = ("linguist-generated", "linguist-vendored")
_SET = ("set", "true")


def linguist_skips(
    location: Location,
    entries: Sequence[Entry],
    paths: Iterable[str],
    revision: str | None,
) -> dict[str, str]:
    """Why each path is left out by attributes of its own tree; nothing for the other paths.

    Git is asked only where some ``.gitattributes`` of the tree speaks of linguist at all.
    """
    ids = [
        entry.blob_id
        for entry in entries
        if entry.path.rpartition("/")[2] == ".gitattributes" and entry.path != ATTRIBUTES
    ]
    if not any(b"linguist-" in data for _, data in read_blobs(location, ids)):
        return {}
    given = b"\0".join(os.fsencode(path) for path in paths) + b"\0"
    if revision is None:
        return _ask(location, given, {})
    # `check-attr --source` needs git 2.40; an index file of the revision works everywhere.
    with tempfile.TemporaryDirectory(prefix="git-search-") as folder:
        extra = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        run(["read-tree", revision + "^{tree}"], location.root, extra=extra)
        return _ask(location, given, extra)


def _ask(location: Location, given: bytes, extra: Mapping[str, str]) -> dict[str, str]:
    command = ["check-attr", "--cached", "-z", "--stdin", *_ATTRIBUTES]
    fields = run(command, location.root, given=given, extra=extra).split(b"\0")
    return {
        os.fsdecode(path): LINGUIST
        for path, _, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False)
        if value.decode() in _SET
    }
