"""Paths that attributes declare generated or vendored, as the tree that is asked has them."""

from __future__ import annotations

import pytest

from gitsearch.git.attributes import LINGUIST, linguist_skips
from gitsearch.git.listing import list_index, list_revision
from gitsearch.git.location import locate
from tests.conftest import Work


def skipped(work: Work, revision: str | None = None) -> list[str]:
    location = locate(work.path)
    entries = list_index(location) if revision is None else list_revision(location, revision)
    found = linguist_skips(location, entries, [entry.path for entry in entries], revision)
    assert set(found.values()) <= {LINGUIST}
    return sorted(found)


@pytest.mark.parametrize(
    ("attribute", "left_out"),
    [
        ("linguist-generated", True),
        ("linguist-generated=true", True),
        ("linguist-vendored", True),
        ("linguist-vendored=true", True),
        ("linguist-generated=false", False),
        ("-linguist-generated", False),
        ("!linguist-generated", False),
        ("linguist-vendored=false", False),
        ("linguist-language=C", False),
    ],
)
def test_only_what_is_declared_so_is_left_out(work: Work, attribute: str, left_out: bool) -> None:
    work.write(".gitattributes", f"*.gen {attribute}\n")
    work.write("sub/a.gen", "a\n")
    work.write("b.c", "b\n")
    work.git("add", "-A")
    work.commit("first")
    wanted = ["sub/a.gen"] if left_out else []
    assert skipped(work) == wanted
    assert skipped(work, "HEAD") == wanted


def test_a_tree_is_asked_with_its_own_attributes(work: Work) -> None:
    work.write(".gitattributes", "*.a linguist-vendored\n")
    work.write("x.a", "a\n")
    work.write("sub/x.b", "b\n")
    work.git("add", "-A")
    work.commit("first")
    work.write(".gitattributes", "")
    work.write("sub/.gitattributes", "*.b linguist-generated\n")
    work.git("add", "-A")
    assert skipped(work) == ["sub/x.b"]
    assert skipped(work, "HEAD") == ["x.a"]
    assert skipped(work) == ["sub/x.b"]  # the git index was not touched by it


def test_our_own_attributes_are_not_theirs(work: Work) -> None:
    work.write(".search/.gitattributes", "* linguist-generated\n")
    work.write(".search/config.toml", "x")
    work.git("add", "-A")
    assert skipped(work) == []
