"""Asks the database: keyword lists and vector list, fused in one statement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from hybridindex.database.statements import statement
from hybridindex.terms import fts_query, terms_of
from hybridindex.text import decode_path, encode_path
from hybridindex.types import Fingerprint, Mode, Role

#: RRF's k: ranks below it count almost alike. From 20 to 60 semble loses at most .007, since
#: closeness tells the first results apart.
RRF_K = 25.0
#: How many chunks each list gives to the fusion; with three times as many nothing was gained.
POOL = 100
#: BM25 weights of the three fields.
PATH_WEIGHT, SYMBOL_WEIGHT, BODY_WEIGHT = 1.0, 2.5, 1.0
#: Weights of the lists in the fusion; what each is worth is in ``bench/ABLATIONS.md``.
LISTS = {"keyword": 0.25, "split": 1.3, "symbol": 0.4, "path": 0.7, "semantic": 1.3}
#: What being as good as the best of a list adds to the part of its rank: a first result far before
#: the second is surer than one just before it. Squared shares of the best BM25, and of cosines
#: ``exp((cosine - best) / COSINE_SCALE)``. Without: Octocode MRR -.033, Recall@10 -.039; riido07
#: without the function's name R@1 -.056.
CLOSENESS = {"split": 0.09, "semantic": 0.08}
COSINE_SCALE = 0.12


@dataclass(frozen=True)
class Filter:
    """What may be found; None where anything may. Narrows before the k nearest are taken."""

    roles: Sequence[Role] | None = None
    languages: Sequence[str] | None = None
    paths: Sequence[str] | None = None


@dataclass(frozen=True)
class Hit:
    """A result: lines of a file, their score, and how it came about.

    ``lists`` has the rank (1-based) in each list, None where absent; ``closeness``, between 0 and
    1, how near it is to the best of those lists that tell; ``priors`` what each prior multiplied
    the fused score by. ``focus`` are the lines of the chunk that matched, where the result is more:
    the whole definition around it, or its neighbours too.
    """

    chunk_id: int
    file_id: int
    path: str
    blob_id: str
    language: str
    role: Role
    start: int
    end: int
    symbols: tuple[str, ...]
    score: float
    lists: Mapping[str, int | None]
    focus: tuple[int, int]
    closeness: Mapping[str, float] = field(default_factory=dict)
    priors: Mapping[str, float] = field(default_factory=dict)


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
        "weights": json.dumps(LISTS),
        "closeness": json.dumps(CLOSENESS),
        "cosine_scale": COSINE_SCALE,
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
    whole = fts_query(terms.whole if by_keyword else ())
    split = fts_query(terms.parts if by_keyword else ())
    bindings.update(whole=whole, parts=split, symbols=f"symbols:({whole})", paths=f"path:({split})")
    if vector is None or mode == "keyword":
        vector, nearest = bytes(fingerprint.dimensions), 0
    else:
        nearest = pool
    bindings["vector"], bindings["nearest"] = vector, nearest
    return [_hit(row) for row in connection.execute(statement("search", parts), bindings)]


def _hit(row: tuple[Any, ...]) -> Hit:
    chunk_id, file_id, path, blob_id, language, role, start, end, symbols, score, lists = row
    places = json.loads(lists)
    return Hit(
        chunk_id=chunk_id,
        file_id=file_id,
        path=decode_path(path),
        blob_id=blob_id,
        language=language,
        role=role,
        start=start,
        end=end,
        symbols=tuple(symbols.split("\n")) if symbols else (),
        score=score,
        lists={name: places[name][0] if name in places else None for name in LISTS},
        closeness={name: near for name, (_, near) in places.items() if near is not None},
        focus=(start, end),
    )
