"""Segments that a hook staged: dropped with an aborted commit, never once a commit has them."""

from __future__ import annotations

from gitsearch.git.location import locate
from gitsearch.hooks import stale
from gitsearch.hooks.stale import drop_stale
from gitsearch.repository import Repository
from gitsearch.tree import index_tree
from hybridindex.vectors import LocalVectors
from tests.conftest import Work


def drop(work: Work) -> tuple[bool, LocalVectors]:
    tree = index_tree(locate(work.path))
    local = Repository(work.path).local_vectors(tree)
    return drop_stale(tree, local), local


def stage_new(work: Work, path: str, text: str) -> str:
    """Stage a file and a segment for it, as the hook of a commit that is aborted; its name."""
    before = set(work.segments())
    work.write(path, text)
    work.git("add", path)
    (name,) = Repository(work.path).update(cached=True).segments
    assert set(work.segments()) == before | {name}
    return name


def test_a_segment_of_content_that_is_staged_no_more_is_dropped_and_its_vectors_kept(
    indexed: Work,
) -> None:
    name = stage_new(indexed, "src/draft.py", "def draft():\n    return 1\n")
    tree = index_tree(locate(indexed.path))
    keys = tree.catalogue.heads[name].keys
    vectors = [tree.catalogue.vector(key) for key in keys]
    indexed.write("src/draft.py", "def other():\n    return 2\n")
    indexed.git("add", "-A")
    dropped, local = drop(indexed)
    assert dropped
    assert name not in indexed.segments()
    assert not (indexed.path / ".search/segments" / name).exists()
    assert [local.snapshot().vector(key) for key in keys] == vectors != []


def test_a_segment_of_what_is_still_staged_stays(indexed: Work) -> None:
    name = stage_new(indexed, "src/draft.py", "def draft():\n    return 1\n")
    assert not drop(indexed)[0]
    assert name in indexed.segments()


def test_a_segment_that_speaks_of_one_file_that_is_staged_stays(indexed: Work) -> None:
    indexed.write("src/one.py", "def one():\n    return 1\n")
    indexed.write("src/two.py", "def two():\n    return 2\n")
    indexed.git("add", "-A")
    (name,) = Repository(indexed.path).update(cached=True).segments
    indexed.write("src/one.py", "def one():\n    return 3\n")
    indexed.git("add", "-A")
    assert not drop(indexed)[0]
    assert name in indexed.segments()


def test_a_segment_that_a_commit_has_is_never_dropped(indexed: Work) -> None:
    """Older commits need it: dropping it made a revert embed everything again."""
    name = stage_new(indexed, "src/draft.py", "def draft():\n    return 1\n")
    indexed.commit("made after all", "--no-verify")
    indexed.write("src/draft.py", "def other():\n    return 2\n")
    indexed.git("add", "-A")
    dropped, _ = drop(indexed)
    assert not dropped
    assert name in indexed.segments()


def test_a_segment_of_what_is_being_merged_is_never_dropped(indexed: Work) -> None:
    indexed.git("checkout", "-q", "-b", "side")
    name = stage_new(indexed, "src/draft.py", "def draft():\n    return 1\n")
    indexed.commit("side", "--no-verify")
    indexed.git("checkout", "-q", "main")
    indexed.write("src/other.py", "def main_side():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("main", "--no-verify")
    indexed.git("merge", "-q", "--no-commit", "side")
    indexed.write("src/draft.py", "def resolved_by_hand():\n    return 2\n")
    indexed.git("add", "-A")
    assert not drop(indexed)[0]
    assert name in indexed.segments()


def test_one_of_two_is_dropped(indexed: Work) -> None:
    one = stage_new(indexed, "src/one.py", "def one():\n    return 1\n")
    two = stage_new(indexed, "src/two.py", "def two():\n    return 2\n")
    indexed.git("rm", "-qf", "src/one.py")
    assert drop(indexed)[0]
    assert one not in indexed.segments()
    assert two in indexed.segments()


def test_an_amend_is_told_by_the_command_that_runs_the_hook() -> None:
    for line, amends in (
        ("git commit --amend", True),
        ("git commit -a --ame -m x", True),
        ("git commit -m x", False),
        ("git commit-tree x", False),
    ):
        assert stale._amends(line.split()) is amends, line
