"""Asks a corpus as ``git search`` does, and beyond its pools where a rank among all is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from bench.vectors import Vectors
from hybridindex.evaluation import DEPTH
from hybridindex.queries import Hit, Query
from hybridindex.searcher import hits_of
from hybridindex.types import Mode, Role

#: More results than any corpus has.
EVERYTHING = 1_000_000


@dataclass(frozen=True)
class Asking:
    """A search function over one database: a question in, ranked hits out."""

    connection: apsw.Connection
    vectors: Vectors
    mode: Mode = "hybrid"
    roles: Sequence[Role] | None = None
    paths: Sequence[str] | None = None

    def __call__(self, question: str) -> Sequence[Hit]:
        """As many hits as are looked at."""
        return self._search(Query(question, DEPTH))

    def deep(self, question: str) -> Sequence[Hit]:
        """As :meth:`__call__`, then every other hit there is."""
        return self._search(Query(question, EVERYTHING))

    def _search(self, query: Query) -> Sequence[Hit]:
        query = replace(query, mode=self.mode, roles=self.roles, paths=self.paths)
        vector = self.vectors.of_question(query.text) if self.mode != "keyword" else None
        return hits_of(self.connection, query, vector)
