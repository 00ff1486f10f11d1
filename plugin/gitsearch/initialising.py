"""Gives a repository its committed index: configuration, attributes, first segments."""

from __future__ import annotations

from gitsearch.config import Config, write_config
from gitsearch.git.listing import list_index
from gitsearch.git.repository import Repository
from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, CONFIG, FOLDER
from hybridindex.errors import SearchError


def is_initialised(repository: Repository) -> bool:
    """Whether the work tree or the git index has a configuration."""
    on_disk = (repository.root / CONFIG).exists()
    return on_disk or any(entry.path == CONFIG for entry in list_index(repository))


def initialise(repository: Repository, config: Config) -> None:
    """Write and stage the configuration and the attributes. Raises SearchError."""
    if repository.bare:
        raise SearchError("a bare repository has no work tree", "run it in a clone")
    try:
        (repository.root / FOLDER).mkdir(exist_ok=True)
        entries = []
        for path, text in ((CONFIG, write_config(config)), (ATTRIBUTES, ATTRIBUTES_TEXT)):
            data = text.encode("utf-8")
            (repository.root / path).write_bytes(data)
            entries.append((path, write_blob(repository, data)))
    except OSError as error:
        raise SearchError(
            f"{FOLDER} cannot be written: {error}", "make the work tree writable"
        ) from error
    stage(repository, entries)
