"""Merges of every kind: no conflict in the index, right answers at once, whole after a commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Work
from tests.git.branches import branch, heal, replaced
from tests.git.seen import (
    assert_absent,
    assert_clean,
    assert_whole,
    coverage_found,
    function,
    missing,
)


def test_true_merge_of_different_files(indexed: Work) -> None:
    branch(indexed, "left", "src/left.py", function("left_name"))
    branch(indexed, "right", "src/right.py", function("right_name"))
    indexed.git("merge", "-q", "left")
    indexed.git("merge", "-q", "--no-ff", "-m", "merge", "right")
    assert_whole(indexed)
    assert coverage_found(indexed, "left_name", "src/left.py") == 1.0
    assert coverage_found(indexed, "right_name", "src/right.py") == 1.0


def test_true_merge_of_one_file_changed_far_apart(long: Work) -> None:
    """What the merge made nobody has indexed yet: told as coverage, found at once."""
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "right", "src/long.py", replaced("part_3", "right_name"))
    long.git("merge", "-q", "left")
    long.git("merge", "-q", "-m", "merge", "right")
    assert missing(long) == ["src/long.py"]
    assert_clean(long)
    assert coverage_found(long, "left_name", "src/long.py") < 1.0
    coverage_found(long, "right_name", "src/long.py")
    # Both vectors came with the branches: the next commit writes a file record alone.
    ran = long.run("git", "commit", "--allow-empty", "-m", "next")
    assert "1 file, 0 chunks embedded" in ran.err
    assert_whole(long)
    assert coverage_found(long, "right_name", "src/long.py") == 1.0


def test_fast_forward(indexed: Work) -> None:
    branch(indexed, "left", "src/left.py", function("left_name"))
    indexed.git("merge", "-q", "--ff-only", "left")
    assert_whole(indexed)
    assert coverage_found(indexed, "left_name", "src/left.py") == 1.0


def test_squash(long: Work) -> None:
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "more", "src/more.py", function("more_name"), start="left")
    branch(long, "right", "src/long.py", replaced("part_3", "right_name"))
    long.git("merge", "-q", "right")
    long.git("merge", "-q", "--squash", "more")
    long.commit("squashed")
    assert_whole(long)
    assert coverage_found(long, "more_name", "src/more.py") == 1.0
    coverage_found(long, "left_name", "src/long.py")


def test_octopus(indexed: Work) -> None:
    names = ("one", "two", "three")
    for name in names:
        branch(indexed, name, f"src/{name}.py", function(f"{name}_name"))
    indexed.git("commit", "-q", "--allow-empty", "-m", "main goes on")
    indexed.git("merge", "-q", "-m", "octopus", *names)
    assert len(indexed.git("rev-parse", "HEAD^@").split("\n")) == 4
    assert_whole(indexed)
    assert coverage_found(indexed, "two_name", "src/two.py") == 1.0


def test_conflicted_merge_then_commit(long: Work) -> None:
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "right", "src/long.py", replaced("part_0", "right_name"))
    long.git("merge", "-q", "left")
    long.git("merge", "-q", "right", code=1)
    conflicted = long.git("diff", "--name-only", "--diff-filter=U").split("\n")
    assert conflicted == ["src/long.py"]
    # In the middle of it a question is answered all the same, from the file on disk.
    coverage_found(long, "right_name", "src/long.py")
    long.write("src/long.py", replaced("part_0", "solved_name"))
    long.git("add", "src/long.py")
    long.git("commit", "-q", "--no-edit")
    assert_whole(long)
    assert coverage_found(long, "solved_name", "src/long.py") == 1.0


def test_conflicted_merge_given_up(long: Work) -> None:
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "right", "src/long.py", replaced("part_0", "right_name"))
    long.git("merge", "-q", "left")
    long.git("merge", "-q", "right", code=1)
    long.git("merge", "--abort")
    assert_whole(long)
    assert coverage_found(long, "left_name", "src/long.py") == 1.0


def test_merge_without_commit(long: Work) -> None:
    """The hook runs for a merge that is committed by hand, so this one is whole by itself."""
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "right", "src/long.py", replaced("part_3", "right_name"))
    long.git("merge", "-q", "left")
    long.git("merge", "-q", "--no-commit", "right")
    long.git("commit", "-q", "-m", "merge")
    assert_whole(long)
    assert len(long.git("rev-parse", "HEAD^@").split("\n")) == 2


def test_merge_of_a_rename_and_an_edit(long: Work) -> None:
    long.git("checkout", "-q", "-b", "left")
    long.git("mv", "src/long.py", "src/moved.py")
    long.commit("moved")
    long.git("checkout", "-q", "main")
    branch(long, "right", "src/long.py", replaced("part_3", "right_name"))
    long.git("merge", "-q", "right")
    long.git("merge", "-q", "-m", "merge", "left")
    assert (long.path / "src/moved.py").exists()
    assert_clean(long)
    coverage_found(long, "right_name", "src/moved.py")
    heal(long)


def test_merge_of_the_same_change_twice(long: Work) -> None:
    """Two people, one change, even two processors: two segments at most, and no conflict."""
    for name in ("left", "right"):
        branch(long, name, "src/long.py", replaced("part_0", "same_name"))
    long.git("merge", "-q", "left")
    long.git("merge", "-q", "-m", "merge", "right")
    assert_whole(long)
    assert coverage_found(long, "same_name", "src/long.py") == 1.0


def test_merge_of_a_deletion(long: Work) -> None:
    branch(long, "left", "src/left.py", function("left_name"))
    long.git("rm", "-q", "src/long.py")
    long.commit("gone")
    long.git("merge", "-q", "-m", "merge", "left")
    assert_whole(long)
    assert_absent(long, "part_1_1")


def test_merge_in_a_bare_repository_as_a_forge_does(long: Work, tmp_path: Path) -> None:
    """A forge merges trees with merge-ort and runs no hook and no merge driver of ours."""
    branch(long, "left", "src/long.py", replaced("part_0", "left_name"))
    branch(long, "right", "src/long.py", replaced("part_3", "right_name"))
    ran = long.run("git", "merge-tree", "--write-tree", "left", "right")
    if ran.code == 129:
        pytest.skip("this git has no `merge-tree --write-tree`, which is of 2.38")
    assert ran.code == 0, ran
    tree = ran.out.split("\n")[0]
    merged = long.git("commit-tree", tree, "-p", "left", "-p", "right", "-m", "forge")
    long.git("update-ref", "refs/heads/forge", merged)
    bare = Work(tmp_path / "forge.git")
    long.git("clone", "-q", "--bare", str(long.path), str(bare.path))
    assert missing(bare, "forge") == ["src/long.py"]
    coverage_found(bare, "left_name", "src/long.py", revision="forge")
    coverage_found(bare, "right_name", "src/long.py", revision="forge")
    long.git("checkout", "-q", "forge")
    heal(long)
