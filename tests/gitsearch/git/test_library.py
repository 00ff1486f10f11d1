"""libgit2 must list what git lists."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitsearch.git import library
from gitsearch.git.library import MIN_TREES, list_revisions
from gitsearch.git.listing import Entry, NoRevision, list_revision
from gitsearch.git.location import locate
from tests.conftest import Work


def entries(work: Work, revisions: list[str]) -> list[Entry]:
    return list(list_revisions(locate(work.path), revisions))


@pytest.fixture
def odd(work: Work) -> Work:
    """Names of any bytes, an executable, a link, folders and a submodule."""
    work.write("src/deep/er/a.py", "a = 1\n")
    work.write("src.py", "b = 1\n")
    work.write(os.fsdecode(b'src/\xff "q"\n.py'), "c = 1\n")
    (work.path / "run").write_text("#!/bin/sh\n")
    (work.path / "run").chmod(0o755)
    (work.path / "link").symlink_to("run")
    work.git("add", "-A")
    work.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    work.commit("odd")
    return work


def test_both_ways_list_the_same(odd: Work) -> None:
    location = locate(odd.path)
    by_program = list_revision(location, "HEAD")
    assert {entry.mode for entry in by_program} == {"100644", "100755", "120000", "160000"}
    many = entries(odd, ["HEAD"] * MIN_TREES)
    assert sorted(many[: len(by_program)], key=lambda e: e.path) == sorted(
        by_program, key=lambda e: e.path
    )
    assert len(many) == MIN_TREES * len(by_program)
    assert entries(odd, ["HEAD"]) == by_program


def test_libgit2_is_what_lists_many(odd: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> list[Entry]:
        raise AssertionError("git was asked")

    monkeypatch.setattr(library, "list_revision", refused)
    assert entries(odd, ["HEAD"] * MIN_TREES)
    with pytest.raises(AssertionError):
        entries(odd, ["HEAD"] * (MIN_TREES - 1))


def test_what_libgit2_refuses_git_lists(tmp_path: Path) -> None:
    work = Work(tmp_path / "sha256")
    work.path.mkdir()
    work.git("init", "-q", "--object-format=sha256")
    work.write("a.py", "a = 1\n")
    work.git("add", "-A")
    work.commit("first")
    assert library._open(locate(work.path)) is None
    assert [entry.path for entry in entries(work, ["HEAD"] * MIN_TREES)] == ["a.py"] * MIN_TREES


def test_an_unknown_revision_is_an_error_either_way(odd: Work) -> None:
    for count in (1, MIN_TREES):
        with pytest.raises(NoRevision):
            entries(odd, ["nowhere"] * count)
