"""A tree's name stands for everything that decides rows, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitsearch.git.location import locate
from gitsearch.tree import Tree, index_tree, revision_tree, work_tree
from tests.conftest import Work


@pytest.fixture
def tree(indexed: Work) -> Tree:
    return index_tree(locate(indexed.path))


def changed(tree: Tree, which: str, **fields: str) -> Tree:
    entries = [replace(e, **fields) if e.path == which else e for e in tree.entries]
    assert entries != list(tree.entries)
    return replace(tree, entries=entries)


def test_equal_trees_have_one_name_however_they_are_listed(indexed: Work, tree: Tree) -> None:
    location = locate(indexed.path)
    assert tree.name == revision_tree(location, "HEAD").name == work_tree(location).name
    (indexed.path / "src/retry.py").touch()
    assert work_tree(location).name == tree.name


@pytest.mark.parametrize(
    "fields", [{"mode": "120000"}, {"blob_id": "0" * 40}, {"path": "src/other.py"}]
)
def test_mode_content_and_path_each_change_the_name(tree: Tree, fields: dict[str, str]) -> None:
    """A file that became a link to its own content is searched no more."""
    other = changed(tree, "src/retry.py", **fields)
    assert other.name != tree.name
    assert other.files != tree.files


def test_the_configuration_changes_the_name(tree: Tree) -> None:
    names = {tree.name}
    for config in (
        replace(tree.config, exclude=("*.go",)),
        replace(tree.config, chunking="lines"),
        replace(tree.config, max_tokens=64),
    ):
        names.add(replace(tree, config=config).name)
    assert len(names) == 4


def test_an_edit_on_disk_changes_the_name_and_back(indexed: Work, tree: Tree) -> None:
    location = locate(indexed.path)
    text = (indexed.path / "src/retry.py").read_text()
    indexed.write("src/retry.py", text + "# edited\n")
    edited = work_tree(location)
    assert edited.name != tree.name
    assert index_tree(location).name == tree.name
    indexed.write("src/retry.py", text + "# edited again\n")
    assert work_tree(location).name not in (edited.name, tree.name)
    indexed.write("src/retry.py", text)
    assert work_tree(location).name == tree.name
    (indexed.path / "src/retry.py").unlink()
    assert work_tree(location).name != tree.name


def test_links_submodules_and_what_nobody_reads_are_left_out_with_a_reason(tree: Tree) -> None:
    assert changed(tree, "src/retry.py", mode="120000").skipped["src/retry.py"] == "symbolic link"
    assert changed(tree, "src/retry.py", mode="160000").skipped["src/retry.py"] == "submodule"
    empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert changed(tree, "src/retry.py", blob_id=empty).skipped["src/retry.py"] == "empty"
    left = replace(tree, config=replace(tree.config, include=("src/*",), exclude=("*.go",)))
    assert list(left.files) == ["src/retry.py"]
    assert left.skipped["src/cache.go"] == "excluded by the configuration"


def test_only_regular_files_with_a_segments_name_are_segments(tree: Tree) -> None:
    (name,) = tree.segments
    path = f".search/segments/{name}"
    assert changed(tree, path, mode="120000").segments == {}
    assert changed(tree, path, path=path + ".bak").segments == {}
    assert changed(tree, path, path=f".search/{name}").segments == {}
    assert changed(tree, path, path=f".search/segments/sub/{name}").segments == {}
