"""Makes the model that comes with the package: ``python -m training.fold … --to FOLDER``.

Adds an adapter to a model's weights for good, and stores them as int8 with a scale for each row:
a quarter of the bytes. Equal input gives equal bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import save
from tokenizers import Tokenizer

from hybridindex.embedding import ModelFiles, find_model
from hybridindex.embedding.adapting import read_adapter
from hybridindex.embedding.bert import BertEncoder
from hybridindex.embedding.description import describe
from hybridindex.embedding.tensors import open_tensors
from training.pairs import read_pairs
from training.rounding import Float64, compensated, nearest, products_of_inputs, scale_of

if TYPE_CHECKING:
    import numpy.typing as npt


#: What says how the weights are used, beside config.json. The folder of a module is numbered.
_COPIED = (
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer.json",
    "[0-9]_*/config.json",
)

#: One pair in so many is enough: the products hardly change with more.
_STEP = 5
#: Fewer tokens than the number of rows from which the encoder joins weights.
_TOKENS = 200

_POSITIONS = "embeddings.position_embeddings.weight"
#: Its first row is added to every token: rounded, it alone made a third more error in the vectors.
_KIND = "embeddings.token_type_embeddings.weight"


def folded(
    weights: tuple[Path, ...], adapter: Path, positions: int, products: Mapping[str, Float64]
) -> dict[str, npt.NDArray[np.generic]]:
    """The encoder's tensors by name, as the new file holds them.

    Matrices are int8 beside ``<name>.scale``, vectors float32. ``products`` are those of the inputs
    of dense layers, by name, for which their rounding is made good. Raises ModelUnavailable for a
    damaged file, ValueError for an adapter of other layers or shapes.
    """
    added = read_adapter(adapter)
    tensors: dict[str, npt.NDArray[np.generic]] = {}
    for name, weight in _encoder(weights):
        low = added.pop(name.removesuffix(".weight"), None) if name.endswith(".weight") else None
        if low is not None:
            weight = weight + low.up.astype(np.float64) @ low.down.astype(np.float64)
        if name == _POSITIONS:
            weight = weight[:positions]
        if weight.ndim == 2 and name != _KIND:
            scale = scale_of(weight)
            inputs = products.get(name.removesuffix(".weight"))
            rounded = (
                nearest(weight, scale) if inputs is None else compensated(weight, inputs, scale)
            )
            tensors[name], tensors[f"{name}.scale"] = rounded, scale
        else:
            tensors[name] = weight.astype(np.float32)
    if added:
        raise ValueError(f"the model has no layer {min(added)}, to which {adapter} adds")
    return tensors


def _encoder(weights: tuple[Path, ...]) -> Iterator[tuple[str, Float64]]:
    """What a vector is computed from, without the prefix that names have in some files."""
    tensors = open_tensors(weights)
    ending = "embeddings.word_embeddings.weight"
    prefix = next((n.removesuffix(ending) for n in tensors if n.endswith(ending)), "")
    for name, tensor in sorted(tensors.items()):
        short = name.removeprefix(prefix)
        # Not "pooler.": the mean of the tokens is taken instead.
        if short.startswith(("embeddings.", "encoder.")):
            yield short, tensor.float32().astype(np.float64)


def _products(files: ModelFiles, adapter: Path, texts: Path) -> dict[str, Float64]:
    """What reaches each layer when the texts of a file of pairs are encoded."""
    facts = describe(files)
    tokenizer = Tokenizer.from_file(str(files.directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_TOKENS)
    encoder = BertEncoder(open_tensors(files.weights), facts, adapter, read_adapter(adapter))
    paths = sorted(texts.glob("*.jsonl"))
    pairs = [pair for path in paths for pair in read_pairs(path)[::_STEP]]
    written = [text for pair in pairs for text in (pair.written, pair.body)]
    return products_of_inputs(encoder, [tokenizer.encode(text).ids for text in written])


def fold(files: ModelFiles, adapter: Path, to: Path, texts: Path | None = None) -> None:
    """Write a model folder in the layout of sentence-transformers.

    ``texts`` is a folder of pairs; without it every weight is rounded to the nearest step.

    Raises what :func:`folded` raises.
    """
    facts = describe(files)
    positions = facts.first_position + facts.max_tokens
    products = _products(files, adapter, texts) if texts else {}
    tensors = folded(files.weights, adapter, positions, products)
    to.mkdir(parents=True, exist_ok=True)
    made_from = [_sha256(path) for path in (*files.weights, adapter)]
    note = f"weights {' '.join(made_from[:-1])}, adapter {made_from[-1]} added, int8 by row"
    # One entry only: the library writes several in any order.
    (to / "model.safetensors").write_bytes(save(tensors, {"made_from": note}))
    config = json.loads((files.directory / "config.json").read_bytes())
    config.pop("_name_or_path", None)
    config["max_position_embeddings"] = positions
    written = json.dumps(config, indent=2, sort_keys=True) + "\n"
    (to / "config.json").write_bytes(written.encode())
    for pattern in _COPIED:
        for source in files.directory.glob(pattern):
            target = to / source.relative_to(files.directory)
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    """Write a folded model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model-path", type=Path, required=True, help="folder of the model")
    parser.add_argument("--adapter", type=Path, required=True, help="the adapter's file")
    parser.add_argument("--pairs", type=Path, help="folder of pairs, for which rounding is chosen")
    parser.add_argument("--to", type=Path, required=True, help="the new model's folder")
    options = parser.parse_args()
    files = find_model(options.model_path.name, directory=options.model_path)
    fold(files, options.adapter, options.to, options.pairs)


if __name__ == "__main__":
    main()
