"""Names what is wrong in a clone, each with the line that mends it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from dataclasses import dataclass

from gitsearch.edits import read_regular
from gitsearch.git.listing import is_shallow
from gitsearch.git.objects import read_blobs
from gitsearch.git.process import run
from gitsearch.git.repository import Repository
from gitsearch.hooking import HOOKS
from gitsearch.installing import BEGIN, hooks_folder
from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, SEGMENTS, segment_path
from gitsearch.model import update_encoder
from gitsearch.tree import Tree, index_tree
from gitsearch.update import uncovered
from hybridindex.errors import SearchError
from hybridindex.segments.encoding import MAGIC, MAX_BYTES

_LFS = b"version https://git-lfs"
#: What git must not do to a segment, and the value that says it does not.
_HARMLESS = ("unset", "unspecified", "auto")


@dataclass(frozen=True)
class Finding:
    """Something wrong and what mends it. ``serious`` is what makes answers worse."""

    problem: str
    remedy: str
    serious: bool = True


def examine(repository: Repository) -> Iterator[Finding]:
    """Everything that is wrong here, the most serious first; nothing for a sound clone."""
    try:
        tree = index_tree(repository)
    except SearchError as error:
        yield Finding(error.problem, error.remedy)
        return
    yield from _segments(tree)
    yield from _attributes(tree)
    yield from _coverage(tree)
    yield from _model(tree)
    yield from _grammars()
    yield from _hooks(repository)


def _segments(tree: Tree) -> Iterator[Finding]:
    repository = tree.repository
    blobs = dict(read_blobs(repository, list(tree.sorted.segments.values())))
    pointers = [n for n, i in tree.sorted.segments.items() if blobs.get(i, b"").startswith(_LFS)]
    if pointers:
        yield Finding(
            f"git LFS took {len(pointers)} segments: what is committed are pointers",
            f"git add {ATTRIBUTES} && git rm -q --cached {SEGMENTS}/*.seg &&"
            " git search-index update",
        )
    missing = [n for n, blob_id in tree.sorted.segments.items() if blob_id not in blobs]
    if missing:
        remedy = "git fetch --unshallow" if is_shallow(repository) else "git fetch --refetch"
        yield Finding(f"{len(missing)} segments are not in this clone", remedy)
    for name, damage in tree.catalogue.damaged.items():
        if name not in pointers and name not in missing:
            yield Finding(
                damage, f"git rm -q --cached {segment_path(name)}; git search-index update"
            )
    if repository.bare:
        return
    for name, blob_id in tree.sorted.segments.items():
        data = read_regular(repository.root, segment_path(name), MAX_BYTES + 1)
        if data is not None and blob_id in blobs and data != blobs[blob_id]:
            what = "by a filter" if not data.startswith(MAGIC) else "on disk"
            yield Finding(
                f"{segment_path(name)} was changed {what}",
                f"git checkout -- {SEGMENTS}",
                serious=False,
            )
    for model, vectors in tree.catalogue.foreign.items():
        yield Finding(
            f"{vectors} vectors of {model} under another fingerprint are not used",
            "git search-index compact --drop-foreign",
            serious=False,
        )


def _attributes(tree: Tree) -> Iterator[Finding]:
    ids = [entry.blob_id for entry in tree.entries if entry.path == ATTRIBUTES]
    text = next((data for _, data in read_blobs(tree.repository, ids)), b"").decode(
        "utf-8", "replace"
    )
    if text.strip() != ATTRIBUTES_TEXT.strip():
        yield Finding(
            f"{ATTRIBUTES} does not protect the segments",
            f"printf '%s' '{ATTRIBUTES_TEXT.strip()}' > {ATTRIBUTES} && git add {ATTRIBUTES}",
        )
        return
    probe = segment_path("0" * 32 + ".seg")
    command = ["check-attr", "--cached", "-z", "filter", "text", "eol", "ident", "--", probe]
    fields = [os.fsdecode(field) for field in run(command, tree.repository.root).split(b"\0")]
    for attribute, value in zip(fields[1::3], fields[2::3], strict=False):
        if value not in _HARMLESS:
            yield Finding(
                f"the attribute {attribute}={value} catches the segments",
                "look for it in .git/info/attributes and take it out",
            )


def _coverage(tree: Tree) -> Iterator[Finding]:
    missing = uncovered(tree, tree.catalogue)
    if missing:
        yield Finding(
            f"{len(missing)} of {len(tree.sorted.files)} source files are not covered,"
            f" {missing[0]} among them",
            "git search-index update",
        )


def _model(tree: Tree) -> Iterator[Finding]:
    try:
        update_encoder(tree, 1)
    except SearchError as error:
        yield Finding(error.problem, error.remedy)


def _grammars() -> Iterator[Finding]:
    if importlib.util.find_spec("tree_sitter") is None:
        yield Finding(
            "no grammar is installed: what this machine indexes is cut by lines",
            "pip install 'git-search[index]'",
            serious=False,
        )


def _hooks(repository: Repository) -> Iterator[Finding]:
    folder = hooks_folder(repository)
    framework = (repository.root / ".pre-commit-config.yaml").exists()
    for hook in HOOKS:
        data = read_regular(folder, hook) or b""
        if BEGIN.encode() not in data and not (framework and b"pre-commit" in data):
            yield Finding(f"the {hook} hook is not installed", "git search-index install", False)
            return
