"""Adapters: small changes of a model's weights that come with this package.

An adapter adds to some of a model's weight matrices W (out, in) the product of two thin ones, up
(out, rank) and down (rank, in): low-rank adaptation, https://arxiv.org/abs/2106.09685. So a
general model learns what questions about code look like for a hundredth of the bytes of its
weights, and those still come from wherever the model comes from. ``training/`` makes them.

A published adapter never changes: committed vectors were made with it. Another one gets another
name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hybridindex.errors import ModelUnavailable

if TYPE_CHECKING:
    from hybridindex.types import Float32


@dataclass(frozen=True)
class LowRank:
    """What is added to one weight matrix: ``up @ down``, (out, rank) and (rank, in), float32."""

    up: Float32
    down: Float32

    def product(self) -> Float32:
        """Shape (out, in)."""
        added: Float32 = self.up @ self.down
        return added


#: Name -> SHA-256 of the weights it was trained on. The last for some weights is their default.
ADAPTERS: dict[str, str] = {
    "code-1": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}

_FOLDER = Path(__file__).with_name("adapters")


def adapter_for(weights_sha256: str) -> str:
    """The name of the newest adapter for these weights; empty where there is none."""
    made = [name for name, weights in ADAPTERS.items() if weights == weights_sha256]
    return made[-1] if made else ""


def adapter_called(word: str | None) -> str | None:
    """The name that a word on a command line stands for: that of "none" is empty."""
    return "" if word == "none" else word


def chosen_adapter(wanted: str | None, weights_sha256: str) -> str:
    """The adapter's name: the newest for None, empty for an empty string.

    Raises ModelUnavailable unless this version has the adapter, and for these weights.
    """
    if wanted is None:
        return adapter_for(weights_sha256)
    if wanted:
        _require(wanted, weights_sha256)
    return wanted


def _require(name: str, weights_sha256: str) -> None:
    if name not in ADAPTERS:
        raise ModelUnavailable(
            f"this version has no adapter {name!r}", "pip install --upgrade gitsearch"
        )
    if ADAPTERS[name] != weights_sha256:
        raise ModelUnavailable(
            f"the adapter {name} was not made for weights with SHA-256 {weights_sha256}, only for "
            f"those with {ADAPTERS[name]}",
            "install the model with those weights, or build the index anew without an adapter",
        )


def open_adapter(name: str) -> dict[str, LowRank]:
    """What the adapter adds, by the name of the layer as in the model's file; {} for no name.

    Raises ModelUnavailable where its file is damaged or missing.
    """
    return read_adapter(file_of(name)) if name else {}


def read_adapter(path: Path) -> dict[str, LowRank]:
    """What the adapter in a file adds, by the name of the layer as in the model's file.

    Raises ModelUnavailable where the file is damaged or missing.
    """
    from hybridindex.embedding.tensors import open_tensors

    tensors = open_tensors([path])
    layers = sorted({tensor.rpartition(".")[0] for tensor in tensors})
    return {
        layer: LowRank(tensors[f"{layer}.up"].float32(), tensors[f"{layer}.down"].float32())
        for layer in layers
    }


def file_of(name: str) -> Path:
    """Where the adapter lies: safetensors, float16, ``<layer>.up`` and ``<layer>.down``."""
    return _FOLDER / f"{name}.safetensors"


def merged(weight: Float32, added: LowRank | None) -> Float32:
    """The matrix with what is added to it."""
    return weight if added is None else weight + added.product()
