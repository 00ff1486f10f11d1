"""Asks the database: keyword lists and vector list, fused in one statement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from hybridindex.database.statements import statement, statements
from hybridindex.queries import Coverage, Hit, Query
from hybridindex.ranking.joining import Part
from hybridindex.ranking.terms import Terms, fts_query
from hybridindex.text import decode_path, encode_path

#: RRF's k: ranks below it count almost alike. From 20 to 60 semble loses at most .007, since
#: closeness tells the first results apart.
RRF_K = 25.0
#: How many chunks each list gives to the fusion; with three times as many nothing was gained.
POOL = 100
#: vec0 refuses to return more neighbours.
MAX_POOL = 4096
#: BM25 weights of the three fields.
PATH_WEIGHT, SYMBOL_WEIGHT, BODY_WEIGHT = 1.0, 2.5, 1.0
#: Weights of the lists in the fusion; what each is worth is in ``bench/ABLATIONS.md``.
LISTS = {"exact": 0.25, "split": 1.3, "symbol": 0.4, "path": 0.7, "semantic": 1.3}
#: What being as good as the best of a list adds to the part of its rank: a first result far before
#: the second is surer than one just before it. Squared shares of the best BM25, and of cosines
#: ``exp((cosine - best) / COSINE_SCALE)``. Without: Octocode MRR -.033, Recall@10 -.039; riido07
#: without the function's name R@1 -.056.
CLOSENESS = {"split": 0.09, "semantic": 0.08}
COSINE_SCALE = 0.12

_SQL = statements("searching")


def coverage(connection: apsw.Connection) -> Coverage:
    """The coverage of the source whose rows the database holds."""
    files, covered, by_keyword = next(connection.execute(_SQL["coverage"]))
    return Coverage(files, int(covered), by_keyword)


def any_vector(connection: apsw.Connection) -> bool:
    """Whether any chunk has a vector."""
    return bool(connection.execute(_SQL["any_vector"]).get)


def without_vector(connection: apsw.Connection, limit: int) -> list[tuple[int, bytes, str]]:
    """(row, chunk key, path) of at most ``limit`` chunks that have no vector."""
    rows = connection.execute(_SQL["without_vector"], (limit,))
    return [(chunk_id, key, decode_path(path)) for chunk_id, key, path in rows]


def parts_of(connection: apsw.Connection, file_ids: Sequence[int]) -> list[Part]:
    """All chunks of some files, by file and line."""
    return list(connection.execute(_SQL["parts_of_files"], {"files": json.dumps(file_ids)}))


def _file_ids(connection: apsw.Connection, paths: Sequence[str]) -> str:
    wanted = {encode_path(path) for path in paths}
    rows = connection.execute(_SQL["paths"])
    return json.dumps([file_id for file_id, path in rows if path in wanted])


def search(
    connection: apsw.Connection, query: Query, terms: Terms, vector: bytes | None, pool: int = POOL
) -> list[Hit]:
    """The fused candidates of a query, best first; each list gives ``pool`` of them.

    ``terms`` are the words of its text. ``vector`` is its int8 vector as bytes, or None to search
    by keyword alone.
    """
    by_keyword = query.mode != "semantic"
    exact = fts_query(terms.exact if by_keyword else ())
    split = fts_query(terms.split if by_keyword else ())
    bindings: dict[str, object] = {
        "k": RRF_K,
        "pool": pool,
        "path_weight": PATH_WEIGHT,
        "symbol_weight": SYMBOL_WEIGHT,
        "body_weight": BODY_WEIGHT,
        "weights": json.dumps(LISTS),
        "closeness": json.dumps(CLOSENESS),
        "exact": exact,
        "split": split,
        "symbols": f"symbols:({exact})",
        "paths": f"path:({split})",
    }
    parts = set()
    if query.roles is not None:
        parts |= {"roles", "filtered"}
        bindings["roles"] = json.dumps(list(query.roles))
    if query.languages is not None:
        parts |= {"languages", "filtered"}
        bindings["languages"] = json.dumps(list(query.languages))
    if query.paths is not None:
        parts |= {"files", "filtered"}
        bindings["files"] = _file_ids(connection, query.paths)
    if vector is not None and query.mode != "keyword":
        parts.add("semantic")
        bindings |= {"vector": vector, "cosine_scale": COSINE_SCALE}
    rows = connection.execute(statement("search", frozenset(parts)), bindings)
    return [_hit(row) for row in rows]


def _hit(row: tuple[Any, ...]) -> Hit:
    chunk_id, file_id, path, language, role, start, end, symbols, score, lists = row
    places = json.loads(lists)
    return Hit(
        path=decode_path(path),
        start=start,
        end=end,
        focus=(start, end),
        symbols=tuple(symbols.split("\n")) if symbols else (),
        language=language,
        role=role,
        score=score,
        lists={name: places[name][0] if name in places else None for name in LISTS},
        chunk_id=chunk_id,
        file_id=file_id,
        closeness={name: near for name, (_, near) in places.items() if near is not None},
    )
