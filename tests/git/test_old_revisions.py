"""Revisions from before the index, and an index that an older version made."""

from __future__ import annotations

from gitsearch.layout import ATTRIBUTES, ATTRIBUTES_TEXT, CONFIG
from tests.conftest import Work

#: What the first version wrote: it made the configuration binary to git.
FIRST = (
    "* -text -diff -merge -filter -ident -eol -working-tree-encoding"
    " linguist-generated export-ignore\n"
)


def test_a_revision_older_than_the_index_is_searched_by_keyword(indexed: Work) -> None:
    """It advised `init`, which would have made a second index."""
    ran = indexed.search("--rev", "HEAD~1", "may_retry")
    assert ran.code == 0
    assert ran.out.startswith("src/retry.py:")
    assert "HEAD~1 has no index: searched by keyword" in ran.err
    assert "init" not in ran.err
    assert indexed.search("--rev", "HEAD", "may_retry").err == ""


def test_without_an_index_today_there_is_none_for_a_revision(work: Work) -> None:
    work.write("a.py", "a = 1\n")
    work.git("add", "-A")
    work.commit()
    ran = work.search("--rev", "HEAD", "a")
    assert ran.code == 2
    assert "git search-index init" in ran.err


def test_the_configuration_is_text_to_git(indexed: Work) -> None:
    """No diff was shown in reviews, and two edits of it were "Cannot merge binary files"."""
    text = (indexed.path / CONFIG).read_text()
    indexed.git("checkout", "-q", "-b", "side")
    indexed.write(CONFIG, text.replace("exclude = []", 'exclude = ["*.gen.py"]'))
    indexed.commit("side", "-a", "--no-verify")
    indexed.git("checkout", "-q", "main")
    indexed.write(CONFIG, text.replace("# What changes", "# All that changes"))
    indexed.commit("main", "-a", "--no-verify")
    assert "+# All that changes" in indexed.git("show", "HEAD")
    indexed.git("merge", "-q", "--no-edit", "side")
    merged = (indexed.path / CONFIG).read_text()
    assert "# All that changes" in merged
    assert 'exclude = ["*.gen.py"]' in merged


def test_segments_stay_binary_to_git(indexed: Work) -> None:
    (name,) = indexed.segments()
    told = indexed.git("check-attr", "text", "diff", "merge", "--", f".search/segments/{name}")
    assert [line.rpartition(": ")[2] for line in told.splitlines()] == ["unset"] * 3
    told = indexed.git("check-attr", "text", "diff", "merge", "--", CONFIG)
    assert [line.rpartition(": ")[2] for line in told.splitlines()] == ["unspecified"] * 3


def test_attributes_of_the_first_version_are_mended_by_update(indexed: Work) -> None:
    indexed.write(ATTRIBUTES, FIRST)
    indexed.commit("as the first version wrote them", "-a", "--no-verify")
    assert "is not as this version writes it" in indexed.index("doctor").out
    assert indexed.index("update").code == 0
    assert (indexed.path / ATTRIBUTES).read_text() == ATTRIBUTES_TEXT
    assert indexed.git("status", "--porcelain") == f"M  {ATTRIBUTES}"
    assert indexed.index("doctor").out == ""
    indexed.commit("mended")
    assert indexed.index("update").code == 0
    assert indexed.git("status", "--porcelain") == ""


def test_how_many_files_are_found_by_keyword_alone_is_said_everywhere(
    indexed: Work, tiny_model: object
) -> None:
    many = "".join(f"# Part {i}\n\n" + f"words of part {i} here\n" * 40 for i in range(60))
    indexed.write("docs/many.md", many)
    indexed.git("add", "-A")
    assert "keyword   1 file found by keyword alone" in indexed.index("status").out
    assert "1 of 6 source files found by keyword alone" in indexed.index("doctor").out
    found = indexed.search("part")
    assert "1 of 6 files are found by keyword alone" in found.err
    assert indexed.index("update").code == 0
    assert indexed.search("part").err == ""
