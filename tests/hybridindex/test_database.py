from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from hybridindex.chunking.keyed import keyed_chunks
from hybridindex.database.connection import open_database, state_of
from hybridindex.database.deriving import derive
from hybridindex.database.searching import (
    BODY_WEIGHT,
    CLOSENESS,
    COSINE_SCALE,
    LISTS,
    PATH_WEIGHT,
    RRF_K,
    SYMBOL_WEIGHT,
    coverage,
    search,
    without_vector,
)
from hybridindex.queries import Hit, Query
from hybridindex.ranking.terms import terms_of
from hybridindex.segments import new_segments
from hybridindex.types import FileRecord, Fingerprint, Mode
from hybridindex.vectors import LocalVectors
from tests.hybridindex.sources import (
    FILES,
    FINGERPRINT,
    Made,
    fill,
    vector_of,
)


def rows(connection: apsw.Connection) -> list[tuple[object, ...]]:
    return sorted(
        connection.execute(
            "SELECT path, blob_id, language, role, covered, start_line, end_line, symbols, key,"
            " embedded, (SELECT hex(embedding) FROM vectors WHERE rowid = chunk.id)"
            " FROM chunk JOIN file ON file.id = file_id"
        )
    )


def asked(
    connection: apsw.Connection, query: Query, vector: bytes | None = None, pool: int = 100
) -> list[Hit]:
    return search(connection, query, terms_of(query.text), vector, pool)


def found(connection: apsw.Connection, question: str) -> list[str]:
    return [hit.path for hit in asked(connection, Query(question))]


def missing_vectors(connection: apsw.Connection) -> int:
    return len(without_vector(connection, 1000))


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    return open_database(tmp_path / "work.db", FINGERPRINT)


def test_keywords_find_identifiers_whole_and_split(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    assert set(found(connection, "may_retry")[:2]) == {"src/retry.py", "tests/test_retry.py"}
    assert found(connection, "evict the oldest entries")[0] == "lib/cache.go"
    assert set(found(connection, "retries")) >= {"docs/retry.md", "src/retry.py"}  # by stem
    assert found(connection, "zebra") == []


def test_the_chunk_that_repeats_a_word_comes_before_one_that_has_it_once(
    connection: apsw.Connection,
) -> None:
    """bm25() of a contentless table is 0 for every row unless it keeps full detail."""
    files = {
        "a.txt": b"apple pear plum cherry\n" * 3,
        "b.txt": b"apple apple apple\n" * 3,
        "c.txt": b"fig\n",
    }
    fill(connection, Made(files))
    assert found(connection, "apple") == ["b.txt", "a.txt"]


def test_vectors_are_ranked_by_cosine_and_fused(connection: apsw.Connection) -> None:
    index = Made(FILES)
    fill(connection, index)
    row = connection.execute(
        "SELECT key FROM chunk JOIN file ON file.id = file_id WHERE path = ?", (b"lib/cache.go",)
    ).get
    question = vector_of(row)
    (first, *_) = asked(connection, Query("zebra", mode="semantic"), question)
    assert first.path == "lib/cache.go"
    assert {name: rank for name, rank in first.lists.items() if rank} == {"semantic": 1}
    hybrid = asked(connection, Query("may_retry"), question)
    assert {hit.path for hit in hybrid} == set(FILES)
    by_path = {hit.path: hit.lists for hit in hybrid}
    assert by_path["src/retry.py"]["exact"] == 1
    assert by_path["lib/cache.go"]["exact"] is None


def test_closeness_is_1_for_the_best_of_a_list_and_falls_with_the_distance(
    connection: apsw.Connection,
) -> None:
    fill(connection, Made(FILES))
    keys = dict(connection.execute("SELECT chunk.id, key FROM chunk"))
    best = next(iter(keys))
    question = vector_of(keys[best])
    hits = asked(connection, Query("the oldest request"), question)
    near = {hit.chunk_id: hit.closeness for hit in hits}
    wanted = np.frombuffer(question, np.int8).astype(float)
    for chunk_id, key in keys.items():
        other = np.frombuffer(vector_of(key), np.int8).astype(float)
        cosine = wanted @ other / np.linalg.norm(wanted) / np.linalg.norm(other)
        assert near[chunk_id]["semantic"] == pytest.approx(np.exp((cosine - 1) / COSINE_SCALE))
    assert near[best]["semantic"] == pytest.approx(1)
    split = [hit for hit in hits if "split" in hit.closeness]
    scores = dict(
        connection.execute(
            "SELECT rowid, bm25(split, ?, ?, ?) FROM split WHERE split MATCH 'oldest OR request'",
            (PATH_WEIGHT, SYMBOL_WEIGHT, BODY_WEIGHT),
        )
    )
    assert len(split) == len(scores) > 1
    for hit in split:
        share = scores[hit.chunk_id] / min(scores.values())
        assert hit.closeness["split"] == pytest.approx(share**2)


def test_a_score_is_what_ranks_and_closeness_add_up_to(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    modes: tuple[Mode, ...] = ("hybrid", "keyword")
    for mode in modes:
        question = vector_of(bytes(16))
        for hit in asked(connection, Query("retry it", mode=mode), question):
            ranks = sum(LISTS[name] / (RRF_K + rank) for name, rank in hit.lists.items() if rank)
            near = sum(CLOSENESS[name] * part for name, part in hit.closeness.items())
            assert hit.score == pytest.approx(ranks + near)
            assert ("semantic" in hit.closeness) == (mode == "hybrid")


def test_a_filter_narrows_before_the_nearest_are_taken(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    question = vector_of(b"\0" * 16)
    for narrowing, path in (
        (Query("request", languages=["go"]), "lib/cache.go"),
        (Query("request", roles=["docs"]), "docs/retry.md"),
        (Query("request", paths=["tests/test_retry.py"]), "tests/test_retry.py"),
    ):
        hits = asked(connection, narrowing, question, pool=1)
        assert {hit.path for hit in hits} == {path}
        assert all(hit.lists["semantic"] == 1 for hit in hits)


def test_applying_a_difference_gives_the_rows_of_a_fresh_database(tmp_path: Path) -> None:
    drawn = random.Random(7)
    connection = open_database(tmp_path / "work.db", FINGERPRINT)
    files = dict(FILES)
    for step in range(25):
        path = drawn.choice(sorted(files))
        if drawn.random() < 0.3 and len(files) > 2:
            del files[path]
        else:
            files[path] = files[path] + b"x%d = %d\n" % (step, step)
        if drawn.random() < 0.3:
            files[f"new{step}.py"] = b"def fresh%d():\n    pass\n" % step
        covered = [p for p in sorted(files) if drawn.random() < 0.8]
        state = Made(files, covered)
        fill(connection, state)
        fresh = open_database(None, FINGERPRINT)
        fill(fresh, state)
        assert [row[:9] for row in rows(connection)] == [row[:9] for row in rows(fresh)]
        # What was embedded once stays embedded, so only a fresh one may lack vectors.
        ours, anew = coverage(connection), coverage(fresh)
        assert ours.by_keyword <= anew.by_keyword
        assert replace(ours, by_keyword=0) == replace(anew, by_keyword=0)
        assert missing_vectors(connection) <= missing_vectors(fresh)
        assert sorted(found(connection, "fresh retry x3")) == sorted(found(fresh, "fresh retry x3"))


def test_only_what_changed_is_read(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    index = Made({**FILES, "src/send.py": b"def send():\n    pass\n"})
    fill(connection, index)
    assert index.read_paths == ["src/send.py"]
    index.read_paths.clear()
    fill(connection, index)
    assert index.read_paths == []


def test_files_nobody_indexed_are_found_by_keyword_and_counted(
    connection: apsw.Connection,
) -> None:
    index = Made(FILES, covered=["src/retry.py", "docs/retry.md"])
    fill(connection, index)
    assert found(connection, "EvictOldest") == ["lib/cache.go"]
    seen = coverage(connection)
    assert (seen.files, seen.covered, missing_vectors(connection)) == (5, 2, 3)
    assert seen.share == 0.4


def test_a_local_vector_serves_until_a_segment_has_it(
    connection: apsw.Connection, tmp_path: Path
) -> None:
    local = LocalVectors(tmp_path / "vectors", FINGERPRINT)
    ((chunk, _),) = keyed_chunks(
        FINGERPRINT, "lib/cache.go", FILES["lib/cache.go"].decode(), "go", "syntax"
    )
    local.put([(chunk.key, vector_of(chunk.key))])
    index = Made(FILES, covered=[p for p in FILES if p != "lib/cache.go"])
    derive(connection, index, local.snapshot().vector)
    assert (coverage(connection).covered, missing_vectors(connection)) == (4, 0)
    local.discard([chunk.key])
    assert local.snapshot().vector(chunk.key) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"not a database at all" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(b""),
        lambda path: apsw.Connection(str(path)).execute("UPDATE meta SET value = 'other'"),
        lambda path: apsw.Connection(str(path)).execute("DROP TABLE chunk"),
    ],
)
def test_a_damaged_or_foreign_database_is_made_anew(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "work.db"
    state = Made(FILES)
    connection = open_database(path, FINGERPRINT)
    fill(connection, state)
    whole = rows(connection)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    damage(path)  # type: ignore[operator]
    again = open_database(path, FINGERPRINT)
    fill(again, state)
    assert rows(again) == whole


def test_another_fingerprint_makes_the_database_anew(tmp_path: Path) -> None:
    connection = open_database(tmp_path / "work.db", FINGERPRINT)
    fill(connection, Made(FILES))
    connection.close()
    other = Fingerprint("other", "", "", 32, 128)
    connection = open_database(tmp_path / "work.db", other)
    assert state_of(connection) == ""


def test_an_interrupted_derivation_leaves_the_old_state_whole(
    connection: apsw.Connection,
) -> None:
    fill(connection, Made(FILES))
    before, name = rows(connection), state_of(connection)
    index = Made({**FILES, "a.py": b"a = 1\n", "b.py": b"b = 1\n"})

    class CutOff(Made):
        def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
            yield from list(super().read(paths))[:1]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(connection, CutOff(index.contents))
    assert (rows(connection), state_of(connection)) == (before, name)


def _derive_and_count(path: Path, seed: int) -> int:
    index = Made({**FILES, "who.py": b"me = %d\n" % (seed % 2)})
    connection = open_database(path, FINGERPRINT)
    fill(connection, index)
    return len(found(connection, "may_retry"))


def test_many_processes_derive_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(6) as pool:
        path = tmp_path / "work.db"
        counts = pool.starmap(_derive_and_count, [(path, seed) for seed in range(24)])
    assert set(counts) == {4}


def _open_at(path: Path, moment: float) -> str:
    while time.time() < moment:
        pass
    try:
        open_database(path, FINGERPRINT).close()
    except Exception as error:
        return repr(error)
    return ""


def test_processes_that_make_a_database_at_the_same_moment_wait_for_each_other(
    tmp_path: Path,
) -> None:
    """Two that wanted the step to WAL at once got "database is locked" without a wait."""
    with multiprocessing.get_context("spawn").Pool(6) as pool:
        for made in range(40):
            moment = time.time() + 0.02
            at_once = [(tmp_path / f"{made}.db", moment)] * 6
            assert set(pool.starmap(_open_at, at_once, chunksize=1)) == {""}


def test_a_record_that_lies_about_lines_is_cut(connection: apsw.Connection) -> None:
    index = Made({"a.py": b"def one():\n    pass\n"})
    longer = Made({"a.py": b"def one():\n    pass\n" * 40})
    lying = FileRecord(
        "a.py", index.files["a.py"],
        longer.catalogue.record("a.py", longer.files["a.py"]).chunks,  # type: ignore[union-attr]
    )  # fmt: skip
    keys = {chunk.key: vector_of(chunk.key) for chunk in lying.chunks}
    index.segment_bytes = dict(new_segments(FINGERPRINT, [lying], keys))
    fill(connection, index)
    ends = [end for (end,) in connection.execute("SELECT end_line FROM chunk")]
    assert ends
    assert max(ends) <= 2
