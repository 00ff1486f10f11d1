"""Replays the last commits of a repository with the index on and measures what git stores.

    python -m bench growth CLONE [--commits 200] [--json FILE]

Every first-parent commit is made again twice in scratch repositories: with its index, and
without. Vectors are random, of the size and entropy of real ones.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.seeded import SeededEncoder
from gitsearch.git.location import locate
from gitsearch.maintaining.compacting import compact_tree
from gitsearch.maintaining.initialising import initialise
from gitsearch.maintaining.updating import update
from gitsearch.tree import index_tree
from hybridindex.types import Fingerprint
from hybridindex.vectors import LocalVectors

FINGERPRINT = Fingerprint("seeded", "", "", 384, 128)


def git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git in a folder with a fixed identity."""
    env = {**os.environ, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b"}
    env |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=env, input=given, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def scratch(folder: Path, source: Path) -> Path:
    """An empty repository that borrows the objects of ``source``."""
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".git/objects/info/alternates").write_text(f"{source / '.git/objects'}\n")
    return folder


def sizes(folder: Path) -> tuple[int, int]:
    """Bytes of the repository's own objects: loose as they are, then packed."""
    objects = folder / ".git/objects"
    loose = sum(p.stat().st_size for p in objects.rglob("*") if p.is_file())
    git(folder, "repack", "-q", "-a", "-d", "-l", "--depth=50", "--window=50")
    packed = sum(p.stat().st_size for p in objects.glob("pack/*.pack"))
    return loose, packed


def replay(
    source: Path, commits: list[str], folder: Path, indexed: bool, compacting: bool = False
) -> dict[str, float]:
    """Make the commits again; what the objects of all but the first weigh, and what was new."""
    where = scratch(folder, source)
    location = locate(where)
    local = LocalVectors(where / "vectors", FINGERPRINT)
    parent: list[str] = []
    base = (0, 0)
    embedded = records = 0
    seconds = []
    for number, commit in enumerate(commits):
        kept = git(where, "ls-files", "-s", ".search")
        git(where, "read-tree", commit)
        if indexed:
            if number == 0:
                initialise(location, FINGERPRINT)
            else:
                git(where, "update-index", "--index-info", given=(kept + "\n").encode())
            begun = time.perf_counter()
            tree = index_tree(location)
            done = update(tree, lambda _: SeededEncoder(FINGERPRINT), local)
            seconds.append(time.perf_counter() - begun)
            if compacting:
                compact_tree(index_tree(location))
            if number:
                embedded += done.embedded
                records += done.records
        tree_id = git(where, "write-tree")
        made = git(where, "commit-tree", tree_id, *parent, "-m", commit)
        parent = ["-p", made]
        git(where, "update-ref", "HEAD", made)
        if number == 0:
            base = sizes(where)
            base = (base[1], base[1])
    loose, packed = sizes(where)
    return {
        "loose": loose - base[0],
        "packed": packed - base[1],
        "embedded": embedded,
        "records": records,
        "median_update_seconds": sorted(seconds)[len(seconds) // 2] if seconds else 0.0,
    }


def main(argv: Sequence[str]) -> int:
    """Print the ratios; write them as JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench growth", description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(argv)
    source = options.clone.resolve()
    log = git(source, "log", "--first-parent", "--format=%H", f"-{options.commits + 1}")
    commits = log.split("\n")[::-1]
    with tempfile.TemporaryDirectory() as folder:
        plain = replay(source, commits, Path(folder) / "plain", False)
        indexed = replay(source, commits, Path(folder) / "indexed", True)
        compacted = replay(source, commits, Path(folder) / "compacted", True, True)
    vector_bytes = indexed["embedded"] * FINGERPRINT.dimensions
    result = {
        "repository": source.name,
        "commits": len(commits) - 1,
        "new_vectors": indexed["embedded"],
        "file_records": indexed["records"],
        "packed_growth_ratio": (indexed["packed"] - plain["packed"]) / vector_bytes,
        "loose_growth_ratio": (indexed["loose"] - plain["loose"]) / vector_bytes,
        "packed_growth_ratio_compacted": (compacted["packed"] - plain["packed"]) / vector_bytes,
        "loose_growth_ratio_compacted": (compacted["loose"] - plain["loose"]) / vector_bytes,
        "median_update_seconds": indexed["median_update_seconds"],
    }
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0
