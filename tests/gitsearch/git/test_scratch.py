"""A work tree that is thrown away: nobody's hooks run for it, and nothing of it stays."""

from __future__ import annotations

import pytest

from gitsearch.git.location import locate
from gitsearch.git.scratch import commit_index, scratch, start_from
from gitsearch.git.staging import stage, write_blob
from tests.conftest import Work

HOOKS = (
    "post-checkout reference-transaction post-index-change pre-commit prepare-commit-msg commit-msg"
    " post-commit post-rewrite post-merge"
).split()
AUTHOR = ("Somebody", "somebody@example.org")


@pytest.fixture
def repository(work: Work) -> Work:
    work.write("a.txt", "a\n")
    work.write("b.txt", "b\n")
    work.git("add", "-A")
    work.commit("first")
    return work


def note_hooks(work: Work) -> None:
    """Every hook notes its name, in the folder that ``core.hooksPath`` names."""
    for hook in HOOKS:
        path = work.write(f".git/own/{hook}", f"#!/bin/sh\necho {hook} >> {work.path}/.git/ran\n")
        path.chmod(0o755)
    work.git("config", "core.hooksPath", f"{work.path}/.git/own")


def ran(work: Work) -> str:
    path = work.path / ".git/ran"
    return path.read_text() if path.exists() else ""


def test_no_hook_of_the_person_runs_for_what_is_thrown_away(repository: Work) -> None:
    """post-index-change ran: reading a tree and writing one rewrite the scratch's git index."""
    note_hooks(repository)
    head = repository.git("rev-parse", "HEAD")
    assert ran(repository) == ""
    with scratch(locate(repository.path)) as work:
        assert ran(repository) == ""
        start_from(work, head)
        assert ran(repository) == ""
        entry = f"100644,{write_blob(work, b'c')},c.txt"
        quietly = ["git", "-c", "core.hooksPath=/dev/null", "update-index", "--add"]
        assert repository.run(*quietly, "--cacheinfo", entry, cwd=work.root).code == 0
        commit_index(work, head, "message", AUTHOR)
        assert ran(repository) == ""
    assert ran(repository) == ""


def test_its_commits_stay_and_its_folder_and_the_persons_state_do_not(repository: Work) -> None:
    repository.write("a.txt", "edited\n")
    repository.write("staged.txt", "staged\n")
    repository.git("add", "staged.txt")
    before = (repository.git("status", "--porcelain"), repository.git("branch", "-v"))
    head = repository.git("rev-parse", "HEAD")
    with scratch(locate(repository.path)) as work:
        folder = work.root
        assert [path.name for path in folder.iterdir()] == [".git"]
        start_from(work, head)
        stage(work, [("c.txt", write_blob(work, b"c\n"))], ["b.txt"])
        made = commit_index(work, head, "message", AUTHOR)
        start_from(work, head)
        again = commit_index(work, made, "nothing new", AUTHOR)
    assert not folder.exists()
    assert repository.git("worktree", "list").count("\n") == 0
    assert (repository.git("status", "--porcelain"), repository.git("branch", "-v")) == before
    assert repository.git("ls-tree", "--name-only", made).split() == ["a.txt", "c.txt"]
    assert repository.git("ls-tree", "--name-only", again).split() == ["a.txt", "b.txt"]
    shown = repository.git("log", "-1", "--format=%an <%ae> %cn <%ce> %s %P", made)
    who = "Somebody <somebody@example.org>"
    assert shown == f"{who} {who} message {head}"


def test_it_is_gone_after_an_error_too(repository: Work) -> None:
    folders = []

    def fail() -> None:
        with scratch(locate(repository.path)) as work:
            folders.append(work.root)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [folder.exists() for folder in folders] == [False]
    assert repository.git("worktree", "list").count("\n") == 0
