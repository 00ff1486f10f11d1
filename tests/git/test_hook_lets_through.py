"""A hook lets every commit through, says one line, and never makes the index worse."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gitsearch.hooks.block import block
from tests.conftest import PROJECT, Ran, Work
from tests.git.branches import apart, branch
from tests.git.seen import function, missing, state

#: Nothing of this project on it.
BARE_PATH = "/usr/bin:/bin"


def hook(work: Work) -> Path:
    return work.path / ".git/hooks/pre-commit"


FRESH = "def fresh():\n    pass\n"


def commit(work: Work, path: str = "src/new.py", text: str = FRESH, **env: str) -> Ran:
    work.write(path, text)
    work.git("add", "-A")
    ran = work.run("git", "commit", "-q", "-m", "change", cwd=None, **env)
    assert ran.code == 0, ran
    return ran


BROKEN = {
    "gone": None,
    "interpreter": "#!/nowhere/python3\nprint(1)\n",
    "package": f"#!{sys.executable}\nimport no_such_package_anywhere\n",
    "folder": "",
    "no program": "#!/bin/sh\nexec /nowhere/git-search-index\n",
}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_a_program_that_does_not_start_is_one_line(
    indexed: Work, tmp_path: Path, broken: str, shell: str
) -> None:
    """An upgraded Python or a moved environment refused every commit, or showed a traceback."""
    program = tmp_path / "it's here" / "git-search-index"
    program.parent.mkdir()
    text = BROKEN[broken]
    if text:
        program.write_text(text)
        program.chmod(0o755)
    elif text is not None:
        program.mkdir()
    for name in ("pre-commit", "post-commit"):
        hook(indexed).with_name(name).write_text(f"#!{shell} -eu\n{block(name, str(program))}")
    ran = commit(indexed, PATH=BARE_PATH)
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "git-search-index does not start" in ran.err
    assert missing(indexed) == ["src/new.py"]


def test_a_second_program_does_what_the_first_cannot(indexed: Work, tmp_path: Path) -> None:
    hook(indexed).write_text("#!/bin/sh\n" + block("pre-commit", str(tmp_path / "nowhere")))
    ran = commit(indexed)
    assert "1 file, 1 chunk embedded" in ran.err
    assert missing(indexed) == []


def test_a_hook_of_everybody_is_silent_where_nobody_installed_us(indexed: Work) -> None:
    hook(indexed).write_text("#!/bin/sh\n" + block("pre-commit", None))
    assert commit(indexed, PATH=BARE_PATH).err == ""


def test_a_configuration_that_cannot_be_read_stops_no_commit(indexed: Work) -> None:
    ran = commit(indexed, ".search/config.toml", "format = 2\n")
    assert "has no key" in ran.err


def test_without_a_model_records_are_written_and_the_next_adds_vectors_alone(
    indexed: Work, tmp_path: Path
) -> None:
    indexed.git("config", "search.modelPath", str(tmp_path / "nowhere"))
    before = state(indexed)
    ran = commit(indexed)
    assert ran.err.count("\n") == 1
    assert "committing without new vectors: 1 file found by keyword alone" in ran.err
    after = state(indexed)
    assert list(after.uncovered) == ["src/new.py"]
    assert (after.chunks, after.vectors) == (before.chunks + 1, before.vectors)
    assert after.segments == before.segments + 1
    again = indexed.run("git", "commit", "-q", "--allow-empty", "-m", "again")
    assert "committing without new vectors" in again.err
    assert state(indexed).segments == after.segments
    indexed.git("config", "--unset", "search.modelPath")
    indexed.commit("able", "--allow-empty")
    healed = state(indexed)
    assert list(healed.uncovered) == []
    assert (healed.chunks, healed.vectors) == (after.chunks, before.vectors + 1)


@pytest.fixture
def no_grammars(tmp_path: Path) -> str:
    """A PYTHONPATH with which no grammar can be imported."""
    folder = tmp_path / "without"
    folder.mkdir()
    (folder / "tree_sitter.py").write_text("raise ImportError('not here')\n")
    return str(folder)


def test_without_grammars_no_file_is_cut_by_lines_for_good(indexed: Work, no_grammars: str) -> None:
    """One line added to a large file once replaced its syntax chunks by lines of text."""
    text = "".join(function(f"part_{i}") for i in range(3))
    commit(indexed, "src/long.py", text)
    whole = state(indexed)
    ran = commit(indexed, "src/long.py", "# one line\n" + text, PYTHONPATH=no_grammars)
    assert ran.err.count("\n") == 1
    assert "no grammar here for python" in ran.err
    assert missing(indexed) == ["src/long.py"]
    assert state(indexed).segments == whole.segments
    status = indexed.run("git", "search-index", "status", PYTHONPATH=no_grammars)
    assert "src/long.py" in status.out
    found = indexed.run("git", "search", "-n", "1", "part_2_3", PYTHONPATH=no_grammars)
    assert found.out.startswith("src/long.py:")
    able = indexed.run("git", "commit", "-q", "--allow-empty", "-m", "able")
    assert "1 file, 1 chunk embedded" in able.err
    assert state(indexed).chunks == whole.chunks
    # What needs no grammar is indexed all the same.
    ran = commit(indexed, "docs/more.md", "# More\n\nwords of it\n", PYTHONPATH=no_grammars)
    assert "1 file, 1 chunk embedded" in ran.err


def test_update_without_grammars_says_what_it_leaves(indexed: Work, no_grammars: str) -> None:
    indexed.write("src/new.go", "package a\n\nfunc fresh() {}\n")
    indexed.git("add", "-A")
    ran = indexed.run("git", "search-index", "update", PYTHONPATH=no_grammars)
    assert ran.code == 1
    assert "1 file found by keyword alone: no grammar here for go" in ran.err.replace("\n", "")
    assert "hint: pip install 'gitsearch[index]'" in ran.err
    assert indexed.index("update").code == 0


def test_what_takes_too_long_is_left_in_one_line(indexed: Work) -> None:
    indexed.git("config", "search.hookSeconds", "0.000001")
    for i in range(5):
        indexed.write(f"src/new_{i}.py", f"def fresh_{i}():\n    pass\n")
    ran = commit(indexed)
    assert ran.err.count("\n") == 1
    assert "found by keyword alone after 1e-06 s of indexing" in ran.err
    assert missing(indexed)
    indexed.git("config", "--unset", "search.hookSeconds")
    indexed.commit("rest", "--allow-empty")
    assert missing(indexed) == []


def test_a_merge_says_what_it_left_and_the_next_commit_completes_it(long: Work) -> None:
    apart(long)
    ran = long.run("git", "merge", "-q", "--no-edit", "right")
    assert ran.code == 0
    left = missing(long)
    told = [line for line in ran.err.splitlines() if "found by keyword alone" in line]
    assert len(told) == (1 if left else 0)
    assert long.git("status", "--porcelain") == ""
    long.commit("next", "--allow-empty")
    assert missing(long) == []


def test_a_rebase_says_what_it_left(long: Work) -> None:
    apart(long)
    long.git("checkout", "-q", "right")
    ran = long.run("git", "rebase", "-q", "main")
    assert ran.code == 0
    told = [line for line in ran.err.splitlines() if "found by keyword alone" in line]
    assert len(told) == (1 if missing(long) else 0)


def test_ten_amends_leave_one_segment(indexed: Work) -> None:
    """Each left the one before it behind."""
    before = len(indexed.segments())
    commit(indexed, "src/new.py", "def step(): return 'begun'\n")
    for i in range(10):
        indexed.write("src/new.py", f"def step(): return {i}\n")
        indexed.git("commit", "-q", "-a", "--amend", "--no-edit")
        assert len(indexed.segments()) == before + 1
    assert missing(indexed) == []
    assert indexed.git("status", "--porcelain") == ""


def test_an_amend_keeps_what_other_commits_need(indexed: Work) -> None:
    commit(indexed, "src/one.py", "def one(): return 1\n")
    kept = set(indexed.segments())
    commit(indexed, "src/one.py", "def one(): return 2\n")
    indexed.write("src/one.py", "def one(): return 3\n")
    indexed.git("commit", "-q", "-a", "--amend", "--no-edit")
    assert kept <= set(indexed.segments())
    indexed.write("src/one.py", "def one(): return 4\n")
    indexed.commit("a commit of its own", "-a")
    assert len(set(indexed.segments()) - kept) == 2


def test_a_squash_leaves_no_segment_of_what_was_squashed(indexed: Work) -> None:
    branch(indexed, "side", "src/side.py", "def side(): return 0\n")
    indexed.git("checkout", "-q", "side")
    for i in range(4):
        indexed.write("src/side.py", f"def side(): return {i + 1}\n")
        indexed.commit(f"step {i}", "-a")
    indexed.git("checkout", "-q", "main")
    before = len(indexed.segments())
    indexed.git("merge", "-q", "--squash", "side")
    indexed.commit("squashed")
    assert len(indexed.segments()) == before + 1
    assert missing(indexed) == []
    assert indexed.git("status", "--porcelain") == ""


def test_an_aborted_commit_leaves_no_debris(indexed: Work) -> None:
    before = indexed.segments()
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    indexed.git("-c", "core.editor=false", "commit", code=1)
    assert len(indexed.segments()) == len(before) + 1
    indexed.git("rm", "-q", "-f", "src/new.py")
    indexed.write("src/retry.py", PROJECT["src/retry.py"] + "# more\n")
    indexed.commit("other", "-a")
    assert missing(indexed) == []
    assert len(indexed.segments()) == len(before) + 1
