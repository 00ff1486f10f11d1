"""Puts new files into the git index, past every filter and attribute."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gitsearch.git.process import run
from gitsearch.git.repository import Repository


def write_blob(repository: Repository, data: bytes) -> str:
    """Store bytes as a blob exactly as they are; returns its name in hex."""
    command = ["hash-object", "-w", "--no-filters", "--stdin"]
    return run(command, repository.root, given=data).decode().strip()


def stage(
    repository: Repository,
    entries: Sequence[tuple[str, str]],
    removed: Sequence[str] = (),
    extra: dict[str, str] | None = None,
) -> None:
    """Put (path, blob id) pairs into the git index as plain files, and take paths out.

    Works where ``git add`` refuses (sparse checkouts) or would run a filter. Raises GitError.
    """
    lines = [f"100644 {blob_id}\t".encode() + os.fsencode(path) for path, blob_id in entries]
    nothing = b"0" * (len(entries[0][1]) if entries else 40)
    lines += [b"0 " + nothing + b"\t" + os.fsencode(path) for path in removed]
    if lines:
        # Locks are what staging is about, so the variable that avoids them is put aside.
        environment = {"GIT_OPTIONAL_LOCKS": "1", **(extra or {})}
        given = b"\0".join(lines) + b"\0"
        run(["update-index", "-z", "--index-info"], repository.root, given=given, extra=environment)
