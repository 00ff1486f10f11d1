"""Chunk keys: the name of exactly what is embedded for a chunk, under one fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from hybridindex import text as texts
from hybridindex.chunking import chunk
from hybridindex.types import KEY_BYTES, Fingerprint, KeyedChunk, Method


def chunk_key(fingerprint: Fingerprint, text: str) -> bytes:
    """``KEY_BYTES`` bytes: BLAKE2b of the embedded text, keyed by the fingerprint's id."""
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES, key=fingerprint.id
    ).digest()


def keyed_chunks(
    fingerprint: Fingerprint, path: str, text: str, language: str | None, method: Method
) -> Iterator[tuple[KeyedChunk, str]]:
    r"""The chunks of a file with their keys, each with the text that is embedded for it.

    >>> model = Fingerprint("any", "", "", 8, 128)
    >>> ((chunk, text),) = keyed_chunks(model, "a.py", "def f():\n    pass\n", "python", "lines")
    >>> text
    'a.py\ndef f():\n    pass'
    """
    lines = texts.lines_of(text)
    for item in chunk(text, language, method):
        embedded = texts.chunk_text(path, item.symbols, lines, item.start, item.end)
        key = chunk_key(fingerprint, embedded)
        yield KeyedChunk(item.start, item.end, item.symbols, key), embedded
