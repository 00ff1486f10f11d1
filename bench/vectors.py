"""Vectors kept between runs, so that a change of ranking is measured without the model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import apsw

from hybridindex.embedding.quantise import quantise
from hybridindex.types import KEY_BYTES, Encoder, Fingerprint, Watch, unwatched

#: Texts embedded between two savings.
_SAVE_EVERY = 512
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    fingerprint BLOB NOT NULL,
    key         BLOB NOT NULL,
    embedding   BLOB NOT NULL,
    PRIMARY KEY (fingerprint, key)
) WITHOUT ROWID
"""


class Vectors:
    """int8 vectors of chunks and questions under one fingerprint; opens the model when needed."""

    def __init__(
        self, cache: Path, fingerprint: Fingerprint, encoder: Callable[[], Encoder] | None
    ) -> None:
        """Keep vectors in a file in ``cache``. Without an encoder there are none at all."""
        self.fingerprint = fingerprint
        self._open = encoder
        self._path = cache / "vectors.db"

    @cached_property
    def _store(self) -> apsw.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = apsw.Connection(str(self._path))
        connection.set_busy_timeout(60_000)
        connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        return connection

    @cached_property
    def _encoder(self) -> Encoder:
        assert self._open is not None
        return self._open()

    def _get(self, key: bytes) -> bytes | None:
        query = "SELECT embedding FROM vector WHERE fingerprint = ? AND key = ?"
        found: bytes | None = self._store.execute(query, (self.fingerprint.id, key)).get
        return found

    def _put(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        rows = [(self.fingerprint.id, key, vector) for key, vector in vectors]
        with self._store:
            self._store.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)

    def fill(self, texts: Mapping[bytes, str], watch: Watch = unwatched) -> None:
        """Embed the texts whose chunk keys are unknown."""
        if self._open is None:
            return
        missing = sorted((k for k in texts if self._get(k) is None), key=lambda k: len(texts[k]))
        with watch("embedding", "chunks", len(missing)) as advance:
            for at in range(0, len(missing), _SAVE_EVERY):
                keys = missing[at : at + _SAVE_EVERY]
                rows = quantise(self._encoder.encode_documents([texts[k] for k in keys], advance))
                self._put((key, row.tobytes()) for key, row in zip(keys, rows, strict=True))

    def of_chunk(self, key: bytes) -> bytes | None:
        """The vector of a chunk key, None where it was never filled."""
        return self._get(key) if self._open is not None else None

    def of_question(self, question: str) -> bytes | None:
        """The vector of a question, made where it is new; None without an encoder."""
        if self._open is None:
            return None
        key = hashlib.blake2b(
            b"question\0" + question.encode(), digest_size=KEY_BYTES, key=self.fingerprint.id
        ).digest()
        known = self._get(key)
        if known is None:
            known = quantise(self._encoder.encode_question(question)[None, :])[0].tobytes()
            self._put([(key, known)])
        return known
