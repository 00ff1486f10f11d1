"""Puts new files into the git index, past every filter and attribute."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from gitsearch.git.location import Location
from gitsearch.git.process import run

#: Name of the index file that git makes for `commit -- path` alone.
_TEMPORARY = re.compile(r"next-index-\d+\.lock\Z")


def write_blob(location: Location, data: bytes) -> str:
    """Store bytes as a blob exactly as they are; returns its name in hex."""
    command = ["hash-object", "-w", "--no-filters", "--stdin"]
    return run(command, location.root, given=data).decode().strip()


def stage(
    location: Location, entries: Sequence[tuple[str, str]], removed: Sequence[str] = ()
) -> None:
    """Put (path, blob id) pairs into the git index as plain files, and take paths out.

    Works where ``git add`` refuses (sparse checkouts) or would run a filter. In a hook of
    ``git commit -- path`` both index files are written: the temporary one that is committed, and
    the one that becomes the real index after it. Raises GitError.
    """
    lines = [f"100644 {blob_id}\t".encode() + os.fsencode(path) for path, blob_id in entries]
    if removed:
        # Mode 0 takes a path out; the name beside it must be as long as the repository's are.
        kind = run(["rev-parse", "--show-object-format"], location.root).strip()
        nothing = b"0" * (64 if kind == b"sha256" else 40)
        lines += [b"0 " + nothing + b"\t" + os.fsencode(path) for path in removed]
    if not lines:
        return
    given = b"\0".join(lines) + b"\0"
    _update_index(location, given, {})
    if _TEMPORARY.match(Path(os.environ.get("GIT_INDEX_FILE", "")).name):
        coming = location.git_dir / "index.lock"
        if coming.exists():
            _update_index(location, given, {"GIT_INDEX_FILE": str(coming)})


def _update_index(location: Location, given: bytes, extra: dict[str, str]) -> None:
    # Locks are what staging is about, so the variable that avoids them is put aside.
    environment = {"GIT_OPTIONAL_LOCKS": "1", **extra}
    run(["update-index", "-z", "--index-info"], location.root, given=given, extra=environment)
