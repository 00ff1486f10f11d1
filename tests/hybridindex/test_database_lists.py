"""Which lists a query is answered from, and how many candidates each gives.

Weights are written out: they are published, and a change of one must be meant.
"""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from hybridindex.database.connection import open_database
from hybridindex.database.searching import (
    any_vector,
    coverage,
    parts_of,
    search,
    without_vector,
)
from hybridindex.queries import Hit, Query
from hybridindex.ranking.terms import terms_of
from hybridindex.searcher import hits_of
from tests.hybridindex.sources import FILES, FINGERPRINT, Made, fill, vector_of

KEYWORD = {"exact", "split", "symbol", "path"}


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    return open_database(tmp_path / "work.db", FINGERPRINT)


def asked(
    connection: apsw.Connection, query: Query, vector: bytes | None = None, pool: int = 100
) -> list[Hit]:
    return search(connection, query, terms_of(query.text), vector, pool)


def lists(hits: list[Hit]) -> set[str]:
    return {name for hit in hits for name, rank in hit.lists.items() if rank is not None}


def test_each_mode_asks_its_own_lists(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    vector = vector_of(bytes(16))
    assert lists(asked(connection, Query("may_retry"), vector)) == KEYWORD | {"semantic"}
    assert lists(asked(connection, Query("may_retry", mode="keyword"), vector)) == KEYWORD
    assert lists(asked(connection, Query("may_retry", mode="semantic"), vector)) == {"semantic"}
    assert lists(asked(connection, Query("may_retry"), None)) == KEYWORD
    assert asked(connection, Query("may_retry", mode="semantic"), None) == []


def test_filters_narrow_together(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    vector = vector_of(bytes(16))

    def paths(query: Query) -> set[str]:
        return {hit.path for hit in asked(connection, query, vector)}

    python = {"src/retry.py", "src/send.py", "tests/test_retry.py"}
    assert paths(Query("request", languages=["python"])) == python
    assert paths(Query("request", languages=["python"], roles=["test"])) == {"tests/test_retry.py"}
    both = [*FILES][:2]
    assert paths(Query("request", roles=["source", "test"], paths=both)) == set(both)
    assert paths(Query("request", roles=["test"], languages=["python"], paths=both)) == set()
    assert paths(Query("request", paths=[])) == set()


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        (
            "exact",
            "SELECT rowid FROM exact WHERE exact MATCH 'retry OR request OR evict OR may_retry'"
            " ORDER BY bm25(exact, 1.0, 2.5, 1.0), rowid",
        ),
        (
            "split",
            "SELECT rowid FROM split WHERE split MATCH 'retry OR request OR evict OR may'"
            " ORDER BY bm25(split, 1.0, 2.5, 1.0), rowid",
        ),
        (
            "symbol",
            "SELECT rowid FROM exact WHERE exact MATCH"
            " 'symbols:(retry OR request OR evict OR may_retry)' ORDER BY bm25(exact), rowid",
        ),
        (
            "path",
            "SELECT rowid FROM split WHERE split MATCH"
            " 'path:(retry OR request OR evict OR may)' ORDER BY bm25(split), rowid",
        ),
    ],
)
def test_each_list_is_in_the_order_of_its_own_weights(
    connection: apsw.Connection, name: str, statement: str
) -> None:
    files = dict(FILES)
    for i in range(12):
        body = "retry " * (i % 4) + "request " * (i % 3) + "evict " * (i % 5)
        files[f"retry/n{i}.py"] = f"def retry_{i}():\n    '{body}'\n".encode()
        files[f"other/m{i}.py"] = f"def retry():\n    '{body} and {'so on ' * i}'\n".encode()
    fill(connection, Made(files))
    hits = asked(connection, Query("retry request evict may_retry"))
    ranks = {hit.lists[name]: hit.chunk_id for hit in hits if hit.lists[name] is not None}
    wanted = [row for (row,) in connection.execute(statement)]
    assert len(wanted) > 1
    assert [ranks[place] for place in range(1, len(wanted) + 1)] == wanted


def test_a_score_is_made_of_the_published_weights(connection: apsw.Connection) -> None:
    fill(connection, Made(FILES))
    weights = {"exact": 0.25, "split": 1.3, "symbol": 0.4, "path": 0.7, "semantic": 1.3}
    near = {"split": 0.09, "semantic": 0.08}
    hits = asked(connection, Query("may_retry the request"), vector_of(bytes(16)))
    assert len(hits) == len(FILES)
    for hit in hits:
        score = sum(weights[name] / (25 + rank) for name, rank in hit.lists.items() if rank)
        score += sum(near[name] * part for name, part in hit.closeness.items())
        assert hit.score == pytest.approx(score)
    best = max(hits, key=lambda hit: hit.closeness["semantic"])
    assert best.closeness["semantic"] == pytest.approx(1)


def many(count: int) -> Made:
    return Made({f"d{i:03}/x.txt": b"zebra %d\n" % i for i in range(count)})


def test_each_list_gives_100_candidates(connection: apsw.Connection) -> None:
    fill(connection, many(130))
    query = Query("zebra", mode="keyword")
    assert len(search(connection, query, terms_of("zebra"), None)) == 100
    assert len(hits_of(connection, query, None)) == 10


def test_whoever_asks_for_more_than_a_pool_gets_it_behind_the_same_first(
    connection: apsw.Connection,
) -> None:
    fill(connection, many(130))
    few = hits_of(connection, Query("zebra", count=20, mode="keyword"), None)
    more = hits_of(connection, Query("zebra", count=125, mode="keyword"), None)
    every = hits_of(connection, Query("zebra", count=1000, mode="keyword"), None)
    assert [len(few), len(more), len(every)] == [20, 125, 130]
    assert [hit.path for hit in more[:20]] == [hit.path for hit in few]
    assert len({hit.path for hit in every}) == 130


def test_every_candidate_of_a_pool_can_be_an_answer(connection: apsw.Connection) -> None:
    """They are joined up to a depth, which is twice a pool."""
    fill(connection, many(90))
    assert len(hits_of(connection, Query("zebra", count=90, mode="keyword"), None)) == 90


def test_what_has_no_vector_is_listed_up_to_a_limit(connection: apsw.Connection) -> None:
    assert not any_vector(connection)
    fill(connection, Made(FILES, covered=["src/retry.py"]))
    assert any_vector(connection)
    assert {path for _, _, path in without_vector(connection, 9)} == set(FILES) - {"src/retry.py"}
    assert len(without_vector(connection, 2)) == 2
    assert (coverage(connection).files, coverage(connection).covered) == (5, 1)


def test_parts_have_their_first_symbol_and_come_by_file_and_line(
    connection: apsw.Connection,
) -> None:
    body = "".join(f"    value = step_{i}(value, 'some words to fill it')\n" for i in range(60))
    text = f"def long(value):\n{body}\n\ndef other():\n    pass\n"
    fill(connection, Made({"a.py": text.encode(), "b.txt": b"words\n"}))
    ids = dict(connection.execute("SELECT path, id FROM file"))
    parts = parts_of(connection, [ids[b"a.py"], ids[b"b.txt"]])
    assert [part[1:3] for part in parts] == sorted(part[1:3] for part in parts)
    assert parts[0][4] == "long"
    assert [part[4] for part in parts if part[1] == ids[b"b.txt"]] == [""]
    assert parts_of(connection, []) == []
