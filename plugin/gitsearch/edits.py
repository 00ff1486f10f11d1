"""The edited files of a work tree, as git would store them.

Attributes and configuration may make git store other bytes than the disk has: line ends, another
encoding, an LFS pointer. Only what git would store can be compared with the index, can have a file
record that some commit will need, and is text where the disk has UTF-16.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gitsearch.git.location import Location
from gitsearch.git.objects import object_id_of, read_blobs
from gitsearch.git.process import start

#: One byte more than a file may have, so that a larger one is seen to be larger.
_READ_LIMIT = 1_000_001


@dataclass(frozen=True)
class Edits:
    """``ids`` names what git would store of each edited file, ``converted`` holds its bytes where
    the disk has others, ``gone`` the paths that hold no regular file any more.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    converted: Mapping[str, bytes] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


def read_edits(location: Location, paths: Iterable[str], staged: Mapping[str, str]) -> Edits:
    """The edits among ``paths``, whose files git has not compared with the ids ``staged`` yet."""
    present, gone = [], set()
    for path in paths:
        if is_regular(location.root, path):
            present.append(path)
        else:
            gone.add(path)
    stored = _stored_ids(location, present)
    ids: dict[str, str] = {}
    changed = []
    for path in present:
        known = staged.get(path, "")
        stored_id = stored.get(path)
        if stored_id == known:  # touched, and no more than that
            continue
        data = read_regular(location.root, path)
        if data is None:
            gone.add(path)
            continue
        ids[path] = object_id_of(data, length=len(known) or 40)
        if stored_id not in (None, ids[path]) and len(data) < _READ_LIMIT:
            changed.append(path)
    converted = _stored_bytes(location, changed)
    ids.update({path: stored[path] for path in converted})
    return Edits(ids, converted, frozenset(gone))


def _hash(
    location: Location, paths: Sequence[str], *options: str, extra: Mapping[str, str]
) -> dict[str, str]:
    """What git names each file's bytes once they are converted.

    A filter that fails ends it early: the rest is left out, as are paths that hold line ends.
    """
    asked = [path for path in paths if "\n" not in path and not path.startswith('"')]
    if not asked:
        return {}
    process = start(
        ["hash-object", *options, "--stdin-paths"], location.root, feed=True, extra=extra
    )
    given = b"".join(os.fsencode(path) + b"\n" for path in asked)
    output, _ = process.communicate(given)
    return dict(zip(asked, output.decode().split(), strict=False))


def _stored_ids(location: Location, paths: Sequence[str]) -> dict[str, str]:
    return _hash(location, paths, extra={})


def _stored_bytes(location: Location, paths: Sequence[str]) -> dict[str, bytes]:
    """What git would store of files, converted into a folder that is thrown away."""
    if not paths:
        return {}
    with tempfile.TemporaryDirectory(prefix="git-search-") as folder:
        objects = {"GIT_OBJECT_DIRECTORY": folder}
        ids = _hash(location, paths, "-w", extra=objects)
        read = dict(read_blobs(location, sorted(set(ids.values())), objects))
    return {path: read[blob_id] for path, blob_id in ids.items() if blob_id in read}


def _is_inside(root: Path, path: str) -> bool:
    """Whether no link stands on the way from ``root`` to a path."""
    where = root / path
    return where.parent.resolve() == where.parent


def is_regular(root: Path, path: str) -> bool:
    """Whether there is a regular file at ``path`` inside ``root``, no link on the way followed."""
    try:
        return stat.S_ISREG((root / path).lstat().st_mode) and _is_inside(root, path)
    except (OSError, ValueError, RuntimeError):
        return False


def read_regular(root: Path, path: str, limit: int = _READ_LIMIT) -> bytes | None:
    """Up to ``limit`` bytes of a regular file inside ``root``; None for anything else.

    No link is followed, neither at the end of the path nor on the way.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if not _is_inside(root, path):
            return None
        handle = os.open(root / path, flags)
    except (OSError, ValueError, RuntimeError):
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return file.read(limit)
