"""Which history keeps its records and vectors through a compaction."""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.maintaining.compacting import compact_tree
from gitsearch.repository import Repository
from gitsearch.tree import index_tree, revision_tree
from hybridindex.indexing import uncovered
from tests.conftest import Work
from tests.git.seen import function


@pytest.fixture(scope="module")
def grown_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("grown") / "work"


@pytest.fixture
def grown(indexed: Work, grown_template: Path) -> Work:
    """Six commits, each of which rewrites one file; tags v0 to v5 name them."""
    if grown_template.exists():
        shutil.rmtree(indexed.path)
        shutil.copytree(grown_template, indexed.path)
        indexed.git("update-index", "-q", "--refresh")
        return indexed
    shutil.rmtree(indexed.path / ".git/hooks")
    repository = Repository(indexed.path)
    for number in range(6):
        indexed.write("src/long.py", function(f"version_{number}"))
        indexed.git("add", "-A")
        repository.update(cached=True)
        indexed.commit(f"version {number}")
        indexed.git("tag", f"v{number}")
    shutil.copytree(indexed.path, grown_template)
    return indexed


def known(work: Work) -> list[int]:
    """Which versions of the file the segments of the git index still cover."""
    catalogue = index_tree(locate(work.path)).catalogue
    versions = work.git("rev-parse", *(f"v{number}:src/long.py" for number in range(6))).split()
    return [n for n, blob in enumerate(versions) if catalogue.covers("src/long.py", blob)]


def compacted(work: Work, **options: object) -> None:
    done = compact_tree(index_tree(locate(work.path)), above=2, **options)  # type: ignore[arg-type]
    assert done.removed > 0
    assert uncovered(index_tree(locate(work.path))) == []


@pytest.mark.parametrize(
    ("commits", "kept"), [(0, [5]), (1, [4, 5]), (2, [3, 4, 5]), (100, [0, 1, 2, 3, 4, 5])]
)
def test_the_last_commits_keep_both_sides_of_what_they_changed(
    grown: Work, commits: int, kept: list[int]
) -> None:
    """A revert of any of them, or a branch that forked before it, embeds nothing again."""
    compacted(grown, keep_commits=commits)
    assert known(grown) == kept


def test_a_hundred_commits_are_kept_unless_something_else_is_said(grown: Work) -> None:
    assert inspect.signature(compact_tree).parameters["keep_commits"].default == 100
    assert inspect.signature(Repository.compact).parameters["keep_commits"].default == 100
    compacted(grown)
    assert known(grown) == [0, 1, 2, 3, 4, 5]


def test_refs_keep_what_they_use(grown: Work) -> None:
    grown.git("branch", "release/1", "v1")
    compacted(grown, keep_commits=0, keep_refs=["refs/heads/release/*", "refs/tags/v3"])
    assert known(grown) == [1, 3, 5]
    location = locate(grown.path)
    tree = revision_tree(location, "release/1")
    catalogue = index_tree(location).catalogue
    assert all(catalogue.covers(*item) for item in tree.files.items())


def test_what_is_staged_keeps_what_it_uses(grown: Work) -> None:
    grown.git("checkout", "-q", "v2", "--", "src/long.py")
    compacted(grown, keep_commits=0)
    assert 2 in known(grown)


def test_where_history_is_cut_off_everything_is_kept(grown: Work) -> None:
    target = grown.path.parent / "shallow"
    grown.git("clone", "-q", "--depth", "1", f"file://{grown.path}", str(target))
    shallow = Work(target)
    shallow.git("fetch", "-q", "--depth", "1", "origin", "refs/tags/*:refs/tags/*")
    compacted(shallow, keep_commits=0)
    assert known(shallow) == [0, 1, 2, 3, 4, 5]
