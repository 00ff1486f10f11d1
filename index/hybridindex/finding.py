"""The one way from a question to ranked hits: commands and benchmarks both come through here."""

from __future__ import annotations

import apsw

from hybridindex.database.searching import POOL, Filter, Hit, search
from hybridindex.merging import joined, merged
from hybridindex.ranking import asked_of, weighed
from hybridindex.types import Fingerprint, Mode


def find(
    connection: apsw.Connection,
    fingerprint: Fingerprint,
    question: str,
    vector: bytes | None,
    narrowing: Filter,
    mode: Mode = "hybrid",
    pool: int = POOL,
) -> list[Hit]:
    """The candidates of a question, best first; the arguments are those of ``search``."""
    found = search(connection, fingerprint, question, vector, narrowing, mode, pool)
    return joined(merged(connection, weighed(found, asked_of(question))))
