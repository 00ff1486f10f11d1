"""An encoder whose vectors mean nothing: where only bytes and git are the subject."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hybridindex.types import Advance, Fingerprint

if TYPE_CHECKING:
    from hybridindex.types import Float32


class SeededEncoder:
    """Normalised random vectors, each drawn from a seed that is its text's hash."""

    def __init__(self, fingerprint: Fingerprint) -> None:
        self.fingerprint = fingerprint

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        """Shape (len(texts), dimensions), float32."""
        rows = np.empty((len(texts), self.fingerprint.dimensions), np.float32)
        for i, text in enumerate(texts):
            seed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            drawn = np.random.default_rng(int.from_bytes(seed, "little"))
            rows[i] = drawn.standard_normal(self.fingerprint.dimensions, np.float32)
        if advance is not None:
            advance(len(texts))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def encode_question(self, question: str) -> Float32:
        """Shape (dimensions,), float32."""
        row: Float32 = self.encode_documents([question])[0]
        return row
