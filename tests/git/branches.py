"""Branches to merge, rebase and pick, over a file that two commits can change far apart."""

from __future__ import annotations

from tests.conftest import Work
from tests.git.seen import assert_whole, function

#: A file long enough that its first and last function change in separate hunks.
LONG = "".join(function(f"part_{i}") for i in range(4))


def branch(work: Work, name: str, path: str, text: str, start: str = "main") -> None:
    """A branch with one commit that writes one file; the hook indexes it."""
    work.git("checkout", "-q", "-b", name, start)
    work.write(path, text)
    work.git("add", "-A")
    work.commit(name)
    work.git("checkout", "-q", "main")


def apart(work: Work) -> None:
    """Branch ``right`` and main change one file far apart."""
    branch(work, "right", "src/long.py", replaced("part_3", "right_name"))
    work.write("src/long.py", replaced("part_0", "left_name"))
    work.commit("left", "-a")


def replaced(old: str, new: str, text: str = LONG) -> str:
    """The long file with another function in the place of one."""
    return text.replace(function(old), function(new))


def heal(work: Work) -> None:
    """Any next commit makes the index whole."""
    work.commit("next", "--allow-empty")
    assert_whole(work)
