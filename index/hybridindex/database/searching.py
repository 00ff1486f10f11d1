"""Asks the database: keyword lists and vector list, fused in one statement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from hybridindex.database.connection import encode_path
from hybridindex.database.statements import statement
from hybridindex.terms import fts_query, terms_of
from hybridindex.types import Fingerprint, Mode, Role

#: RRF's k: ranks below it count almost alike. 10 to 20 beat the customary 60 on code.
RRF_K = 12.0
#: How many chunks each list gives to the fusion.
POOL = 150
#: BM25 weights of the three fields.
PATH_WEIGHT, SYMBOL_WEIGHT, BODY_WEIGHT = 1.0, 2.5, 1.0
#: Weights of the lists in the fusion.
KEYWORD_WEIGHT, SPLIT_WEIGHT, SEMANTIC_WEIGHT = 0.5, 1.0, 1.4


@dataclass(frozen=True)
class Filter:
    """What may be found; None where anything may. Narrows before the k nearest are taken."""

    roles: Sequence[Role] | None = None
    languages: Sequence[str] | None = None
    paths: Sequence[str] | None = None


@dataclass(frozen=True)
class Hit:
    """A chunk with its fused score and its rank (1-based) in each list, None where absent."""

    chunk_id: int
    path: str
    blob_id: str
    language: str
    role: Role
    start: int
    end: int
    symbols: tuple[str, ...]
    score: float
    lists: dict[str, int | None]


@dataclass(frozen=True)
class Coverage:
    """How many source files the tree has, and how many the committed segments cover whole."""

    files: int
    covered: int
    chunks: int
    without_vector: int

    @property
    def share(self) -> float:
        """Between 0 and 1; a tree without source files is covered."""
        return self.covered / self.files if self.files else 1.0


def coverage(connection: apsw.Connection) -> Coverage:
    """The coverage of the tree state that the database holds."""
    files, covered = next(connection.execute("SELECT count(*), total(covered) FROM file"))
    chunks = connection.execute("SELECT count(*) FROM chunk").get
    missing = connection.execute("SELECT count(*) FROM chunk WHERE embedded = 0").get
    return Coverage(files, int(covered), chunks, missing)


def _file_ids(connection: apsw.Connection, paths: Sequence[str]) -> str:
    wanted = {encode_path(path) for path in paths}
    rows = connection.execute("SELECT id, path FROM file")
    return json.dumps([file_id for file_id, path in rows if path in wanted])


def search(
    connection: apsw.Connection,
    fingerprint: Fingerprint,
    question: str,
    vector: bytes | None,
    narrowing: Filter,
    mode: Mode = "hybrid",
    pool: int = POOL,
) -> list[Hit]:
    """The fused candidates, best first.

    ``vector`` is the question's int8 vector as bytes, or None to search by keyword alone.
    """
    terms = terms_of(question)
    bindings: dict[str, object] = {
        "k": RRF_K,
        "pool": pool,
        "path_weight": PATH_WEIGHT,
        "symbol_weight": SYMBOL_WEIGHT,
        "body_weight": BODY_WEIGHT,
        "keyword_weight": KEYWORD_WEIGHT,
        "split_weight": SPLIT_WEIGHT,
        "semantic_weight": SEMANTIC_WEIGHT,
    }
    parts = set()
    if narrowing.roles is not None:
        parts |= {"roles", "filtered"}
        bindings["roles"] = json.dumps(list(narrowing.roles))
    if narrowing.languages is not None:
        parts |= {"languages", "filtered"}
        bindings["languages"] = json.dumps(list(narrowing.languages))
    if narrowing.paths is not None:
        parts |= {"files", "filtered"}
        bindings["files"] = _file_ids(connection, narrowing.paths)
    by_keyword = mode != "semantic"
    bindings["whole"] = fts_query(terms.whole if by_keyword else ())
    bindings["parts"] = fts_query(terms.parts if by_keyword else ())
    if vector is None or mode == "keyword":
        vector, nearest = bytes(fingerprint.dimensions), 0
    else:
        nearest = pool
    bindings["vector"], bindings["nearest"] = vector, nearest
    return [_hit(row) for row in connection.execute(statement("search", parts), bindings)]


def _hit(row: tuple[object, ...]) -> Hit:
    chunk_id, path, blob_id, language, role, start, end, symbols, score, *ranks = row
    assert isinstance(path, bytes)
    return Hit(
        chunk_id,  # type: ignore[arg-type]
        path.decode("utf-8", "surrogateescape"),
        str(blob_id),
        str(language),
        role,  # type: ignore[arg-type]
        start,  # type: ignore[arg-type]
        end,  # type: ignore[arg-type]
        tuple(str(symbols).split("\n")) if symbols else (),
        score,  # type: ignore[arg-type]
        dict(zip(("keyword", "split", "semantic"), ranks, strict=True)),  # type: ignore[arg-type]
    )
