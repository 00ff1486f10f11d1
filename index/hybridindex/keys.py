"""Chunk keys: the name of exactly what was embedded, under one fingerprint."""

from __future__ import annotations

import hashlib

from hybridindex.types import KEY_BYTES, Fingerprint


def chunk_key(fingerprint: Fingerprint, text: str) -> bytes:
    """``KEY_BYTES`` bytes: BLAKE2b of the embedded text, keyed by the fingerprint's id."""
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES, key=fingerprint.id
    ).digest()
