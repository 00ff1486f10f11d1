"""Git as a program that only answers: nothing a person has set changes what it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitsearch.git.process import GitError, environment, run
from tests.conftest import Work


@pytest.mark.parametrize(
    "name",
    [
        "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_PREFIX",
    ],
)  # fmt: skip
def test_variables_that_change_answers_are_taken_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    assert name not in environment()
    assert os.environ[name] == "1"


def test_variables_that_say_where_to_look_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_INDEX_FILE", "/tmp/index")
    env = environment({"GIT_DIR": "/tmp/dir"})
    assert (env["GIT_INDEX_FILE"], env["GIT_DIR"]) == ("/tmp/index", "/tmp/dir")
    assert (env["LC_ALL"], env["GIT_OPTIONAL_LOCKS"], env["GIT_TERMINAL_PROMPT"]) == ("C", "0", "0")


def test_a_prompt_or_a_pager_never_comes(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_PAGER", "false")
    work.git("config", "core.pager", "false")
    assert run(["--paginate", "config", "core.pager"], work.path) == b"false\n"


def test_a_refusal_ends_with_what_git_said(work: Work) -> None:
    with pytest.raises(GitError, match=r"git cat-file -t failed: fatal: Not a valid object name"):
        run(["cat-file", "-t", "nothing"], work.path)
    assert run(["config", "no.such"], work.path, ok=(0, 1)) == b""


def test_a_folder_that_is_not_there_is_told_from_a_git_that_is_not(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GitError, match="nowhere does not exist"):
        run(["version"], tmp_path / "nowhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        run(["version"], work.path)
