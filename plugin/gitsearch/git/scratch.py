"""A work tree of its own for commits that must not touch the one that is checked out."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gitsearch.git.location import Location, locate
from gitsearch.git.process import GitError, run

#: Nothing of the person's runs for what is thrown away.
_NO_HOOKS = ["-c", "core.hooksPath=/dev/null"]


@contextlib.contextmanager
def scratch(location: Location) -> Iterator[Location]:
    """A linked work tree with nothing checked out; gone at the end, its commits stay."""
    with tempfile.TemporaryDirectory(prefix="git-search-") as folder:
        place = str(Path(folder) / "work")
        add = ["worktree", "add", "--quiet", "--no-checkout", "--detach", place, "HEAD"]
        run([*_NO_HOOKS, *add], location.root)
        try:
            yield locate(Path(place))
        finally:
            with contextlib.suppress(GitError):
                run(["worktree", "remove", "--force", place], location.root)


def start_from(work: Location, commit: str) -> None:
    """Make the git index that of a commit, whatever it was."""
    run([*_NO_HOOKS, "read-tree", commit], work.root)


def commit_index(work: Location, parent: str, message: str, author: tuple[str, str]) -> str:
    """Commit the git index on top of a commit; returns the new commit's name. No hook runs."""
    name, email = author
    who = {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
    }
    tree = run([*_NO_HOOKS, "write-tree"], work.root).decode().strip()
    command = ["commit-tree", tree, "-p", parent, "-m", message]
    return run(command, work.root, extra=who).decode().strip()
