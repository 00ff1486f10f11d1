"""Opens the model that a committed configuration names, if this person allows it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from gitsearch.config import DEFAULT_MODEL
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


def _require_allowed(name: str, settings: Settings) -> None:
    """Raise ModelUnavailable for a model that a clone's content chose and this person did not.

    As ``safe.directory``: files of a repository must not decide which weights are loaded.
    """
    allowed = {DEFAULT_MODEL, *settings.all("search.allowModel")}
    if name not in allowed and "*" not in allowed:
        raise ModelUnavailable(
            f"this repository wants the model {name}, which you have not allowed",
            f"git config --global --add search.allowModel {shlex.quote(name)}",
        )


def _find(
    name: str, settings: Settings, revision: str = "", path: Path | None = None,
    download: bool = False,
) -> ModelFiles:  # fmt: skip
    from hybridindex.embedding import find_model

    configured = settings.text("search.modelPath")
    return find_model(
        name,
        directory=path or (Path(configured).expanduser() if configured else None),
        cache_dirs=_hub_caches(),
        revision=revision,
        allow_download=download or settings.flag("search.download"),
    )


def open_model(fingerprint: Fingerprint, settings: Settings) -> SwitchingEncoder:
    """The encoder of a configured model. Raises ModelUnavailable or ModelMismatch."""
    from hybridindex.embedding import open_expected

    _require_allowed(fingerprint.model, settings)
    files = _find(fingerprint.model, settings, fingerprint.revision)
    return open_expected(files, fingerprint, _hash_cache())


def describe_model(
    location: Location,
    settings: Settings,
    name: str | None,
    path: Path | None,
    max_tokens: int | None,
    adapter: str | None,
    download: bool,
) -> Fingerprint:
    """The fingerprint a new configuration gets. Raises ModelUnavailable.

    Without a name it gets the default model, without a number of tokens or an adapter the model's
    own; the adapter "none" is none. Naming a model on the command line allows it for this clone.
    """
    from gitsearch.git.process import run
    from hybridindex.embedding import adapter_called, fingerprint_of

    name = name or DEFAULT_MODEL
    files = _find(name, settings, path=path, download=download)
    fingerprint = fingerprint_of(
        files, max_tokens, adapter=adapter_called(adapter), hash_cache=_hash_cache()
    )
    if name != DEFAULT_MODEL and name not in settings.all("search.allowModel"):
        run(["config", "--add", "search.allowModel", name], location.root)
    return fingerprint
