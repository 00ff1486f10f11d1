"""A BERT encoder in torch whose dense layers are changed by low-rank products.

The same forward pass as ``hybridindex.embedding.bert``; mean pooling, vectors of length 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

#: Of a layer; what they are called in the model's file.
DENSE = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_HEADS = 12
#: Texts of about one length go through the model together.
_PACK = 32


class Adapted(nn.Module):
    """x (W + up down)^T + b, where only ``up`` and ``down`` are learned.

    ``up`` begins as zeros, so that training begins at the model itself.
    """

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        outputs, inputs = weight.shape
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.down = nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, x: Tensor) -> Tensor:
        """Shape (…, out)."""
        given = functional.linear(x, self.weight, self.bias)
        return given + functional.linear(functional.linear(x, self.down), self.up)


class AdaptedBert(nn.Module):
    """Texts to vectors."""

    def __init__(self, folder: Path, rank: int) -> None:
        super().__init__()
        weights = load_file(folder / "model.safetensors")
        self._fixed = {k: v.float() for k, v in weights.items() if v.is_floating_point()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        layers = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    name.replace(".", "-"): Adapted(
                        self._fixed[f"encoder.layer.{i}.{name}.weight"],
                        self._fixed[f"encoder.layer.{i}.{name}.bias"],
                        rank,
                    )
                    for name in DENSE
                }
            )
            for i in range(layers)
        )

    def encode(self, texts: Sequence[str], max_tokens: int) -> Tensor:
        """Shape (len(texts), dimensions), in the order given."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        parts = [
            self([texts[i] for i in order[start : start + _PACK]], max_tokens)
            for start in range(0, len(order), _PACK)
        ]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def forward(self, texts: Sequence[str], max_tokens: int) -> Tensor:
        """Shape (len(texts), dimensions), of texts that are padded to one length."""
        self._tokenizer.enable_truncation(max_tokens)
        rows = [self._tokenizer.encode(text).ids for text in texts]
        length = max(map(len, rows))
        ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
        mask = torch.tensor([[True] * len(r) + [False] * (length - len(r)) for r in rows])
        x = self._fixed["embeddings.word_embeddings.weight"][ids]
        x = x + self._fixed["embeddings.position_embeddings.weight"][:length]
        x = self._norm(x + self._fixed["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for i, layer in enumerate(self.layers):
            name = f"encoder.layer.{i}"
            attended = layer["attention-output-dense"](self._attend(layer, x, mask))
            x = self._norm(x + attended, f"{name}.attention.output")
            wide = functional.gelu(layer["intermediate-dense"](x))
            x = self._norm(x + layer["output-dense"](wide), f"{name}.output")
        return functional.normalize((x * mask[:, :, None]).sum(1), dim=1)

    def save(self, path: Path) -> None:
        """Write the adapter as ``hybridindex.embedding.adapting`` reads it."""
        tensors = {}
        for i, layer in enumerate(self.layers):
            for name in DENSE:
                dense = layer[name.replace(".", "-")]
                for half in ("up", "down"):
                    tensor = getattr(dense, half).detach().half().contiguous()
                    tensors[f"encoder.layer.{i}.{name}.{half}"] = tensor
        save_file(tensors, path)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight, bias = (self._fixed[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(x, (x.shape[-1],), weight, bias, 1e-12)

    def _attend(self, layer: nn.ModuleDict, x: Tensor, mask: Tensor) -> Tensor:
        texts, length, hidden = x.shape
        query, key, value = (
            layer[f"attention-self-{part}"](x).view(texts, length, _HEADS, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        attended = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :]
        )
        return attended.transpose(1, 2).reshape(texts, length, hidden)
