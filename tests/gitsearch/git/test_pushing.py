"""Commits sent to a remote, among others who send theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.git.process import GitError
from gitsearch.git.pushing import changed_by, commit_author, fetch_tip, push
from tests.conftest import Work


@pytest.fixture
def origin(work: Work, tmp_path: Path) -> Work:
    """A bare remote of the repository, whose ``main`` is pushed."""
    bare = tmp_path / "origin.git"
    work.git("init", "-q", "--bare", str(bare))
    work.git("remote", "add", "origin", str(bare))
    commit(work, "a.txt")
    work.git("push", "-q", "origin", "main")
    return Work(bare)


def commit(work: Work, path: str, *options: str) -> str:
    work.write(path, path)
    work.git("add", "-A")
    return work.commit(path, *options)


def hook(work: Work, name: str, script: str) -> None:
    path = work.write(f"hooks/{name}", f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_commit_becomes_the_tip_and_no_hook_of_the_clone_runs(work: Work, origin: Work) -> None:
    made = commit(work, "b.txt")
    (work.path / ".git/hooks").mkdir(exist_ok=True)
    path = work.path / ".git/hooks/pre-push"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    assert push(locate(work.path), made, "main")
    assert origin.git("rev-parse", "main") == made
    assert fetch_tip(locate(work.path), "main") == made


def test_who_was_faster_is_told_from_who_refuses(work: Work, origin: Work) -> None:
    location = locate(work.path)
    base = work.git("rev-parse", "HEAD")
    theirs = commit(work, "theirs.txt")
    assert push(location, theirs, "main")
    work.git("reset", "-q", "--hard", base)
    ours = commit(work, "ours.txt")
    assert push(location, ours, "main") is False
    assert origin.git("rev-parse", "main") == theirs
    assert push(location, ours, "main", force=True)
    assert origin.git("rev-parse", "main") == ours
    hook(origin, "pre-receive", "echo protected >&2; exit 1")
    with pytest.raises(GitError, match="the push to main was refused: ") as caught:
        push(location, commit(work, "more.txt"), "main")
    assert "contents: write" in caught.value.hint


def test_options_reach_the_remote(work: Work, origin: Work) -> None:
    origin.git("config", "receive.advertisePushOptions", "true")
    hook(origin, "pre-receive", f'echo "$GIT_PUSH_OPTION_0" > {origin.path}/seen')
    assert push(locate(work.path), commit(work, "b.txt"), "main", options=["ci.skip"])
    assert (origin.path / "seen").read_text() == "ci.skip\n"


def test_a_branch_that_is_not_there_has_no_tip(work: Work, origin: Work) -> None:
    with pytest.raises(GitError):
        fetch_tip(locate(work.path), "nowhere")


def test_who_wrote_a_commit_and_what_it_changed(work: Work, origin: Work) -> None:
    location = locate(work.path)
    root = work.git("rev-parse", "HEAD")
    assert changed_by(location, root) == ["a.txt"]
    made = commit(work, "sub/b.txt", "--author", "Bot <bot@example.org>")
    assert commit_author(location, made) == "bot@example.org"
    assert commit_author(location, root) == "tester@example.org"
    assert changed_by(location, made) == ["sub/b.txt"]
    work.git("checkout", "-q", "-b", "side", root)
    commit(work, "side.txt")
    work.git("checkout", "-q", "main")
    work.git("merge", "-q", "--no-ff", "--no-edit", "side")
    assert changed_by(location, "HEAD") == ["side.txt"]
    assert changed_by(location, work.commit("nothing", "--allow-empty")) == []
