"""Every way ``git commit`` can be told what to commit, with the hook on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Ran, Work
from tests.git.seen import assert_clean, assert_whole, coverage_found, function, missing, state

RETRY = PROJECT["src/retry.py"]


def in_commit(work: Work) -> list[str]:
    return work.git("show", "--name-only", "--format=", "HEAD").split("\n")


def edit(work: Work, name: str, path: str = "src/retry.py") -> None:
    work.write(path, function(name))


def test_all(indexed: Work) -> None:
    edit(indexed, "fresh")
    (indexed.path / "docs/retry.md").unlink()
    (indexed.path / "src/cache.go").chmod(0o755)
    indexed.commit("all", "-a")
    assert_whole(indexed)
    assert coverage_found(indexed, "fresh", "src/retry.py") == 1.0


def test_paths_alone(indexed: Work) -> None:
    """What was staged before stays staged, and the next commit deletes nothing."""
    edit(indexed, "staged", "src/staged.py")
    indexed.git("add", "src/staged.py")
    edit(indexed, "fresh")
    indexed.git("commit", "-q", "-m", "one path", "--", "src/retry.py")
    assert "src/staged.py" not in in_commit(indexed)
    assert_whole(indexed, "A  src/staged.py")
    assert coverage_found(indexed, "fresh", "src/retry.py", revision="HEAD") == 1.0
    indexed.commit("the rest")
    assert_whole(indexed)
    assert coverage_found(indexed, "staged", "src/staged.py") == 1.0


def test_paths_alone_from_a_subfolder(indexed: Work) -> None:
    edit(indexed, "fresh")
    ran = indexed.run("git", "commit", "-q", "-m", "x", "--", "retry.py", cwd=indexed.path / "src")
    assert ran.code == 0, ran
    assert_whole(indexed)


def test_paths_included(indexed: Work) -> None:
    edit(indexed, "staged", "src/staged.py")
    indexed.git("add", "src/staged.py")
    edit(indexed, "fresh")
    indexed.commit("both", "-i", "src/retry.py")
    assert {"src/staged.py", "src/retry.py"} < set(in_commit(indexed))
    assert_whole(indexed)


def test_amend(indexed: Work) -> None:
    edit(indexed, "first")
    indexed.commit("first", "-a")
    before = indexed.segments()
    edit(indexed, "second")
    indexed.commit("second", "-a", "--amend")
    assert_whole(indexed)
    assert coverage_found(indexed, "second", "src/retry.py") == 1.0
    # Only a word of the message: nothing is added.
    segments = indexed.segments()
    indexed.commit("third", "--amend")
    assert indexed.segments() == segments
    assert_whole(indexed)
    assert set(before) & set(segments)


def test_a_partially_staged_file(indexed: Work) -> None:
    """The commit speaks of what is staged, the search of what is on disk; nothing is lost."""
    edit(indexed, "staged")
    indexed.git("add", "src/retry.py")
    on_disk = function("staged") + function("unstaged")
    indexed.write("src/retry.py", on_disk)
    indexed.commit("partly")
    assert_whole(indexed, " M src/retry.py")
    assert (indexed.path / "src/retry.py").read_text() == on_disk
    coverage_found(indexed, "unstaged", "src/retry.py")
    assert indexed.search("--mode", "keyword", "--cached", "unstaged").code == 1


def test_a_file_that_is_only_to_be_added(indexed: Work) -> None:
    """``add -N`` stages a name without content: no commit has it, the search does."""
    edit(indexed, "intended", "src/intended.py")
    indexed.git("add", "-N", "src/intended.py")
    segments = indexed.segments()
    assert coverage_found(indexed, "intended", "src/intended.py") < 1.0
    indexed.commit("nothing", "--allow-empty")
    assert indexed.segments() == segments
    assert_whole(indexed, " A src/intended.py")
    indexed.commit("all", "-a")
    assert_whole(indexed)
    assert coverage_found(indexed, "intended", "src/intended.py") == 1.0


def test_an_empty_file_costs_no_segment(indexed: Work) -> None:
    segments = indexed.segments()
    indexed.write("src/__init__.py", "")
    indexed.git("add", "-A")
    indexed.commit("package")
    assert indexed.segments() == segments
    assert state(indexed).skipped["src/__init__.py"] == "empty"
    assert_whole(indexed)


def test_no_verify(indexed: Work) -> None:
    edit(indexed, "unseen")
    indexed.commit("quick", "-a", "--no-verify")
    assert missing(indexed) == ["src/retry.py"]
    assert_clean(indexed)
    coverage_found(indexed, "unseen", "src/retry.py")
    indexed.commit("next", "--allow-empty")
    assert_whole(indexed)
    assert coverage_found(indexed, "unseen", "src/retry.py") == 1.0
    assert coverage_found(indexed, "unseen", "src/retry.py", revision="HEAD") == 1.0


def test_a_subfolder_and_another_folder(indexed: Work, tmp_path: Path) -> None:
    """Git hands GIT_DIR, GIT_WORK_TREE and GIT_PREFIX to the hook in different forms."""
    for number, command in enumerate(
        (
            ["git", "-C", str(indexed.path / "src")],
            ["git", f"--git-dir={indexed.path}/.git", f"--work-tree={indexed.path}"],
        )
    ):
        edit(indexed, f"from_{number}")
        ran = indexed.run(*command, "commit", "-q", "-a", "-m", "x", cwd=tmp_path)
        assert ran.code == 0, ran
        assert_whole(indexed)


def test_an_index_of_ones_own(indexed: Work) -> None:
    """Programs that build a commit in an index of their own get their segment into it."""
    edit(indexed, "other", "src/other.py")
    mine = str(indexed.path / ".git/mine")
    for command in (["read-tree", "HEAD"], ["add", "src/other.py"], ["commit", "-q", "-m", "x"]):
        ran = indexed.run("git", *command, GIT_INDEX_FILE=mine)
        assert ran.code == 0, ran
    assert missing(indexed) == []
    indexed.git("reset", "-q")
    assert_whole(indexed)


def fail_after_ours(work: Work) -> Callable[[], Ran]:
    hook = work.path / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text() + "test ! -e .git/stop\n")
    (work.path / ".git/stop").touch()

    def commit() -> Ran:
        return work.run("git", "commit", "-m", "stopped")

    return commit


def leave_the_message_empty(work: Work) -> Callable[[], Ran]:
    return lambda: work.run("git", "commit", GIT_EDITOR="true")


@pytest.mark.parametrize("stop", [fail_after_ours, leave_the_message_empty])
def test_an_aborted_commit_leaves_nothing_for_the_next(
    indexed: Work, stop: Callable[[Work], Callable[[], Ran]]
) -> None:
    commit = stop(indexed)
    segments = indexed.segments()
    edit(indexed, "aborted")
    indexed.git("add", "-A")
    assert commit().code == 1
    assert indexed.git("log", "--format=%s", "-1") == "index"
    assert_clean_except_staged(indexed)
    # What was aborted is thought over, and something else is committed.
    (indexed.path / ".git/stop").unlink(missing_ok=True)
    edit(indexed, "instead")
    indexed.commit("instead", "-a")
    assert_whole(indexed)
    assert len(indexed.segments()) == len(segments) + 1
    assert len([path for path in in_commit(indexed) if path.startswith(".search/")]) == 1
    assert b"aborted" not in indexed.git("log", "-p", "--format=").encode()


def assert_clean_except_staged(work: Work) -> None:
    lines = work.git("status", "--porcelain").split("\n")
    assert all(line.startswith(("A  .search/segments/", "M  src/retry.py")) for line in lines)


def test_an_aborted_commit_that_is_tried_again(indexed: Work) -> None:
    stopped = fail_after_ours(indexed)
    edit(indexed, "again")
    indexed.git("add", "-A")
    assert stopped().code == 1
    (indexed.path / ".git/stop").unlink()
    indexed.commit("again")
    assert_whole(indexed)
    assert len(in_commit(indexed)) == 2


def test_an_aborted_commit_that_is_given_up(indexed: Work) -> None:
    """After a reset the segment is a stray file at most, and no later commit carries it."""
    stopped = fail_after_ours(indexed)
    edit(indexed, "given_up")
    indexed.git("add", "-A")
    assert stopped().code == 1
    indexed.git("reset", "-q")
    indexed.git("checkout", "-q", "--", "src/retry.py")
    (indexed.path / ".git/stop").unlink()
    edit(indexed, "other", "src/other.py")
    indexed.git("add", "-A")
    indexed.commit("other")
    assert_whole(indexed)
    assert len(in_commit(indexed)) == 2


def test_an_aborted_commit_of_everything(indexed: Work) -> None:
    """``commit -a`` works on an index of its own, which an abort throws away."""
    edit(indexed, "aborted")
    ran = indexed.run("git", "commit", "-a", GIT_EDITOR="true")
    assert ran.code == 1
    edit(indexed, "instead")
    indexed.git("add", "-A")
    indexed.commit("instead")
    assert_whole(indexed)
    assert len(in_commit(indexed)) == 2


def test_the_work_tree_is_not_touched(indexed: Work) -> None:
    """A hook must lose nothing: edits, new files, modes, and what is staged of other files."""
    edit(indexed, "staged", "src/staged.py")
    indexed.git("add", "src/staged.py")
    indexed.write("src/retry.py", RETRY + "# edited\n")
    indexed.write("untracked.py", "x = 1\n")
    files = {
        path: path.read_bytes()
        for path in indexed.path.rglob("*")
        if path.is_file() and ".git/" not in str(path)
    }
    indexed.commit("staged")
    assert all(path.read_bytes() == data for path, data in files.items())
    assert_whole(indexed, " M src/retry.py\n?? untracked.py")
