"""Vectors that no committed segment has yet, kept on this machine in segments of its own.

A search, a cut-off update or a job that is outrun makes vectors that no commit carries. They lie in
a folder of the git directory as segments without records: immutable, checked when they are read,
safe among many processes. Losing one costs time, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from hybridindex.segments import MAX_BYTES, NAME, Catalogue, new_segments
from hybridindex.types import Fingerprint

#: All files together: some 320,000 vectors of 384 dimensions, more than a first index that is cut
#: off has made by then. The oldest go first.
MAX_FOLDER_BYTES = 128_000_000
#: Every search after an edit may leave a file of a vector or two: beyond so many files with fewer
#: than ``SMALL`` vectors, those are joined.
MAX_SMALL_FILES, SMALL = 64, 256


class LocalVectors:
    """A folder of segments; what cannot be read or written there is as if it were not there."""

    def __init__(self, folder: Path, fingerprint: Fingerprint) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._seen = -1
        self._catalogue = self._open(())

    def snapshot(self) -> Catalogue:
        """What is here now; its ``vector`` gives the int8 vector of a chunk key as bytes."""
        try:
            changed = self._folder.stat().st_mtime_ns
        except OSError:
            changed = -1
        if changed != self._seen:
            self._catalogue, self._seen = self._open(self._names()), changed
        return self._catalogue

    def put(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep (chunk key, int8 vector) pairs; silently nothing where that is not possible."""
        with contextlib.suppress(OSError):
            self._write(dict(vectors))
            self._join_small()
            self._limit()

    def discard(self, keys: Collection[bytes]) -> None:
        """Forget vectors that a committed segment has now: files that hold nothing else."""
        gone = [name for name, head in self.snapshot().heads.items() if {*head.keys} <= {*keys}]
        for name in gone:
            self._remove(name)

    def _open(self, names: Iterable[str]) -> Catalogue:
        return Catalogue(self._fingerprint, names, self._read)

    def _read(self, name: str) -> Iterator[bytes]:
        with contextlib.suppress(OSError), (self._folder / name).open("rb") as file:
            yield file.read(MAX_BYTES + 1)

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self._folder) if NAME.match(name)]  # noqa: PTH208
        except OSError:
            return []

    def _write(self, vectors: dict[bytes, bytes]) -> set[str]:
        self._folder.mkdir(parents=True, exist_ok=True)
        written = set()
        for name, data in new_segments(self._fingerprint, (), vectors):
            handle, partial = tempfile.mkstemp(prefix="new-", dir=self._folder)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(partial).replace(self._folder / name)
            written.add(name)
        return written

    def _join_small(self) -> None:
        known = self.snapshot()
        small = {name for name, head in known.heads.items() if len(head.keys) < SMALL}
        if len(small) <= MAX_SMALL_FILES:
            return
        keys = (key for name in small for key in known.heads[name].keys)
        pairs = ((key, known.vector(key)) for key in keys)
        written = self._write({key: vector for key, vector in pairs if vector is not None})
        for name in small - written:
            self._remove(name)

    def _limit(self) -> None:
        found = []
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):
                seen = path.stat()
                found.append((seen.st_mtime_ns, seen.st_size, path.name))
        total = sum(size for _, size, _ in found)
        for _, size, name in sorted(found):
            if total <= MAX_FOLDER_BYTES:
                break
            total -= size
            self._remove(name)

    def _remove(self, name: str) -> None:
        with contextlib.suppress(OSError):
            (self._folder / name).unlink()
