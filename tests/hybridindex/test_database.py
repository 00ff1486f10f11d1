from __future__ import annotations

import hashlib
import multiprocessing
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest

from hybridindex.database.connection import open_database, state_of
from hybridindex.database.deriving import TreeState, derive, keyed_chunks
from hybridindex.database.local import LocalVectors
from hybridindex.database.searching import (
    BODY_WEIGHT,
    CLOSENESS,
    COSINE_SCALE,
    LISTS,
    PATH_WEIGHT,
    RRF_K,
    SYMBOL_WEIGHT,
    Filter,
    coverage,
    search,
)
from hybridindex.languages import language_of
from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.writing import new_segments
from hybridindex.types import FileRecord, Fingerprint, Mode

DIMENSIONS = 16
FINGERPRINT = Fingerprint("seeded", "", "", DIMENSIONS, 128)

FILES = {
    "src/retry.py": b"def may_retry(request):\n    return request.idempotent\n",
    "src/send.py": b"def send(request):\n    if may_retry(request):\n        again(request)\n",
    "tests/test_retry.py": b"def test_may_retry():\n    assert may_retry(get)\n",
    "docs/retry.md": b"# Retrying\n\nA request may be retried when it is idempotent.\n",
    "lib/cache.go": b"package lib\n\nfunc EvictOldest(c *Cache) {\n\tc.pop()\n}\n",
}


def vector_of(key: bytes) -> bytes:
    seed = int.from_bytes(key[:8], "little")
    drawn = np.random.default_rng(seed).integers(-127, 128, DIMENSIONS, np.int8)
    return drawn.tobytes()


def no_local(_: bytes) -> bytes | None:
    return None


class Index:
    """Files and the segments that cover some of them."""

    def __init__(self, files: dict[str, bytes], covered: Sequence[str] | None = None) -> None:
        self.files = files
        self.ids = {p: hashlib.sha1(d).hexdigest() for p, d in files.items()}
        records, keys = [], {}
        for path in files if covered is None else covered:
            found = keyed_chunks(
                FINGERPRINT, path, files[path].decode(), language_of(path), "syntax"
            )
            chunks = tuple(chunk for chunk, _ in found)
            records.append(FileRecord(path, self.ids[path], chunks))
            keys.update({chunk.key: vector_of(chunk.key) for chunk in chunks})
        self.segments = dict(new_segments(FINGERPRINT, records, keys))
        self.read_paths: list[str] = []

    def catalogue(self) -> Catalogue:
        return Catalogue(FINGERPRINT.id, self.segments, lambda name: [self.segments[name]])

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            self.read_paths.append(path)
            yield path, self.files[path]

    def state(self) -> TreeState:
        made = self.catalogue()
        name = repr(sorted(self.ids.items())) + repr(sorted(self.segments))
        return TreeState(
            name, lambda: self.segments, lambda: self.ids,
            lambda: made, self.read, "syntax",
        )  # fmt: skip


def rows(connection: apsw.Connection) -> list[tuple[object, ...]]:
    return sorted(
        connection.execute(
            "SELECT path, blob_id, language, role, covered, start_line, end_line, symbols, key,"
            " embedded, (SELECT hex(embedding) FROM vectors WHERE rowid = chunk.id)"
            " FROM chunk JOIN file ON file.id = file_id"
        )
    )


def found(connection: apsw.Connection, question: str, **narrowing: Sequence[str]) -> list[str]:
    hits = search(connection, FINGERPRINT, question, None, Filter(**narrowing))  # type: ignore[arg-type]
    return [hit.path for hit in hits]


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    return open_database(tmp_path / "work.db", FINGERPRINT)


def test_keywords_find_identifiers_whole_and_split(connection: apsw.Connection) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
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
    derive(connection, Index(files).state(), FINGERPRINT, no_local)
    assert found(connection, "apple") == ["b.txt", "a.txt"]


def test_vectors_are_ranked_by_cosine_and_fused(connection: apsw.Connection) -> None:
    index = Index(FILES)
    derive(connection, index.state(), FINGERPRINT, no_local)
    row = connection.execute(
        "SELECT key FROM chunk JOIN file ON file.id = file_id WHERE path = ?", (b"lib/cache.go",)
    ).get
    question = vector_of(row)
    (first, *_) = search(connection, FINGERPRINT, "zebra", question, Filter(), "semantic")
    assert first.path == "lib/cache.go"
    assert {name: rank for name, rank in first.lists.items() if rank} == {"semantic": 1}
    hybrid = search(connection, FINGERPRINT, "may_retry", question, Filter())
    assert {hit.path for hit in hybrid} == set(FILES)
    by_path = {hit.path: hit.lists for hit in hybrid}
    assert by_path["src/retry.py"]["keyword"] == 1
    assert by_path["lib/cache.go"]["keyword"] is None


def test_closeness_is_1_for_the_best_of_a_list_and_falls_with_the_distance(
    connection: apsw.Connection,
) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    keys = dict(connection.execute("SELECT chunk.id, key FROM chunk"))
    best = next(iter(keys))
    question = vector_of(keys[best])
    hits = search(connection, FINGERPRINT, "the oldest request", question, Filter())
    near = {hit.chunk_id: hit.closeness for hit in hits}
    asked = np.frombuffer(question, np.int8).astype(float)
    for chunk_id, key in keys.items():
        other = np.frombuffer(vector_of(key), np.int8).astype(float)
        cosine = asked @ other / np.linalg.norm(asked) / np.linalg.norm(other)
        assert near[chunk_id]["semantic"] == pytest.approx(np.exp((cosine - 1) / COSINE_SCALE))
    assert near[best]["semantic"] == pytest.approx(1)
    split = [hit for hit in hits if "split" in hit.closeness]
    scores = dict(
        connection.execute(
            "SELECT rowid, bm25(parts, ?, ?, ?) FROM parts WHERE parts MATCH 'oldest OR request'",
            (PATH_WEIGHT, SYMBOL_WEIGHT, BODY_WEIGHT),
        )
    )
    assert len(split) == len(scores) > 1
    for hit in split:
        share = scores[hit.chunk_id] / min(scores.values())
        assert hit.closeness["split"] == pytest.approx(share**2)


def test_a_score_is_what_ranks_and_closeness_add_up_to(connection: apsw.Connection) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    modes: tuple[Mode, ...] = ("hybrid", "keyword")
    for mode in modes:
        question = vector_of(bytes(16))
        for hit in search(connection, FINGERPRINT, "retry it", question, Filter(), mode):
            ranks = sum(LISTS[name] / (RRF_K + rank) for name, rank in hit.lists.items() if rank)
            near = sum(CLOSENESS[name] * part for name, part in hit.closeness.items())
            assert hit.score == pytest.approx(ranks + near)
            assert ("semantic" in hit.closeness) == (mode == "hybrid")


def test_a_filter_narrows_before_the_nearest_are_taken(connection: apsw.Connection) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    question = vector_of(b"\0" * 16)
    for narrowing, path in (
        (Filter(languages=["go"]), "lib/cache.go"),
        (Filter(roles=["docs"]), "docs/retry.md"),
        (Filter(paths=["tests/test_retry.py"]), "tests/test_retry.py"),
    ):
        hits = search(connection, FINGERPRINT, "request", question, narrowing, pool=1)
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
        state = Index(files, covered).state()
        derive(connection, state, FINGERPRINT, no_local)
        fresh = open_database(None, FINGERPRINT)
        derive(fresh, state, FINGERPRINT, no_local)
        # What was embedded once stays embedded, so only a fresh one may lack vectors.
        assert [row[:9] for row in rows(connection)] == [row[:9] for row in rows(fresh)]
        one, other = coverage(connection), coverage(fresh)
        assert (one.files, one.covered, one.chunks) == (other.files, other.covered, other.chunks)
        assert one.without_vector <= other.without_vector
        assert sorted(found(connection, "fresh retry x3")) == sorted(found(fresh, "fresh retry x3"))


def test_only_what_changed_is_read(connection: apsw.Connection) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    index = Index({**FILES, "src/send.py": b"def send():\n    pass\n"})
    derive(connection, index.state(), FINGERPRINT, no_local)
    assert index.read_paths == ["src/send.py"]
    index.read_paths.clear()
    derive(connection, index.state(), FINGERPRINT, no_local)
    assert index.read_paths == []


def test_files_nobody_indexed_are_found_by_keyword_and_counted(
    connection: apsw.Connection,
) -> None:
    index = Index(FILES, covered=["src/retry.py", "docs/retry.md"])
    derive(connection, index.state(), FINGERPRINT, no_local)
    assert found(connection, "EvictOldest") == ["lib/cache.go"]
    seen = coverage(connection)
    assert (seen.files, seen.covered, seen.without_vector) == (5, 2, 3)
    assert seen.share == 0.4


def test_a_local_vector_serves_until_a_segment_has_it(
    connection: apsw.Connection, tmp_path: Path
) -> None:
    local = LocalVectors(tmp_path / "vectors.db", FINGERPRINT)
    ((chunk, _),) = keyed_chunks(
        FINGERPRINT, "lib/cache.go", FILES["lib/cache.go"].decode(), "go", "syntax"
    )
    local.put([(chunk.key, vector_of(chunk.key))])
    index = Index(FILES, covered=[p for p in FILES if p != "lib/cache.go"])
    derive(connection, index.state(), FINGERPRINT, local.get)
    seen = coverage(connection)
    assert (seen.covered, seen.without_vector) == (4, 0)
    local.discard([chunk.key])
    assert local.get(chunk.key) is None


def test_local_vectors_of_another_model_or_length_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    LocalVectors(path, FINGERPRINT).put([(b"k" * 16, bytes(DIMENSIONS))])
    assert LocalVectors(path, FINGERPRINT).get(b"k" * 16) == bytes(DIMENSIONS)
    other = Fingerprint("other", "", "", DIMENSIONS, 128)
    assert LocalVectors(path, other).get(b"k" * 16) is None
    path.write_bytes(b"no database")
    damaged = LocalVectors(path, FINGERPRINT)
    assert damaged.get(b"k" * 16) is None
    damaged.put([(b"k" * 16, bytes(DIMENSIONS))])
    assert damaged.get(b"k" * 16) == bytes(DIMENSIONS)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"not a database at all" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(b""),
        lambda path: apsw.Connection(str(path)).execute("PRAGMA user_version = 99"),
        lambda path: apsw.Connection(str(path)).execute("DROP TABLE chunk"),
    ],
)
def test_a_damaged_or_foreign_database_is_made_anew(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "work.db"
    state = Index(FILES).state()
    connection = open_database(path, FINGERPRINT)
    derive(connection, state, FINGERPRINT, no_local)
    whole = rows(connection)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    damage(path)  # type: ignore[operator]
    again = open_database(path, FINGERPRINT)
    derive(again, state, FINGERPRINT, no_local)
    assert rows(again) == whole


def test_another_fingerprint_makes_the_database_anew(tmp_path: Path) -> None:
    connection = open_database(tmp_path / "work.db", FINGERPRINT)
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    connection.close()
    other = Fingerprint("other", "", "", 32, 128)
    connection = open_database(tmp_path / "work.db", other)
    assert state_of(connection) == ""


def test_an_interrupted_derivation_leaves_the_old_state_whole(
    connection: apsw.Connection,
) -> None:
    derive(connection, Index(FILES).state(), FINGERPRINT, no_local)
    before, name = rows(connection), state_of(connection)
    index = Index({**FILES, "a.py": b"a = 1\n", "b.py": b"b = 1\n"})

    def cut_off(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        yield from list(index.read(paths))[:1]
        raise KeyboardInterrupt

    state = index.state()
    broken = TreeState(state.name, state.segments, state.files, state.catalogue, cut_off, "syntax")
    with pytest.raises(KeyboardInterrupt):
        derive(connection, broken, FINGERPRINT, no_local)
    assert (rows(connection), state_of(connection)) == (before, name)


def _derive_and_count(path: Path, seed: int) -> int:
    index = Index({**FILES, "who.py": b"me = %d\n" % (seed % 2)})
    connection = open_database(path, FINGERPRINT)
    derive(connection, index.state(), FINGERPRINT, no_local)
    return len(found(connection, "may_retry"))


def test_many_processes_derive_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(6) as pool:
        path = tmp_path / "work.db"
        counts = pool.starmap(_derive_and_count, [(path, seed) for seed in range(24)])
    assert set(counts) == {4}


def test_a_record_that_lies_about_lines_is_cut(connection: apsw.Connection) -> None:
    index = Index({"a.py": b"def one():\n    pass\n"})
    longer = Index({"a.py": b"def one():\n    pass\n" * 40})
    lying = FileRecord(
        "a.py", index.ids["a.py"],
        longer.catalogue().record("a.py", longer.ids["a.py"]).chunks,  # type: ignore[union-attr]
    )  # fmt: skip
    keys = {chunk.key: vector_of(chunk.key) for chunk in lying.chunks}
    index.segments = dict(new_segments(FINGERPRINT, [lying], keys))
    derive(connection, index.state(), FINGERPRINT, no_local)
    ends = [end for (end,) in connection.execute("SELECT end_line FROM chunk")]
    assert ends
    assert max(ends) <= 2
