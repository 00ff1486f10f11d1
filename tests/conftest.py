from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tiny import make_model

#: A project with a source file, a test, a document and a configuration.
PROJECT = {
    "src/retry.py": (
        "def may_retry(request):\n"
        '    """Decide that a request may be retried."""\n'
        "    return request.method in IDEMPOTENT\n"
        "\n\n"
        "def backoff(attempt):\n"
        '    """Seconds to wait before the next attempt."""\n'
        "    return 2**attempt\n"
    ),
    "src/cache.go": "package cache\n\n// EvictOldest drops one entry.\nfunc EvictOldest() {\n}\n",
    "tests/test_retry.py": "def test_backoff_doubles():\n    assert backoff(3) == 8\n",
    "docs/retry.md": "# Retrying\n\nA request is sent again when its method is idempotent.\n",
    "setup.cfg": "[metadata]\nname = project\n",
}


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Work:
    """A git repository of a test, and the real programs run inside it."""

    path: Path

    def git(self, *arguments: str, given: bytes | None = None, code: int = 0) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, input=given, capture_output=True, check=False
        )
        assert done.returncode == code, (arguments, done.stdout, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        where = self.path / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(content.encode() if isinstance(content, str) else content)
        return where

    def commit(self, message: str = "change", *options: str) -> str:
        self.git("commit", "-q", "-m", message, *options)
        return self.git("rev-parse", "HEAD")

    def run(self, *command: str, cwd: Path | None = None, **env: str) -> Ran:
        done = subprocess.run(
            command,
            cwd=cwd or self.path,
            env={**os.environ, **env},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Ran(
            done.returncode,
            done.stdout.decode("utf-8", "surrogateescape"),
            done.stderr.decode("utf-8", "replace"),
        )

    def search(self, *arguments: str) -> Ran:
        return self.run("git", "search", *arguments)

    def index(self, *arguments: str) -> Ran:
        return self.run("git", "search-index", *arguments)

    def use_model(self, folder: Path) -> None:
        """Let this person (every repository of the test) use a model's folder."""
        self.git("config", "--global", "search.modelPath", str(folder))
        self.git("config", "--global", "--replace-all", "search.allowModel", "tiny/model")

    def segments(self) -> list[str]:
        """Names of the segments in the git index."""
        listed = self.git("ls-files", ".search/segments").split("\n")
        return [line.rpartition("/")[2] for line in listed if line]


@pytest.fixture(autouse=True)
def _clean_git(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the person's own git, and the programs under test are found first."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "PAGER", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    config = home / "gitconfig"
    config.write_text(
        "[user]\n\tname = Tester\n\temail = tester@example.org\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n[gc]\n\tauto = 0\n"
        '[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that loads and embeds in milliseconds."""
    return make_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that wants an indexed repository leaves a copy for the others."""
    return tmp_path_factory.mktemp("template") / "work"


@pytest.fixture
def indexed(work: Work, tiny_model: Path, template: Path) -> Work:
    """A small repository with a committed index of the tiny model, and the hook installed."""
    work.use_model(tiny_model)
    if template.exists():
        shutil.rmtree(work.path)
        shutil.copytree(template, work.path, symlinks=True)
        work.git("update-index", "-q", "--refresh")
        return work
    for path, content in PROJECT.items():
        work.write(path, content)
    work.git("add", "-A")
    work.commit("project")
    made = work.index("init", "--model", "tiny/model")
    assert made.code == 0, made.err
    work.commit("index")
    assert work.index("install").code == 0
    shutil.copytree(work.path, template, symlinks=True)
    return work


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """An empty repository."""
    folder = tmp_path / "work"
    folder.mkdir()
    made = Work(folder)
    made.git("init", "-q")
    return made


@pytest.fixture
def clone(tmp_path: Path) -> Callable[..., Work]:
    """Clones a repository next to it."""
    count = iter(range(1000))

    def make(source: Work, *options: str) -> Work:
        target = tmp_path / f"clone{next(count)}"
        source.git("clone", "-q", *options, f"file://{source.path}", str(target))
        return Work(target)

    return make
