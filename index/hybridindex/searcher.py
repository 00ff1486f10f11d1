"""A source with its database, local vectors and encoder: answers queries.

A searcher may stay open. It looks at the source anew at each query and brings the database along,
so that it never answers from what was; whatever damages, deletes or replaces the database under it
costs a derivation, nothing else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import apsw

from hybridindex.database import searching
from hybridindex.database.connection import DAMAGE, open_database, reading, remove, state_of
from hybridindex.errors import ModelMismatch, ModelUnavailable, SearchError
from hybridindex.queries import Answer, Coverage, Hit, Note, Query, Snippet
from hybridindex.ranking.joining import beyond, definitions, joined
from hybridindex.ranking.priors import asked_of, weighed
from hybridindex.ranking.snippets import with_snippets
from hybridindex.ranking.terms import terms_of
from hybridindex.source import Source
from hybridindex.types import Encoder, Fingerprint, Watch, unwatched
from hybridindex.vectors import LocalVectors

__all__ = ["Answer", "Coverage", "Hit", "Note", "Query", "Searcher", "Snippet", "hits_of"]

#: Chunks without a vector that are embedded before a question is answered; more would make the
#: person wait longer than a second, so they are found by keyword until the next commit.
MAX_EMBEDDED = 48
#: Candidates that are joined; nobody sees what comes after them.
DEPTH = 200
#: Derivations of one query before it is answered from the latest: others write meanwhile.
_ATTEMPTS = 5


def hits_of(connection: apsw.Connection, query: Query, vector: bytes | None) -> list[Hit]:
    """The ranked hits of a query, best first, without snippets; at most ``query.count``.

    The first are the same whatever the count is: what the lists' usual pools do not give, the
    largest pools add behind them. ``vector`` is the int8 vector of the query's text as bytes.
    """
    asked = asked_of(query.text)

    def ranked(found: Sequence[Hit], depth: int) -> list[Hit]:
        best = weighed(found, asked)[:depth]
        parts = searching.parts_of(connection, sorted({h.file_id for h in best if h.symbols}))
        return joined(definitions(best, parts))

    found = searching.search(connection, query, asked.terms, vector)
    hits = ranked(found, DEPTH)
    # Fewer than a pool in all lists together: none of them was cut.
    if len(hits) < query.count and len(found) >= searching.POOL:
        found = searching.search(connection, query, asked.terms, vector, searching.MAX_POOL)
        hits += beyond(hits, ranked(found, len(found)))
    return hits[: query.count]


@dataclass(frozen=True)
class _Opened:
    """What is open for a fingerprint: database, its file's identity, local vectors, encoder."""

    fingerprint: Fingerprint
    connection: apsw.Connection
    identity: tuple[int, int] | None
    local: LocalVectors
    open_encoder: Callable[[Fingerprint], Encoder]
    trouble: Note | None

    @cached_property
    def encoder(self) -> Encoder:
        return self.open_encoder(self.fingerprint)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None where there is none."""
    try:
        found = path.stat() if path else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


class Searcher:
    """Answers queries about a source, which ``current`` gives as it is at that moment.

    ``database`` is the file of the derived database and ``vectors`` the folder of local vectors.
    ``encoder`` opens the model of a fingerprint when it is first needed. Safe to call from several
    threads, which take turns.
    """

    def __init__(
        self,
        current: Callable[[], Source],
        database: Path,
        vectors: Path,
        encoder: Callable[[Fingerprint], Encoder],
        watch: Watch = unwatched,
    ) -> None:
        self._current = current
        self._database = database
        self._vectors = vectors
        self._encoder = encoder
        self._watch = watch
        self._lock = threading.Lock()
        self._source: Source | None = None
        self._opened: _Opened | None = None

    def search(self, query: Query) -> Answer:
        """Answer a query. Raises SearchError for trouble; finding nothing is no trouble."""
        with self._lock:
            source = self._look()
            try:
                return self._answer(source, query)
            except DAMAGE:
                # Damage that opening did not see. What is derived is derived again, without a word.
                self._close()
                remove(self._database)
                return self._answer(source, query)

    def close(self) -> None:
        """Close what is open; the next query opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _look(self) -> Source:
        """The source as it is now; the one that is known where nothing changed."""
        found = self._current()
        if self._source is None or self._source.name != found.name:
            self._source = found
        return self._source

    def _open(self, fingerprint: Fingerprint) -> _Opened:
        known = self._opened
        if known is not None:
            if (known.fingerprint, known.identity) == (fingerprint, _identity(self._database)):
                return known
            # Another model is configured, or the file was deleted or made anew by somebody.
            self._close()
        trouble = None
        try:
            connection = open_database(self._database, fingerprint)
        except SearchError as error:
            trouble = Note(f"{error.problem}; searching in memory", error.hint)
            connection = open_database(None, fingerprint)
        self._opened = _Opened(
            fingerprint,
            connection,
            _identity(self._database),
            LocalVectors(self._vectors, fingerprint),
            self._encoder,
            trouble,
        )
        return self._opened

    def _answer(self, source: Source, query: Query) -> Answer:
        opened = self._open(source.fingerprint)
        notes = [opened.trouble] if opened.trouble else []
        self._derive(opened, source)
        vector, note = self._vector_of(opened, source, query)
        notes += [note] if note else []
        for _ in range(_ATTEMPTS):
            with reading(opened.connection):
                if state_of(opened.connection) == source.name:
                    hits = hits_of(opened.connection, query, vector)
                    coverage = searching.coverage(opened.connection)
                    break
            # Another process has brought it to another tree.
            self._derive(opened, source)
        else:
            raise SearchError(
                f"the database {self._database} is brought to other trees all the time", "ask again"
            )
        if vector is not None and coverage.by_keyword:
            some = f"{coverage.by_keyword} of {coverage.files} files are found by keyword alone"
            notes.append(Note(some))
        if searching.POOL < query.count > len(hits):
            most = searching.MAX_POOL
            notes.append(Note(f"{len(hits)} results: no list gives more than {most} candidates"))
        words = frozenset(terms_of(query.text).split)
        shown = with_snippets(source, hits, words, query.context)
        return Answer(query, tuple(shown), coverage, tuple(notes))

    def _derive(self, opened: _Opened, source: Source) -> None:
        if state_of(opened.connection) == source.name:
            return
        # Only now: what fills rows costs more to import than a question to answer.
        from hybridindex.database.deriving import derive

        derive(opened.connection, source, opened.local.snapshot().vector, self._watch)

    def _vector_of(
        self, opened: _Opened, source: Source, query: Query
    ) -> tuple[bytes | None, Note | None]:
        """The query's int8 vector; None, and a note, where no model is at hand."""
        if query.mode == "keyword":
            return None, None
        _refuse_foreign_vectors(opened.connection, source)
        try:
            encoder = opened.encoder
            _embed_missing(opened, source)
            from hybridindex.embedding.quantise import quantise

            row = encoder.encode_question(query.text)
            return quantise(row[None, :])[0].tobytes(), None
        except ModelMismatch:
            raise
        except ModelUnavailable as error:
            if query.mode == "semantic":
                raise
            return None, Note(f"searching by keyword alone: {error.problem}", error.hint)


def _refuse_foreign_vectors(connection: apsw.Connection, source: Source) -> None:
    """Raise ModelMismatch where every committed vector is of another model."""
    if searching.any_vector(connection):
        return
    foreign = source.catalogue.foreign
    if foreign:
        models = ", ".join(sorted(foreign))
        raise ModelMismatch(
            f"the committed vectors are of {models} under another fingerprint, and"
            f" {source.fingerprint.model} is configured",
            "run `git search-index update`, or search with --mode keyword",
        )


def _embed_missing(opened: _Opened, source: Source) -> None:
    """Give the few chunks that nobody embedded yet their vectors, and keep them locally."""
    rows = searching.without_vector(opened.connection, MAX_EMBEDDED + 1)
    if not rows or len(rows) > MAX_EMBEDDED:
        return
    from hybridindex.database.deriving import add_vectors
    from hybridindex.embedding.quantise import quantise
    from hybridindex.indexing import chunks_of, honest

    paths = sorted({path for _, _, path in rows} & source.files.keys())
    # A record whose key is not that of its own lines would give a vector to the wrong text.
    texts = {c.key: c.text for c in chunks_of(source, paths) if honest(source, c)}
    known = [(chunk_id, key) for chunk_id, key, _ in rows if key in texts]
    if not known:
        return
    vectors = quantise(opened.encoder.encode_documents([texts[key] for _, key in known]))
    pairs = [(key, row.tobytes()) for (_, key), row in zip(known, vectors, strict=True)]
    opened.local.put(pairs)
    add_vectors(opened.connection, [chunk_id for chunk_id, _ in known], pairs)
