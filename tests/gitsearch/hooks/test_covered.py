"""What one hook leaves for the next: believed only for the same model and the same segments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitsearch.git.location import locate
from gitsearch.hooks.covered import covered_before, is_known, remember_covered
from gitsearch.tree import Tree, index_tree
from tests.conftest import Work


@pytest.fixture
def tree(indexed: Work) -> Tree:
    """The indexed tree, remembered as covered."""
    made = index_tree(locate(indexed.path))
    remember_covered(made)
    return made


def known(tree: Tree) -> int:
    """How many of a tree's files are known to be covered."""
    asked = covered_before(tree)
    return sum(asked(*item) for item in tree.files.items())


def test_the_very_tree_is_known_at_once(tree: Tree) -> None:
    assert is_known(tree)
    assert known(tree) == len(tree.files) == 5
    assert not covered_before(tree)("src/retry.py", "0" * 40)
    assert not covered_before(tree)("src/other.py", tree.files["src/retry.py"])


def test_a_changed_file_is_not_known_and_the_others_are(tree: Tree, indexed: Work) -> None:
    indexed.write("src/retry.py", "def other():\n    pass\n")
    indexed.git("add", "-A")
    after = index_tree(tree.location)
    assert not is_known(after)
    assert known(after) == 4


def test_another_model_knows_nothing(tree: Tree) -> None:
    """Its vectors are of another kind: all files must be embedded again."""
    other = replace(tree, config=replace(tree.config, max_tokens=64))
    assert other.segments == tree.segments
    assert not is_known(other)
    assert known(other) == 0


def test_a_segment_that_is_gone_makes_nothing_known(tree: Tree) -> None:
    name = next(iter(tree.segments))
    entries = [entry for entry in tree.entries if not entry.path.endswith(name)]
    without = replace(tree, entries=entries)
    assert set(without.segments) < set(tree.segments)
    assert not is_known(without)
    assert known(without) == 0


def test_more_segments_than_were_seen_are_no_doubt(tree: Tree) -> None:
    old = next(entry for entry in tree.entries if entry.path.endswith(".seg"))
    new = replace(old, path=f".search/segments/{'0' * 32}.seg")
    more = replace(tree, entries=[*tree.entries, new])
    assert len(more.segments) == len(tree.segments) + 1
    assert known(more) == 5


def test_nothing_remembered_or_damage_is_nothing_known(tree: Tree) -> None:
    path = tree.location.private / "covered"
    whole = path.read_bytes()
    for damage in (b"", b"\xff\n\xff\n\xff", whole[:40]):
        path.write_bytes(damage)
        assert known(tree) == 0
    path.unlink()
    assert not is_known(tree)
    assert known(tree) == 0
    path.mkdir()
    remember_covered(tree)
    assert known(tree) == 0
