"""The hook in the ways a commit commonly comes about, through real git."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Ran, Work


def committed_coverage(work: Work) -> float:
    """Coverage of the commit, seen by a clone that has nothing else."""
    target = work.path.parent / f"seen-{len(list(work.path.parent.iterdir()))}"
    work.git("clone", "-q", f"file://{work.path}", str(target))
    share: float = json.loads(Work(target).index("status", "--json", "--cached").out)["coverage"]
    return share


def in_commit(work: Work) -> list[str]:
    return work.git("show", "--name-only", "--format=", "HEAD").split("\n")


def test_a_commit_carries_its_segment(indexed: Work) -> None:
    indexed.write("src/retry.py", PROJECT["src/retry.py"].replace("2**attempt", "3**attempt"))
    indexed.git("add", "src/retry.py")
    ran = indexed.run("git", "commit", "-m", "change")
    assert ran.code == 0
    assert "1 file, 1 chunk embedded" in ran.err
    changed = in_commit(indexed)
    assert len(changed) == 2
    assert changed[0].startswith(".search/segments/")
    assert changed[1] == "src/retry.py"
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == ""


def test_commit_a_carries_its_segment(indexed: Work) -> None:
    indexed.write("src/retry.py", "def other():\n    return 1\n")
    (indexed.path / "docs/retry.md").unlink()
    indexed.commit("all", "-a")
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == ""


def test_a_partially_staged_file_is_indexed_as_staged(indexed: Work) -> None:
    indexed.write("src/retry.py", "def staged_name():\n    return 1\n")
    indexed.git("add", "src/retry.py")
    indexed.write(
        "src/retry.py", "def staged_name():\n    return 1\n\n\ndef only_on_disk():\n    pass\n"
    )
    indexed.commit("partial")
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == " M src/retry.py"
    assert "only_on_disk" in (indexed.path / "src/retry.py").read_text()
    assert indexed.search("--mode", "keyword", "--rev", "HEAD", "only_on_disk").code == 1


def test_a_commit_of_nothing_that_is_indexed_adds_no_segment(indexed: Work) -> None:
    before = indexed.segments()
    indexed.write("image.png", b"\x89PNG\r\n\x1a\n\0\0")
    indexed.git("add", "-A")
    ran = indexed.run("git", "commit", "-m", "image")
    assert (ran.code, ran.err) == (0, "")
    assert indexed.segments() == before


def test_a_renamed_file_is_covered(indexed: Work) -> None:
    indexed.git("mv", "src/retry.py", "src/again.py")
    indexed.commit("rename")
    assert committed_coverage(indexed) == 1.0


def test_a_commit_goes_through_without_the_model(indexed: Work, tmp_path: Path) -> None:
    indexed.git("config", "search.modelPath", str(tmp_path / "nowhere"))
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    ran = indexed.run("git", "commit", "-m", "new")
    assert ran.code == 0
    assert "committing without new vectors" in ran.err
    assert committed_coverage(indexed) == pytest.approx(5 / 6, abs=1e-4)
    # The next commit on a machine with the model makes it whole.
    indexed.git("config", "--unset", "search.modelPath")
    indexed.commit("anything", "--allow-empty")
    assert committed_coverage(indexed) == 1.0


def test_a_branch_without_an_index_is_left_alone(indexed: Work) -> None:
    indexed.git("checkout", "-q", "--orphan", "bare")
    indexed.git("rm", "-rq", "--cached", ".search")
    indexed.write("a.py", "a = 1\n")
    indexed.git("add", "a.py")
    ran = indexed.run("git", "commit", "-m", "no index")
    assert (ran.code, ran.err) == (0, "")


def test_outside_a_commit_something_missing_is_a_failure(indexed: Work) -> None:
    run: Ran = indexed.run("git-search-index", "run-hook", "pre-commit")
    assert run.code == 0
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    assert indexed.run("git-search-index", "run-hook", "pre-commit").code == 1
    assert indexed.run("git-search-index", "run-hook", "pre-commit").code == 0


def test_a_hook_with_nothing_to_do_imports_nothing_heavy(indexed: Work) -> None:
    indexed.commit("seen", "--allow-empty")
    script = (
        "import sys; from gitsearch.commands.entry import main;"
        "code = main(['run-hook', 'pre-commit']);"
        "heavy = {'numpy', 'pygit2', 'click', 'apsw', 'torch', 'tokenizers'} & set(sys.modules);"
        "print(code, sorted(heavy))"
    )
    ran = indexed.run("python", "-c", script)
    assert ran.out == "0 []\n", ran
    assert indexed.run("git", "search-index", "check").code == 0


def test_commit_of_a_path_keeps_its_segment_for_the_next_commit(indexed: Work) -> None:
    """`git commit -- path` commits an index of its own; the real one must get the segment too."""
    indexed.write("src/retry.py", "def one():\n    return 1\n")
    indexed.write("docs/retry.md", "# Other\n\nwords\n")
    indexed.git("add", "docs/retry.md")
    indexed.git("commit", "-q", "-m", "path", "--", "src/retry.py")
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == "M  docs/retry.md"
    indexed.commit("rest")
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == ""


def test_post_commit_puts_back_what_the_index_lost(indexed: Work) -> None:
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    indexed.commit("new")
    added = in_commit(indexed)[0]
    indexed.git("rm", "-q", "--cached", added)
    assert indexed.run("git-search-index", "run-hook", "post-commit").code == 0
    assert indexed.git("status", "--porcelain") == ""


def test_an_aborted_commit_leaves_no_debris_for_a_later_one(indexed: Work) -> None:
    before = indexed.segments()
    indexed.write("src/draft.py", "def draft():\n    return 'zebra'\n")
    indexed.git("add", "-A")
    indexed.git("commit", "-q", "-m", "", code=1)
    assert len(indexed.segments()) == len(before) + 1
    indexed.git("rm", "-q", "-f", "src/draft.py")
    indexed.write("src/real.py", "def real():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("real")
    assert len(indexed.segments()) == len(before) + 1
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == ""
    # The draft comes back: its vector was kept.
    indexed.write("src/draft.py", "def draft():\n    return 'zebra'\n")
    indexed.git("add", "-A")
    ran = indexed.run("git", "commit", "-m", "draft")
    assert "1 file, 0 chunks embedded" in ran.err


def test_an_aborted_commit_that_is_made_after_all_uses_its_segment(indexed: Work) -> None:
    indexed.write("src/draft.py", "def draft():\n    return 'zebra'\n")
    indexed.git("add", "-A")
    indexed.git("commit", "-q", "-m", "", code=1)
    staged = indexed.segments()
    indexed.commit("draft")
    assert indexed.segments() == staged
    assert committed_coverage(indexed) == 1.0


def test_what_the_last_hook_saw_is_believed_only_while_its_segments_are_there(
    indexed: Work,
) -> None:
    """A hook remembers covered files; where a segment left it must look at all of them again."""
    indexed.write("src/new.py", "def fresh():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("new")
    first = next(name for name in indexed.segments() if name not in in_commit(indexed)[0])
    indexed.git("rm", "-q", f".search/segments/{first}")
    indexed.write("src/other.py", "def other():\n    return 2\n")
    indexed.git("add", "-A")
    ran = indexed.run("git", "commit", "-m", "lost a segment")
    assert "6 files" in ran.err
    assert committed_coverage(indexed) == 1.0


def test_damage_to_what_a_hook_remembers_costs_nothing_but_time(indexed: Work) -> None:
    indexed.write("src/new.py", "def fresh():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("new")
    remembered = indexed.path / ".git/git-search/covered"
    for damage in (b"", b"\xff\xfe no", remembered.read_bytes()[:50]):
        remembered.write_bytes(damage)
        indexed.write("src/new.py", f"def fresh():\n    return {len(damage)}\n")
        indexed.git("add", "-A")
        indexed.commit("again")
        assert committed_coverage(indexed) == 1.0
