"""Names what is wrong in a clone, each with the line that mends it."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gitsearch.edits import read_regular
from gitsearch.git.listing import is_shallow
from gitsearch.git.location import Location
from gitsearch.git.objects import read_blobs
from gitsearch.git.process import run
from gitsearch.hooks.block import MARK
from gitsearch.hooks.installing import hook_files, hooks_folder, is_framework
from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, SEGMENTS, segment_path
from gitsearch.tree import Tree, tree_of
from gitsearch.wording import counted
from hybridindex.errors import SearchError
from hybridindex.indexing import uncovered
from hybridindex.segments import MAGIC, MAX_BYTES
from hybridindex.types import Encoder, Fingerprint

#: The configuration of the pre-commit framework.
FRAMEWORK_CONFIG = ".pre-commit-config.yaml"
_LFS = b"version https://git-lfs"
#: What git must not do to a segment, and the value that says it does not.
_HARMLESS = ("unset", "unspecified", "auto")


@dataclass(frozen=True)
class Finding:
    """Something wrong and what mends it. ``serious`` is what makes answers worse."""

    problem: str
    hint: str
    serious: bool = True


def examine(location: Location, encoder: Callable[[Fingerprint], Encoder]) -> Iterator[Finding]:
    """Everything that is wrong here, the most serious first; nothing for a sound clone.

    ``encoder`` opens a model, or raises SearchError.
    """
    try:
        tree = tree_of(location, cached=not location.bare)
    except SearchError as error:
        yield Finding(error.problem, error.hint)
        return
    yield from _segments(tree)
    yield from _attributes(tree)
    yield from _coverage(tree)
    yield from _model(tree, encoder)
    yield from _grammars()
    if not location.bare:
        yield from _hooks(location)


def _segments(tree: Tree) -> Iterator[Finding]:
    location = tree.location
    blobs = dict(read_blobs(location, list(tree.segments.values())))
    pointers = [n for n, i in tree.segments.items() if blobs.get(i, b"").startswith(_LFS)]
    if pointers:
        yield Finding(
            f"git LFS took {counted(len(pointers), 'segment')}: what is committed are pointers",
            f"git rm -q --cached {SEGMENTS}/*.seg && rm {SEGMENTS}/*.seg &&"
            " git search-index update",
        )
    missing = [n for n, blob_id in tree.segments.items() if blob_id not in blobs]
    if missing:
        hint = "git fetch --unshallow" if is_shallow(location) else "git fetch --refetch"
        yield Finding(f"{counted(len(missing), 'segment')} missing in this clone", hint)
    for name, damage in tree.catalogue.damaged.items():
        if name not in pointers and name not in missing:
            yield Finding(
                damage, f"git rm -q --cached {segment_path(name)}; git search-index update"
            )
    if location.bare:
        return
    for name, blob_id in tree.segments.items():
        data = read_regular(location.root, segment_path(name), MAX_BYTES + 1)
        if data is not None and blob_id in blobs and data != blobs[blob_id]:
            what = "by a filter" if not data.startswith(MAGIC) else "on disk"
            yield Finding(
                f"{segment_path(name)} was changed {what}",
                f"git checkout -- {SEGMENTS}",
                serious=False,
            )
    for model, vectors in tree.catalogue.foreign.items():
        yield Finding(
            f"{counted(vectors, 'vector')} of {model} under another fingerprint, not used",
            "git search-index compact --drop-foreign",
            serious=False,
        )


def _attributes(tree: Tree) -> Iterator[Finding]:
    ids = [entry.blob_id for entry in tree.entries if entry.path == ATTRIBUTES]
    text = next((data for _, data in read_blobs(tree.location, ids)), b"").decode(
        "utf-8", "replace"
    )
    if text.strip() != ATTRIBUTES_TEXT.strip():
        yield Finding(
            f"{ATTRIBUTES} is not as this version writes it",
            "git search-index update",
        )
        return
    probe = segment_path("0" * 32 + ".seg")
    command = ["check-attr", "--cached", "-z", "filter", "text", "eol", "ident", "--", probe]
    fields = [os.fsdecode(field) for field in run(command, tree.location.root).split(b"\0")]
    for attribute, value in zip(fields[1::3], fields[2::3], strict=False):
        if value not in _HARMLESS:
            yield Finding(
                f"the attribute {attribute}={value} catches the segments",
                "look for it in .git/info/attributes and take it out",
            )


def _coverage(tree: Tree) -> Iterator[Finding]:
    missing = uncovered(tree)
    if missing:
        yield Finding(
            f"{len(missing)} of {counted(len(tree.files), 'source file')} found by keyword alone,"
            f" {missing[0]} among them",
            "git search-index update",
        )


def _model(tree: Tree, encoder: Callable[[Fingerprint], Encoder]) -> Iterator[Finding]:
    try:
        encoder(tree.fingerprint)
    except SearchError as error:
        yield Finding(error.problem, error.hint)


def _grammars() -> Iterator[Finding]:
    if importlib.util.find_spec("tree_sitter") is None:
        yield Finding(
            "no grammar is installed: what this machine indexes is cut by lines",
            "pip install 'gitsearch[index]'",
            serious=False,
        )


def _hooks(location: Location) -> Iterator[Finding]:
    """Whether what git runs at a commit calls us."""
    folder = hooks_folder(location)
    path = folder / "pre-commit"
    install = "git search-index install"
    if not path.is_file():
        yield Finding("the pre-commit hook is not installed", install, False)
        return
    if not os.access(path, os.X_OK):
        yield Finding(f"{path} is turned off: it is not executable", f"chmod +x '{path}'", False)
        return
    lines = [file.read_bytes() for file in hook_files(folder, "pre-commit")]
    # Beside the framework's file, what was there before is run too, if it can be.
    run = lines[:1] if not is_framework(lines[0]) else lines
    ours = [data for data in run if MARK.encode() in data]
    if not ours:
        config = read_regular(location.root, FRAMEWORK_CONFIG) or b""
        if not (is_framework(lines[0]) and b"search-index" in config):
            yield Finding("the pre-commit hook does not call git-search-index", install, False)
        return
    programs = re.findall(rb"^for git_search_program in (.*); do$", ours[0], re.MULTILINE)
    names = shlex.split(os.fsdecode(programs[0])) if programs else []
    if names and not any(shutil.which(name) for name in names):
        yield Finding(f"the pre-commit hook calls {names[0]}, which is not there", install, False)
