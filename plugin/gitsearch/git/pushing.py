"""Sends commits to a remote, and learns what others sent in between."""

from __future__ import annotations

from collections.abc import Sequence

from gitsearch.git.location import Location
from gitsearch.git.process import GitError, run, start

#: What git says where somebody else was faster; every other refusal is a person's decision.
_OUTRUN = (b"fetch first", b"non-fast-forward", b"cannot lock ref", b"failed to update ref")


def push(
    location: Location,
    commit: str,
    branch: str,
    *,
    force: bool = False,
    options: Sequence[str] = (),
) -> bool:
    """Make a commit the tip of a branch of ``origin``; False where somebody else was faster.

    Raises GitError where the remote refuses for another reason.
    """
    refspec = f"{'+' if force else ''}{commit}:refs/heads/{branch}"
    given = [f"--push-option={option}" for option in options]
    # No pre-push hook of the clone: it would test what is not checked out.
    command = ["push", "--porcelain", "--no-verify", *given, "origin", refspec]
    process = start(command, location.root)
    output, said = process.communicate()
    if process.returncode == 0:
        return True
    if any(word in output + said for word in _OUTRUN):
        return False
    lines = (said + output).decode("utf-8", "replace").strip().splitlines()
    reason = next((line for line in lines if "!" in line or "rror" in line), "".join(lines[:1]))
    raise GitError(
        f"the push to {branch} was refused: {reason.strip()}",
        "let the job write to the repository (`contents: write`), or use `push: pr`",
    )


def fetch_tip(location: Location, branch: str) -> str:
    """Fetch a branch of ``origin``; returns the name of its newest commit. Raises GitError."""
    run(["fetch", "--quiet", "--no-tags", "origin", f"refs/heads/{branch}"], location.root)
    return run(["rev-parse", "FETCH_HEAD^{commit}"], location.root).decode().strip()


def commit_author(location: Location, commit: str) -> str:
    """The author's address of a commit."""
    return run(["log", "-1", "--format=%ae", commit], location.root).decode().strip()


def changed_by(location: Location, commit: str) -> list[str]:
    """Paths that a commit changed against its first parent, as git quotes them."""
    named = run(["rev-list", "--parents", "-1", commit], location.root).decode().split()
    # Of a merge, diff-tree alone tells what differs from any parent, whatever option it is given.
    sides = [named[1], named[0]] if len(named) > 1 else named
    command = ["diff-tree", "--root", "-r", "--no-commit-id", "--name-only", "--no-renames"]
    return run([*command, *sides], location.root).decode("utf-8", "replace").splitlines()
