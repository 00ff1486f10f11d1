"""The model that comes with the package, and reading weights of int8."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from hybridindex.embedding import find_model, fingerprint_of, open_encoder
from hybridindex.embedding import models as models_module
from hybridindex.embedding.bulk import BulkEncoder
from hybridindex.embedding.tensors import open_tensors
from hybridindex.errors import ModelUnavailable

PROJECT = Path(__file__).parents[2]
TEXTS: list[str] = json.loads(
    (Path(__file__).parents[1] / "data" / "embedding_texts.json").read_text("ascii")
)
DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
SHIPPED = "git-search/code-1-int8"
#: Committed vectors were made with these bytes.
SHA256 = "7d2ee4c69eee9a208fc6f37acd8f1821464577751d02fc52a8f9f445df2738b2"
MOST_BYTES = 24_000_000
MOST_BYTES_PACKED = 30_000_000

INT8 = np.array([[127, -50, 0], [1, 2, -128]], np.int8)
SCALE = np.array([0.5, 0.25], np.float32)
EXPECTED = [[63.5, -25.0, 0.0], [0.25, 0.5, -32.0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_int8_is_read_with_the_scale_of_its_row(tmp_path: Path, dtype: type[np.floating]) -> None:
    path = tmp_path / "t.safetensors"
    save_file(
        {"w": INT8, "w.scale": SCALE.astype(dtype), "b": SCALE, "mask": np.ones(3, np.int8)}, path
    )
    tensors = open_tensors([path])
    assert set(tensors) == {"w", "b"}
    assert tensors["w"].float32().tolist() == EXPECTED
    assert tensors["w"].float32().dtype == np.float32
    assert tensors["w"].rows(np.array([1, 0, 1])).tolist() == [EXPECTED[i] for i in (1, 0, 1)]
    assert tensors["b"].float32().tolist() == [0.5, 0.25]
    with pytest.raises(IndexError):
        tensors["w"].rows(np.array([2]))


@pytest.mark.parametrize("scale", [np.ones(3), np.ones((2, 1)), np.ones(()), np.ones(0)])
def test_a_scale_of_another_shape_is_an_error(tmp_path: Path, scale: np.ndarray) -> None:
    path = tmp_path / "t.safetensors"
    save_file({"w": INT8, "w.scale": scale.astype(np.float32)}, path)
    with pytest.raises(ModelUnavailable, match="damaged: w has") as caught:
        open_tensors([path])
    assert "\n" not in str(caught.value)


def copy_of_shipped(target: Path) -> Path:
    source = find_model(SHIPPED).directory
    target.mkdir()
    for path in source.iterdir():
        if path.name != "model.safetensors":
            (target / path.name).symlink_to(path)
    return target


@pytest.mark.parametrize("damage", ["cut short", "no scale", "a scale too short"])
def test_damaged_weights_are_one_line(tmp_path: Path, damage: str) -> None:
    directory = copy_of_shipped(tmp_path / "m")
    weights = find_model(SHIPPED).weights[0]
    name = "encoder.layer.3.output.dense.weight"
    target = directory / "model.safetensors"
    if damage == "cut short":
        target.write_bytes(weights.read_bytes()[:-1])
    else:
        tensors = load_file(weights)
        scale = tensors.pop(f"{name}.scale")
        if damage == "a scale too short":
            tensors[f"{name}.scale"] = scale[:-1]
        save_file(tensors, target)
    encoder = open_encoder(find_model(SHIPPED, directory=directory))
    with pytest.raises(ModelUnavailable) as caught:
        encoder.encode_question("anything")
    assert "\n" not in str(caught.value)
    assert str(directory) in caught.value.problem


def test_the_shipped_model_is_found_by_its_name(tmp_path: Path, tiny_model: Path) -> None:
    found = find_model(SHIPPED, revision="main", allow_download=True)
    assert (found.origin, found.revision) == ("builtin", "")
    # What a hub cache has under the name is not taken for it; what a person names is.
    commit = "0123456789abcdef0123456789abcdef01234567"
    snapshots = tmp_path / ("models--" + SHIPPED.replace("/", "--")) / "snapshots"
    snapshots.mkdir(parents=True)
    (snapshots / commit).symlink_to(tiny_model, target_is_directory=True)
    assert find_model(SHIPPED, cache_dirs=[tmp_path]) == find_model(SHIPPED)
    assert find_model(SHIPPED, directory=tiny_model).origin == "directory"


def test_a_shipped_model_that_is_not_whole_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models_module, "BUILTIN_MODELS", {SHIPPED: tmp_path})
    with pytest.raises(ModelUnavailable, match=r"config\.json is missing") as caught:
        find_model(SHIPPED, allow_download=True)
    assert caught.value.hint == "pip install --force-reinstall gitsearch"


def test_the_shipped_model_never_changes() -> None:
    files = find_model(SHIPPED)
    assert hashlib.sha256(files.weights[0].read_bytes()).hexdigest() == SHA256
    fingerprint = fingerprint_of(files)
    assert (fingerprint.model, fingerprint.adapter) == (SHIPPED, "")
    assert (fingerprint.weights_sha256, fingerprint.dimensions) == (SHA256, 384)
    assert (fingerprint.max_tokens, fingerprint.revision) == (128, "")
    assert fingerprint_of(files, 256).max_tokens == 256


def test_the_shipped_model_is_small() -> None:
    folder = find_model(SHIPPED).directory
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) <= MOST_BYTES


def test_its_vectors_are_those_of_the_default_model_with_its_adapter() -> None:
    code = sorted((PROJECT / "index").rglob("*.py"))[:20]
    texts = [*TEXTS, *(path.read_text("utf-8")[:900] for path in code)]
    true = open_encoder(find_model(DEFAULT), adapter="code-1").encode_documents(texts)
    made = open_encoder(find_model(SHIPPED)).encode_documents(texts)
    assert (true * made).sum(axis=1).min() >= 0.99


def test_a_question_and_a_long_batch_agree() -> None:
    encoder = open_encoder(find_model(SHIPPED))
    together = encoder.encode_documents(TEXTS * 3)
    for i, text in enumerate(TEXTS):
        np.testing.assert_allclose(encoder.encode_question(text), together[i], atol=1e-5)


def test_scales_for_some_of_the_matrices_that_are_joined(tmp_path: Path) -> None:
    directory = copy_of_shipped(tmp_path / "m")
    name = "encoder.layer.2.attention.self.key.weight"
    tensors = load_file(find_model(SHIPPED).weights[0])
    tensors[name] = tensors[name] * tensors.pop(f"{name}.scale")[:, None]
    save_file(tensors, directory / "model.safetensors")
    mixed = open_encoder(find_model(SHIPPED, directory=directory)).encode_documents(TEXTS)
    plain = open_encoder(find_model(SHIPPED)).encode_documents(TEXTS)
    np.testing.assert_allclose(mixed, plain, atol=1e-5)


def test_torch_is_not_given_int8() -> None:
    files = find_model(SHIPPED)
    with pytest.raises(ModelUnavailable, match="int8 weights"):
        BulkEncoder(files, fingerprint_of(files))


def test_many_texts_are_encoded_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybridindex.embedding.encoder.bulk_installed", lambda: True)
    encoder = open_encoder(find_model(SHIPPED))
    vector = encoder.sized(10_000).encode_question("where is it?")
    np.testing.assert_array_equal(vector, encoder.encode_question("where is it?"))


@pytest.mark.slow
def test_the_wheel_holds_the_model(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir"]
    source = tmp_path / "source"
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder_name in ("index", "plugin", "docs"):
        shutil.copytree(PROJECT / folder_name, source / folder_name, ignore=left_out)
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        shutil.copyfile(PROJECT / name, source / name)
    subprocess.run([*command, str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size <= MOST_BYTES_PACKED
    folder = find_model(SHIPPED).directory
    within = "hybridindex/embedding/shipped/code-1-int8"
    with zipfile.ZipFile(wheel) as packed:
        for path in folder.rglob("*"):
            if path.is_file():
                packed_name = f"{within}/{path.relative_to(folder).as_posix()}"
                assert packed.read(packed_name) == path.read_bytes()
