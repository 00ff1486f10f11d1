"""Opens the model that the committed configuration names, if this person allows it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitsearch.config import DEFAULT_MODEL
from gitsearch.git.repository import Repository
from gitsearch.git.settings import Settings, read_settings, start_settings
from gitsearch.tree import Tree
from hybridindex.errors import ModelUnavailable
from hybridindex.types import Encoder, Fingerprint

if TYPE_CHECKING:
    from hybridindex.embedding import ModelFiles
    from hybridindex.embedding.encoder import SwitchingEncoder


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
            f"git config --global --add search.allowModel {name}",
        )


def _find(name: str, revision: str, settings: Settings, path: Path | None = None) -> ModelFiles:
    from hybridindex.embedding import find_model

    named = path or (
        Path(text).expanduser() if (text := settings.text("search.modelPath")) else None
    )
    return find_model(
        name,
        directory=named,
        cache_dirs=_hub_caches(),
        revision=revision,
        allow_download=settings.flag("search.download"),
    )


def _open(tree: Tree, settings: Settings) -> SwitchingEncoder:
    from hybridindex.embedding import open_encoder

    model = tree.config.model
    _require_allowed(model.model, settings)
    return open_encoder(
        _find(model.model, model.revision, settings),
        max_tokens=model.max_tokens,
        revision=model.revision,
        query_prompt=model.query_prompt,
        document_prompt=model.document_prompt,
        adapter=model.adapter,
        expected=model,
        hash_cache=_hash_cache(),
    )


def question_encoder(tree: Tree, settings: Settings) -> Encoder:
    """The encoder of the tree's model. Raises ModelUnavailable or ModelMismatch."""
    return _open(tree, settings)


def update_encoder(tree: Tree, texts: int) -> Encoder:
    """As :func:`question_encoder`, the one that is done first with so many texts."""
    return _open(tree, read_settings(start_settings(tree.repository))).sized(texts)


def describe_model(
    repository: Repository,
    name: str,
    path: Path | None,
    max_tokens: int | None,
    adapter: str | None,
    download: bool,
) -> Fingerprint:
    """The fingerprint a new configuration gets. Raises ModelUnavailable.

    Without a number of tokens or an adapter it gets the model's defaults; an empty adapter is
    none. Naming a model on the command line allows it for this clone.
    """
    from gitsearch.git.process import run
    from hybridindex.embedding import fingerprint_of

    settings = read_settings(start_settings(repository))
    if download:
        settings = Settings({**settings.values, "search.download": ["true"]})
    files = _find(name, "", settings, path)
    fingerprint = fingerprint_of(files, max_tokens, adapter=adapter, hash_cache=_hash_cache())
    if name != DEFAULT_MODEL and name not in settings.all("search.allowModel"):
        run(["config", "--add", "search.allowModel", name], repository.root)
    return fingerprint
