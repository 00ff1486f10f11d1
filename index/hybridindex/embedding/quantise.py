"""float32 vectors to int8."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybridindex.types import Float32, Int8


def quantise(vectors: Float32) -> Int8:
    """Scale each row so that its largest magnitude is 127, and round half to even.

    Shape (n, d) float32 to (n, d) int8. Only directions are kept, which is all that cosine
    distance reads; a row of zeros stays zero. Rounding moves a component by at most half a step
    of max|v|/127, so the angle to the original is at most asin(sqrt(d) * max|v| / (254 * |v|)).

    Raises ValueError for a component that is not finite.
    """
    import numpy as np

    if not np.isfinite(vectors).all():
        raise ValueError("a vector has a component that is not finite")
    if vectors.size == 0:
        return np.zeros(vectors.shape, np.int8)
    largest = np.abs(vectors).max(axis=-1, keepdims=True).astype(np.float64)
    # Float64, because 127 / max overflows float32 for subnormal rows.
    scale = np.divide(127.0, largest, out=np.zeros_like(largest), where=largest > 0)
    quantised: Int8 = np.rint(vectors * scale).astype(np.int8)
    return quantised
