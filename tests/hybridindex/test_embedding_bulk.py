"""The built-in encoder against torch, on the default model and on small random ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridindex.embedding import encoder as encoder_module
from hybridindex.embedding import find_model, fingerprint_of, open_encoder
from hybridindex.embedding.builtin import BuiltinEncoder
from hybridindex.embedding.bulk import BulkEncoder, bulk_installed
from hybridindex.embedding.description import describe
from hybridindex.errors import ModelUnavailable

pytestmark = [
    pytest.mark.bulk,
    pytest.mark.skipif(not bulk_installed(), reason="the bulk extra is not installed"),
]

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
DATA = Path(__file__).parents[1] / "data"
TEXTS: list[str] = json.loads((DATA / "embedding_texts.json").read_text("ascii"))
TOKENS = 40


def both(name: str, directory: Path | None, max_tokens: int, **prompts: Any) -> tuple[Any, Any]:
    files = find_model(name, directory=directory)
    fingerprint = fingerprint_of(files, max_tokens, **prompts)
    facts = describe(files)
    assert facts.unsupported == ""
    return BuiltinEncoder(files, fingerprint, facts), BulkEncoder(files, fingerprint)


@pytest.mark.parametrize("adapter", ["", "code-1"])
@pytest.mark.parametrize("max_tokens", [7, 128, 256])
def test_the_default_model_is_the_same_in_both(max_tokens: int, adapter: str) -> None:
    builtin, bulk = both(DEFAULT, None, max_tokens, adapter=adapter)
    np.testing.assert_allclose(
        builtin.encode_documents(TEXTS), bulk.encode_documents(TEXTS), atol=1e-5
    )
    np.testing.assert_allclose(
        builtin.encode_question(TEXTS[3]), bulk.encode_question(TEXTS[3]), atol=1e-5
    )


def random_model(
    directory: Path, kind: str, pooling: str, dtype: str = "float32", **shape: Any
) -> Path:
    """A sentence-transformers directory with random weights and a word-piece tokenizer."""
    import torch
    import transformers

    torch.manual_seed(3)
    pad = 1 if kind == "XLMRoberta" else 0
    sizes = {
        "vocab_size": 30522,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 80,
        "max_position_embeddings": 64,
        "pad_token_id": pad,
        # Wide enough that attention and normalisation matter to the result.
        "initializer_range": 0.3,
    }
    config = getattr(transformers, f"{kind}Config")(**{**sizes, **shape})
    model = getattr(transformers, f"{kind}Model")(config, add_pooling_layer=False)
    for parameter in model.parameters():
        if parameter.ndim == 1:  # biases and norms, which start as zeros and ones
            parameter.data += 0.3 * torch.randn_like(parameter)
    model.to(getattr(torch, dtype)).save_pretrained(directory)
    source = find_model(DEFAULT).directory
    tokenizer = json.loads((source / "tokenizer.json").read_text())
    tokenizer["truncation"] = tokenizer["padding"] = None
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "pad_token": "[PAD]",
        "model_max_length": 60,
    }
    if pad == 1:
        # RoBERTa's padding id is 1; swap the two so that padding is what the model thinks it is.
        vocabulary = tokenizer["model"]["vocab"]
        vocabulary["[PAD]"], vocabulary["[unused0]"] = 1, 0
        for token in tokenizer["added_tokens"]:
            if token["content"] == "[PAD]":
                token["id"] = 1
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer))
    (directory / "tokenizer_config.json").write_text(json.dumps(settings))
    modules = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    listed = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
        for i, (name, path) in enumerate(modules)
    ]
    (directory / "modules.json").write_text(json.dumps(listed))
    (directory / "2_Normalize").mkdir()
    (directory / "1_Pooling").mkdir()
    (directory / "1_Pooling" / "config.json").write_text(
        json.dumps(
            {
                "word_embedding_dimension": sizes["hidden_size"],
                "pooling_mode_cls_token": pooling == "cls",
                "pooling_mode_mean_tokens": pooling == "mean",
            }
        )
    )
    return directory


@pytest.mark.parametrize(
    ("kind", "pooling", "shape"),
    [
        ("Bert", "cls", {}),
        ("Bert", "mean", {"num_hidden_layers": 1, "num_attention_heads": 1}),
        ("Bert", "mean", {"num_hidden_layers": 9, "num_attention_heads": 16}),
        ("Bert", "cls", {"hidden_act": "gelu_new", "layer_norm_eps": 1e-5}),
        ("Bert", "mean", {"hidden_act": "relu"}),
        ("Bert", "mean", {"dtype": "bfloat16"}),
        ("XLMRoberta", "cls", {"type_vocab_size": 1, "layer_norm_eps": 1e-5}),
        ("XLMRoberta", "mean", {"type_vocab_size": 1, "dtype": "float16"}),
    ],
)
def test_any_bert_is_the_same_in_both(
    tmp_path: Path, kind: str, pooling: str, shape: dict[str, Any]
) -> None:
    directory = random_model(tmp_path / "m", kind, pooling, **shape)
    builtin, bulk = both("org/random", directory, TOKENS, document_prompt="doc: ")
    expected = bulk.encode_documents(TEXTS)
    np.testing.assert_allclose(builtin.encode_documents(TEXTS), expected, atol=1e-5)
    assert expected.std(axis=0).max() > 0.03  # the model tells the texts apart


def test_a_query_prompt_changes_the_question_alone() -> None:
    builtin, bulk = both(DEFAULT, None, 128, query_prompt="Represent this: ")
    text = "where is it"
    question = builtin.encode_question(text)
    np.testing.assert_allclose(question, bulk.encode_question(text), atol=1e-5)
    plain = builtin.encode_documents([text, "Represent this: " + text])
    np.testing.assert_allclose(plain[1], question, atol=1e-5)
    assert np.abs(plain[0] - question).max() > 1e-3


def test_large_batches_switch_to_torch_and_questions_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(encoder_module, "BULK_FROM", 5)
    encoder = open_encoder(find_model(DEFAULT))
    small = encoder.encode_documents(TEXTS[:4])
    assert encoder._bulk is None
    steps: list[int] = []
    large = encoder.encode_documents(TEXTS, steps.append)
    assert encoder._bulk is not None
    assert sum(steps) == len(TEXTS)
    np.testing.assert_allclose(small, large[:4], atol=1e-5)
    monkeypatch.setattr(encoder._bulk, "encode_question", None)
    encoder.encode_question("still numpy")


def test_a_broken_torch_leaves_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_module, "BULK_FROM", 1)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert open_encoder(find_model(DEFAULT)).encode_documents(["x"]).shape == (1, 384)


def test_a_foreign_architecture_runs_in_bulk(tmp_path: Path) -> None:
    import transformers

    directory = random_model(tmp_path / "m", "Bert", "mean")
    config = transformers.DistilBertConfig(
        vocab_size=30522, dim=48, n_layers=1, n_heads=4, hidden_dim=80, max_position_embeddings=64
    )
    transformers.DistilBertModel(config).save_pretrained(directory)
    encoder = open_encoder(find_model("org/distil", directory=directory))
    assert encoder.fingerprint.dimensions == 48
    assert encoder.encode_question("a question").shape == (48,)
    assert encoder.encode_documents(["a", "b c"]).shape == (2, 48)


def test_what_torch_cannot_load_is_an_error(tmp_path: Path) -> None:
    directory = random_model(tmp_path / "m", "Bert", "mean")
    (directory / "model.safetensors").write_bytes(b"no weights")
    files = find_model("org/random", directory=directory)
    with pytest.raises(ModelUnavailable, match="cannot load"):
        BulkEncoder(files, fingerprint_of(files, TOKENS))


def test_nothing_is_printed(tmp_path: Path) -> None:
    directory = random_model(tmp_path / "m", "Bert", "mean", dtype="float16")
    code = (
        "from hybridindex.embedding import find_model, fingerprint_of;"
        "from pathlib import Path;"
        "from hybridindex.embedding.bulk import BulkEncoder;"
        f"files = find_model('org/m', directory=Path({str(directory)!r}));"
        "BulkEncoder(files, fingerprint_of(files, 40)).encode_documents(['a', 'b'])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert (done.stdout, done.stderr) == (b"", b"")
