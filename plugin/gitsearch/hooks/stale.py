"""Segments that are staged and that no commit will need: aborted, amended and squashed commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from gitsearch.git.listing import merged_heads, names_in
from gitsearch.layout import SEGMENTS
from gitsearch.maintaining.updating import write_and_stage
from gitsearch.tree import Tree
from hybridindex.vectors import LocalVectors

#: Processes that are looked at between a hook and the git that commits: a hook manager or two.
_MAX_ANCESTORS = 8


def drop_stale(tree: Tree, local: LocalVectors) -> bool:
    """Take out segments of no commit that speak of nothing that is staged.

    They are of a commit that was aborted, that is being amended, or that was squashed. Their
    vectors are kept locally, so that staging the content again embeds nothing.
    """
    heads = tree.catalogue.heads
    silent = {name for name in tree.segments if name in heads and not _speaks_of_tree(tree, name)}
    if not silent:
        return False
    stale = sorted(silent - _kept(tree))
    keep_vectors(tree, stale, local)
    write_and_stage(tree, (), stale)
    return bool(stale)


def keep_vectors(tree: Tree, names: Iterable[str], local: LocalVectors) -> None:
    """Keep the vectors of segments locally, which may not become part of a history."""
    for name in names:
        keys = tree.catalogue.heads[name].keys
        vectors = ((key, tree.catalogue.vector(key)) for key in keys)
        local.put((key, vector) for key, vector in vectors if vector is not None)


def _speaks_of_tree(tree: Tree, name: str) -> bool:
    """Whether a file record of a segment is of a file as it is staged, or it has none at all."""
    records = tree.catalogue.heads[name].records
    return not records or any(
        tree.files.get(os.fsdecode(record.path)) == record.blob_id.hex() for record in records
    )


def _kept(tree: Tree) -> set[str]:
    """Names of the segments of the commits that stay: HEAD, or its parents where it is amended."""
    revisions = ["HEAD^@" if _is_amending() else "HEAD", *merged_heads(tree.location)]
    paths = names_in(tree.location, revisions, SEGMENTS)
    return {path.rpartition("/")[2] for path in paths}


def _is_amending() -> bool:
    """Whether the git that runs this hook amends; git itself does not tell."""
    return any(
        "git" in Path(words[0]).name and "commit" in words and _amends(words)
        for words in _ancestors()
        if words
    )


def _amends(words: list[str]) -> bool:
    # Git takes any beginning of an option that no other one shares.
    return any(word == "--amend" or word in ("--am", "--ame", "--amen") for word in words)


def _ancestors() -> Iterator[list[str]]:
    """Command lines of the processes above this one, the nearest first."""
    process = os.getppid()
    for _ in range(_MAX_ANCESTORS):
        found = _process(process)
        if found is None:
            return
        process, words = found
        yield words


def _process(number: int) -> tuple[int, list[str]] | None:
    """Parent and command line of a process, None where that cannot be told."""
    try:
        state = Path(f"/proc/{number}/stat").read_bytes()
        line = Path(f"/proc/{number}/cmdline").read_bytes()
        # The name in parentheses may hold anything; the parent's number is the second word after.
        parent = int(state.rpartition(b")")[2].split()[1])
        return parent, [os.fsdecode(word) for word in line.split(b"\0") if word]
    except (OSError, ValueError, IndexError):
        pass
    try:
        command = ["ps", "-o", "ppid=", "-o", "args=", "-p", str(number)]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
        return (int(told[0]), told[1:]) if told else None
    except (OSError, ValueError):
        return None
