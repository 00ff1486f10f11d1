"""The model that comes with the package: folding an adapter in, and int8 by row."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from hybridindex.embedding import find_model, fingerprint_of, open_encoder
from tests.tiny import HIDDEN, INNER
from training.fold import fold
from training.pairs import Pair, write_pairs
from training.rounding import compensated, nearest, scale_of

LAYER = "encoder.layer.0.intermediate.dense"
TEXTS = ["def close(self): pass", "where is a file closed?", "x", "retry " * 100]


def adapter(path: Path, layer: str = LAYER) -> Path:
    drawn = np.random.default_rng(5)
    save_file(
        {
            f"{layer}.up": drawn.standard_normal((INNER, 4)).astype(np.float16),
            f"{layer}.down": drawn.standard_normal((4, HIDDEN)).astype(np.float16),
        },
        path,
    )
    return path


def test_a_row_is_rounded_to_127ths_of_its_largest() -> None:
    matrix = np.array([[1.27, -0.5, 0.004, 0.006], [0, 0, 0, 0], [-254, 1, 2, 3]])
    scale = scale_of(matrix)
    values = nearest(matrix, scale)
    assert values.dtype == np.int8
    assert values.tolist() == [[127, -50, 0, 1], [0, 0, 0, 0], [-127, 0, 1, 2]]
    np.testing.assert_allclose(scale, [0.01, 1, 2], rtol=1e-6)


def test_inputs_that_go_together_make_good_each_others_rounding() -> None:
    drawn = np.random.default_rng(3)
    matrix = drawn.standard_normal((40, 64))
    # Four causes behind 64 inputs, and a little noise.
    inputs = drawn.standard_normal((500, 4)) @ drawn.standard_normal((4, 64))
    inputs += 0.1 * drawn.standard_normal(inputs.shape)
    scale = scale_of(matrix)

    def error(rounded: np.ndarray) -> float:
        return float(np.square(inputs @ (rounded * scale[:, None] - matrix).T).mean())

    best = compensated(matrix, inputs.T @ inputs, scale)
    assert best.dtype == np.int8
    assert error(best) < error(nearest(matrix, scale)) / 5
    # Inputs that have nothing to do with each other leave the nearest step.
    assert compensated(matrix, np.eye(64), scale).tolist() == nearest(matrix, scale).tolist()


def test_folding_twice_gives_equal_bytes(tiny_model: Path, tmp_path: Path) -> None:
    added = adapter(tmp_path / "a.safetensors")
    made = []
    pairs = tmp_path / "pairs"
    pairs.mkdir()
    drawn = [Pair("a/b", "comment", "a.py", i, text, (), text * 2) for i, text in enumerate(TEXTS)]
    write_pairs(pairs / "a+b.jsonl", drawn * 5)
    for name in ("one", "two"):
        fold(find_model("tiny/model", directory=tiny_model), added, tmp_path / name, pairs)
        files = sorted(p for p in (tmp_path / name).rglob("*") if p.is_file())
        made.append({p.relative_to(tmp_path / name): p.read_bytes() for p in files})
    assert made[0] == made[1]
    fold(find_model("tiny/model", directory=tiny_model), added, tmp_path / "nearest")
    weights = tmp_path / "nearest" / "model.safetensors"
    assert weights.read_bytes() != made[0][Path("model.safetensors")]
    assert {str(p) for p in made[0]} == {
        "1_Pooling/config.json",
        "config.json",
        "model.safetensors",
        "modules.json",
        "sentence_bert_config.json",
        "tokenizer.json",
    }


def test_a_folded_model_is_the_model_with_the_adapter(tiny_model: Path, tmp_path: Path) -> None:
    added = adapter(tmp_path / "a.safetensors")
    source = tmp_path / "source"
    tensors = load_file(tiny_model / "model.safetensors")
    low = load_file(added)
    plain = tensors[f"{LAYER}.weight"]
    product = low[f"{LAYER}.up"].astype(np.float32) @ low[f"{LAYER}.down"].astype(np.float32)
    tensors[f"{LAYER}.weight"] = plain + product
    source.mkdir()
    for path in tiny_model.iterdir():
        if path.name != "model.safetensors":
            (source / path.name).symlink_to(path)
    save_file(tensors, source / "model.safetensors")
    fold(find_model("tiny/model", directory=tiny_model), added, tmp_path / "folded")
    vectors = [
        open_encoder(find_model("tiny/model", directory=folder)).encode_documents(TEXTS)
        for folder in (tiny_model, source, tmp_path / "folded")
    ]
    assert (vectors[1] * vectors[2]).sum(axis=1).min() > 0.999
    assert (vectors[0] * vectors[2]).sum(axis=1).min() < 0.99


def test_positions_beyond_the_longest_text_are_left_out(tiny_model: Path, tmp_path: Path) -> None:
    fold(
        find_model("tiny/model", directory=tiny_model), adapter(tmp_path / "a"), tmp_path / "folded"
    )
    tensors = load_file(tmp_path / "folded" / "model.safetensors")
    assert tensors["embeddings.position_embeddings.weight"].shape == (128, HIDDEN)
    config = json.loads((tmp_path / "folded" / "config.json").read_text("utf-8"))
    assert config["max_position_embeddings"] == 128
    folded = find_model("tiny/model", directory=tmp_path / "folded")
    assert fingerprint_of(folded).max_tokens == 128


def test_an_adapter_of_other_layers_is_an_error(tiny_model: Path, tmp_path: Path) -> None:
    added = adapter(tmp_path / "a.safetensors", "encoder.layer.7.output.dense")
    with pytest.raises(ValueError, match=r"no layer encoder\.layer\.7"):
        fold(find_model("tiny/model", directory=tiny_model), added, tmp_path / "folded")
    assert not (tmp_path / "folded").exists()
