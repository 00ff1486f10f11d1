"""A random walk of git operations over an indexed repository.

Commits, amends, merges, rebases, cherry-picks and reverts (of compactions too), squashes, commits
without the hook, compactions on any branch. Merges run in git's own merge-ort. After every commit
or amend with the hook coverage must be full; nothing inside .search/ may ever conflict. Conflicts
of the sources themselves are resolved by taking one side, as a person would, and committed.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from pathlib import Path

from bench.growth import FINGERPRINT
from bench.seeded import SeededEncoder
from gitsearch.git.location import locate
from gitsearch.maintaining.compacting import compact_tree
from gitsearch.maintaining.initialising import initialise
from gitsearch.maintaining.updating import update
from gitsearch.tree import index_tree
from hybridindex.indexing import uncovered
from hybridindex.vectors import LocalVectors

BRANCHES = ("main", "a", "b", "c")
FILES = tuple(f"src/f{i}.py" for i in range(12))


class Conflict(Exception):
    """Something inside .search/ conflicted."""


class Walk:
    """One repository and the operations on it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.drawn = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.serial = 0
        self.git("init", "-q", "-b", "main")
        for name, value in (("user.name", "w"), ("user.email", "w@w"), ("gc.auto", "0")):
            self.git("config", name, value)
        self.location = locate(folder)
        self.local = LocalVectors(folder / ".git/vectors", FINGERPRINT)
        for path in FILES:
            self.edit(path, whole=True)
        self.git("add", "-A")
        initialise(self.location, FINGERPRINT)
        self.commit("first")
        self.commit("second")  # so that no amend replaces the root that all branches share
        for branch in BRANCHES[1:]:
            self.git("branch", branch)

    def git(self, *arguments: str, may_fail: bool = False) -> bool:
        env = {**os.environ, "HOME": str(self.folder), "GIT_EDITOR": "true"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, capture_output=True, check=False, env=env
        )
        if done.returncode and not may_fail:
            raise RuntimeError(f"{arguments}: {done.stdout!r} {done.stderr!r}")
        self.last = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
        return done.returncode == 0

    def out(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace").strip()

    def unmerged(self) -> list[str]:
        """Paths in conflict."""
        listed = self.out("diff", "--name-only", "--diff-filter=U").split("\n")
        return [path for path in listed if path]

    def edit(self, path: str, whole: bool = False) -> None:
        """Change a function of a file, add one, or make the file anew."""
        where = self.folder / path
        self.serial += 1
        new = f"def f{self.serial}(a):\n" + "".join(
            f"    # step {self.drawn.randrange(10**6)} of {self.serial}\n" for _ in range(14)
        ) + f"    return a + {self.serial}\n\n\n"  # fmt: skip
        if whole or not where.exists():
            where.parent.mkdir(exist_ok=True)
            where.write_text(
                new * 1 + new.replace("def f", "def g") + new.replace("def f", "def h")
            )
            return
        functions = [f for f in where.read_text().split("\n\n\n") if f.strip()]
        at = self.drawn.randrange(len(functions) + 1)
        if at < len(functions) and self.drawn.random() < 0.8:
            functions[at] = new.strip("\n")
        elif len(functions) < 12:
            functions.insert(at, new.strip("\n"))
        where.write_text("\n\n\n".join(functions) + "\n\n\n")

    def hook(self) -> None:
        """What pre-commit does, in this process; then what must hold."""
        tree = index_tree(self.location)
        update(tree, lambda _: SeededEncoder(FINGERPRINT), self.local)
        tree = index_tree(self.location)
        missing = uncovered(tree)
        if missing:
            raise RuntimeError(f"not covered after the hook: {missing}")

    def commit(self, message: str, *options: str, hooked: bool = True) -> None:
        if hooked:
            self.hook()
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)

    def settle(self, resume: str) -> None:
        """After an operation that stopped: nothing of ours may be in conflict."""
        for _ in range(40):
            unmerged = [
                p for p in self.out("diff", "--name-only", "--diff-filter=U").split("\n") if p
            ]
            if any(path.startswith(".search") for path in unmerged):
                raise Conflict(f"{resume}: {unmerged}")
            for path in unmerged:
                if not self.git("checkout", "--theirs", "--", path, may_fail=True):
                    self.git("rm", "-q", "--", path, may_fail=True)
                else:
                    self.git("add", "--", path)
            self.counts["source conflicts resolved"] += bool(unmerged)
            if resume == "commit":
                self.commit("resolved")
                return
            self.hook()  # what `commit` would run on `--continue`
            if self.git(resume, "--continue", may_fail=True):
                return
            if not (self.folder / ".git/rebase-merge").exists() and not any(
                (self.folder / ".git" / name).exists()
                for name in ("CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-apply")
            ):
                return
            if not self.unmerged():
                self.git(resume, "--skip", may_fail=True)
        raise RuntimeError(f"{resume} did not end: {self.last}")

    def some_commit(self) -> str:
        # Not the first one: whoever reverts it takes the index out, and may.
        chosen = ("--no-merges", "--min-parents=1", "--max-count=40", "--all")
        commits = self.out("rev-list", *chosen).split("\n")
        return self.drawn.choice(commits)

    def step(self) -> None:
        """One operation."""
        self.git("checkout", "-q", self.drawn.choice(BRANCHES))
        operation = self.drawn.choices(
            ("commit", "no-verify", "amend", "merge", "squash", "rebase", "pick", "revert",
             "compact", "rename", "delete", "octopus"),
            (30, 6, 8, 14, 4, 6, 10, 6, 5, 4, 3, 2),
        )[0]  # fmt: skip
        self.counts[operation] += 1
        other = self.drawn.choice(BRANCHES)
        if operation in ("commit", "no-verify", "amend"):
            for _ in range(self.drawn.randrange(1, 4)):
                self.edit(self.drawn.choice(FILES))
            self.git("add", "-A")
            options = ("--amend",) if operation == "amend" else ()
            self.commit(operation, *options, hooked=operation != "no-verify")
        elif operation == "merge":
            if not self.git("merge", "-q", "--no-edit", other, may_fail=True):
                self.settle("commit")
        elif operation == "octopus":
            others = self.drawn.sample(BRANCHES, 2)
            if not self.git("merge", "-q", "--no-edit", *others, may_fail=True):
                self.git("reset", "-q", "--hard")
        elif operation == "squash":
            if self.git("merge", "-q", "--squash", other, may_fail=True):
                self.commit("squash")
            else:
                self.settle("commit")
        elif operation == "rebase":
            backend = "--apply" if self.drawn.random() < 0.3 else "--merge"
            base = self.out("merge-base", "HEAD", other)
            if int(self.out("rev-list", "--count", f"{base}..HEAD")) > 25:
                return  # a rebase of hundreds of commits is no operation of daily life
            if not self.git("rebase", "-q", backend, other, may_fail=True):
                self.settle("rebase")
        elif operation in ("pick", "revert"):
            name, option = "revert", "--no-edit"
            if operation == "pick":
                name, option = "cherry-pick", "--keep-redundant-commits"
            if not self.git(name, option, self.some_commit(), may_fail=True):
                self.settle(name)
        elif operation == "compact":
            keep = self.drawn.choice((0, 10, 100))
            compact_tree(index_tree(self.location), self.drawn.choice((2, 8, 24)), keep)
            self.commit("compact")
        else:
            tracked = self.out("ls-files", "src").split("\n")
            if len(tracked) > 4:
                path = self.drawn.choice(tracked)
                if operation == "rename":
                    self.git("mv", path, f"src/r{self.serial}.py")
                    self.serial += 1
                else:
                    self.git("rm", "-q", path)
                self.commit(operation)
        if self.unmerged():
            raise RuntimeError(f"{operation} left a conflict")
        self.git("reset", "-q", "--hard")
        self.git("clean", "-qfd")
