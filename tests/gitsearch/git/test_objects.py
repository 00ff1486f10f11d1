"""Many blobs at once."""

from __future__ import annotations

from gitsearch.git.location import locate
from gitsearch.git.objects import EMPTY_BLOBS, object_id_of, read_blob, read_blobs
from tests.conftest import Work


def stored(work: Work, data: bytes) -> str:
    return work.git("hash-object", "-w", "--stdin", given=data)


def test_blobs_come_in_the_order_asked_and_missing_ones_are_left_out(work: Work) -> None:
    contents = [b"", b"a\n", b"\0\xff\r\n", b"x" * 300_000, b"no newline"]
    ids = [stored(work, data) for data in contents]
    work.write("a.txt", "a")
    work.git("add", "-A")
    commit = work.commit("first")
    asked = [ids[3], "0" * 40, ids[0], commit, ids[2], ids[1], ids[4], ids[1]]
    found = list(read_blobs(locate(work.path), asked))
    wanted = [3, 0, 2, 1, 4, 1]
    assert found == [(ids[i], contents[i]) for i in wanted]
    assert list(read_blobs(locate(work.path), [])) == []


def test_more_blobs_than_a_pipe_holds_do_not_block(work: Work) -> None:
    ids = [stored(work, b"%d" % n) for n in range(3)]
    found = list(read_blobs(locate(work.path), ids * 3000))
    assert len(found) == 9000


def test_whoever_stops_reading_leaves_no_program_behind(work: Work) -> None:
    ids = [stored(work, b"%d" % n * 100_000) for n in range(3)]
    reading = read_blobs(locate(work.path), ids * 50)
    assert next(iter(reading))[0] == ids[0]
    reading.close()  # type: ignore[attr-defined]


def test_one_blob(work: Work) -> None:
    name = stored(work, b"one\n")
    assert read_blob(locate(work.path), name) == b"one\n"
    assert read_blob(locate(work.path), "0" * 40) is None


def test_names_are_those_of_git(work: Work) -> None:
    for data in (b"", b"x\n", b"\0" * 1000):
        assert object_id_of(data) == stored(work, data)
    work.write("a.txt", "a")
    work.git("add", "-A")
    work.commit("first")
    tree = work.git("rev-parse", "HEAD^{tree}")
    raw = work.run("git", "cat-file", "tree", tree).out.encode("utf-8", "surrogateescape")
    assert object_id_of(raw, "tree") == tree
    assert stored(work, b"") in EMPTY_BLOBS
    assert len(EMPTY_BLOBS) == 2


def test_blobs_of_another_place_are_read_where_that_is_said(work: Work) -> None:
    folder = work.path / "elsewhere"
    folder.mkdir()
    ran = work.run("git", "hash-object", "-w", "a", GIT_OBJECT_DIRECTORY=str(folder))
    assert ran.code != 0
    work.write("a", "elsewhere\n")
    name = work.run("git", "hash-object", "-w", "a", GIT_OBJECT_DIRECTORY=str(folder)).out.strip()
    assert list(read_blobs(locate(work.path), [name])) == []
    extra = {"GIT_OBJECT_DIRECTORY": str(folder)}
    assert list(read_blobs(locate(work.path), [name], extra)) == [(name, b"elsewhere\n")]
