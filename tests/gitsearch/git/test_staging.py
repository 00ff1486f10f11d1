"""New files in the git index, past every filter, in whichever index a commit is made from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.git.staging import stage, write_blob
from tests.conftest import Work


@pytest.fixture
def repository(work: Work) -> Work:
    work.write("a.txt", "a\n")
    work.write("b.txt", "b\n")
    work.git("add", "-A")
    work.commit("two")
    return work


def listed(work: Work, index: Path | None = None) -> list[str]:
    """Paths of the git index, or of another index file."""
    if index is None:
        return work.git("ls-files").split("\n")
    return work.run("git", "ls-files", GIT_INDEX_FILE=str(index)).out.split("\n")[:-1]


def test_bytes_are_stored_as_they_are_past_every_filter(repository: Work) -> None:
    repository.write(".gitattributes", "* text eol=crlf\n* filter=upper\n* ident\n")
    repository.git("config", "filter.upper.clean", "tr a-z A-Z")
    data = b"words\r\nof $Id$\0\xff"
    name = write_blob(locate(repository.path), data)
    assert repository.run("git", "cat-file", "-s", name).out == f"{len(data)}\n"
    assert repository.git("cat-file", "blob", name).encode("utf-8", "surrogateescape") == data


def test_entries_come_in_as_plain_files_and_removed_ones_go(repository: Work) -> None:
    location = locate(repository.path)
    blob = write_blob(location, b"new\n")
    stage(location, [("sub/new\n.txt", blob)], ["b.txt", "never/was.txt"])
    raw = repository.git("ls-files", "-s", "-z").split("\0")
    assert f"100644 {blob} 0\tsub/new\n.txt" in raw
    assert not any(line.endswith("b.txt") for line in raw)
    assert (repository.path / "b.txt").exists()


def test_nothing_to_stage_touches_nothing(repository: Work) -> None:
    index = repository.path / ".git/index"
    before = index.read_bytes()
    stage(locate(repository.path), [])
    assert index.read_bytes() == before


def test_a_repository_of_sha256_names_loses_a_path_too(tmp_path: Path) -> None:
    folder = tmp_path / "sha256"
    folder.mkdir()
    work = Work(folder)
    work.git("init", "-q", "--object-format=sha256")
    work.write("a.txt", "a\n")
    work.git("add", "-A")
    location = locate(folder)
    stage(location, [("c.txt", write_blob(location, b"c\n"))], ["a.txt"])
    assert listed(work) == ["c.txt"]


@pytest.fixture
def temporary(repository: Work) -> tuple[Path, Path]:
    """The two index files of ``git commit -- path``: what is committed, and what comes after."""
    folder = repository.path / ".git"
    one, coming = folder / "next-index-4711.lock", folder / "index.lock"
    for path in (one, coming):
        shutil.copy(folder / "index", path)
    return one, coming


def test_a_commit_of_paths_alone_gets_it_in_both_of_its_index_files(
    repository: Work, temporary: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real index lacked the segment, and the next plain commit would have deleted it."""
    one, coming = temporary
    location = locate(repository.path)
    blob = write_blob(location, b"c\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(one))
    stage(location, [("c.txt", blob)], ["a.txt"])
    assert listed(repository, one) == ["b.txt", "c.txt"]
    assert listed(repository, coming) == ["b.txt", "c.txt"]
    assert listed(repository, repository.path / ".git/index") == ["a.txt", "b.txt"]


def test_without_a_coming_index_none_is_made(
    repository: Work, temporary: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, coming = temporary
    coming.unlink()
    location = locate(repository.path)
    monkeypatch.setenv("GIT_INDEX_FILE", str(one))
    stage(location, [("c.txt", write_blob(location, b"c\n"))])
    assert listed(repository, one) == ["a.txt", "b.txt", "c.txt"]
    assert not coming.exists()


@pytest.mark.parametrize("name", ["mine", "next-index-x.lock", "next-index-1.lock.old"])
def test_another_index_is_written_alone(
    repository: Work, temporary: tuple[Path, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of somebody else's must not be written into."""
    one, coming = temporary
    other = one.with_name(name)
    one.rename(other)
    location = locate(repository.path)
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))
    stage(location, [("c.txt", write_blob(location, b"c\n"))])
    assert listed(repository, other) == ["a.txt", "b.txt", "c.txt"]
    assert listed(repository, coming) == ["a.txt", "b.txt"]
