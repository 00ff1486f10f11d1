"""The repositories that benchmarks search, each at its pinned commit."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gitsearch.config import Config
from gitsearch.edits import Edits
from gitsearch.git.listing import list_revision
from gitsearch.git.location import Location, locate
from gitsearch.tree import Tree
from hybridindex.errors import SearchError
from hybridindex.types import Fingerprint, Method


@dataclass(frozen=True)
class Corpus:
    """One commit of a clone. ``include`` are patterns as in ``.gitignore``; empty takes all."""

    name: str
    location: Location
    commit: str
    include: tuple[str, ...] = ()

    def tree(self, fingerprint: Fingerprint, chunking: Method) -> Tree:
        """The commit as the product reads one, as if it were configured so.

        Nothing is checked out: the objects of the clone are read, so its work tree may be of
        another commit, or edited.
        """
        config = Config.of(fingerprint, chunking, self.include)
        entries = list_revision(self.location, self.commit)
        return Tree(self.location, entries, Edits(), config, self.commit)


def open_corpus(folder: Path, name: str, commit: str, include: Sequence[str] = ()) -> Corpus:
    """The clone in ``folder`` at ``commit`` (a full object name).

    Raises SearchError where there is no clone or it does not have exactly that commit.
    """
    if not (folder / ".git").exists() and not (folder / "HEAD").exists():
        raise SearchError(f"there is no clone in {folder}", f"git clone … {folder}")
    location = locate(folder)
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.stdout.strip() != commit:
        raise SearchError(
            f"the clone in {folder} does not have commit {commit}",
            f"git -C {folder} fetch origin {commit}",
        )
    return Corpus(name, location, commit, tuple(include))
