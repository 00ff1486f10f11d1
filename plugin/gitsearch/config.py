"""The committed configuration: what changes the index, every key written out.

An unknown or missing key is an error: a typing mistake must not make two clones disagree.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from gitsearch.layout import CONFIG
from hybridindex.errors import SearchError
from hybridindex.types import METHODS, Fingerprint, Method

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

#: 1 had no adapters.
FORMAT = 2
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_MAX_DIMENSIONS = 8192


class ConfigError(SearchError):
    """The committed configuration is missing or cannot be read."""


@dataclass(frozen=True)
class Config:
    """What changes the index. ``include`` and ``exclude`` are patterns as in ``.gitignore``."""

    model: Fingerprint
    chunking: Method = "syntax"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


#: (table, key, type, comment). The one definition that reads, checks and writes the file.
_KEYS: tuple[tuple[str, str, type, str], ...] = (
    ("", "format", int, "Version of this file."),
    ("model", "name", str, "The embedding model. Vectors of another model are never compared."),
    ("model", "revision", str, "Revision of the model; empty where the weights' hash says it all."),
    ("model", "weights_sha256", str, "SHA-256 of model.safetensors; other weights are refused."),
    (
        "model",
        "adapter",
        str,
        "Change of the weights that comes with git-search; empty for none.",
    ),
    ("model", "dimensions", int, "Length of a vector; each dimension is committed as one byte."),
    ("model", "max_tokens", int, "How many tokens of a chunk the model reads."),
    ("model", "document_prompt", str, "Put before a chunk's text."),
    ("model", "query_prompt", str, "Put before a question."),
    (
        "chunking",
        "method",
        str,
        '"syntax", or "lines": 700 tokens of 4 characters, 80 overlapping.',
    ),
    (
        "files",
        "include",
        list,
        "Patterns as in .gitignore; where any is given, nothing else is in.",
    ),
    ("files", "exclude", list, "Patterns as in .gitignore of tracked files to leave out."),
)
_MEND = f"correct {CONFIG}, or delete it and run `git search-index init`"


def _values(config: Config) -> dict[tuple[str, str], Any]:
    model = config.model
    return {
        ("", "format"): FORMAT,
        ("model", "name"): model.model,
        ("model", "revision"): model.revision,
        ("model", "weights_sha256"): model.weights_sha256,
        ("model", "adapter"): model.adapter,
        ("model", "dimensions"): model.dimensions,
        ("model", "max_tokens"): model.max_tokens,
        ("model", "document_prompt"): model.document_prompt,
        ("model", "query_prompt"): model.query_prompt,
        ("chunking", "method"): config.chunking,
        ("files", "include"): list(config.include),
        ("files", "exclude"): list(config.exclude),
    }


def write_config(config: Config) -> str:
    """The text of the file, with a comment for every key."""
    values = _values(config)
    lines = ["# What changes the index of git-search. Committed; every key is required."]
    table = ""
    for section, key, _, comment in _KEYS:
        if section != table:
            lines += ["", f"[{section}]"]
            table = section
        # A JSON string or array of strings is a TOML one (escapes beyond the BMP aside).
        value = json.dumps(values[section, key], ensure_ascii=False)
        lines += [f"# {comment}", f"{key} = {value}"]
    return "\n".join(lines) + "\n"


def _parse(data: bytes) -> dict[str, Any]:
    try:
        parsed: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{CONFIG} is not TOML: {error}", _MEND) from error
    return parsed


def _take(parsed: dict[str, Any]) -> dict[tuple[str, str], Any]:
    flat: dict[tuple[str, str], Any] = {}
    for name, value in parsed.items():
        if isinstance(value, dict):
            flat.update({(name, key): item for key, item in value.items()})
        else:
            flat["", name] = value
    known = {(section, key): kind for section, key, kind, _ in _KEYS}
    if flat.get(("", "format")) == 1:
        del known["model", "adapter"]
    for section, key in flat:
        if (section, key) not in known:
            raise ConfigError(f"{CONFIG} has an unknown key {_dotted(section, key)}", _MEND)
    for (section, key), kind in known.items():
        if (section, key) not in flat:
            raise ConfigError(f"{CONFIG} has no key {_dotted(section, key)}", _MEND)
        value = flat[section, key]
        right = type(value) is kind
        if kind is list:
            right = right and all(isinstance(item, str) for item in value)
        if not right:
            wanted = {int: "a whole number", str: "a text", list: "a list of texts"}[kind]
            raise ConfigError(f"{_dotted(section, key)} in {CONFIG} is not {wanted}", _MEND)
    # What a file of the first format means by not naming one.
    return {("model", "adapter"): "", **flat}


def _dotted(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


def read_config(data: bytes) -> Config:
    """The configuration in the bytes of the file. Raises ConfigError naming the key."""
    flat = _take(_parse(data))
    if not 1 <= flat["", "format"] <= FORMAT:
        raise ConfigError(
            f"{CONFIG} has format {flat['', 'format']}, this program reads {FORMAT}",
            "upgrade git-search",
        )
    method = flat["chunking", "method"]
    if method not in METHODS:
        raise ConfigError(f"chunking.method in {CONFIG} is {method!r}", f"one of {METHODS}")
    dimensions, max_tokens = flat["model", "dimensions"], flat["model", "max_tokens"]
    if not 0 < dimensions <= _MAX_DIMENSIONS or not 2 < max_tokens <= 1_000_000:
        raise ConfigError(f"model.dimensions or model.max_tokens in {CONFIG} is absurd", _MEND)
    return Config(
        model=Fingerprint(
            model=flat["model", "name"],
            revision=flat["model", "revision"],
            weights_sha256=flat["model", "weights_sha256"],
            dimensions=dimensions,
            max_tokens=max_tokens,
            document_prompt=flat["model", "document_prompt"],
            query_prompt=flat["model", "query_prompt"],
            adapter=flat["model", "adapter"],
        ),
        chunking=method,
        include=tuple(flat["files", "include"]),
        exclude=tuple(flat["files", "exclude"]),
    )
