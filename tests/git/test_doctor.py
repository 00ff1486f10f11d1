"""`doctor` names what is wrong in a clone, and its line mends it."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Work


def hints(output: str) -> list[str]:
    return [line.split(": ", 1)[1] for line in output.splitlines() if line.startswith("hint: ")]


def mend(work: Work, output: str) -> None:
    for hint in hints(output):
        ran = work.run("sh", "-c", hint)
        assert ran.code == 0, (hint, ran)


def test_a_sound_clone_has_no_findings(indexed: Work) -> None:
    ran = indexed.index("doctor")
    assert (ran.code, ran.out) == (0, "")


def test_a_missing_hook(indexed: Work) -> None:
    indexed.index("uninstall")
    ran = indexed.index("doctor")
    assert ran.code == 0  # answers are no worse for it
    assert "hook is not installed" in ran.out
    mend(indexed, ran.out)
    assert indexed.index("doctor").out == ""


def test_a_missing_model(indexed: Work, tmp_path: Path) -> None:
    indexed.git("config", "search.modelPath", str(tmp_path / "nowhere"))
    ran = indexed.index("doctor")
    assert ran.code == 1
    assert "does not hold the model" in ran.out


def test_uncovered_files(indexed: Work) -> None:
    indexed.write("src/new.py", "def fresh():\n    pass\n")
    indexed.git("add", "-A")
    ran = indexed.index("doctor")
    assert ran.code == 1
    mend(indexed, ran.out)
    assert indexed.index("doctor").code == 0


def test_lost_attributes(indexed: Work) -> None:
    indexed.git("rm", "-q", ".search/.gitattributes")
    ran = indexed.index("doctor")
    assert ran.code == 1
    mend(indexed, ran.out)
    assert indexed.index("doctor").code == 0


def test_segments_that_lfs_took(indexed: Work) -> None:
    """A `* filter=lfs` and a clone whose .search/.gitattributes did not protect them."""
    (name,) = indexed.segments()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1234\n"
    indexed.write(f".search/segments/{name}", pointer)
    indexed.git("add", "-A")
    ran = indexed.index("doctor")
    assert ran.code == 1
    assert "git LFS took 1 segment:" in ran.out
    mend(indexed, hint_first(ran.out))
    assert indexed.index("doctor").code == 0


def hint_first(output: str) -> str:
    return "\n".join(output.splitlines()[:2])


def test_an_attribute_of_this_clone_that_catches_segments(indexed: Work) -> None:
    (indexed.path / ".git/info").mkdir(exist_ok=True)
    (indexed.path / ".git/info/attributes").write_text("*.seg filter=lfs\n")
    ran = indexed.index("doctor")
    assert ran.code == 1
    assert "filter=lfs catches the segments" in ran.out


def test_no_index(work: Work) -> None:
    ran = work.index("doctor")
    assert ran.code == 1
    assert "git search-index init" in ran.out
