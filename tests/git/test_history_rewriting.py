"""Commands that write commits without the hook: rebase, cherry-pick, revert, am, stash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Work
from tests.git.branches import LONG, apart, branch, heal, replaced
from tests.git.seen import (
    assert_absent,
    assert_clean,
    assert_whole,
    coverage_found,
    function,
    missing,
)

BACKENDS = ["--merge", "--apply"]


def rebase(work: Work, onto: str, *edits: tuple[int, str]) -> None:
    """``rebase -i`` by an editor that changes the verbs of some lines."""
    script = work.path.parent / "todo.py"
    script.write_text(
        "import sys\n"
        "lines = open(sys.argv[1]).read().splitlines()\n"
        f"for at, verb in {edits!r}:\n"
        "    lines[at] = ' '.join([verb, *lines[at].split(' ')[1:]])\n"
        "open(sys.argv[1], 'w').write('\\n'.join(lines) + '\\n')\n"
    )
    editor = f"'{sys.executable}' '{script}'"
    command = ["git", "rebase", "-q", "-i", onto]
    ran = work.run(*command, GIT_SEQUENCE_EDITOR=editor, GIT_EDITOR="true")
    assert ran.code == 0, ran


@pytest.mark.parametrize("backend", BACKENDS)
def test_rebase_of_other_files(indexed: Work, backend: str) -> None:
    branch(indexed, "right", "src/right.py", function("right_name"))
    branch(indexed, "more", "src/more.py", function("more_name"), start="right")
    indexed.write("src/left.py", function("left_name"))
    indexed.git("add", "-A")
    indexed.commit("left")
    indexed.git("rebase", "-q", backend, "main", "more")
    for revision in ("HEAD", "HEAD~1"):
        assert missing(indexed, revision) == []
    assert_whole(indexed)
    assert coverage_found(indexed, "right_name", "src/right.py") == 1.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_rebase_of_one_file_changed_far_apart(long: Work, backend: str) -> None:
    apart(long)
    long.git("rebase", "-q", backend, "main", "right")
    assert missing(long) == ["src/long.py"]
    assert_clean(long)
    coverage_found(long, "left_name", "src/long.py")
    coverage_found(long, "right_name", "src/long.py")
    heal(long)


@pytest.mark.parametrize("backend", BACKENDS)
def test_rebase_with_a_conflict(long: Work, backend: str) -> None:
    branch(long, "right", "src/long.py", replaced("part_0", "right_name"))
    branch(long, "more", "src/more.py", function("more_name"), start="right")
    long.write("src/long.py", replaced("part_0", "left_name"))
    long.commit("left", "-a")
    long.git("rebase", "-q", backend, "main", "more", code=1)
    assert long.git("diff", "--name-only", "--diff-filter=U") == "src/long.py"
    long.write("src/long.py", replaced("part_0", "solved_name"))
    long.git("add", "src/long.py")
    ran = long.run("git", "rebase", "--continue", GIT_EDITOR="true")
    assert ran.code == 0, ran
    assert_clean(long)
    coverage_found(long, "solved_name", "src/long.py")
    coverage_found(long, "more_name", "src/more.py")
    heal(long)
    assert coverage_found(long, "solved_name", "src/long.py") == 1.0


def test_interactive_rebase(indexed: Work) -> None:
    """One commit dropped, one with new words, one melted into another."""
    start = indexed.git("rev-parse", "HEAD")
    for name in ("dropped", "kept", "reworded", "melted"):
        indexed.write(f"src/{name}.py", function(f"{name}_name"))
        indexed.git("add", "-A")
        indexed.commit(name)
    rebase(indexed, start, (0, "drop"), (2, "reword"), (3, "fixup"))
    assert indexed.git("log", "--format=%s", f"{start}..") == "reworded\nkept"
    assert_whole(indexed)
    assert missing(indexed, "HEAD~1") == []
    assert coverage_found(indexed, "melted_name", "src/melted.py") == 1.0
    assert_absent(indexed, "dropped_name")


def test_interactive_rebase_that_stops_for_an_amend(long: Work) -> None:
    apart(long)
    long.git("checkout", "-q", "right")
    rebase(long, "main", (0, "edit"))
    long.write("src/more.py", function("more_name"))
    long.git("add", "-A")
    long.git("commit", "-q", "--amend", "--no-edit")
    assert missing(long) == []
    long.git("rebase", "--continue")
    assert_whole(long)


def test_a_commit_melted_into_another_of_the_same_file(long: Work) -> None:
    start = long.git("rev-parse", "HEAD")
    long.write("src/long.py", replaced("part_0", "first_name"))
    long.commit("first", "-a")
    long.write("src/long.py", replaced("part_0", "second_name"))
    long.commit("second", "-a")
    rebase(long, start, (1, "fixup"))
    assert_whole(long)
    assert coverage_found(long, "second_name", "src/long.py") == 1.0


def test_cherry_pick(long: Work) -> None:
    apart(long)
    branch(long, "other", "src/other.py", function("other_name"), start="right")
    long.git("cherry-pick", "other")
    assert_whole(long)
    long.git("cherry-pick", "right")
    assert missing(long) == ["src/long.py"]
    assert_clean(long)
    assert coverage_found(long, "right_name", "src/long.py") < 1.0
    heal(long)
    # What was picked can be merged later: the same segment, the same name.
    long.git("merge", "-q", "-m", "merge", "other")
    assert_whole(long)


def test_cherry_pick_with_a_conflict(long: Work) -> None:
    branch(long, "right", "src/long.py", replaced("part_0", "right_name"))
    long.write("src/long.py", replaced("part_0", "left_name"))
    long.commit("left", "-a")
    long.git("cherry-pick", "right", code=1)
    assert long.git("diff", "--name-only", "--diff-filter=U") == "src/long.py"
    long.write("src/long.py", replaced("part_0", "solved_name"))
    long.git("add", "src/long.py")
    ran = long.run("git", "cherry-pick", "--continue", GIT_EDITOR="true")
    assert ran.code == 0, ran
    assert_clean(long)
    coverage_found(long, "solved_name", "src/long.py")
    heal(long)


def test_revert(long: Work) -> None:
    long.write("src/long.py", replaced("part_0", "left_name"))
    long.commit("left", "-a")
    long.write("src/long.py", replaced("part_3", "right_name", replaced("part_0", "left_name")))
    long.commit("right", "-a")
    long.git("revert", "--no-edit", "HEAD~1")
    assert_clean(long)
    coverage_found(long, "right_name", "src/long.py")
    coverage_found(long, "part_0_1", "src/long.py")
    heal(long)
    # And the revert of the revert.
    long.git("revert", "--no-edit", "HEAD~1")
    assert_clean(long)
    coverage_found(long, "left_name", "src/long.py")
    heal(long)


def test_revert_of_the_commit_whose_chunk_another_still_uses(long: Work) -> None:
    """The second copy of a chunk got no vector of its own, and the revert takes the first's."""
    copied = function("copied_name")
    long.write("src/long.py", copied + LONG)
    long.commit("first", "-a")
    long.write("src/long.py", copied + LONG + copied)
    long.commit("second", "-a")
    long.git("revert", "--no-edit", "HEAD~1")
    assert (long.path / "src/long.py").read_text() == LONG + copied
    assert missing(long) == ["src/long.py"]
    assert_clean(long)
    assert coverage_found(long, "copied_name", "src/long.py") < 1.0
    heal(long)
    assert coverage_found(long, "copied_name", "src/long.py") == 1.0


def test_revert_of_a_part(long: Work) -> None:
    """The segment goes with the revert though one of its files is kept as it was."""
    long.write("src/long.py", replaced("part_0", "left_name"))
    long.write("src/more.py", function("more_name"))
    long.git("add", "-A")
    long.commit("both")
    long.git("revert", "-n", "HEAD")
    long.git("checkout", "-q", "HEAD", "--", "src/long.py")
    long.commit("half")
    assert_whole(long)
    assert coverage_found(long, "left_name", "src/long.py") == 1.0


def test_revert_of_a_merge(long: Work) -> None:
    branch(long, "right", "src/right.py", function("right_name"))
    long.write("src/left.py", function("left_name"))
    long.git("add", "-A")
    long.commit("left")
    long.git("merge", "-q", "-m", "merge", "right")
    long.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert_whole(long)
    assert_absent(long, "right_name")


def test_am(long: Work, tmp_path: Path) -> None:
    """Patches carry segments, or were made without them; both are healed."""
    apart(long)
    long.git("checkout", "-q", "right")
    long.git("format-patch", "-q", "-1", "-o", str(tmp_path / "whole"))
    long.git("format-patch", "-q", "-1", "-o", str(tmp_path / "source"), "--", "src")
    long.git("checkout", "-q", "main")
    start = long.git("rev-parse", "HEAD")
    for kind in ("whole", "source"):
        long.git("reset", "-q", "--hard", start)
        patches = sorted(str(path) for path in (tmp_path / kind).iterdir())
        long.git("am", "-q", *patches)
        assert missing(long) == ["src/long.py"]
        assert_clean(long)
        coverage_found(long, "right_name", "src/long.py")
        heal(long)


def test_stash_and_pop(long: Work) -> None:
    long.write("src/long.py", replaced("part_0", "stashed_name"))
    long.write("src/more.py", function("more_name"))
    long.git("add", "src/more.py")
    long.git("stash", "-q")
    assert_whole(long)
    assert_absent(long, "stashed_name")
    long.git("stash", "pop", "-q", "--index")
    assert_clean(long, " M src/long.py\nA  src/more.py")
    coverage_found(long, "stashed_name", "src/long.py")
    long.commit("all", "-a")
    assert_whole(long)


def test_stash_of_a_staged_segment(long: Work) -> None:
    """An update stages; a stash takes it away and brings it back; the commit has it once."""
    long.write("src/more.py", function("more_name"))
    long.git("add", "-A")
    assert long.index("update").code == 0
    long.git("stash", "-q")
    assert_whole(long)
    long.git("stash", "pop", "-q")
    long.commit("more")
    assert_whole(long)
    assert len(long.git("show", "--name-only", "--format=").split("\n")) == 2


def test_reset_to_an_older_commit_and_back(long: Work) -> None:
    before = long.git("rev-parse", "HEAD")
    long.write("src/long.py", replaced("part_0", "left_name"))
    after = long.commit("left", "-a")
    for target, name in ((before, "part_0_1"), (after, "left_name"), (before, "part_0_1")):
        long.git("reset", "-q", "--hard", target)
        assert_whole(long)
        assert coverage_found(long, name, "src/long.py") == 1.0
    long.git("reset", "-q", "--soft", after)
    long.git("reset", "-q", "--soft", before)
    assert_whole(long)
