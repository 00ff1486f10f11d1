"""What a model's own files say of it: shape, pooling, lengths and prompts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridindex.embedding.models import ModelFiles
from hybridindex.errors import ModelUnavailable

#: Architectures whose encoder is BERT's. The RoBERTa family differs in its position numbers only.
BERT_TYPES = frozenset({"bert", "roberta", "xlm-roberta", "camembert"})

#: The names, in ``hidden_act``, of the functions in ``activations``.
ACTIVATIONS = frozenset({"gelu", "gelu_new", "gelu_pytorch_tanh", "relu"})

#: Question prompts that a model card demands but the model's files do not declare. Source: the
#: "Usage" and "Model List" sections of the card of each, https://huggingface.co/BAAI
#: (bge-m3 needs none, says its card's FAQ).
_BGE = "Represent this sentence for searching relevant passages: "
KNOWN_QUERY_PROMPTS: dict[str, str] = {
    "BAAI/bge-small-en-v1.5": _BGE,
    "BAAI/bge-base-en-v1.5": _BGE,
    "BAAI/bge-large-en-v1.5": _BGE,
}

#: The names sentence-transformers tries, in its order (``encode_query``, ``encode_document``).
_QUERY_PROMPT_NAMES = ("query",)
_DOCUMENT_PROMPT_NAMES = ("document", "passage", "corpus")

#: Where neither file names a limit: the length every BERT was trained for.
_COMMON_POSITIONS = 512


@dataclass(frozen=True)
class ModelDescription:
    """The facts of one model.

    ``max_tokens`` counts special tokens. ``first_position`` is the position number of the first
    token. ``unsupported`` says what keeps the built-in encoder from running this model; empty
    when nothing does.
    """

    model_type: str
    dimensions: int
    hidden_size: int
    layers: int
    heads: int
    activation: str
    layer_norm_eps: float
    pad_token_id: int
    first_position: int
    max_tokens: int
    pooling: str
    lower_case: bool
    query_prompt: str
    document_prompt: str
    unsupported: str


def describe(files: ModelFiles) -> ModelDescription:
    """Read the JSON files of a model directory.

    Raises ModelUnavailable where one is unreadable or lacks what it must say.
    """
    directory = files.directory
    config = _read(directory, "config.json")
    try:
        return _describe(files.name, directory, config)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelUnavailable(
            f"the files of the model {files.name} in {directory} do not describe it: {error!r}",
            "install the model again",
        ) from error


def _describe(name: str, directory: Path, config: dict[str, Any]) -> ModelDescription:
    model_type = str(config.get("model_type", ""))
    hidden = int(config.get("hidden_size") or config["dim"])
    pad = int(config.get("pad_token_id") or 0)
    # RoBERTa numbers positions from padding_idx + 1 (fairseq's make_positions); BERT from 0.
    first = 0 if model_type == "bert" else pad + 1
    sentence = _read(directory, "sentence_bert_config.json", optional=True)
    pooling, dimensions, foreign = _modules(directory, hidden)
    query, document = _prompts(directory)
    return ModelDescription(
        model_type=model_type,
        dimensions=dimensions,
        hidden_size=hidden,
        layers=int(config.get("num_hidden_layers", 0)),
        heads=int(config.get("num_attention_heads", 0)),
        activation=str(config.get("hidden_act", "gelu")),
        layer_norm_eps=float(config.get("layer_norm_eps", 1e-12)),
        pad_token_id=pad,
        first_position=first,
        max_tokens=_max_tokens(directory, config, sentence, first),
        pooling=pooling,
        lower_case=bool(sentence.get("do_lower_case", False)),
        query_prompt=query or KNOWN_QUERY_PROMPTS.get(name, ""),
        document_prompt=document,
        unsupported=_unsupported(directory, config, model_type, pooling, foreign),
    )


def _unsupported(
    directory: Path, config: dict[str, Any], model_type: str, pooling: str, foreign: str
) -> str:
    if model_type not in BERT_TYPES:
        return f"its architecture is {model_type or 'unnamed'}"
    if config.get("position_embedding_type", "absolute") != "absolute":
        return "its positions are relative"
    if config.get("is_decoder"):
        return "it is a decoder"
    if config.get("hidden_act", "gelu") not in ACTIVATIONS:
        return f"its activation is {config['hidden_act']}"
    if foreign:
        return f"it has a {foreign} module"
    if pooling not in ("mean", "cls"):
        return f"its pooling is {pooling}"
    if not (directory / "tokenizer.json").is_file():
        return "it has no tokenizer.json"
    return ""


def _modules(directory: Path, hidden: int) -> tuple[str, int, str]:
    """Pooling, dimensions of the vectors, and a module the built-in encoder does not know."""
    listed = _read(directory, "modules.json", optional=True, kind=list)
    # sentence-transformers' default for a directory without modules.json.
    pooling, dimensions, foreign = "mean", hidden, ""
    for module in listed:
        # "sentence_transformers.models.Pooling"; newer releases write longer module paths.
        kind = str(module["type"]).rpartition(".")[2]
        if kind == "Pooling":
            pooling = _pooling(_read(directory, str(module["path"]) + "/config.json"))
        elif kind not in ("Transformer", "Normalize"):
            foreign = foreign or kind
            if kind == "Dense":
                dense = _read(directory, str(module["path"]) + "/config.json")
                dimensions = int(dense["out_features"])
    return pooling, dimensions, foreign


def _pooling(config: dict[str, Any]) -> str:
    if config.get("include_prompt", True) is False:
        return "without the prompt"
    mode = config.get("pooling_mode")
    if mode is None:
        prefix = "pooling_mode_"
        on = [k.removeprefix(prefix) for k, v in config.items() if k.startswith(prefix) and v]
        names = {"cls_token": "cls", "mean_tokens": "mean", "max_tokens": "max"}
        mode = [names.get(key, key) for key in on] or "mean"
    if isinstance(mode, list):
        return "+".join(str(part) for part in mode)
    return str(mode)


def _max_tokens(
    directory: Path, config: dict[str, Any], sentence: dict[str, Any], first: int
) -> int:
    limits = []
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and positions > first:
        limits.append(positions - first)
    declared = sentence.get("max_seq_length")
    if not isinstance(declared, int):
        tokenizer = _read(directory, "tokenizer_config.json", optional=True)
        declared = tokenizer.get("model_max_length")  # 1e30 where transformers knows no limit
    if isinstance(declared, int) and declared > 0:
        limits.append(declared)
    return min(limits, default=_COMMON_POSITIONS)


def _prompts(directory: Path) -> tuple[str, str]:
    config = _read(directory, "config_sentence_transformers.json", optional=True)
    prompts: dict[str, str] = config.get("prompts") or {}
    default = str(prompts.get(config.get("default_prompt_name") or "") or "")

    def first(names: tuple[str, ...]) -> str:
        return next((str(prompts[n] or "") for n in names if n in prompts), default)

    return first(_QUERY_PROMPT_NAMES), first(_DOCUMENT_PROMPT_NAMES)


def _read(directory: Path, name: str, *, optional: bool = False, kind: type = dict) -> Any:
    """The JSON value of one file, an empty one if ``optional`` and missing."""
    path = directory / name
    # Folder names come from modules.json; they must stay in the model's directory.
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ModelUnavailable(f"{directory} names a file outside it: {name}", "do not use it")
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        if optional:
            return kind()
        raise ModelUnavailable(f"{path} is missing", "install the model again") from None
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"{path} cannot be read: {error}", "install the model again"
        ) from error
    if not isinstance(value, kind):
        raise ModelUnavailable(f"{path} is not a JSON {kind.__name__}", "install the model again")
    return value
