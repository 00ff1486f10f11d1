"""Vectors that no segment has yet, kept on this machine: what a search or a cut-off update made.

One file for all work trees of a repository. Losing it costs time, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import apsw

from hybridindex.database.connection import BUSY_MILLISECONDS, DAMAGE, remove
from hybridindex.types import Fingerprint

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    fingerprint BLOB NOT NULL,
    key         BLOB NOT NULL,
    embedding   BLOB NOT NULL,
    PRIMARY KEY (fingerprint, key)
) WITHOUT ROWID
"""


class LocalVectors:
    """A small key-value store; an unreadable one is emptied, an unwritable one stays empty."""

    def __init__(self, path: Path, fingerprint: Fingerprint) -> None:
        self._path = path
        self._fingerprint = fingerprint
        self._connection: apsw.Connection | None = None

    def _open(self, create: bool) -> apsw.Connection | None:
        if self._connection is None and (create or self._path.exists()):
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = self._connect()
            except DAMAGE:
                remove(self._path)
                self._connection = self._connect()
            except (OSError, apsw.Error):
                return None
        return self._connection

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        return connection

    def get(self, key: bytes) -> bytes | None:
        """The int8 vector of a chunk key as bytes, if it is here and of the right length."""
        connection = self._open(create=False)
        if connection is None:
            return None
        try:
            found = connection.execute(
                "SELECT embedding FROM vector WHERE fingerprint = ? AND key = ?",
                (self._fingerprint.id, key),
            ).get
        except apsw.Error:
            return None
        return found if found is not None and len(found) == self._fingerprint.dimensions else None

    def put(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep (key, vector) pairs; silently nothing where the folder cannot be written."""
        connection = self._open(create=True)
        if connection is None:
            return
        rows = ((self._fingerprint.id, key, vector) for key, vector in vectors)
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
        except apsw.Error:
            return

    def discard(self, keys: Iterable[bytes]) -> None:
        """Forget vectors that a segment has now."""
        connection = self._open(create=False)
        if connection is None:
            return
        try:
            with connection:
                connection.executemany(
                    "DELETE FROM vector WHERE fingerprint = ? AND key = ?",
                    ((self._fingerprint.id, key) for key in keys),
                )
            if not connection.execute("SELECT EXISTS (SELECT 1 FROM vector)").get:
                connection.execute("VACUUM")
        except apsw.Error:
            return
