"""Vectors kept between runs, so that a change of ranking is measured without the model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from gitsearch.update import embed
from hybridindex.database.local import LocalVectors
from hybridindex.types import KEY_BYTES, Encoder, Fingerprint


class Vectors:
    """int8 vectors of chunks and questions under one fingerprint; opens the model when needed."""

    def __init__(
        self, cache: Path, fingerprint: Fingerprint, encoder: Callable[[], Encoder] | None
    ) -> None:
        """Keep vectors in a file in ``cache``. Without an encoder there are none at all."""
        self.fingerprint = fingerprint
        self._open = encoder
        self._store = LocalVectors(cache / "vectors.db", fingerprint)

    @cached_property
    def _encoder(self) -> Encoder:
        assert self._open is not None
        return self._open()

    def fill(self, texts: Mapping[bytes, str]) -> None:
        """Embed the texts whose chunk keys are unknown."""
        if self._open is None:
            return
        missing = {key: text for key, text in texts.items() if self._store.get(key) is None}
        made, _ = embed(missing, lambda _: self._encoder, self._store)
        self._store.put(made.items())

    def of_chunk(self, key: bytes) -> bytes | None:
        """The vector of a chunk key, None where it was never filled."""
        return self._store.get(key) if self._open is not None else None

    def of_question(self, question: str) -> bytes | None:
        """The vector of a question, made where it is new; None without an encoder."""
        if self._open is None:
            return None
        key = hashlib.blake2b(
            b"question\0" + question.encode(), digest_size=KEY_BYTES, key=self.fingerprint.id
        ).digest()
        known = self._store.get(key)
        if known is None:
            from hybridindex.embedding.quantise import quantise

            known = quantise(self._encoder.encode_question(question)[None, :])[0].tobytes()
            self._store.put([(key, known)])
        return known
