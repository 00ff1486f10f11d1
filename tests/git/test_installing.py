"""install and uninstall touch exactly their own lines, in every hook there may be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitsearch.hooks.installing import BEGIN, END
from tests.conftest import Work

OTHERS = [
    "#!/bin/sh\necho other hook\n",
    "#!/usr/bin/env bash\nset -e\nexec true\n",
    "#!/bin/sh\n# no newline at the end",
    "echo no shebang\n",
    "#!/bin/bash\r\necho crlf\r\n",
]


def hook(work: Work) -> Path:
    return work.path / ".git/hooks/pre-commit"


@pytest.mark.parametrize("text", OTHERS)
def test_an_existing_hook_keeps_every_byte(work: Work, text: str) -> None:
    hook(work).write_bytes(text.encode())
    hook(work).chmod(0o755)
    assert work.index("install").code == 0
    installed = hook(work).read_bytes().decode()
    assert installed.count(BEGIN) == installed.count(END) == 1
    for line in text.splitlines():
        assert line in installed
    assert work.index("install").code == 0
    assert hook(work).read_bytes().decode() == installed
    assert work.index("uninstall").code == 0
    assert hook(work).read_bytes() == text.encode()
    assert work.index("uninstall").code == 0
    assert hook(work).read_bytes() == text.encode()


def test_a_hook_of_our_own_is_made_runnable_and_deleted(work: Work) -> None:
    assert work.index("install").code == 0
    assert os.access(hook(work), os.X_OK)
    assert work.index("uninstall").code == 0
    assert not hook(work).exists()


def test_a_hook_in_no_shell_is_refused(work: Work) -> None:
    hook(work).write_text("#!/usr/bin/env python3\nprint(1)\n")
    ran = work.index("install")
    assert ran.code == 2
    assert "not a shell script" in ran.err
    assert hook(work).read_text() == "#!/usr/bin/env python3\nprint(1)\n"


def test_core_hookspath_is_respected(work: Work) -> None:
    work.git("config", "core.hooksPath", "ours")
    assert work.index("install").code == 0
    assert (work.path / "ours/pre-commit").exists()
    assert not hook(work).exists()


def test_a_linked_work_tree_installs_into_the_shared_hooks(indexed: Work) -> None:
    indexed.git("worktree", "add", "-q", str(indexed.path.parent / "linked"))
    linked = Work(indexed.path.parent / "linked")
    assert linked.index("uninstall").code == 0
    assert not hook(indexed).exists()
    assert linked.index("install").code == 0
    assert hook(indexed).exists()


def test_a_failing_foreign_hook_still_fails_the_commit(indexed: Work) -> None:
    with hook(indexed).open("a") as file:
        file.write("exit 1\n")
    indexed.write("a.py", "a = 1\n")
    indexed.git("add", "a.py")
    indexed.git("commit", "-m", "x", code=1)


def test_a_clone_without_the_program_commits_all_the_same(indexed: Work) -> None:
    text = hook(indexed).read_text()
    lines = [line for line in text.splitlines() if "-x '" in line]
    program = lines[0].split("'")[1]
    hook(indexed).write_text(text.replace(program, "/nowhere/git-search-index"))
    ran = indexed.run("git", "commit", "--allow-empty", "-m", "x", PATH="/usr/bin:/bin")
    assert ran.code == 0, ran


def test_husky_keeps_its_own_folder(work: Work) -> None:
    work.write(".husky/_/pre-commit", '#!/usr/bin/env sh\n. "${0%/*}/h"\n')
    work.write(".husky/pre-commit", "npm test\n")
    work.git("config", "core.hooksPath", ".husky/_")
    assert work.index("install").code == 0
    assert BEGIN not in (work.path / ".husky/_/pre-commit").read_text()
    shared = (work.path / ".husky/pre-commit").read_text()
    assert shared.startswith(BEGIN)
    assert shared.endswith("npm test\n")
    assert str(work.path.parent) not in shared  # other people's clones get this file
    assert work.index("uninstall").code == 0
    assert (work.path / ".husky/pre-commit").read_text() == "npm test\n"
