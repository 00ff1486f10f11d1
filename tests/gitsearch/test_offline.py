"""A question, a check and a commit touch neither the network nor torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Work

#: Python runs this at its start, in every program under test.
WATCH = """
import sys

WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request")
HEAVY = ("torch", "sentence_transformers", "transformers", "pygit2")


def watch(event, arguments):
    heavy = event == "import" and arguments[0].partition(".")[0] in HEAVY
    if event in WATCHED or heavy:
        with open(LOG, "a") as file:
            file.write(f"{event} {arguments[0]}\\n")


sys.addaudithook(watch)
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    log = tmp_path / "seen.log"
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(f"LOG = {str(log)!r}\n{WATCH}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=":")
    return log


def test_the_watch_sees(work: Work, log: Path) -> None:
    work.run("python", "-c", "import socket; socket.socket().connect_ex(('127.0.0.1', 9))")
    assert log.read_text().startswith("socket.connect")


def test_asking_and_checking_and_committing_stay_here(
    indexed: Work, clone: Callable[..., Work], log: Path
) -> None:
    asked = clone(indexed)
    assert asked.search("when is a request sent again").code == 0
    assert asked.search("--mode", "keyword", "may_retry").code == 0
    assert asked.index("check").code == 0
    assert asked.index("status").code == 0
    assert asked.index("-h").code == 0
    indexed.write("src/retry.py", PROJECT["src/retry.py"].replace("2**", "3**"))
    ran = indexed.run("git", "commit", "-a", "-m", "edit")
    assert "1 chunk embedded" in ran.err
    assert indexed.index("verify").code == 0
    assert not log.exists(), log.read_text()
