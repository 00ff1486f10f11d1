"""Where the committed index lies in a repository."""

from __future__ import annotations

FOLDER = ".search"
CONFIG = f"{FOLDER}/config.toml"
ATTRIBUTES = f"{FOLDER}/.gitattributes"
SEGMENTS = f"{FOLDER}/segments"

#: Bytes of a segment must reach every clone as they are: no line ends, no filters, no diffs.
ATTRIBUTES_TEXT = (
    "* -text -diff -merge -filter -ident -eol -working-tree-encoding"
    " linguist-generated export-ignore\n"
)


def segment_path(name: str) -> str:
    """Path of a segment in the tree."""
    return f"{SEGMENTS}/{name}"
