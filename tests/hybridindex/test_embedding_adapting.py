"""The adapters that come with the package, on the real weights they were made for."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hybridindex.embedding import adapting, find_model, fingerprint_of, open_encoder
from hybridindex.embedding.adapting import (
    ADAPTERS,
    adapter_called,
    adapter_for,
    file_of,
    open_adapter,
)
from hybridindex.embedding.tensors import open_tensors
from hybridindex.errors import ModelMismatch, ModelUnavailable
from hybridindex.types import Fingerprint

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
#: Committed vectors were made with these bytes.
PUBLISHED = {"code-1": "536620de9e09b2563b952841fb3becf188f98a60b433f7c1619d8299e78febff"}


def test_published_adapters_never_change() -> None:
    assert PUBLISHED.keys() == ADAPTERS.keys()
    for name, sha256 in PUBLISHED.items():
        assert hashlib.sha256(file_of(name).read_bytes()).hexdigest() == sha256


@pytest.mark.parametrize("name", [*ADAPTERS])
def test_an_adapter_fits_its_weights(name: str) -> None:
    weights = open_tensors(find_model(DEFAULT).weights)
    for layer, low in open_adapter(name).items():
        assert (low.up.shape[0], low.down.shape[1]) == weights[f"{layer}.weight"].raw.shape
        assert low.up.shape[1] == low.down.shape[0]


def test_the_default_model_gets_its_newest_adapter() -> None:
    assert fingerprint_of(find_model(DEFAULT)).adapter == adapter_for(SHA256) == [*ADAPTERS][-1]
    assert fingerprint_of(find_model(DEFAULT), adapter="").adapter == ""
    assert adapter_for("0" * 64) == ""


def test_a_fingerprint_without_an_adapter_is_what_it_was_before_there_were_any() -> None:
    before = Fingerprint(DEFAULT, "", SHA256, 384, 128)
    assert before.id.hex() == "55ea8fd90a5ffd0b77a930688f5992da"
    assert replace(before, adapter="code-1").id != before.id


def test_a_question_and_a_long_batch_agree_and_differ_from_the_model_alone() -> None:
    # A question multiplies by the thin matrices, a batch by weights they are merged into.
    adapted = open_encoder(find_model(DEFAULT))
    texts = ["where do we decide that a request may be retried", "def close(self): " * 60]
    together = adapted.encode_documents(texts * 4)
    for i, text in enumerate(texts):
        np.testing.assert_allclose(adapted.encode_question(text), together[i], atol=1e-5)
    alone = open_encoder(find_model(DEFAULT), adapter="").encode_documents(texts)
    assert np.abs(alone - together[:2]).max() > 1e-2


def test_vectors_of_another_adapter_are_an_error() -> None:
    files = find_model(DEFAULT)
    plain = fingerprint_of(files, adapter="")
    with pytest.raises(ModelMismatch, match="adapter 'code-1' instead of ''"):
        open_encoder(files, expected=plain)
    assert open_encoder(files, adapter="", expected=plain).fingerprint == plain


def test_an_adapter_this_version_lacks_is_an_error() -> None:
    with pytest.raises(ModelUnavailable, match="no adapter 'code-99'") as caught:
        fingerprint_of(find_model(DEFAULT), adapter="code-99")
    assert "upgrade" in caught.value.hint


def test_none_is_a_word_of_command_lines_alone() -> None:
    """In a configuration it was taken for none, and then found to be another than configured."""
    assert [adapter_called(word) for word in ("none", "code-1", None)] == ["", "code-1", None]
    with pytest.raises(ModelUnavailable, match="no adapter 'none'"):
        fingerprint_of(find_model(DEFAULT), adapter="none")


def test_an_adapter_for_other_weights_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapting, "ADAPTERS", {"code-1": "0" * 64})
    with pytest.raises(ModelUnavailable, match="was not made for"):
        fingerprint_of(find_model(DEFAULT), adapter="code-1")


def test_a_damaged_adapter_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "code-1.safetensors").write_bytes(file_of("code-1").read_bytes()[:-1])
    monkeypatch.setattr(adapting, "_FOLDER", tmp_path)
    with pytest.raises(ModelUnavailable, match="damaged"):
        open_encoder(find_model(DEFAULT), adapter="code-1").encode_question("anything")
