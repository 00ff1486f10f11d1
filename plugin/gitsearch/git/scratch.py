"""A work tree of its own for commits that must not touch the one that is checked out."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gitsearch.git.process import GitError, run
from gitsearch.git.repository import Repository, find_repository

#: Nothing of the person's runs for what is thrown away.
_NO_HOOKS = ["-c", "core.hooksPath=/dev/null"]


@contextlib.contextmanager
def scratch(repository: Repository) -> Iterator[Repository]:
    """A linked work tree with nothing checked out; gone at the end, its commits stay."""
    with tempfile.TemporaryDirectory(prefix="git-search-") as folder:
        place = str(Path(folder) / "work")
        add = ["worktree", "add", "--quiet", "--no-checkout", "--detach", place, "HEAD"]
        run([*_NO_HOOKS, *add], repository.root)
        try:
            yield find_repository(Path(place))
        finally:
            with contextlib.suppress(GitError):
                run(["worktree", "remove", "--force", place], repository.root)


def start_from(work: Repository, commit: str) -> None:
    """Make the git index that of a commit, whatever it was."""
    run(["read-tree", commit], work.root)


def commit_index(work: Repository, parent: str, message: str, author: tuple[str, str]) -> str:
    """Commit the git index on top of a commit; returns the new commit's name. No hook runs."""
    name, email = author
    who = {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
    }
    tree = run(["write-tree"], work.root).decode().strip()
    command = ["commit-tree", tree, "-p", parent, "-m", message]
    return run(command, work.root, extra=who).decode().strip()
