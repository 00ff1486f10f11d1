"""What a partial clone left with its remote, fetched all at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.git.objects import read_blobs
from gitsearch.git.partial import fetch_missing, is_partial
from gitsearch.git.process import GitError
from tests.conftest import Work


@pytest.fixture
def partial(work: Work, tmp_path: Path) -> Work:
    """A clone without any blob."""
    for number in range(6):
        work.write(f"{number}.txt", f"content {number}\n")
    work.git("add", "-A")
    work.commit("first")
    work.git("config", "uploadpack.allowFilter", "true")
    work.git("config", "uploadpack.allowAnySHA1InWant", "true")
    target = tmp_path / "partial"
    work.git(
        "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{work.path}", str(target)
    )
    return Work(target)


def blobs(work: Work) -> list[str]:
    return [line.split()[2] for line in work.git("ls-tree", "-r", "HEAD").split("\n")]


def missing(work: Work) -> int:
    listed = work.git("rev-list", "--objects", "--all", "--missing=print")
    return sum(line.startswith("?") for line in listed.split("\n"))


def packs(work: Work) -> int:
    return len(list((work.path / ".git/objects/pack").glob("*.pack")))


def test_only_a_partial_clone_is_one(work: Work, partial: Work) -> None:
    assert is_partial(locate(partial.path))
    assert not is_partial(locate(work.path))


def test_what_is_missing_comes_in_one_fetch(work: Work, partial: Work) -> None:
    ids, before = blobs(work), packs(partial)
    assert missing(partial) == 6
    fetch_missing(locate(partial.path), ids[:4])
    assert (missing(partial), packs(partial)) == (2, before + 1)
    fetch_missing(locate(partial.path), ids[:4])
    assert packs(partial) == before + 1
    assert not (partial.path / ".git/FETCH_HEAD").exists()


def test_reading_many_blobs_fetches_them_together(work: Work, partial: Work) -> None:
    ids, before = blobs(work), packs(partial)
    found = dict(read_blobs(locate(partial.path), ids))
    assert sorted(found.values()) == [b"content %d\n" % number for number in range(6)]
    assert packs(partial) == before + 1


def test_a_remote_that_is_gone_is_told_with_what_mends_it(work: Work, partial: Work) -> None:
    ids = blobs(work)
    shutil.rmtree(work.path)
    with pytest.raises(GitError, match="6 files of this partial clone were never") as caught:
        fetch_missing(locate(partial.path), ids)
    assert caught.value.hint == "connect to its remote and try again"
    partial.git("config", "--unset", "remote.origin.promisor")
    with pytest.raises(GitError, match="no remote promised them"):
        fetch_missing(locate(partial.path), ids)
