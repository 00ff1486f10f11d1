"""Gives a repository its committed index: configuration, attributes, first segments."""

from __future__ import annotations

from collections.abc import Mapping

from gitsearch.config import Config, write_config
from gitsearch.git.listing import list_index
from gitsearch.git.location import Location
from gitsearch.git.objects import read_blobs
from gitsearch.git.staging import stage, write_blob
from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, CONFIG, FOLDER
from gitsearch.tree import Tree
from gitsearch.writing import write_inside
from hybridindex.errors import SearchError
from hybridindex.types import Fingerprint, Method


def mend_attributes(tree: Tree) -> bool:
    """Write and stage the attributes where the tree has none, or those of an older version."""
    if tree.location.bare:
        return False
    ids = [entry.blob_id for entry in tree.entries if entry.path == ATTRIBUTES]
    data = ATTRIBUTES_TEXT.encode()
    if any(found == data for _, found in read_blobs(tree.location, ids)):
        return False
    write_and_stage_text(tree.location, {ATTRIBUTES: data})
    return True


def is_initialised(location: Location) -> bool:
    """Whether the work tree or the git index has a configuration."""
    on_disk = (location.root / CONFIG).exists()
    return on_disk or any(entry.path == CONFIG for entry in list_index(location))


def initialise(location: Location, model: Fingerprint, chunking: Method = "syntax") -> Config:
    """Write and stage the configuration and the attributes. Raises SearchError."""
    if location.bare:
        raise SearchError("a bare repository has no work tree", "run it in a clone")
    config = Config.of(model, chunking)
    texts = {CONFIG: write_config(config), ATTRIBUTES: ATTRIBUTES_TEXT}
    write_and_stage_text(location, {path: text.encode() for path, text in texts.items()})
    return config


def write_and_stage_text(location: Location, files: Mapping[str, bytes]) -> None:
    """Give files below the index's folder these bytes, on disk and in the git index.

    Raises SearchError where the disk refuses.
    """
    try:
        for path, data in files.items():
            write_inside(location.root, path, data)
    except OSError as error:
        raise SearchError(
            f"{FOLDER} cannot be written: {error}", "make the work tree writable"
        ) from error
    stage(location, [(path, write_blob(location, data)) for path, data in files.items()])
