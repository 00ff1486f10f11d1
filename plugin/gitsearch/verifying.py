"""Embeds chunks again and compares: tells an honest index from a poisoned one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gitsearch.git.listing import list_revision
from gitsearch.progress import Progress
from gitsearch.tree import Tree
from hybridindex import text as texts
from hybridindex.keys import chunk_key
from hybridindex.types import Encoder

#: Quantising to int8 costs about 1e-4 of cosine, another processor's last bits less.
LEAST_COSINE = 0.999
BATCH = 64


@dataclass(frozen=True)
class Claim:
    """What a committed record says of some lines: this text has this key, and so this vector."""

    path: str
    start: int
    end: int
    text: str
    key: bytes


@dataclass(frozen=True)
class Lie:
    """A claim that does not hold. ``cosine`` is None where the key is not that of the lines."""

    path: str
    start: int
    end: int
    cosine: float | None


@dataclass(frozen=True)
class Verified:
    """How many claims there are, how many were checked, and which do not hold."""

    claims: int
    checked: int
    lies: Sequence[Lie]


def claims_of(tree: Tree, only: frozenset[str] | None = None) -> Iterator[Claim]:
    """Every chunk of the tree that has a committed vector; of the segments ``only``, if given."""
    catalogue = tree.catalogue
    wanted = {}
    for path, blob_id in tree.sorted.files.items():
        record = catalogue.record(path, blob_id)
        if record is not None and record.chunks:
            wanted[path] = record
    for path, data in tree.read(sorted(wanted)):
        lines = texts.lines_of(texts.decode(data))
        for chunk in wanted[path].chunks:
            place = catalogue.keys.get(chunk.key)
            if place is None or (only is not None and place[0] not in only):
                continue
            text = texts.chunk_text(path, chunk.symbols, lines, chunk.start, chunk.end)
            yield Claim(path, chunk.start, chunk.end, text, chunk.key)


def added_since(tree: Tree, revision: str) -> frozenset[str]:
    """Names of the segments that a revision does not have. Raises NoRevision."""
    before = {entry.path.rpartition("/")[2] for entry in list_revision(tree.repository, revision)}
    return frozenset(set(tree.sorted.segments) - before)


def verify(
    tree: Tree,
    encoder: Callable[[int], Encoder],
    sample: int | None,
    seed: int,
    since: str | None = None,
) -> Verified:
    """Check every key, and embed ``sample`` chunks again (all for None), drawn by ``seed``.

    A key that is not that of its lines is a lie whatever its vector is: it would give the vector
    of one text to another.
    """
    only = None if since is None else added_since(tree, since)
    claims = list(claims_of(tree, only))
    lies = [
        Lie(claim.path, claim.start, claim.end, None)
        for claim in claims
        if chunk_key(tree.config.model, claim.text) != claim.key
    ]
    honest = [c for c in claims if chunk_key(tree.config.model, c.text) == c.key]
    chosen = honest
    if sample is not None and sample < len(honest):
        chosen = random.Random(seed).sample(honest, sample)
    if chosen:
        lies += _compare(tree, encoder(len(chosen)), chosen)
    return Verified(len(claims), len(chosen), lies)


def _compare(tree: Tree, encoder: Encoder, claims: Sequence[Claim]) -> list[Lie]:
    import numpy as np

    lies = []
    with Progress("verifying", "chunks", len(claims)) as advance:
        for at in range(0, len(claims), BATCH):
            batch = claims[at : at + BATCH]
            made = encoder.encode_documents([claim.text for claim in batch], advance)
            for claim, row in zip(batch, made, strict=True):
                committed = np.frombuffer(
                    tree.catalogue.vector(claim.key) or bytes(len(row)), np.int8
                ).astype(np.float32)
                norm = float(np.linalg.norm(committed))
                cosine = float(row @ committed) / norm if norm else 0.0
                if not cosine >= LEAST_COSINE:
                    lies.append(Lie(claim.path, claim.start, claim.end, cosine))
    return lies
