from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Work
from tests.git.branches import LONG


@pytest.fixture(scope="session")
def long_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("long") / "work"


@pytest.fixture
def long(indexed: Work, long_template: Path) -> Work:
    """The indexed repository, with a file that two commits can change far apart."""
    if long_template.exists():
        shutil.rmtree(indexed.path)
        shutil.copytree(long_template, indexed.path, symlinks=True)
        indexed.git("update-index", "-q", "--refresh")
        return indexed
    indexed.write("src/long.py", LONG)
    indexed.git("add", "-A")
    indexed.commit("long")
    shutil.copytree(indexed.path, long_template, symlinks=True)
    return indexed
