"""Where a repository's parts lie, from any folder of any kind of repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.git.location import NoRepository, locate
from tests.conftest import Work


def first_commit(work: Work) -> None:
    work.write("sub/deep/a.txt", "a")
    work.git("add", "-A")
    work.commit("first")


def test_a_plain_repository(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    first_commit(work)
    found = locate(work.path)
    git_dir = work.path.resolve() / ".git"
    assert (found.root, found.git_dir, found.common_dir) == (work.path.resolve(), git_dir, git_dir)
    assert (found.bare, found.prefix) == (False, "")
    assert found.private == found.shared == git_dir / "git-search"
    deep = locate(work.path / "sub/deep")
    assert (deep.root, deep.git_dir, deep.prefix) == (found.root, git_dir, "sub/deep/")
    monkeypatch.chdir(work.path / "sub")
    assert locate().prefix == "sub/"


def test_a_folder_behind_a_link(work: Work, tmp_path: Path) -> None:
    first_commit(work)
    link = tmp_path / "link"
    link.symlink_to(work.path / "sub")
    found = locate(link)
    assert (found.root, found.prefix) == (work.path.resolve(), "sub/")


def test_a_linked_work_tree_has_its_own_folder_and_shares_another(work: Work) -> None:
    first_commit(work)
    linked = work.path.parent / "linked"
    work.git("worktree", "add", "-q", str(linked))
    found = locate(linked / "sub")
    git_dir = work.path.resolve() / ".git"
    assert (found.root, found.prefix, found.bare) == (linked.resolve(), "sub/", False)
    assert (found.git_dir, found.common_dir) == (git_dir / "worktrees/linked", git_dir)
    assert found.private == git_dir / "worktrees/linked/git-search"
    assert found.shared == git_dir / "git-search"


def test_a_bare_repository(work: Work, tmp_path: Path) -> None:
    first_commit(work)
    bare = tmp_path / "bare.git"
    work.git("clone", "-q", "--bare", str(work.path), str(bare))
    for folder in (bare, bare / "objects"):
        found = locate(folder)
        assert (found.root, found.git_dir, found.bare) == (bare.resolve(), bare.resolve(), True)
        assert found.prefix == ""


def test_a_folder_name_with_line_ends_and_other_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "caf\udce9 \u0e01"
    folder.mkdir()
    work = Work(folder)
    work.git("init", "-q")
    assert locate(folder).git_dir == folder.resolve() / ".git"


def test_no_repository_and_the_inside_of_one(work: Work, tmp_path: Path) -> None:
    with pytest.raises(NoRepository, match="is not in a git repository"):
        locate(tmp_path)
    with pytest.raises(NoRepository, match="inside a git directory"):
        locate(work.path / ".git")
