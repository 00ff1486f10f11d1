"""Embeds chunks again and compares: tells an honest index from a poisoned one."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from hybridindex.indexing import PlacedChunk, chunks_of, honest
from hybridindex.source import Source
from hybridindex.types import Encoder, Watch, unwatched

#: Quantising to int8 costs about 1e-4 of cosine, another processor's last bits less.
MIN_COSINE = 0.999
BATCH = 64


@dataclass(frozen=True)
class Lie:
    """Lines that are not what the index claims. ``cosine`` is None where the key is wrong."""

    path: str
    start: int
    end: int
    cosine: float | None


@dataclass(frozen=True)
class Verified:
    """How many chunks make a claim, how many were embedded again, and which claims do not hold."""

    claims: int
    checked: int
    lies: Sequence[Lie]


def verify(
    source: Source,
    encoder: Callable[[int], Encoder],
    sample: int | None,
    seed: int,
    segments: Collection[str] | None = None,
    watch: Watch = unwatched,
) -> Verified:
    """Check every key, and embed ``sample`` chunks again (all for None), drawn by ``seed``.

    A claim is a chunk of a file record that has a committed vector: this text has this key, and so
    this vector; of those ``segments`` alone where they are named. A key that is not that of its
    lines is a lie whatever its vector is: it would give the vector of one text to another.
    """
    lies, chosen, claims = [], [], 0
    for claim in _claims(source, segments):
        claims += 1
        if honest(source, claim):
            chosen.append(claim)
        else:
            lies.append(Lie(claim.path, claim.start, claim.end, None))
    if sample is not None and sample < len(chosen):
        chosen = random.Random(seed).sample(chosen, sample)
    if chosen:
        lies += _compare(source, encoder(len(chosen)), chosen, watch)
    return Verified(claims, len(chosen), lies)


def _claims(source: Source, segments: Collection[str] | None) -> Iterator[PlacedChunk]:
    catalogue = source.catalogue
    recorded = [path for path, blob_id in source.files.items() if catalogue.record(path, blob_id)]
    for chunk in chunks_of(source, recorded):
        place = catalogue.keys.get(chunk.key)
        if place is not None and (segments is None or place[0] in segments):
            yield chunk


def _compare(
    source: Source, encoder: Encoder, claims: Sequence[PlacedChunk], watch: Watch
) -> list[Lie]:
    import numpy as np

    lies = []
    with watch("verifying", "chunks", len(claims)) as advance:
        for at in range(0, len(claims), BATCH):
            batch = claims[at : at + BATCH]
            made = encoder.encode_documents([claim.text for claim in batch], advance)
            for claim, row in zip(batch, made, strict=True):
                data = source.catalogue.vector(claim.key) or bytes(len(row))
                committed = np.frombuffer(data, np.int8).astype(np.float32)
                norm = float(np.linalg.norm(committed))
                cosine = float(row @ committed) / norm if norm else 0.0
                if not cosine >= MIN_COSINE:
                    lies.append(Lie(claim.path, claim.start, claim.end, cosine))
    return lies
