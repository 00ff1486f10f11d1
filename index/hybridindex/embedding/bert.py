"""The forward pass of a BERT encoder in numpy.

Architecture: Devlin et al. 2018, https://arxiv.org/abs/1810.04805, with the post-layer
normalisation of the original; XLM-RoBERTa differs in its position numbers only. Texts are laid
end to end without padding: everything but attention works row by row, and attention runs text by
text, so no padding is computed and no mask is needed.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hybridindex.embedding.activations import BY_NAME
from hybridindex.embedding.adapting import LowRank, merged
from hybridindex.embedding.attention import attend, equal_lengths
from hybridindex.embedding.tensors import Tensor
from hybridindex.errors import ModelUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from hybridindex.embedding.description import ModelDescription
    from hybridindex.types import Float32

#: Rows of the feed-forward step done at once: 128 rows of 1,536 float32 and their scratch are
#: 2.4 MB, about one processor's cache. 64 and 512 rows were 10 to 20 % slower.
_SLAB = 128

#: From this many rows on an adapter is merged into the weights, which copies them; a question, of
#: some twenty rows, multiplies by its thin matrices instead.
_MERGE_ROWS = _SLAB

#: Above this many rows the three projections of attention are one product of joined weights
#: (10 % faster at 1,024 rows); joining costs a copy, which one question would not earn back.
_JOIN_ROWS = 256


@dataclass(frozen=True)
class _Dense:
    """x (W + up down)^T + b; ``weight`` has shape (out, in), ``bias`` (out,).

    ``weight`` is float32, or int8 with a scale where nothing is added.
    """

    weight: Tensor
    bias: Float32
    added: LowRank | None = None

    def __call__(self, x: Float32, out: Float32) -> None:
        if self.weight.scale is not None:
            # Made float32 anew for every product, in memory that the last one left in the cache:
            # 1 ms for all layers, against 20 for float32 that is kept. To scale the result costs
            # less than to scale the weights, which have more rows.
            np.matmul(x, self.weight.raw.astype(np.float32).T, out=out)
            out *= self.weight.scale
        elif self.added is None or len(x) >= _MERGE_ROWS:
            np.matmul(x, self.merged.T, out=out)
        else:
            np.matmul(x, self.weight.float32().T, out=out)
            out += (x @ self.added.down.T) @ self.added.up.T
        out += self.bias

    # Threads may both compute it the first time; either result is right.
    @functools.cached_property
    def merged(self) -> Float32:
        return merged(self.weight.float32(), self.added)


@dataclass(frozen=True)
class _Norm:
    """Layer normalisation over the last axis, in place (https://arxiv.org/abs/1607.06450)."""

    weight: Float32
    bias: Float32
    epsilon: float

    def __call__(self, x: Float32) -> None:
        x -= x.mean(axis=1, keepdims=True)
        scale = np.einsum("ij,ij->i", x, x)
        scale /= x.shape[1]
        scale += self.epsilon
        np.sqrt(scale, out=scale)
        x /= scale[:, None]
        x *= self.weight
        x += self.bias


@dataclass(frozen=True)
class _Layer:
    query: _Dense
    key: _Dense
    value: _Dense
    attended: _Dense
    attention_norm: _Norm
    widen: _Dense
    narrow: _Dense
    output_norm: _Norm

    # Threads may both compute it the first time; either result is right.
    @functools.cached_property
    def joined(self) -> _Dense:
        parts = (self.query, self.key, self.value)
        scales = [p.weight.scale for p in parts if p.weight.scale is not None]
        if len(scales) == len(parts):
            raw = np.concatenate([p.weight.raw for p in parts])
            weight = Tensor(raw, "I8", np.concatenate(scales))
        else:
            # Not p.merged, which would be kept beside the joined copy.
            whole = [merged(p.weight.float32(), p.added) for p in parts]
            weight = Tensor(np.concatenate(whole), "F32")
        return _Dense(weight, np.concatenate([p.bias for p in parts]))


class BertEncoder:
    """Token ids to pooled vectors, by mean or first token, normalised to length 1.

    Calls may run on several threads at once.
    """

    def __init__(
        self,
        tensors: dict[str, Tensor],
        facts: ModelDescription,
        source: Path,
        adapter: Mapping[str, LowRank] | None = None,
    ) -> None:
        """Take views of ``tensors``; ``source`` is named in errors.

        ``adapter`` adds to weights, by the name of their layer.
        Raises ModelUnavailable where a tensor is missing or has another shape than it must.
        """
        self._adapter = adapter or {}
        self._facts = facts
        self._source = source
        self._activation = BY_NAME[facts.activation]
        self._tensors = tensors
        ending = "embeddings.word_embeddings.weight"
        # "bert." or "roberta." where the file holds more than the encoder.
        self._prefix = next((n.removesuffix(ending) for n in tensors if n.endswith(ending)), "")
        hidden = facts.hidden_size
        if facts.heads < 1 or hidden % facts.heads:
            raise self._damaged(f"{facts.heads} heads do not divide {hidden} dimensions")
        self._words = self._tensor(ending)
        self._positions = self._tensor("embeddings.position_embeddings.weight")
        self._kind = self._tensor("embeddings.token_type_embeddings.weight").float32()[0]
        self._norm = self._read_norm("embeddings.LayerNorm")
        self._layers = [self._read_layer(f"encoder.layer.{i}.") for i in range(facts.layers)]
        self._wide = self._layers[0].widen.weight.raw.shape[0] if self._layers else 0

    def encode(self, texts: Sequence[Sequence[int]]) -> Float32:
        """Shape (len(texts), dimensions), float32, from the token ids of each text.

        Every text needs at least one token. Texts of equal length should be neighbours, because
        those share the steps of attention. Raises ModelUnavailable for an id without an embedding.
        """
        lengths = [len(ids) for ids in texts]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        x = self._embed(texts)
        groups = equal_lengths(lengths)
        context, residual = np.empty_like(x), np.empty_like(x)
        slab = min(_SLAB, len(x))
        wide = (np.empty((slab, self._wide), np.float32) for _ in range(3))
        scratch = tuple(wide)
        projections = np.empty((len(x), 3 * x.shape[1]), np.float32)
        for layer in self._layers:
            self._project(layer, x, projections)
            for start, stop, length in groups:
                attend(projections[start:stop], context[start:stop], length, self._facts.heads)
            layer.attended(context, out=residual)
            x += residual
            layer.attention_norm(x)
            self._feed_forward(layer, x, residual, scratch)
            x += residual
            layer.output_norm(x)
        if self._facts.pooling == "cls":
            pooled = x[starts[:-1]]
        else:
            # The mean's divisor falls to the normalisation.
            pooled = np.add.reduceat(x, starts[:-1], axis=0)
        length_of = np.linalg.norm(pooled, axis=1, keepdims=True)
        np.maximum(length_of, np.float32(1e-12), out=length_of)
        pooled /= length_of
        return pooled

    def _embed(self, texts: Sequence[Sequence[int]]) -> Float32:
        positions = []
        for ids in texts:
            if self._facts.first_position:
                # RoBERTa counts the tokens that are not padding; literal "<pad>" stays at it.
                pad = self._facts.pad_token_id
                real = np.asarray(ids) != pad
                positions.append(np.cumsum(real) * real + pad)
            else:
                positions.append(np.arange(len(ids)))
        try:
            x = self._words.rows(np.concatenate([np.asarray(ids, np.intp) for ids in texts]))
            x += self._positions.rows(np.concatenate(positions))
        except IndexError as error:
            raise self._damaged(f"the tokenizer and the weights differ: {error}") from error
        x += self._kind
        self._norm(x)
        return x

    def _project(self, layer: _Layer, x: Float32, out: Float32) -> None:
        hidden = x.shape[1]
        if len(x) >= _JOIN_ROWS:
            layer.joined(x, out=out)
        else:
            for i, part in enumerate((layer.query, layer.key, layer.value)):
                part(x, out=out[:, i * hidden : (i + 1) * hidden])
        # Scaled dot products, applied to the smallest of their factors.
        out[:, :hidden] *= np.float32((hidden // self._facts.heads) ** -0.5)

    def _feed_forward(
        self, layer: _Layer, x: Float32, out: Float32, scratch: tuple[Float32, ...]
    ) -> None:
        for start in range(0, len(x), _SLAB):
            rows = x[start : start + _SLAB]
            wide, first, second = (array[: len(rows)] for array in scratch)
            layer.widen(rows, out=wide)
            self._activation(wide, first, second)
            layer.narrow(wide, out=out[start : start + _SLAB])

    def _read_layer(self, name: str) -> _Layer:
        hidden = self._facts.hidden_size
        wide = self._tensor(f"{name}intermediate.dense.bias").raw.shape[0]
        attention = f"{name}attention."
        return _Layer(
            query=self._read_dense(f"{attention}self.query", hidden, hidden),
            key=self._read_dense(f"{attention}self.key", hidden, hidden),
            value=self._read_dense(f"{attention}self.value", hidden, hidden),
            attended=self._read_dense(f"{attention}output.dense", hidden, hidden),
            attention_norm=self._read_norm(f"{attention}output.LayerNorm"),
            widen=self._read_dense(f"{name}intermediate.dense", wide, hidden),
            narrow=self._read_dense(f"{name}output.dense", hidden, wide),
            output_norm=self._read_norm(f"{name}output.LayerNorm"),
        )

    def _read_dense(self, name: str, outputs: int, inputs: int) -> _Dense:
        weight = self._shaped(f"{name}.weight", (outputs, inputs))
        added = self._adapter.get(name)
        if weight.scale is None or added is not None:
            weight = Tensor(weight.float32(), "F32")
        return _Dense(weight, self._shaped(f"{name}.bias", (outputs,)).float32(), added)

    def _read_norm(self, name: str) -> _Norm:
        shape = (self._facts.hidden_size,)
        # Conversions of TensorFlow checkpoints call the two gamma and beta.
        old = self._prefix + f"{name}.gamma" in self._tensors
        weight, bias = ("gamma", "beta") if old else ("weight", "bias")
        return _Norm(
            self._shaped(f"{name}.{weight}", shape).float32(),
            self._shaped(f"{name}.{bias}", shape).float32(),
            self._facts.layer_norm_eps,
        )

    def _shaped(self, name: str, shape: tuple[int, ...]) -> Tensor:
        tensor = self._tensor(name)
        if tensor.raw.shape != shape:
            raise self._damaged(f"{name} has shape {tensor.raw.shape}, not {shape}")
        return tensor

    def _tensor(self, name: str) -> Tensor:
        try:
            return self._tensors[self._prefix + name]
        except KeyError:
            raise self._damaged(f"{name} is missing") from None

    def _damaged(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"the model in {self._source} is not whole: {problem}", "install the model again"
        )
