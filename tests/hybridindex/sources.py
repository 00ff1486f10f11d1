"""Sources made of a dictionary: files, and the segments that cover some of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property

import apsw
import numpy as np

from hybridindex.chunking.keyed import keyed_chunks
from hybridindex.database.deriving import derive
from hybridindex.languages import language_of
from hybridindex.queries import Hit, Query
from hybridindex.searcher import hits_of
from hybridindex.segments import Catalogue, new_segments
from hybridindex.types import FileRecord, Fingerprint, Method

DIMENSIONS = 16
FINGERPRINT = Fingerprint("seeded", "", "", DIMENSIONS, 128)

FILES = {
    "src/retry.py": b"def may_retry(request):\n    return request.idempotent\n",
    "src/send.py": b"def send(request):\n    if may_retry(request):\n        again(request)\n",
    "tests/test_retry.py": b"def test_may_retry():\n    assert may_retry(get)\n",
    "docs/retry.md": b"# Retrying\n\nA request may be retried when it is idempotent.\n",
    "lib/cache.go": b"package lib\n\nfunc EvictOldest(c *Cache) {\n\tc.pop()\n}\n",
}


def vector_of(key: bytes) -> bytes:
    seed = int.from_bytes(key[:8], "little")
    drawn = np.random.default_rng(seed).integers(-127, 128, DIMENSIONS, np.int8)
    return drawn.tobytes()


def no_local(_: bytes) -> bytes | None:
    return None


class Made:
    """A ``hybridindex.source.Source``; ``covered`` are the paths that its segments know."""

    fingerprint = FINGERPRINT
    chunking: Method = "syntax"

    def __init__(self, contents: dict[str, bytes], covered: Sequence[str] | None = None) -> None:
        self.contents = contents
        self.files = {p: hashlib.sha1(d).hexdigest() for p, d in contents.items()}
        records, keys = [], {}
        for path in contents if covered is None else covered:
            found = keyed_chunks(
                FINGERPRINT, path, contents[path].decode(), language_of(path), "syntax"
            )
            chunks = tuple(chunk for chunk, _ in found)
            records.append(FileRecord(path, self.files[path], chunks))
            keys.update({chunk.key: vector_of(chunk.key) for chunk in chunks})
        self.segment_bytes = dict(new_segments(FINGERPRINT, records, keys))
        self.read_paths: list[str] = []

    @property
    def name(self) -> str:
        return repr(sorted(self.files.items())) + repr(sorted(self.segment_bytes))

    @property
    def segments(self) -> dict[str, str]:
        return dict.fromkeys(self.segment_bytes, "")

    @cached_property
    def catalogue(self) -> Catalogue:
        names = self.segment_bytes
        return Catalogue(FINGERPRINT, names, lambda name: [self.segment_bytes[name]])

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            self.read_paths.append(path)
            yield path, self.contents[path]

    def read_shown(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            yield path, self.contents[path]


def fill(connection: apsw.Connection, source: Made) -> None:
    derive(connection, source, no_local)


def hits(connection: apsw.Connection, question: str) -> list[Hit]:
    """The ranked hits of a question by keyword."""
    return hits_of(connection, Query(question), None)


def paths_of(connection: apsw.Connection, question: str) -> list[str]:
    return [hit.path for hit in hits(connection, question)]
