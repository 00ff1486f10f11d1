"""Remembers which files the last commit's index covered: the next hook looks only at the others.

Deciding that a file is covered decodes its record; in a tree of thousands of files that would be
most of what a hook costs. Local and disposable: it holds while the segments it saw are all there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from gitsearch.git.location import Location
from gitsearch.tree import Tree

_BYTES = 8


def _file_name(path: str, blob_id: str) -> bytes:
    text = f"{blob_id} {path}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=_BYTES).digest()


def _file(location: Location) -> Path:
    return location.private / "covered"


def is_known(tree: Tree) -> bool:
    """Whether this very tree was seen covered: costs one line to read, and imports nothing."""
    try:
        with _file(tree.location).open("rb") as file:
            return file.readline() == tree.name.encode() + b"\n"
    except OSError:
        return False


def remember_covered(tree: Tree) -> None:
    """Note that the segments of a tree cover all of its files."""
    names = " ".join([tree.fingerprint.id.hex(), *sorted(tree.segments)])
    files = b"".join(sorted(_file_name(*item) for item in tree.files.items()))
    target = _file(tree.location)
    partial = target.with_name("covered.part")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(f"{tree.name}\n{names}\n".encode() + files)
        partial.replace(target)
    except OSError:
        return  # then the next hook looks at every file


def covered_before(tree: Tree) -> Callable[[str, str], bool]:
    """Whether (path, blob id) is known to be covered; of nothing where a segment is gone since."""
    known = _read(tree)
    return lambda path, blob_id: _file_name(path, blob_id) in known


def _read(tree: Tree) -> frozenset[bytes]:
    try:
        with _file(tree.location).open("rb") as file:
            _, names, files = file.readline(), file.readline().rstrip(b"\n"), file.read()
    except OSError:
        return frozenset()
    fingerprint, *segments = names.decode("ascii", "replace").split(" ")
    if fingerprint != tree.fingerprint.id.hex() or not set(segments) <= set(tree.segments):
        return frozenset()
    return frozenset(files[i : i + _BYTES] for i in range(0, len(files), _BYTES))
