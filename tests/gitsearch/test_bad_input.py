"""Bad input gets a clear message or a right result, never a traceback."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from tests.conftest import Ran, Work
from tests.tiny import make_model


def assert_trouble(ran: Ran, *words: str) -> None:
    assert ran.code == 2, ran
    assert "Traceback" not in ran.err
    assert "unexpected" not in ran.err
    for word in words:
        assert word in ran.err


COMMANDS = (["search", "x"], ["search-index", "status"], ["search-index", "update"],
            ["search-index", "check"])  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_repository(tmp_path: Path, command: list[str]) -> None:
    ran = Work(tmp_path).run("git", *command)
    assert_trouble(ran, "not in a git repository", "git init")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_index(work: Work, command: list[str]) -> None:
    assert_trouble(work.run("git", *command), ".search/config.toml", "git search-index init")
    work.write("a.py", "a = 1\n")
    work.git("add", "-A")
    work.commit()
    assert_trouble(work.run("git", *command), "git search-index init")


def test_an_unborn_repository_can_be_given_an_index(work: Work, tiny_model: Path) -> None:
    work.use_model(tiny_model)
    assert work.index("init", "--model", "tiny/model").code == 0
    assert work.search("anything").code == 1
    status = json.loads(work.index("status", "--json").out)
    assert (status["coverage"], status["files"]) == (1.0, 0)
    assert_trouble(work.search("--rev", "HEAD", "x"), "HEAD")


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('method = "syntax"', 'method = "syntax"\ncolour = 1', "chunking.colour"),
        ('method = "syntax"\n', "", "chunking.method"),
        ('method = "syntax"', 'method = "magic"', "magic"),
        ("dimensions = 32", 'dimensions = "32"', "model.dimensions"),
        ("dimensions = 32", "dimensions = -1", "model.dimensions"),
        ("format = 2", "format = 99", "upgrade"),
        ("format = 2", "format = 0", "upgrade"),
        ('adapter = ""\n', "", "model.adapter"),
        ("format = 2", "format = ", "not TOML"),
    ],
)
def test_a_wrong_configuration_names_the_key(indexed: Work, old: str, new: str, word: str) -> None:
    config = indexed.path / ".search/config.toml"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new))
    for command in COMMANDS:
        assert_trouble(indexed.run("git", *command), word)


def test_another_model_of_the_same_dimensions_is_named_with_the_right_one(
    indexed: Work, tmp_path: Path
) -> None:
    other = make_model(tmp_path / "other", seed=9)
    indexed.git("config", "search.modelPath", str(other))
    ran = indexed.search("may_retry")
    assert_trouble(ran, "tiny/model")
    config = (indexed.path / ".search/config.toml").read_text()
    (expected,) = (
        line.split('"')[1] for line in config.splitlines() if line.startswith("weights_sha256")
    )
    assert expected in ran.err
    assert indexed.search("--mode", "keyword", "may_retry").code == 0


def test_vectors_of_another_configuration_are_never_used(indexed: Work) -> None:
    config = indexed.path / ".search/config.toml"
    config.write_text(config.read_text().replace("max_tokens = 128", "max_tokens = 64"))
    assert_trouble(indexed.search("may_retry"), "another fingerprint", "git search-index update")
    status = json.loads(indexed.index("status", "--json").out)
    assert status["coverage"] == 0.0
    assert status["foreign"]["tiny/model"] > 0
    assert indexed.index("update").code == 0
    assert indexed.search("may_retry").code == 0


def test_a_model_the_clone_chose_needs_this_persons_word(indexed: Work) -> None:
    indexed.git("config", "--global", "--unset-all", "search.allowModel")
    indexed.git("config", "--unset-all", "search.allowModel", code=5)  # init keeps to its clone
    ran = indexed.search("may_retry")
    assert ran.code == 0
    assert "not allowed" in ran.err
    assert "git config --global --add search.allowModel tiny/model" in ran.err


@pytest.mark.parametrize("question", ["???", "", "   ", "\"'()*", "-- ; DROP TABLE chunk"])
def test_a_question_of_punctuation_is_no_trouble(indexed: Work, question: str) -> None:
    ran = indexed.search("--mode", "keyword", "--", question)
    assert ran.code in (0, 1)
    assert ran.err == ""
    assert indexed.search("--", question).code in (0, 1)


def test_a_question_of_100_000_characters(indexed: Work) -> None:
    ran = indexed.search("may_retry " + "why " * 25_000)
    assert ran.code == 0
    assert ran.out.startswith("src/retry.py")


def test_a_question_that_is_not_utf8(indexed: Work) -> None:
    ran = indexed.run("git", "search", os.fsdecode(b"may_retry caf\xe9"))
    assert ran.code == 0
    assert ran.out.startswith("src/retry.py")
    answer = indexed.run("git", "search", "--json", os.fsdecode(b"caf\xe9 retry"))
    assert json.loads(answer.out)["query"] == "caf? retry"


def test_a_path_that_is_not_utf8_and_a_latin1_file(indexed: Work) -> None:
    name = os.fsdecode(b"src/caf\xe9\tx.py")
    indexed.write(name, "# Stra\u00dfe zebra\nx = 1\n".encode("latin-1"))
    indexed.git("add", "-A")
    indexed.commit("odd")
    assert indexed.index("check").code == 0
    found = indexed.search("--mode", "keyword", "Straße")
    assert found.code == 0
    assert found.out.startswith(os.fsdecode(b"src/caf\xe9\\tx.py:1-2\t"))
    assert indexed.search("-l", "-z", "--mode", "keyword", "zebra").out == name + "\0"
    answer = json.loads(indexed.search("--json", "--mode", "keyword", "zebra").out)
    assert answer["results"][0]["path"] == "src/caf\ufffd\tx.py"
    assert indexed.search("zebra", "--", name).code == 0


@pytest.mark.parametrize("length", [0, 3, 40, 200, -1])
def test_a_truncated_segment_is_said_and_mended(indexed: Work, length: int) -> None:
    (name,) = indexed.segments()
    segment = indexed.path / ".search/segments" / name
    data = segment.read_bytes()
    segment.write_bytes(data[:length])
    # Git still has the whole one, so the clone answers as before.
    assert indexed.search("may_retry").code == 0
    assert indexed.index("check").code == 0
    indexed.git("add", "-A")
    status = indexed.index("status")
    assert status.code == 0
    assert f"damaged   {name}" in status.out
    assert indexed.index("check").code == 1
    assert indexed.search("may_retry").code == 0
    assert indexed.index("update").code == 0
    assert indexed.index("check").code == 0


@pytest.mark.parametrize("damage", [b"garbage" * 1000, b"", None])
def test_a_damaged_database_is_rebuilt_without_a_word(indexed: Work, damage: bytes | None) -> None:
    before = indexed.search("may_retry")
    database = indexed.path / ".git/git-search/work.db"
    if damage is None:
        connection = sqlite3.connect(database)
        connection.execute("DELETE FROM file")
        connection.execute("DROP INDEX chunk_of_file")
        connection.commit()
        connection.close()
        data = bytearray(database.read_bytes())
        data[4096 : 4096 * 3] = b"\xff" * 4096 * 2
        database.write_bytes(data)
    else:
        for beside in database.parent.glob("work.db-*"):
            beside.unlink()
        database.write_bytes(damage)
    assert indexed.search("may_retry") == before


def test_an_unwritable_git_folder_is_answered_from_memory(indexed: Work) -> None:
    private = indexed.path / ".git/git-search"
    private.write_text("a file where the folder would be")
    found = indexed.search("may_retry")
    assert found.code == 0
    assert found.out.startswith("src/retry.py")
    assert "searching in memory" in found.err


def test_links_are_not_followed_out_of_the_repository(indexed: Work, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("zebra password\n")
    (indexed.path / "link.txt").symlink_to(tmp_path / "secret.txt")
    indexed.git("add", "-A")
    indexed.commit("link")
    assert indexed.search("--mode", "keyword", "zebra").code == 1
    # A tracked file whose place a link takes in the work tree.
    (indexed.path / "src/cache.go").unlink()
    (indexed.path / "src/cache.go").symlink_to(tmp_path / "secret.txt")
    assert indexed.search("--mode", "keyword", "zebra").code == 1
    # A tracked folder whose place a link takes.
    (indexed.path / "docs/retry.md").unlink()
    (indexed.path / "docs").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/retry.md").write_text("zebra\n")
    (indexed.path / "docs").symlink_to(tmp_path / "elsewhere")
    found = indexed.search("--mode", "keyword", "zebra")
    assert found.code == 1, found
