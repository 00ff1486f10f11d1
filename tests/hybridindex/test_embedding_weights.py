from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from hybridindex.embedding import find_model, open_encoder, weights
from hybridindex.embedding.tensors import open_tensors
from hybridindex.embedding.weights import sha256_of
from hybridindex.errors import ModelUnavailable

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that was read through."""
    seen: list[Path] = []
    original = weights._hash

    def count(path: Path) -> str:
        seen.append(path)
        return original(path)

    monkeypatch.setattr(weights, "_hash", count)
    return seen


def test_a_hash_is_computed_once_until_the_file_changes(tmp_path: Path, hashed: list[Path]) -> None:
    file, cache = tmp_path / "w", tmp_path / "deep" / "cache.json"
    file.write_bytes(b"one")
    expected = hashlib.sha256(b"one").hexdigest()
    assert [sha256_of([file], cache) for _ in range(3)] == [expected] * 3
    assert len(hashed) == 1
    status = file.stat()
    file.write_bytes(b"two")  # the same size
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert sha256_of([file], cache) == hashlib.sha256(b"two").hexdigest()
    assert len(hashed) == 2


def test_a_replaced_file_with_the_same_time_is_hashed_anew(
    tmp_path: Path, hashed: list[Path]
) -> None:
    file, cache, new = tmp_path / "w", tmp_path / "c.json", tmp_path / "new"
    file.write_bytes(b"one")
    sha256_of([file], cache)
    status = file.stat()
    new.write_bytes(b"two")
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.replace(file)
    assert sha256_of([file], cache) == hashlib.sha256(b"two").hexdigest()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"x": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_cache_is_computed_anew(
    tmp_path: Path, hashed: list[Path], damage: bytes
) -> None:
    file, cache = tmp_path / "w", tmp_path / "c.json"
    file.write_bytes(b"one")
    sha256_of([file], cache)
    cache.write_bytes(damage)
    assert sha256_of([file], cache) == hashlib.sha256(b"one").hexdigest()
    assert len(hashed) == 2
    sha256_of([file], cache)
    assert len(hashed) == 2


def test_a_stored_value_that_is_no_hash_does_not_count(tmp_path: Path) -> None:
    file, cache = tmp_path / "w", tmp_path / "c.json"
    file.write_bytes(b"one")
    sha256_of([file], cache)
    (key,) = json.loads(cache.read_text())
    cache.write_text(json.dumps({key: "53aa"}))
    assert sha256_of([file], cache) == hashlib.sha256(b"one").hexdigest()


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    file = tmp_path / "w"
    file.write_bytes(b"one")
    blocked = file / "cache.json"
    assert sha256_of([file], blocked) == hashlib.sha256(b"one").hexdigest()
    assert [p.name for p in tmp_path.iterdir()] == ["w"]


def test_the_cache_stays_small(tmp_path: Path) -> None:
    cache = tmp_path / "c.json"
    for i in range(40):
        file = tmp_path / f"w{i}"
        file.write_bytes(b"x")
        sha256_of([file], cache)
    assert len(json.loads(cache.read_text())) == 32


def test_shards_have_one_hash_that_depends_on_each(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_bytes(b"1")
    b.write_bytes(b"2")
    assert len({sha256_of([a, b]), sha256_of([b, a]), sha256_of([a]), sha256_of([a, a])}) == 4


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        sha256_of([tmp_path / "absent"])


def test_every_float_type_is_read(tmp_path: Path) -> None:
    values = np.array([[1.5, -2.25, 0.0], [3e-3, 1e4, -7.0]], np.float32)
    path = tmp_path / "t.safetensors"
    save_file(
        {
            "f32": values,
            "f16": values.astype(np.float16),
            "f64": values.astype(np.float64),
            "ids": np.arange(3),
        },
        path,
    )
    tensors = open_tensors([path])
    assert set(tensors) == {"f32", "f16", "f64"}
    for tensor in tensors.values():
        np.testing.assert_allclose(tensor.float32(), values, rtol=1e-3)
        np.testing.assert_allclose(tensor.rows(np.array([1])), values[[1]], rtol=1e-3)
        assert tensor.float32().dtype == tensor.rows(np.array([0])).dtype == np.float32
    with pytest.raises(IndexError):
        tensors["f32"].rows(np.array([2]))


def test_bfloat16_is_read(tmp_path: Path) -> None:
    header = b'{"b":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]}}'
    values = np.array([1.5, -2.0, 0.15625], np.float32)
    upper = (values.view(np.uint32) >> 16).astype("<u2").tobytes()
    path = tmp_path / "t.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + upper)
    np.testing.assert_array_equal(open_tensors([path])["b"].float32(), values)


HEADERS = [
    '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}}',
    '{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}',
    '{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}',
    '{"a":{"dtype":"F32","shape":[2]}}',
    '{"a":{"dtype":["F32"],"shape":[2],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":"2","data_offsets":"08"}}',
    '{"a":7}',
    "[]",
    "{",
]


@pytest.mark.parametrize("header", HEADERS)
def test_damaged_weights_are_an_error(tmp_path: Path, header: str) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode() + bytes(8))
    with pytest.raises(ModelUnavailable, match="damaged"):
        open_tensors([path])


@pytest.mark.parametrize("data", [b"", b"\x01", b"\xff" * 8 + b"{}", (2**40).to_bytes(8, "little")])
def test_weights_cut_short_are_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(data)
    with pytest.raises(ModelUnavailable, match="damaged"):
        open_tensors([path])


def copy_of_default(target: Path, without: str = "") -> Path:
    source = find_model(DEFAULT).directory
    target.mkdir()
    for path in source.iterdir():
        if path.name != without:
            (target / path.name).symlink_to(path)
    return target


def test_a_truncated_model_is_an_error(tmp_path: Path) -> None:
    directory = copy_of_default(tmp_path / "m", "model.safetensors")
    whole = (find_model(DEFAULT).directory / "model.safetensors").read_bytes()
    (directory / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    encoder = open_encoder(find_model(DEFAULT, directory=directory))
    with pytest.raises(ModelUnavailable, match="damaged"):
        encoder.encode_question("anything")


def test_a_damaged_tokenizer_is_an_error(tmp_path: Path) -> None:
    directory = copy_of_default(tmp_path / "m", "tokenizer.json")
    (directory / "tokenizer.json").write_text('{"version": "1.0"}')
    encoder = open_encoder(find_model(DEFAULT, directory=directory))
    with pytest.raises(ModelUnavailable, match="not a tokenizer"):
        encoder.encode_question("anything")
