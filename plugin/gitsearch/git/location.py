"""Finds the repository around a folder, and where its parts lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gitsearch.git.process import GitError, finish, start
from hybridindex.errors import SearchError

#: Our folder inside a git directory: databases, locks. Never committed, always disposable.
PRIVATE_FOLDER = "git-search"


class NoRepository(SearchError):
    """The command was not run inside a git repository."""


@dataclass(frozen=True)
class Location:
    """Where a repository's parts lie.

    ``root`` is the top of the work tree, or the git directory of a bare repository. ``git_dir``
    is this work tree's own, ``common_dir`` the one that all linked work trees share. ``prefix``
    is the current folder below ``root``, '' or ending in ``/``.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    bare: bool
    prefix: str

    @cached_property
    def private(self) -> Path:
        """Our folder for this work tree."""
        return self.git_dir / PRIVATE_FOLDER

    @cached_property
    def shared(self) -> Path:
        """Our folder for all work trees of the repository."""
        return self.common_dir / PRIVATE_FOLDER


def locate(folder: Path | None = None) -> Location:
    """The repository around ``folder`` (default: the current one). Raises NoRepository."""
    folder = folder or Path.cwd()
    asked = ["--is-bare-repository", "--is-inside-work-tree", "--git-dir", "--git-common-dir"]
    try:
        answer = finish(start(["rev-parse", *asked, "--show-cdup"], folder))
    except GitError as error:
        if "not a git repository" in error.problem:
            raise NoRepository(
                f"{folder} is not in a git repository", "run it inside one, or `git init` first"
            ) from error
        raise
    lines = [os.fsdecode(line) for line in answer.split(b"\n")]
    bare, inside, git_dir, common_dir, up = (*lines, "", "", "", "", "")[:5]
    here = folder.resolve()
    where, common = (here / git_dir).resolve(), (here / common_dir).resolve()
    if inside == "true":
        root = (here / up).resolve()
        prefix = "" if here == root else f"{here.relative_to(root).as_posix()}/"
        return Location(root, where, common, False, prefix)
    if bare == "true":
        return Location(where, where, common, True, "")
    raise NoRepository(
        f"{folder} is inside a git directory, not a work tree", "run it in the work tree"
    )
