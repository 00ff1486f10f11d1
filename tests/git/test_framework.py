"""The hooks through the real pre-commit framework, which installs this project by itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Work

PROJECT_ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_framework_commits_a_segment_and_turns_red_without_one(
    indexed: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (PROJECT_ROOT / ".git").exists():
        pytest.skip("the framework installs from a git repository, and this is none")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "framework"))
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "-q", str(PROJECT_ROOT), str(source)], check=True)
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=source, capture_output=True, check=True, text=True
    ).stdout.strip()
    indexed.index("uninstall")
    indexed.write(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: {source}\n  rev: {revision}\n  hooks:\n"
        "  - id: search-index\n  - id: search-index-check\n",
    )
    assert indexed.run("pre-commit", "install").code == 0
    indexed.git("add", "-A")
    indexed.commit("configuration")
    indexed.write("src/new.py", "def fresh():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("new")
    committed = indexed.git("show", "--name-only", "--format=", "HEAD").split(os.linesep)
    assert [path.rpartition("/")[0] for path in committed] == [".search/segments", "src"]
    assert indexed.run("pre-commit", "run", "--all-files").code == 0
    indexed.write("src/other.py", "def other():\n    return 1\n")
    indexed.git("add", "-A")
    indexed.commit("past the hook", "--no-verify")
    assert indexed.run("pre-commit", "run", "--all-files").code == 1
    assert indexed.run("pre-commit", "run", "--all-files").code == 0
