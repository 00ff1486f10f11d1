"""Where the committed index lies in a repository."""

from __future__ import annotations

FOLDER = ".search"
CONFIG = f"{FOLDER}/config.toml"
ATTRIBUTES = f"{FOLDER}/.gitattributes"
SEGMENTS = f"{FOLDER}/segments"

#: Bytes of a segment must reach every clone as they are: no line ends, no filters, no diffs. What
#: people write beside them is text to git, shown and merged, but for filters that would hide it.
ATTRIBUTES_TEXT = (
    "* -filter -ident -working-tree-encoding export-ignore\n"
    "segments/* -text -diff -merge -eol linguist-generated\n"
)


def segment_path(name: str) -> str:
    """Path of a segment in the tree."""
    return f"{SEGMENTS}/{name}"
