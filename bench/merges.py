"""Pairs of side branches from a real history, merged, rebased and cherry-picked.

    python -m bench merges CLONE [--pairs 500] [--commits 200] [--seed 1]

The last commits of the clone are made again with their index. Then each pair forks at a random
one of them: edits in different files, far apart in one file, or in one chunk; 1, 4 or 12 commits a
side; compacted on no side, one or both. Wherever the sources merge clean, nothing in .search/ may
conflict, and after the next commit every file must be covered.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.growth import FINGERPRINT, git, scratch
from bench.seeded import SeededEncoder
from gitsearch.git.location import locate
from gitsearch.git.process import GitError, run
from gitsearch.maintaining.compacting import compact_tree
from gitsearch.maintaining.initialising import initialise
from gitsearch.maintaining.updating import update
from gitsearch.tree import index_tree
from hybridindex.indexing import uncovered
from hybridindex.vectors import LocalVectors

PLACES = ("different files", "far apart", "same chunk")
COMMITS = (1, 4, 12)
COMPACTED = ("no side", "one side", "both sides")
OPERATIONS = ("merge", "rebase", "cherry-pick")


class Pairs:
    """A replayed history and the branches that fork from it."""

    def __init__(self, source: Path, commits: int, folder: Path, seed: int) -> None:
        self.where = scratch(folder, source)
        for name, value in (("user.name", "m"), ("user.email", "m@m"), ("gc.auto", "0")):
            git(self.where, "config", name, value)
        self.location = locate(self.where)
        self.local = LocalVectors(self.where / ".git/vectors", FINGERPRINT)
        self.drawn = random.Random(seed)
        self.counts: Counter[str] = Counter()
        log = git(source, "log", "--first-parent", "--format=%H", f"-{commits}")
        self.history: list[str] = []
        for commit in log.split("\n")[::-1]:
            kept = git(self.where, "ls-files", "-s", ".search")
            git(self.where, "read-tree", commit)
            if self.history:
                git(self.where, "update-index", "--index-info", given=(kept + "\n").encode())
            else:
                initialise(self.location, FINGERPRINT)
            self.hook()
            parent = ["-p", self.history[-1]] if self.history else []
            tree = git(self.where, "write-tree")
            self.history.append(git(self.where, "commit-tree", tree, *parent, "-m", commit))

    def hook(self) -> None:
        """What pre-commit does, in this process."""
        update(index_tree(self.location), lambda _: SeededEncoder(FINGERPRINT), self.local)

    def try_git(self, *arguments: str) -> bool:
        try:
            run(arguments, self.where, extra={"GIT_EDITOR": "true", "GIT_OPTIONAL_LOCKS": "1"})
        except GitError:
            return False
        return True

    def commit(self, message: str) -> None:
        self.hook()
        git(self.where, "commit", "-q", "--allow-empty", "-m", message)

    def side(
        self, branch: str, base: str, path: str, line: int, count: int, compacted: bool
    ) -> None:
        """A branch whose commits each rewrite the line, always the same one."""
        git(self.where, "checkout", "-q", "-f", "-B", branch, base)
        for number in range(count):
            where = self.where / path
            lines = where.read_bytes().split(b"\n")
            lines[line] = b"# %s %d %d" % (branch.encode(), number, self.drawn.randrange(10**6))
            where.write_bytes(b"\n".join(lines))
            git(self.where, "add", "--", path)
            self.commit(f"{branch} {number}")
        if compacted:
            compact_tree(index_tree(self.location), self.drawn.choice((8, 32)), 10)
            self.commit("compact")

    def pair(self, place: str, count: int, compacted: str) -> None:
        """Fork, and join in every way."""
        base = self.drawn.choice(self.history)
        git(self.where, "checkout", "-q", "-f", "-B", "base", base)
        tree = index_tree(self.location)
        usable = []
        for path in sorted(tree.files):
            where = self.where / path
            if where.is_file() and where.read_bytes().count(b"\n") > 60:
                usable.append(path)
        one, other = self.drawn.sample(usable, 2)
        if place != "different files":
            other = one
        lines = (self.where / one).read_bytes().count(b"\n")
        at = self.drawn.randrange(lines // 3)
        to = self.drawn.randrange(50)
        if place == "far apart":
            to = lines - 1 - self.drawn.randrange(lines // 3)
        elif place == "same chunk":
            to = at + 5
        self.side("left", base, one, at, count, compacted != "no side")
        self.side("right", base, other, to, count, compacted == "both sides")
        for operation in OPERATIONS:
            self.join(operation, base, f"{place}, {count} commits, {compacted} compacted")

    def join(self, operation: str, base: str, what: str) -> None:
        git(self.where, "checkout", "-q", "-f", "-B", "try", "left")
        if operation == "merge":
            clean = self.try_git("merge", "-q", "--no-edit", "right")
        elif operation == "rebase":
            git(self.where, "checkout", "-q", "-f", "-B", "try", "right")
            clean = self.try_git("rebase", "-q", "left")
        else:
            clean = self.try_git("cherry-pick", "--keep-redundant-commits", f"{base}..right")
        self.counts[f"{operation}s"] += 1
        if not clean:
            conflicts = git(self.where, "diff", "--name-only", "--diff-filter=U").split("\n")
            if any(path.startswith(".search") for path in conflicts) or conflicts == [""]:
                raise RuntimeError(f"{operation} of {what} at {base}: {conflicts}")
            self.counts["source conflicts"] += 1
            self.try_git(operation, "--abort")
            return
        self.counts["clean"] += 1
        tree = index_tree(self.location)
        self.counts["covered at once"] += not uncovered(tree)
        self.commit("next")
        tree = index_tree(self.location)
        missing = uncovered(tree)
        if missing:
            raise RuntimeError(f"{operation} of {what} at {base}: not covered {missing}")


def main(argv: Sequence[str]) -> int:
    """Join the pairs, and print what happened."""
    parser = argparse.ArgumentParser(prog="python -m bench merges", description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        pairs = Pairs(options.clone.resolve(), options.commits, Path(folder) / "work", options.seed)
        kinds = itertools.cycle(itertools.product(PLACES, COMMITS, COMPACTED))
        for place, count, compacted in itertools.islice(kinds, options.pairs):
            pairs.pair(place, count, compacted)
    seconds = time.monotonic() - begun
    print(f"{options.clone.name}: {options.pairs} pairs, seed {options.seed}, {seconds:.0f} s")
    for name, number in sorted(pairs.counts.items()):
        print(f"  {name}: {number}")
    print("  conflicts inside .search/: 0; files uncovered after the next commit: 0")
    return 0
