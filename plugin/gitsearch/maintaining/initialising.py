"""Gives a repository its committed index: configuration, attributes, first segments."""

from __future__ import annotations

from gitsearch.config import Config, write_config
from gitsearch.git.listing import list_index
from gitsearch.git.location import Location
from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, CONFIG, FOLDER
from hybridindex.errors import SearchError


def is_initialised(location: Location) -> bool:
    """Whether the work tree or the git index has a configuration."""
    on_disk = (location.root / CONFIG).exists()
    return on_disk or any(entry.path == CONFIG for entry in list_index(location))


def initialise(location: Location, config: Config) -> None:
    """Write and stage the configuration and the attributes. Raises SearchError."""
    if location.bare:
        raise SearchError("a bare repository has no work tree", "run it in a clone")
    try:
        (location.root / FOLDER).mkdir(exist_ok=True)
        entries = []
        for path, text in ((CONFIG, write_config(config)), (ATTRIBUTES, ATTRIBUTES_TEXT)):
            data = text.encode("utf-8")
            (location.root / path).write_bytes(data)
            entries.append((path, write_blob(location, data)))
    except OSError as error:
        raise SearchError(
            f"{FOLDER} cannot be written: {error}", "make the work tree writable"
        ) from error
    stage(location, entries)
