"""Our lines in hook files: what they leave of modes, links and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.hooks.installing import END, MARK, hooks_folder, install, uninstall
from tests.conftest import Work


def put(work: Work, text: str, mode: int) -> Path:
    path = work.path / ".git/hooks/pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def changes(work: Work) -> list[str]:
    done = install(locate(work.path), ["pre-commit"], "/opt/git-search-index")
    return [one.change for one in done]


@pytest.mark.parametrize("mode", [0o755, 0o711, 0o500])
def test_a_hook_keeps_its_mode(work: Work, mode: int) -> None:
    path = put(work, "#!/bin/sh\necho other\n", mode)
    assert changes(work) == ["extended"]
    assert path.stat().st_mode & 0o777 == mode
    assert changes(work) == ["kept"]


def test_a_link_stays_a_link_and_its_target_gets_the_lines(work: Work) -> None:
    """People keep their hooks in the work tree and link to them."""
    target = work.write("tools/hook", "#!/bin/sh\necho other\n")
    target.chmod(0o755)
    link = work.path / ".git/hooks/pre-commit"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    assert changes(work) == ["extended"]
    assert link.is_symlink()
    assert MARK in target.read_text()
    uninstall(locate(work.path), ["pre-commit"])
    assert target.read_text() == "#!/bin/sh\necho other\n"
    assert [path.name for path in link.parent.iterdir() if "git-search" in path.name] == []


def test_lines_of_an_older_version_are_replaced(work: Work) -> None:
    old = f"{MARK} of old\nold line\n{END}\n"
    path = put(work, f"#!/bin/sh\n{old}echo other\n", 0o755)
    assert changes(work) == ["extended"]
    text = path.read_text()
    assert "old line" not in text
    assert text.count(MARK) == text.count(END) == 1
    assert text.startswith("#!/bin/sh\n" + MARK)
    assert text.endswith("echo other\n")


def test_only_what_is_installed_is_taken_out(work: Work) -> None:
    location = locate(work.path)
    assert uninstall(location, ["pre-commit"]) == []
    put(work, "#!/bin/sh\necho other\n", 0o755)
    assert uninstall(location, ["pre-commit"]) == []


def test_a_path_with_a_quote_is_quoted_for_the_shell(work: Work) -> None:
    program = work.write("it's here/git-search-index", f"#!/bin/sh\necho $2 > {work.path}/ran\n")
    program.chmod(0o755)
    install(locate(work.path), ["pre-commit"], str(program))
    work.git("commit", "-q", "--allow-empty", "-m", "x")
    assert (work.path / "ran").read_text() == "pre-commit\n"


def test_the_folder_is_gits(work: Work, tmp_path: Path) -> None:
    location = locate(work.path)
    assert hooks_folder(location) == location.root / ".git/hooks"
    work.git("config", "core.hooksPath", str(tmp_path / "shared"))
    assert hooks_folder(location) == tmp_path / "shared"
