"""Nothing is written, changed or deleted through what a clone brings along."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.layout import SEGMENTS
from gitsearch.writing import LinkOnTheWay, remove_inside, write_inside
from tests.conftest import Work

OUTSIDE = b"somebody's own\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the person with a file in it, and nothing that may change."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_bytes(OUTSIDE)
    return folder


def unchanged(outside: Path) -> bool:
    found = {path.name: path.read_bytes() for path in outside.iterdir()}
    mode = (outside / "file").stat().st_mode & 0o777
    return found == {"file": OUTSIDE} and mode & 0o111 == 0


def test_bytes_come_whole_with_their_mode_and_leave_nothing_beside(tmp_path: Path) -> None:
    write_inside(tmp_path, "a/b/c", b"one")
    write_inside(tmp_path, "a/b/c", b"two", 0o600)
    assert (tmp_path / "a/b/c").read_bytes() == b"two"
    assert (tmp_path / "a/b/c").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "a/b").iterdir()] == ["c"]
    remove_inside(tmp_path, "a/b/c")
    remove_inside(tmp_path, "a/b/c")
    remove_inside(tmp_path, "no/such/folder")
    assert list((tmp_path / "a/b").iterdir()) == []


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/x", "a//b", "", "a/.."])
def test_a_path_stays_inside(tmp_path: Path, path: str) -> None:
    with pytest.raises(LinkOnTheWay):
        write_inside(tmp_path / "", path, b"x")


def test_links_are_replaced_at_the_end_and_refused_on_the_way(
    tmp_path: Path, outside: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside / "file")
    write_inside(root, "link", b"mine")
    assert (root / "link").read_bytes() == b"mine"
    assert not (root / "link").is_symlink()
    (root / "folder").symlink_to(outside)
    for path in ("folder/file", "folder/new", "folder/deep/new"):
        with pytest.raises(LinkOnTheWay):
            write_inside(root, path, b"mine")
        with pytest.raises(LinkOnTheWay):
            remove_inside(root, path)
    assert unchanged(outside)


def test_a_link_to_nowhere_is_no_way_to_make_a_file(tmp_path: Path, outside: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside / "new")
    write_inside(root, "link", b"mine")
    assert unchanged(outside)


def commit_link(work: Work, path: str, target: Path) -> None:
    where = work.path / path
    where.parent.mkdir(parents=True, exist_ok=True)
    if where.is_dir() and not where.is_symlink():
        work.git("rm", "-rq", "--cached", "--ignore-unmatch", path)
        where.rename(where.with_name("away"))
    where.symlink_to(target)
    work.git("add", "-A")
    work.commit("link", "--no-verify")


def test_update_writes_through_no_link_of_the_tree(indexed: Work, outside: Path) -> None:
    """`.<name>.part` was a name that a clone could foresee: the target was overwritten."""
    indexed.write("src/new.py", "def fresh():\n    return 1\n")
    indexed.git("add", "-A")
    assert indexed.index("update").code == 0
    (name,) = set(indexed.segments()) - {*indexed.git("ls-tree", "-r", "--name-only", "HEAD")
                                         .replace(f"{SEGMENTS}/", "").split("\n")}  # fmt: skip
    indexed.git("rm", "-qf", f"{SEGMENTS}/{name}")
    for link in (f".{name}.part", name):
        (indexed.path / SEGMENTS / link).symlink_to(outside / "file")
    assert indexed.index("update").code == 0
    assert unchanged(outside)
    assert not (indexed.path / SEGMENTS / name).is_symlink()


@pytest.mark.parametrize("path", [SEGMENTS, ".search"])
def test_a_folder_that_is_a_link_is_refused_in_one_line(
    work: Work, outside: Path, path: str, tiny_model: Path
) -> None:
    work.use_model(tiny_model)
    work.write("a.py", "def one():\n    return 1\n")
    commit_link(work, path, outside)
    for command in (["init", "--model", "tiny/model"], ["update"]):
        ran = work.index(*command)
        assert ran.code == 2, command
        assert "Traceback" not in ran.err
    assert unchanged(outside)


@pytest.mark.parametrize("link", ["hooks/pre-commit", "hooks"])
def test_install_writes_through_no_link_of_the_tree(
    work: Work, outside: Path, link: str, tmp_path: Path
) -> None:
    """It edited the target and made it executable."""
    target = outside / "file" if link.endswith("commit") else outside
    if link.endswith("commit"):
        (outside / "file").chmod(0o644)
    commit_link(work, link, target)
    work.git("config", "core.hooksPath", "hooks")
    ran = work.index("install")
    assert ran.code == 2
    assert "is a link" in ran.err
    assert unchanged(outside)
