"""The committed configuration: what changes the index, every key written out.

An unknown or missing key is an error: a typing mistake must not make two clones disagree.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
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
#: What a new index gets: it comes with the package.
DEFAULT_MODEL = "git-search/code-1-int8"
#: What new indexes got before. A person who has its weights need not allow it.
EARLIER_DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
_MAX_DIMENSIONS = 8192
#: The file comes with a clone: what it may cost to read is limited before it is read.
MAX_BYTES, MAX_PATTERNS, MAX_PATTERN = 64_000, 1_000, 1_000
#: Names as on the hub. They stand in lines that people paste, so nothing else passes.
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_REVISION = re.compile(r"([A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)*)?", re.ASCII)
_HASH = re.compile(r"([0-9a-f]{64})?")


class ConfigError(SearchError):
    """The committed configuration is missing or cannot be read."""


def _key(table: str, name: str, comment: str, kind: type = str, **default: Any) -> Any:
    """A field of :class:`Config` that is a key of the file: the one place that knows it."""
    return field(**default, metadata={"key": (table, name), "kind": kind, "comment": comment})


@dataclass(frozen=True)
class Config:
    """What changes the index: the keys of the file, in its order, after its format."""

    model: str = _key(
        "model", "name", "The embedding model. Vectors of another model are never compared."
    )
    revision: str = _key(
        "model", "revision", "Revision of the model; empty where the weights' hash says it all."
    )
    weights_sha256: str = _key(
        "model", "weights_sha256", "SHA-256 of model.safetensors; other weights are refused."
    )
    adapter: str = _key(
        "model", "adapter", "Change of the weights that comes with git-search; empty for none."
    )
    dimensions: int = _key(
        "model", "dimensions", "Length of a vector; each dimension is committed as one byte.", int
    )
    max_tokens: int = _key(
        "model", "max_tokens", "How many tokens of a chunk the model reads.", int
    )
    document_prompt: str = _key("model", "document_prompt", "Put before a chunk's text.")
    query_prompt: str = _key("model", "query_prompt", "Put before a question.")
    chunking: Method = _key(
        "chunking", "method", '"syntax", or "lines": 700 tokens of 4 characters, 80 overlapping.',
        default="syntax",
    )  # fmt: skip
    include: tuple[str, ...] = _key(
        "files", "include", "Patterns as in .gitignore; where any is given, nothing else is in.",
        list, default=(),
    )  # fmt: skip
    exclude: tuple[str, ...] = _key(
        "files", "exclude", "Patterns as in .gitignore of tracked files to leave out.",
        list, default=(),
    )  # fmt: skip

    @property
    def fingerprint(self) -> Fingerprint:
        """What the vectors of such an index mean."""
        return Fingerprint(**{name: getattr(self, name) for name in _OF_MODEL})

    @classmethod
    def of(
        cls,
        model: Fingerprint,
        chunking: Method = "syntax",
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> Config:
        """The configuration of an index whose vectors mean ``model``."""
        shared = {name: getattr(model, name) for name in _OF_MODEL}
        return cls(**shared, chunking=chunking, include=tuple(include), exclude=tuple(exclude))

    def with_model(self, model: Fingerprint) -> Config:
        """The same for vectors that mean ``model``."""
        return replace(self, **{name: getattr(model, name) for name in _OF_MODEL})


#: The keys that are a part of the fingerprint, under its own names.
_OF_MODEL = tuple({f.name for f in fields(Fingerprint)} & {f.name for f in fields(Config)})
MEND = f"correct {CONFIG}, or delete it and run `git search-index init`"
_KINDS = {int: "a whole number", str: "a text", list: "a list of texts"}
_FORMAT, _ADAPTER = ("", "format"), ("model", "adapter")


def write_config(config: Config) -> str:
    """The text of the file, with a comment for every key."""
    lines = [
        "# What changes the index of git-search. Committed; every key is required.",
        "# Version of this file.",
        f"format = {FORMAT}",
    ]
    table = ""
    for key in fields(config):
        section, name = key.metadata["key"]
        if section != table:
            lines += ["", f"[{section}]"]
            table = section
        # A JSON string or array of strings is a TOML one (escapes beyond the BMP aside).
        value = json.dumps(getattr(config, key.name), ensure_ascii=False)
        lines += [f"# {key.metadata['comment']}", f"{name} = {value}"]
    return "\n".join(lines) + "\n"


def edited(data: bytes, config: Config) -> str:
    """The file's text with the values of ``config``: what people wrote beside them stays.

    Written anew where values are spread over lines, or keys of an earlier format are missing.
    """
    lines, table = [], ""
    values = {of.metadata["key"]: getattr(config, of.name) for of in fields(config)}
    values[_FORMAT] = FORMAT
    for line in data.decode("utf-8", "replace").splitlines():
        if header := re.match(r"\s*\[(\w+)\]", line):
            table = header[1]
        elif found := re.match(r"(\s*(\w+)\s*=\s*)", line):
            value = values.get((table, found[2]))
            if value is not None and not isinstance(value, tuple):
                line = found[1] + json.dumps(value, ensure_ascii=False)
        lines.append(line)
    text = "\n".join(lines) + "\n"
    try:
        same = read_config(text.encode()) == config
    except ConfigError:
        same = False
    return text if same else write_config(config)


def _parse(data: bytes) -> dict[tuple[str, str], Any]:
    """The values of the file by table and key."""
    try:
        parsed: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{CONFIG} is not TOML: {error}", MEND) from error
    flat: dict[tuple[str, str], Any] = {}
    for name, value in parsed.items():
        if isinstance(value, dict):
            flat.update({(name, key): item for key, item in value.items()})
        else:
            flat["", name] = value
    return flat


def _dotted(key: tuple[str, str]) -> str:
    return ".".join(part for part in key if part)


def _take(flat: dict[tuple[str, str], Any], key: tuple[str, str], kind: type) -> Any:
    if key not in flat:
        raise ConfigError(f"{CONFIG} has no key {_dotted(key)}", MEND)
    value = flat.pop(key)
    right = type(value) is kind
    if kind is list:
        right = right and all(isinstance(item, str) for item in value)
    if not right:
        raise ConfigError(f"{_dotted(key)} in {CONFIG} is not {_KINDS[kind]}", MEND)
    return tuple(value) if kind is list else value


def read_config(data: bytes) -> Config:
    """The configuration in the bytes of the file. Raises ConfigError naming the key."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{CONFIG} is larger than {MAX_BYTES} bytes", MEND)
    flat = _parse(data)
    form = _take(flat, _FORMAT, int)
    if not 1 <= form <= FORMAT:
        raise ConfigError(
            f"{CONFIG} has format {form}, this program reads {FORMAT}", "upgrade git-search"
        )
    keys = {key.name: key.metadata for key in fields(Config)}
    known = {of["key"] for of in keys.values()} - ({_ADAPTER} if form == 1 else set())
    for key in flat:
        if key not in known:
            raise ConfigError(f"{CONFIG} has an unknown key {_dotted(key)}", MEND)
    if form == 1:
        flat[_ADAPTER] = ""  # what a file of the first format means by not naming one
    config = Config(**{name: _take(flat, of["key"], of["kind"]) for name, of in keys.items()})
    if config.chunking not in METHODS:
        raise ConfigError(
            f"chunking.method in {CONFIG} is {config.chunking!r}", f"one of {METHODS}"
        )
    if not 0 < config.dimensions <= _MAX_DIMENSIONS or not 2 < config.max_tokens <= 1_000_000:
        raise ConfigError(f"model.dimensions or model.max_tokens in {CONFIG} is absurd", MEND)
    for name, shape in (("model", _NAME), ("revision", _REVISION), ("weights_sha256", _HASH)):
        value = str(getattr(config, name))
        if not shape.fullmatch(value):
            raise ConfigError(f"{_dotted(keys[name]['key'])} in {CONFIG} is {value[:60]!r}", MEND)
    _require_patterns("include", config.include)
    _require_patterns("exclude", config.exclude)
    return config


def _require_patterns(key: str, patterns: Sequence[str]) -> None:
    if len(patterns) > MAX_PATTERNS:
        raise ConfigError(f"files.{key} in {CONFIG} has more than {MAX_PATTERNS} patterns", MEND)
    for pattern in patterns:
        # Each star that matches anything may be tried at every place of a path.
        if len(pattern) > MAX_PATTERN or pattern.count("*") > 8:
            raise ConfigError(
                f"files.{key} in {CONFIG} has a pattern too large: {pattern[:60]!r}…", MEND
            )
