"""What must hold after every git command: looked up in the commit itself, and asked for."""

from __future__ import annotations

from gitsearch.answering import Answer, Question, answer
from gitsearch.git.repository import Repository, find_repository
from gitsearch.git.settings import read_settings, start_settings
from gitsearch.model import question_encoder
from gitsearch.status import Status, status_of
from gitsearch.tree import revision_tree
from tests.conftest import Work


def state(work: Work, revision: str = "HEAD") -> Status:
    """The index of a commit as git has it: no file of the work tree is looked at."""
    here = find_repository(work.path)
    bare = Repository(here.git_dir, here.git_dir, here.common_dir, True, "")
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


def _ask(work: Work, question: Question) -> Answer:
    # Without a process of its own, whose start would cost more than all the rest.
    repository = find_repository(work.path)
    settings = read_settings(start_settings(repository))
    found = answer(repository, question, lambda tree: question_encoder(tree, settings))
    assert found.notes == []
    return found


def coverage_found(
    work: Work, name: str, path: str, *, cached: bool = False, revision: str | None = None
) -> float:
    """Ask for a name; the right lines must come first. Returns the coverage that is told."""
    found = _ask(work, Question(name, count=3, cached=cached, revision=revision))
    assert found.hits, name
    assert found.hits[0].path == path, found
    assert name in "\n".join(found.snippets[0].lines), found
    return found.coverage.share


def assert_absent(work: Work, name: str) -> None:
    """Ask for a name; no line with it may come."""
    found = _ask(work, Question(name, mode="keyword", context=0))
    assert not any(name in line for snippet in found.snippets for line in snippet.lines)


def function(name: str, value: int = 1) -> str:
    """A chunk of its own: long enough that the chunker does not join it with its neighbour."""
    lines = "".join(f"    total = total + {name}_{i} * {value}\n" for i in range(28))
    return f"def {name}(total):\n{lines}    return total\n\n\n"
