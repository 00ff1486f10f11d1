"""A model small enough to make, load and run in a test: real files, real code, random weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

HIDDEN, LAYERS, HEADS, INNER = 32, 1, 2, 64


def make_model(folder: Path, seed: int = 0) -> Path:
    """Write a one-layer BERT encoder in the layout of sentence-transformers."""
    folder.mkdir(parents=True, exist_ok=True)
    alphabet = [chr(c) for c in range(33, 127)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*pieces, *alphabet, *(f"##{c}" for c in alphabet)]
    drawn = np.random.default_rng(seed)

    def weight(*shape: int) -> np.ndarray:
        return (drawn.standard_normal(shape) * 0.2).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": weight(len(vocabulary), HIDDEN),
        "embeddings.position_embeddings.weight": weight(256, HIDDEN),
        "embeddings.token_type_embeddings.weight": weight(2, HIDDEN),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            tensors[f"{at}.attention.self.{name}.weight"] = weight(HIDDEN, HIDDEN)
            tensors[f"{at}.attention.self.{name}.bias"] = weight(HIDDEN)
        shapes = {
            "attention.output.dense": (HIDDEN, HIDDEN),
            "intermediate.dense": (INNER, HIDDEN),
            "output.dense": (HIDDEN, INNER),
        }
        for name, shape in shapes.items():
            tensors[f"{at}.{name}.weight"] = weight(*shape)
            tensors[f"{at}.{name}.bias"] = weight(shape[0])
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        tensors[f"{norm}.weight"] = np.ones(HIDDEN, np.float32)
        tensors[f"{norm}.bias"] = np.zeros(HIDDEN, np.float32)
    save_file(tensors, folder / "model.safetensors")

    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokens = Tokenizer(
        models.WordPiece(
            {piece: i for i, piece in enumerate(vocabulary)},
            unk_token="[UNK]",
            max_input_chars_per_word=100,
        )
    )
    tokens.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokens.save(str(folder / "tokenizer.json"))

    def write(name: str, content: object) -> None:
        where = folder / name
        where.parent.mkdir(exist_ok=True)
        where.write_text(json.dumps(content), encoding="utf-8")

    write(
        "config.json",
        {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": HIDDEN,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS,
            "intermediate_size": INNER,
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-12,
            "max_position_embeddings": 256,
            "type_vocab_size": 2,
            "vocab_size": len(vocabulary),
            "pad_token_id": 0,
        },
    )
    write(
        "modules.json",
        [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {
                "idx": 1,
                "name": "1",
                "path": "1_Pooling",
                "type": "sentence_transformers.models.Pooling",
            },
            {
                "idx": 2,
                "name": "2",
                "path": "2_Normalize",
                "type": "sentence_transformers.models.Normalize",
            },
        ],
    )
    write(
        "1_Pooling/config.json",
        {"word_embedding_dimension": HIDDEN, "pooling_mode_mean_tokens": True},
    )
    write("sentence_bert_config.json", {"max_seq_length": 128, "do_lower_case": False})
    return folder
