"""What a tree holds, as functions over real repositories."""

from __future__ import annotations

import os

import pytest

from gitsearch.git.listing import (
    NoRevision,
    added_by_head,
    is_shallow,
    list_index,
    list_revision,
    matching_paths,
    matching_refs,
    read_edits,
    recent_blobs,
    start_edits,
)
from gitsearch.git.location import locate
from gitsearch.git.process import GitError, finish
from tests.conftest import Work


def commit(work: Work, path: str, content: str) -> str:
    """The blob id of a file that was committed."""
    work.write(path, content)
    work.git("add", "-A")
    work.commit(content)
    return work.git("rev-parse", f"HEAD:{path}")


def test_the_index_and_a_revision_list_the_same_entries(work: Work) -> None:
    for path in ("a.txt", "sub/caf\u00e9.txt", "sub/tab\there.txt", "new\nline.txt"):
        commit(work, path, path)
    work.write(os.fsdecode(b"bytes-\xff.txt"), "x")
    (work.path / "run.sh").write_text("#!/bin/sh\n")
    (work.path / "run.sh").chmod(0o755)
    (work.path / "link").symlink_to("a.txt")
    work.git("add", "-A")
    work.commit("rest")
    location = locate(work.path)
    entries = list_index(location)
    assert sorted(e.path for e in entries) == sorted(
        e.path for e in list_revision(location, "HEAD")
    )
    assert {(e.path, e.mode, e.blob_id) for e in entries} == {
        (e.path, e.mode, e.blob_id) for e in list_revision(location, "main")
    }
    modes = {e.path: e.mode for e in entries}
    assert (modes["run.sh"], modes["link"], modes["a.txt"]) == ("100755", "120000", "100644")
    assert os.fsdecode(b"bytes-\xff.txt") in modes


def test_a_path_in_conflict_is_listed_once_with_its_first_stage(work: Work) -> None:
    base = commit(work, "a.txt", "base\n")
    commit(work, "z.txt", "z\n")
    work.git("checkout", "-q", "-b", "side")
    commit(work, "a.txt", "theirs\n")
    work.git("checkout", "-q", "main")
    commit(work, "a.txt", "ours\n")
    work.git("merge", "-q", "side", code=1)
    entries = list_index(locate(work.path))
    assert [(e.path, e.blob_id) for e in entries if e.path == "a.txt"] == [("a.txt", base)]
    assert [e.path for e in entries] == ["a.txt", "z.txt"]


def test_two_paths_in_conflict_are_both_listed(work: Work) -> None:
    for name in ("a.txt", "b.txt"):
        commit(work, name, f"base {name}\n")
    work.git("checkout", "-q", "-b", "side")
    for name in ("a.txt", "b.txt"):
        commit(work, name, f"theirs {name}\n")
    work.git("checkout", "-q", "main")
    for name in ("a.txt", "b.txt"):
        commit(work, name, f"ours {name}\n")
    work.git("merge", "-q", "side", code=1)
    assert [e.path for e in list_index(locate(work.path))] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("name", ["nowhere", "--output=x", "-h", "HEAD~9", "HEAD:a.txt"])
def test_a_revision_that_is_none_is_refused(work: Work, name: str) -> None:
    commit(work, "a.txt", "a")
    with pytest.raises(NoRevision):
        list_revision(locate(work.path), name)


def test_recent_blobs_are_what_commits_brought_and_took(work: Work) -> None:
    """What a revert brings back is the old side, which HEAD does not have."""
    location = locate(work.path)
    assert recent_blobs(location, 10) == set()
    first = commit(work, "a.txt", "one\n")
    second = commit(work, "a.txt", "two\n")
    third = commit(work, "b.txt", "three\n")
    nothing = "0" * 40
    assert recent_blobs(location, 1) == {("b.txt", nothing), ("b.txt", third)}
    assert recent_blobs(location, 2) >= {("a.txt", first), ("a.txt", second), ("b.txt", third)}
    assert recent_blobs(location, 0) == set()
    work.git("mv", "a.txt", "moved.txt")
    work.commit("move")
    assert recent_blobs(location, 1) >= {("a.txt", second), ("moved.txt", second)}


def test_recent_blobs_of_a_merge_are_those_of_both_sides(work: Work) -> None:
    commit(work, "a.txt", "base\n")
    work.git("checkout", "-q", "-b", "side")
    theirs = commit(work, "b.txt", "theirs\n")
    work.git("checkout", "-q", "main")
    ours = commit(work, "c.txt", "ours\n")
    work.git("merge", "-q", "--no-edit", "side")
    assert recent_blobs(locate(work.path), 1) >= {("b.txt", theirs), ("c.txt", ours)}


def test_what_head_added_below_a_folder(work: Work) -> None:
    location = locate(work.path)
    first = commit(work, "in/a.txt", "a\n")
    assert [(e.path, e.mode, e.blob_id) for e in added_by_head(location, "in")] == [
        ("in/a.txt", "100644", first)
    ]
    commit(work, "in/a.txt", "changed\n")
    assert added_by_head(location, "in") == []
    commit(work, "out/b.txt", "b\n")
    assert added_by_head(location, "in") == []
    work.git("mv", "in/a.txt", "in/c.txt")
    work.commit("move")
    assert [e.path for e in added_by_head(location, "in")] == ["in/c.txt"]


def test_what_a_merge_has_from_one_side_it_did_not_add(work: Work) -> None:
    commit(work, "in/a.txt", "a\n")
    work.git("checkout", "-q", "-b", "side")
    commit(work, "in/b.txt", "b\n")
    work.git("checkout", "-q", "main")
    commit(work, "in/c.txt", "c\n")
    work.git("merge", "-q", "--no-commit", "side")
    new = work.write("in/new.txt", "new\n")
    work.git("add", str(new))
    work.commit("merge")
    blob = work.git("rev-parse", "HEAD:in/new.txt")
    entries = added_by_head(locate(work.path), "in")
    assert [(e.path, e.mode, e.blob_id) for e in entries] == [("in/new.txt", "100644", blob)]


def test_refs_are_matched_by_patterns(work: Work) -> None:
    commit(work, "a.txt", "a")
    for name in ("release/1", "release/2", "topic"):
        work.git("branch", name)
    work.git("tag", "v1")
    location = locate(work.path)
    assert matching_refs(location, []) == []
    assert matching_refs(location, ["refs/heads/release/*", "refs/tags/v*"]) == [
        "refs/heads/release/1", "refs/heads/release/2", "refs/tags/v1",
    ]  # fmt: skip


def test_a_clone_with_its_history_cut_off_is_shallow(work: Work) -> None:
    commit(work, "a.txt", "a")
    commit(work, "a.txt", "b")
    target = work.path.parent / "shallow"
    work.git("clone", "-q", "--depth", "1", f"file://{work.path}", str(target))
    assert is_shallow(locate(target))
    assert not is_shallow(locate(work.path))


def test_edits_tell_what_changed_and_what_is_gone(work: Work) -> None:
    for name in ("same.txt", "edited.txt", "gone.txt"):
        commit(work, name, name)
    work.write("edited.txt", "other content\n")
    (work.path / "gone.txt").unlink()
    work.write("untracked.txt", "x")
    edits = read_edits(finish(start_edits(locate(work.path))))
    assert edits == {"edited.txt": "M", "gone.txt": "D"}


@pytest.mark.parametrize("revision", [None, "HEAD"])
@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["sub"], ["sub/a.py", "sub/b.md"]),
        (["*.py"], ["sub/a.py", "top.py"]),
        ([":(glob)*.py"], ["top.py"]),
        (["."], ["sub/a.py", "sub/b.md", "top.py"]),
        ([".", ":!*.md"], ["sub/a.py", "top.py"]),
        ([":(icase)TOP.PY"], ["top.py"]),
        (["none"], []),
    ],
)
def test_pathspecs_select_as_git_does(
    work: Work, patterns: list[str], found: list[str], revision: str | None
) -> None:
    for name in ("top.py", "sub/a.py", "sub/b.md"):
        commit(work, name, name)
    assert sorted(matching_paths(locate(work.path), patterns, revision)) == found


@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_pathspecs_are_relative_to_the_folder(work: Work, revision: str | None) -> None:
    for name in ("top.py", "sub/a.py"):
        commit(work, name, name)
    inside = locate(work.path / "sub")
    assert matching_paths(inside, ["a.py"], revision) == ["sub/a.py"]
    assert matching_paths(inside, [":/top.py"], revision) == ["top.py"]
    with pytest.raises(GitError):
        matching_paths(inside, [":(nonsense)x"], revision)


@pytest.mark.parametrize(
    "name",
    ["GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"],
)
def test_variables_that_change_pathspecs_change_no_answer(
    work: Work, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell that has one set asked other files than the same line elsewhere."""
    for path in ("top.py", "sub/a.py", "SUB2/b.py"):
        commit(work, path, path)
    location = locate(work.path)
    monkeypatch.setenv(name, "1")
    assert sorted(matching_paths(location, ["*.py"])) == ["SUB2/b.py", "sub/a.py", "top.py"]
    assert matching_paths(location, [":(glob)*.py"]) == ["top.py"]
    assert matching_paths(location, ["sub2"]) == []
