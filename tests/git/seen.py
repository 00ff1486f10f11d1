"""What must hold after every git command: looked up in the commit itself, and asked for."""

from __future__ import annotations

from gitsearch.git.location import Location, locate
from gitsearch.maintaining.status import Status, status_of
from gitsearch.repository import Repository
from gitsearch.tree import revision_tree
from hybridindex.searcher import Answer
from hybridindex.types import Mode
from tests.conftest import Work


def state(work: Work, revision: str = "HEAD") -> Status:
    """The index of a commit as git has it: no file of the work tree is looked at."""
    here = locate(work.path)
    bare = Location(here.git_dir, here.git_dir, here.common_dir, True, "")
    return status_of(revision_tree(bare, revision))


def missing(work: Work, revision: str = "HEAD") -> list[str]:
    """Source files of a commit that its own segments do not cover."""
    seen = state(work, revision)
    assert seen.damaged == {}
    assert seen.foreign == {}
    return list(seen.uncovered)


def assert_clean(work: Work, status: str = "") -> None:
    """``git status`` says what it should, and nothing of the index is in conflict."""
    assert work.git("status", "--porcelain") == status
    assert work.git("ls-files", "-u", "--", ".search") == ""


def assert_whole(work: Work, status: str = "") -> None:
    """The commit covers all of its files, and the work tree is as it should be."""
    assert missing(work) == []
    assert_clean(work, status)


def _ask(
    work: Work,
    name: str,
    *,
    mode: Mode = "hybrid",
    cached: bool = False,
    revision: str | None = None,
    context: int | None = None,
) -> Answer:
    # Without a process of its own, whose start would cost more than all the rest.
    with Repository(work.path) as repository:
        found = repository.search(
            name, count=10, mode=mode, cached=cached, revision=revision, context=context
        )
    assert found.notes == ()
    return found


def coverage_found(
    work: Work, name: str, path: str, *, cached: bool = False, revision: str | None = None
) -> float:
    """Ask for a name; the right lines must come first. Returns the coverage that is told."""
    found = _ask(work, name, cached=cached, revision=revision)
    assert found, name
    assert found[0].path == path, found
    assert name in str(found[0].snippet), found
    return found.coverage.share


def assert_absent(work: Work, name: str) -> None:
    """Ask for a name; no line with it may come."""
    found = _ask(work, name, mode="keyword", context=0)
    assert not any(name in str(hit.snippet) for hit in found)


def function(name: str, value: int = 1) -> str:
    """A chunk of its own: long enough that the chunker does not join it with its neighbour."""
    lines = "".join(f"    total = total + {name}_{i} * {value}\n" for i in range(28))
    return f"def {name}(total):\n{lines}    return total\n\n\n"
