"""Asks a corpus as ``git search`` does, and beyond its pool where a rank among all is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import apsw

from bench.vectors import Vectors
from hybridindex.database.searching import Filter, Hit
from hybridindex.finding import find
from hybridindex.types import Mode

#: vec0 refuses to return more neighbours.
_MOST_NEIGHBOURS = 4096


@dataclass(frozen=True)
class Asking:
    """A search function over one database: a question in, ranked hits out."""

    connection: apsw.Connection
    vectors: Vectors
    mode: Mode = "hybrid"
    narrowing: Filter = field(default_factory=Filter)

    def __call__(self, question: str) -> Sequence[Hit]:
        """What a person gets, without a limit on the count."""
        return self._find(question)

    def deep(self, question: str) -> Sequence[Hit]:
        """As :meth:`__call__`, then what a search with every chunk in its pool adds after it."""
        chunks = self.connection.execute("SELECT count(*) FROM chunk").get
        shown = list(self._find(question))
        seen = {hit.chunk_id for hit in shown}
        more = self._find(question, min(chunks, _MOST_NEIGHBOURS))
        return [*shown, *(hit for hit in more if hit.chunk_id not in seen)]

    def _find(self, question: str, pool: int | None = None) -> Sequence[Hit]:
        vector = self.vectors.of_question(question) if self.mode != "keyword" else None
        limits = {} if pool is None else {"pool": pool}
        return find(
            self.connection,
            self.vectors.fingerprint,
            question,
            vector,
            self.narrowing,
            self.mode,
            **limits,
        )
