"""Opens the model that a committed configuration names, if this person allows it."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitsearch.config import DEFAULT_MODEL, EARLIER_DEFAULT
from gitsearch.git.location import Location
from gitsearch.git.settings import Settings
from hybridindex.errors import ModelUnavailable
from hybridindex.types import Fingerprint

if TYPE_CHECKING:
    from hybridindex.embedding import ModelFiles, SwitchingEncoder


def _cache_folder() -> Path:
    """Where this person's programs keep what can be made again."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    return Path(chosen) if chosen else Path.home() / ".cache"


def _hub_caches() -> list[Path]:
    """The Hugging Face caches of this person, in the order its own programs look."""
    found = []
    if chosen := os.environ.get("HF_HUB_CACHE"):
        found.append(Path(chosen))
    home = os.environ.get("HF_HOME")
    found.append((Path(home) if home else _cache_folder() / "huggingface") / "hub")
    return found


def _hash_cache() -> Path:
    return _cache_folder() / "git-search" / "weights.json"


@dataclass(frozen=True)
class ModelChoice:
    """What somebody wants an index to be made with.

    Without a name it is the default model, without a number of tokens or an adapter the model's
    own; the adapter "none" is none. ``path`` is a folder with its files.
    """

    name: str | None = None
    path: Path | None = None
    max_tokens: int | None = None
    adapter: str | None = None
    download: bool = False


def _require_allowed(name: str, settings: Settings) -> None:
    """Raise ModelUnavailable for a model that a clone's content chose and this person did not.

    As ``safe.directory``: files of a repository must not decide which weights are loaded. Those
    that come with the package are nobody else's.
    """
    from hybridindex.embedding import BUILTIN_MODELS

    allowed = {*BUILTIN_MODELS, EARLIER_DEFAULT, *settings.all("search.allowModel")}
    if name not in allowed and "*" not in allowed:
        raise ModelUnavailable(
            f"this repository wants the model {name}, which you have not allowed",
            f"git config --global --add search.allowModel {shlex.quote(name)}",
        )


def _find(
    name: str, settings: Settings, revision: str = "", path: Path | None = None,
    download: bool = False,
) -> ModelFiles:  # fmt: skip
    from hybridindex.embedding import BUILTIN_MODELS, find_model

    configured = settings.text("search.modelPath")
    if path is None and configured and name not in BUILTIN_MODELS:
        path = Path(configured).expanduser()
    return find_model(
        name,
        directory=path,
        cache_dirs=_hub_caches(),
        revision=revision,
        allow_download=download or settings.flag("search.download"),
    )


def open_model(fingerprint: Fingerprint, settings: Settings) -> SwitchingEncoder:
    """The encoder of a configured model. Raises ModelUnavailable or ModelMismatch."""
    from hybridindex.embedding import open_expected

    files = model_files(fingerprint, settings)
    return open_expected(files, fingerprint, _hash_cache())


def model_files(fingerprint: Fingerprint, settings: Settings) -> ModelFiles:
    """Where the files of a configured model lie. Raises ModelUnavailable."""
    _require_allowed(fingerprint.model, settings)
    try:
        return _find(fingerprint.model, settings, fingerprint.revision)
    except ModelUnavailable as error:
        if fingerprint.model != EARLIER_DEFAULT:
            raise
        change = "for everybody who uses this repository: git search-index model default"
        raise ModelUnavailable(error.problem, f"{error.hint}, or {change}") from error


def describe_model(location: Location, settings: Settings, choice: ModelChoice) -> Fingerprint:
    """The fingerprint that a configuration gets. Raises ModelUnavailable.

    Choosing a model on the command line allows it for this clone.
    """
    from gitsearch.git.process import run
    from hybridindex.embedding import BUILTIN_MODELS, adapter_called, fingerprint_of

    name = choice.name or DEFAULT_MODEL
    files = _find(name, settings, path=choice.path, download=choice.download)
    fingerprint = fingerprint_of(
        files,
        choice.max_tokens,
        adapter=adapter_called(choice.adapter),
        hash_cache=_hash_cache(),
    )
    known = {*BUILTIN_MODELS, EARLIER_DEFAULT, *settings.all("search.allowModel")}
    if name not in known:
        run(["config", "--add", "search.allowModel", name], location.root)
    return fingerprint
