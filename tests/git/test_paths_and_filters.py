"""Paths of any bytes, and attributes that change what git stores or checks out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hybridindex.segments.encoding import masked, segment_name
from tests.conftest import PROJECT, Work
from tests.git.seen import assert_clean, assert_whole, coverage_found, function, state

Clone = Callable[..., Work]

ODD = {
    "src/with\ttab.py": "tab_name",
    "src/with\nnewline.py": "newline_name",
    "src/\U0001f40d emoji \u0e44\u0e17\u0e22.py": "emoji_name",
    "src/ leading and trailing .py": "space_name",
    'src/"quoted" \\back.py': "quote_name",
    "src/*glob[a]?.py": "glob_name",
    ":(top)magic.py": "magic_name",
    "-dash.py": "dash_name",
    os.fsdecode(b"src/latin-\xe9\xff.py"): "latin_name",
}


def write_bytes(work: Work, path: str, content: str) -> None:
    where = work.path / path
    where.write_bytes(content.encode())


@pytest.fixture
def odd(indexed: Work) -> Work:
    for path, name in ODD.items():
        write_bytes(indexed, path, function(name))
    indexed.git("add", "-A")
    indexed.commit("odd")
    return indexed


def test_odd_paths_are_covered_and_found(odd: Work, clone: Clone) -> None:
    assert_whole(odd)
    for path, name in ODD.items():
        assert coverage_found(odd, name, path) == 1.0
    for path, name in list(ODD.items())[:2]:
        assert coverage_found(odd, name, path, revision="HEAD") == 1.0
    # A clone reads file records of the same bytes.
    fresh = clone(odd)
    for path, name in ODD.items():
        assert coverage_found(fresh, name, path) == 1.0


def test_odd_paths_are_edited_moved_and_deleted(odd: Work) -> None:
    paths = list(ODD)
    for number, path in enumerate(paths):
        write_bytes(odd, path, function(f"edited_{number}"))
    for number, path in enumerate(paths[:3]):
        assert coverage_found(odd, f"edited_{number}", path) < 1.0
    odd.git("add", "-A")
    (odd.path / paths[0]).rename(odd.path / (paths[0] + ".txt"))
    (odd.path / paths[1]).unlink()
    odd.commit("edited", "-a")
    assert_whole(odd, '?? "src/with\\ttab.py.txt"')
    assert coverage_found(odd, "edited_8", paths[8]) == 1.0


def test_odd_paths_are_printed_so_that_lines_and_fields_stay_apart(odd: Work) -> None:
    for path in ("src/with\ttab.py", "src/with\nnewline.py"):
        ran = odd.search("-n", "1", ODD[path])
        assert ran.out.count("\n") == 1
        assert ran.out.startswith(path.replace("\t", "\\t").replace("\n", "\\n") + ":")
    latin = list(ODD)[-1]
    assert odd.search("-z", "-l", "-n", "1", ODD[latin]).out == latin + "\0"
    answer = json.loads(odd.search("--json", "-n", "1", ODD[latin]).out)
    assert answer["results"][0]["path"] == "src/latin-\ufffd\ufffd.py"


def test_a_path_that_differs_in_case_alone(indexed: Work) -> None:
    indexed.write("src/Retry.py", function("upper_name"))
    if (indexed.path / "src/retry.py").read_text() != PROJECT["src/retry.py"]:
        pytest.skip("this file system does not tell case apart")
    indexed.git("add", "-A")
    indexed.commit("case")
    assert_whole(indexed)
    assert coverage_found(indexed, "upper_name", "src/Retry.py") == 1.0


def assert_bytes_are_whole(work: Work) -> None:
    """Every segment, as git has it and as it is checked out, is what its name says."""
    for name in work.segments():
        path = f".search/segments/{name}"
        blob = subprocess.run(
            ["git", "cat-file", "blob", f"HEAD:{path}"],
            cwd=work.path, capture_output=True, check=True,
        ).stdout  # fmt: skip
        assert segment_name(masked(name, blob)) == name
        assert (work.path / path).read_bytes() == blob


def swap(work: Work, name: str, clean: str, smudge: str) -> None:
    """A filter driver of this person, as LFS is one."""
    work.git("config", "--global", f"filter.{name}.clean", clean)
    work.git("config", "--global", f"filter.{name}.smudge", smudge)
    work.git("config", "--global", f"filter.{name}.required", "true")


ATTRIBUTES = {
    "crlf": "* text eol=crlf\n",
    "auto": "* text=auto\n",
    "filter": "* filter=swap\n",
    "binary": "* binary\n",
    "macro": "[attr]ours filter=swap text eol=crlf ident\n* ours\n",
    "encoding": "* working-tree-encoding=UTF-16LE text\n",
    "ident": "* ident\n",
    "merge": "* merge=union diff=python\n",
    "deep": "**/segments/** filter=swap text eol=crlf\n.search/** filter=swap\n",
}


@pytest.mark.parametrize("kind", ATTRIBUTES)
def test_attributes_at_the_root_do_not_reach_a_segment(
    indexed: Work, clone: Clone, kind: str
) -> None:
    swap(indexed, "swap", "tr '~^' '^~'", "tr '~^' '^~'")
    indexed.write(".gitattributes", ATTRIBUTES[kind])
    indexed.git("add", ".gitattributes")
    indexed.commit("attributes", "--", ".gitattributes")
    indexed.git("checkout", "-q", "--", ".")
    indexed.write("src/new.py", "def fresh_name():\n    return 'a word'\n")
    if kind == "encoding":
        indexed.write("src/new.py", "def fresh_name():\n    return 1\n".encode("utf-16-le"))
    indexed.git("add", "src/new.py")
    indexed.commit("new")
    assert_bytes_are_whole(indexed)
    assert state(indexed).uncovered == []
    # Somebody else's `git add` of everything changes nothing in there either.
    indexed.git("add", "--renormalize", "-A", ".search")
    assert indexed.git("diff", "--cached", "--name-only", "--", ".search") == ""
    fresh = clone(indexed)
    assert_bytes_are_whole(fresh)
    assert_clean(fresh)
    assert coverage_found(fresh, "fresh_name", "src/new.py", revision="HEAD") == 1.0
    assert coverage_found(fresh, "fresh_name", "src/new.py") == 1.0


def test_line_ends_of_the_work_tree_are_not_edits(indexed: Work, clone: Clone) -> None:
    indexed.write(".gitattributes", "* text eol=crlf\n")
    indexed.git("add", "-A")
    indexed.commit("attributes")
    fresh = clone(indexed)
    assert b"\r\n" in (fresh.path / "src/retry.py").read_bytes()
    assert coverage_found(fresh, "may_retry", "src/retry.py") == 1.0
    # Touched, not changed: git has to compare, and so have we.
    os.utime(fresh.path / "src/retry.py", (1, 1))
    assert coverage_found(fresh, "may_retry", "src/retry.py") == 1.0


def test_an_edit_in_a_file_with_line_ends_of_its_own(indexed: Work, clone: Clone) -> None:
    indexed.write(".gitattributes", "* text eol=crlf\n")
    indexed.git("add", "-A")
    indexed.commit("attributes")
    fresh = clone(indexed)
    assert fresh.index("install").code == 0
    edited = function("edited_name").replace("\n", "\r\n")
    fresh.write("src/retry.py", edited)
    assert coverage_found(fresh, "edited_name", "src/retry.py") < 1.0
    # What an update of the work tree makes is what the commit needs.
    assert fresh.index("update").code == 0
    segments = fresh.segments()
    fresh.commit("edited", "-a")
    assert fresh.segments() == segments
    assert_whole(fresh)
    assert coverage_found(fresh, "edited_name", "src/retry.py") == 1.0


def test_an_edit_in_a_file_of_another_encoding(indexed: Work, clone: Clone) -> None:
    """Git holds it as UTF-8, the disk as UTF-16; both are searched as text."""
    indexed.write(".gitattributes", "*.ps1 working-tree-encoding=UTF-16LE text\n")
    indexed.write("tool.ps1", "function Get-Zyzzyva { 1 }\n".encode("utf-16-le"))
    indexed.git("add", "-A")
    indexed.commit("tool")
    assert_whole(indexed)
    assert coverage_found(indexed, "Zyzzyva", "tool.ps1") == 1.0
    indexed.write("tool.ps1", "function Get-Quokka { 2 }\n".encode("utf-16-le"))
    assert coverage_found(indexed, "Quokka", "tool.ps1") < 1.0
    indexed.commit("edited", "-a")
    assert_whole(indexed)
    assert coverage_found(indexed, "Quokka", "tool.ps1") == 1.0


def test_an_edit_in_a_file_that_a_filter_hides(indexed: Work) -> None:
    """As git LFS: git holds a pointer, which nobody searches; an edit changes nothing in that."""
    pointer = "version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 1\\n"
    swap(indexed, "lfs", f"cat >/dev/null; printf '{pointer}'", "printf 'big big_name'")
    indexed.write(".gitattributes", "*.big filter=lfs diff=lfs merge=lfs -text\n")
    indexed.write("data.big", "big big_name")
    indexed.git("add", "-A")
    indexed.commit("big")
    assert_whole(indexed)
    assert state(indexed).skipped["data.big"] == "git LFS pointer"
    os.utime(indexed.path / "data.big", (1, 1))
    indexed.write("src/more.py", function("more_name"))
    indexed.git("add", "-A")
    indexed.commit("more")
    assert_whole(indexed)


def test_a_filter_that_this_machine_lacks(indexed: Work, clone: Clone) -> None:
    """A clone without the program of a filter still gets its index whole."""
    indexed.write(".gitattributes", "* filter=absent\n")
    indexed.git("add", "-A")
    indexed.commit("attributes")
    fresh = clone(indexed)
    assert_bytes_are_whole(fresh)
    assert coverage_found(fresh, "EvictOldest", "src/cache.go") == 1.0


def test_an_archive_leaves_the_index_out(indexed: Work, tmp_path: Path) -> None:
    archive = tmp_path / "archive.tar"
    indexed.git("archive", "-o", str(archive), "HEAD")
    shutil.unpack_archive(archive, tmp_path / "out")
    assert (tmp_path / "out/src/retry.py").exists()
    assert not (tmp_path / "out/.search/config.toml").exists()
