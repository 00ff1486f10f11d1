"""The model a benchmark runs with."""

from __future__ import annotations

from pathlib import Path

from bench.vectors import Vectors
from gitsearch.config import DEFAULT_MODEL
from hybridindex.types import Encoder, Fingerprint

#: Of a database that holds no vectors; vec0 wants at least one dimension, and a multiple of 8.
NO_MODEL = Fingerprint("none", "", "", 8, 128)


def open_vectors(
    cache: Path,
    name: str | None = None,
    directory: Path | None = None,
    max_tokens: int | None = None,
    adapter: str | None = None,
) -> Vectors:
    """Vectors of a model, by default the one of a new index. Raises ModelUnavailable.

    An empty adapter is none; by default it is that of a new index.
    """
    from hybridindex.embedding import find_model, fingerprint_of, open_encoder

    hashes = cache / "weights.json"
    files = find_model(name or DEFAULT_MODEL, directory=directory)
    fingerprint = fingerprint_of(files, max_tokens, adapter=adapter, hash_cache=hashes)

    def encoder() -> Encoder:
        return open_encoder(
            files,
            max_tokens=max_tokens,
            adapter=fingerprint.adapter,
            expected=fingerprint,
            hash_cache=hashes,
        )

    return Vectors(cache, fingerprint, encoder)


def no_vectors(cache: Path) -> Vectors:
    """For keyword search alone."""
    return Vectors(cache, NO_MODEL, None)
