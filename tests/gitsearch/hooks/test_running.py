"""What the hooks do, run as git runs them but in this process."""

from __future__ import annotations

import pytest

from gitsearch.git.location import locate
from gitsearch.git.staging import stage, write_blob
from gitsearch.hooks.running import HOOKS, main, post_commit, pre_commit
from tests.conftest import Work


@pytest.fixture
def committed(indexed: Work, monkeypatch: pytest.MonkeyPatch) -> tuple[Work, str]:
    """A commit that added a segment, whose path comes second."""
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    indexed.commit("new")
    monkeypatch.chdir(indexed.path)
    added = indexed.git("show", "--name-only", "--format=", "--diff-filter=A", "HEAD").split("\n")
    (segment,) = [path for path in added if path.endswith(".seg")]
    return indexed, segment


def entry(work: Work, path: str) -> str:
    return work.git("ls-files", "-s", path)


def test_post_commit_puts_back_what_the_index_lost(committed: tuple[Work, str]) -> None:
    work, segment = committed
    before = entry(work, segment)
    work.git("rm", "-q", "--cached", segment)
    assert entry(work, segment) == ""
    assert post_commit() == 0
    assert entry(work, segment) == before
    assert work.git("status", "--porcelain") == ""


def test_post_commit_leaves_alone_what_the_index_has(committed: tuple[Work, str]) -> None:
    """What is staged for the next commit is somebody's, whatever it is."""
    work, segment = committed
    location = locate(work.path)
    stage(location, [(segment, write_blob(location, b"other bytes"))])
    staged = entry(work, segment)
    assert post_commit() == 0
    assert entry(work, segment) == staged


def test_pre_commit_tells_outside_of_a_commit_what_was_missing(
    committed: tuple[Work, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    work, _ = committed
    assert pre_commit() == 0
    work.write("src/more.py", "def more():\n    return 1\n")
    work.git("add", "-A")
    assert pre_commit() == 1
    assert "1 file, 1 chunk embedded" in capfd.readouterr().err
    assert pre_commit() == 0
    work.write("src/still.py", "def still():\n    return 1\n")
    work.git("add", "-A")
    monkeypatch.setenv("GIT_INDEX_FILE", str(work.path / ".git/index"))
    assert pre_commit() == 0
    assert "1 file" in capfd.readouterr().err


def test_only_these_hooks_are_known(capfd: pytest.CaptureFixture[str]) -> None:
    assert sorted(HOOKS) == ["post-commit", "post-merge", "post-rewrite", "pre-commit"]
    assert main([]) == 2
    assert main(["pre-merge-commit"]) == 2
    assert "there is no hook 'pre-merge-commit'" in capfd.readouterr().err
