"""Rows that another program or model made are made anew, and only those."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hybridindex
from hybridindex.database import version
from hybridindex.database.connection import open_database, state_of
from tests.hybridindex.sources import FILES, FINGERPRINT, Made, fill

ENGINE = Path(hybridindex.__file__).parent


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A copy of the engine that a test may change; without the weights that come with it."""
    copy = tmp_path / "index/hybridindex"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__", "adapters"))
    return copy


def code(engine: Path) -> str:
    return version.code_version(version._row_code(engine))


@pytest.mark.parametrize("name", ["rows", "fingerprint"])
def test_rows_of_another_program_or_model_are_made_anew(tmp_path: Path, name: str) -> None:
    path = tmp_path / "work.db"
    connection = open_database(path, FINGERPRINT)
    fill(connection, Made(FILES))
    connection.close()
    connection = open_database(path, FINGERPRINT)
    assert state_of(connection) != ""
    connection.execute("UPDATE meta SET value = 'of another' WHERE name = ?", (name,))
    connection.close()
    connection = open_database(path, FINGERPRINT)
    assert state_of(connection) == ""
    assert connection.execute("SELECT count(*) FROM file").get == 0


@pytest.mark.parametrize(
    "path",
    [
        "chunking/by_syntax.py", "chunking/lines.py", "chunking/pieces.py", "database/deriving.py",
        "database/filling.sql", "database/schema.sql", "files.py", "languages.py", "roles.py",
        "segments/catalogue.py", "segments/records.py", "skipping.py", "syntax/grammars.py",
        "text.py",
    ],
)  # fmt: skip
def test_code_that_makes_rows_changes_the_version(engine: Path, path: str) -> None:
    before = code(engine)
    assert before == code(ENGINE)
    (engine / path).write_bytes((engine / path).read_bytes() + b"\n")
    assert code(engine) != before


@pytest.mark.parametrize(
    "path",
    [
        "database/search.sql", "database/searching.py", "database/searching.sql",
        "embedding/builtin.py", "evaluation/metrics.py", "indexing.py", "queries.py",
        "ranking/priors.py", "searcher.py", "segments/compaction.py", "segments/writing.py",
        "vectors.py", "verifying.py",
    ],
)  # fmt: skip
def test_code_that_only_asks_leaves_the_rows(engine: Path, path: str) -> None:
    """A change of the ranking must not make everybody derive their databases again."""
    before = code(engine)
    (engine / path).write_bytes((engine / path).read_bytes() + b"\n")
    assert code(engine) == before


def test_a_new_module_changes_the_version_and_a_cache_does_not(engine: Path) -> None:
    before = code(engine)
    (engine / "__pycache__").mkdir()
    (engine / "__pycache__/roles.cpython-310.pyc").write_bytes(b"x")
    (engine / "notes.txt").write_text("x")
    assert code(engine) == before
    (engine / "reading.py").write_text("")
    assert code(engine) != before


def test_a_moved_line_between_two_files_changes_the_version(tmp_path: Path) -> None:
    one, two = tmp_path / "a.py", tmp_path / "b.py"
    names = set()
    for first, second in (("xy", "z"), ("x", "yz"), ("", "xyz")):
        one.write_text(first)
        two.write_text(second)
        names.add(version.code_version([one, two]))
    names.add(version.code_version([one, two], ["g"]))
    names.add(version.code_version([one, two], ["g", "h"]))
    assert len(names) == 5


def test_another_grammar_changes_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = version._grammars()
    (tmp_path / "tree_sitter_cobol-1.0.dist-info").mkdir()
    (tmp_path / "another-1.0.dist-info").mkdir()
    (tmp_path / "tree_sitter_cobol").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert version._grammars() == sorted([*before, "tree_sitter_cobol-1.0.dist-info"])
    version.row_version.cache_clear()
    with_grammar = version.row_version()
    monkeypatch.undo()
    version.row_version.cache_clear()
    assert version.row_version() != with_grammar


ROLES = """
import json, sys
from pathlib import Path
from hybridindex.queries import Query
from hybridindex.searcher import Searcher
from tests.hybridindex.sources import FILES, Made
source = Made(FILES)
searcher = Searcher(lambda: source, Path(sys.argv[1]), Path(sys.argv[2]), lambda _: None)
answer = searcher.search(Query("may_retry", mode="keyword"))
print(json.dumps({hit.path: hit.role for hit in answer}))
"""


def roles(folder: Path, *roots: Path) -> dict[str, str]:
    """The roles that a program with such an engine answers with, from the database it finds."""
    ours = [Path(__file__).parents[2], ENGINE.parent]
    path = os.pathsep.join(map(str, [*roots, *ours, *sys.path]))
    done = subprocess.run(
        [sys.executable, "-c", ROLES, str(folder / "work.db"), str(folder / "vectors")],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_changed_rule_for_roles_tells_in_the_next_answer(engine: Path, tmp_path: Path) -> None:
    """After an update of the program a person saw the roles of the old one."""
    assert roles(tmp_path)["src/retry.py"] == "source"
    text = (engine / "roles.py").read_text()
    (engine / "roles.py").write_text(
        text + "\n\n_before = role_of\n\n\ndef role_of(path, *rest):\n"
        "    return 'example' if path == 'src/retry.py' else _before(path, *rest)\n"
    )
    assert roles(tmp_path, engine.parent)["src/retry.py"] == "example"
    assert roles(tmp_path)["src/retry.py"] == "source"
