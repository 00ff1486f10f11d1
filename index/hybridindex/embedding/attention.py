"""Softmax attention over texts that are laid end to end, without padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hybridindex.types import Float32

#: Rows of attention done at once: short texts of one length share the calls, long ones keep
#: their scores (heads * 128 * 128 float32, 0.8 MB) in the cache.
_ROWS = 128


def equal_lengths(lengths: Sequence[int]) -> list[tuple[int, int, int]]:
    """(first row, end row, length) of runs of texts of one length, limited in rows."""
    groups: list[tuple[int, int, int]] = []
    row = 0
    for length in lengths:
        if groups:
            start, stop, common = groups[-1]
            if common == length and stop + length - start <= _ROWS:
                groups[-1] = (start, stop + length, common)
                row += length
                continue
        groups.append((row, row + length, length))
        row += length
    return groups


def attend(projections: Float32, out: Float32, length: int, heads: int) -> None:
    """Softmax(Q K^T) V for texts of one length; Q is scaled already.

    ``projections`` is (texts * length, 3 * hidden), Q, K and V side by side; ``out`` is
    (texts * length, hidden).
    """
    texts = len(projections) // length
    width = out.shape[1] // heads
    split = projections.reshape(texts, length, 3, heads, width).transpose(2, 0, 3, 1, 4)
    query, key, value = split[0], split[1], split[2]
    scores = np.matmul(query, key.swapaxes(-1, -2))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)
    attended = np.matmul(scores, value)
    # Dividing the result is fewer operations than dividing the scores.
    attended /= total
    out.reshape(texts, length, heads, width)[...] = attended.transpose(0, 2, 1, 3)
