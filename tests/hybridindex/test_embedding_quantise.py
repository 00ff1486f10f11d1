from __future__ import annotations

import numpy as np
import pytest

from hybridindex.embedding.quantise import quantise


@pytest.mark.parametrize("scale", [1e-42, 1e-6, 1.0, 1e30])
def test_the_angle_stays_within_the_bound(scale: float) -> None:
    vectors = np.random.default_rng(7).standard_normal((500, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = (vectors * np.float64(scale)).astype(np.float32)
    quantised = quantise(vectors)
    assert quantised.dtype == np.int8
    assert quantised.shape == vectors.shape
    assert (np.abs(quantised.astype(int)).max(axis=1) == 127).all()
    a, b = vectors.astype(np.float64), quantised.astype(np.float64)
    cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    bound = np.sqrt(384) * np.abs(a).max(1) / (254 * np.linalg.norm(a, axis=1))
    assert (np.sqrt(np.maximum(0, 1 - cosine**2)) <= bound + 1e-7).all()
    assert (1 - cosine).max() < 5e-4


def test_zero_rows_stay_zero() -> None:
    vectors = np.zeros((2, 5), np.float32)
    vectors[1, 2] = -3
    assert quantise(vectors).tolist() == [[0] * 5, [0, 0, -127, 0, 0]]


def test_rounds_half_to_even() -> None:
    assert quantise(np.array([[127, 0.5, 1.5, -0.5, -2.5]], np.float32)).tolist() == [
        [127, 0, 2, 0, -2]
    ]


def test_no_rows() -> None:
    assert quantise(np.zeros((0, 384), np.float32)).shape == (0, 384)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_refuses_what_is_not_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        quantise(np.array([[1, bad]], np.float32))
