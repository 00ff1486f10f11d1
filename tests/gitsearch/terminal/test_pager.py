"""The person's pager, chosen as git chooses it; an answer is never lost to a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.git.location import locate
from gitsearch.git.settings import Settings, read_settings
from gitsearch.terminal.pager import page, pager_command
from tests.conftest import Work


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("no-such-program-anywhere", "one\ntwo\n"),
        ("exit 126", "one\ntwo\n"),
        ("exit 127", "one\ntwo\n"),
        ("cat >/dev/null; exit 1", ""),
        ("cat >/dev/null; exit 125", ""),
        ("cat >/dev/null; exit 128", ""),
        ("true", ""),
        ("sed s/^/paged:/", "paged:one\npaged:two\n"),
        ("cat", "one\ntwo\n"),
        ("", "one\ntwo\n"),
    ],
)
def test_a_pager_that_cannot_run_shows_the_answer_all_the_same(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_PAGER", command)
    page(["one", "two"], Settings())
    assert capfd.readouterr().out == shown


def test_a_pager_that_may_not_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pager").write_text("not executable")
    monkeypatch.setenv("GIT_PAGER", str(tmp_path / "pager"))
    page(["one"], Settings())
    assert capfd.readouterr().out == "one\n"


def test_no_lines_start_no_pager(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_PAGER", "echo started")
    page([], Settings())
    assert capfd.readouterr().out == ""


def test_the_order_is_gits(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen() -> str:
        return pager_command(read_settings(locate(work.path)))

    assert chosen() == "less"
    monkeypatch.setenv("PAGER", "more")
    assert chosen() == "more"
    work.git("config", "core.pager", "configured")
    assert chosen() == "configured"
    monkeypatch.setenv("GIT_PAGER", "mine")
    assert chosen() == "mine"
    monkeypatch.setenv("GIT_PAGER", "")
    assert chosen() == ""
    monkeypatch.setenv("GIT_PAGER", "mine")
    for off in ("false", "No", "off", "0"):
        work.git("config", "pager.search", off)
        assert chosen() == ""
    work.git("config", "pager.search", "true")
    assert chosen() == "mine"
