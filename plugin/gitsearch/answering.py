"""From a question to ranked hits: brings the database along, embeds the question, asks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import apsw

from gitsearch.git.listing import matching_paths
from gitsearch.git.repository import Repository
from gitsearch.progress import Progress
from gitsearch.snippets import Snippet, snippets_of
from gitsearch.tree import Tree, index_tree, revision_tree, work_tree
from hybridindex.database.connection import (
    DAMAGE,
    insert_vector,
    open_database,
    remove,
    state_of,
)
from hybridindex.database.local import LocalVectors
from hybridindex.database.searching import Coverage, Filter, Hit, coverage
from hybridindex.errors import ModelMismatch, ModelUnavailable, SearchError
from hybridindex.finding import find
from hybridindex.types import Advance, Encoder, Mode, Role

T = TypeVar("T")

#: Chunks without a vector that are embedded before a question is answered; more would make the
#: person wait longer than a second, so they are found by keyword until the next commit.
EMBED_AT_MOST = 48


@dataclass(frozen=True)
class Question:
    """What a person asked, and of which tree. ``patterns`` are git pathspecs."""

    text: str
    count: int = 10
    mode: Mode = "hybrid"
    roles: Sequence[Role] | None = None
    languages: Sequence[str] | None = None
    patterns: Sequence[str] = ()
    cached: bool = False
    revision: str | None = None
    context: int | None = None
    explain: bool = False


@dataclass(frozen=True)
class Answer:
    """Hits, best first, each with its snippet; the coverage; what the person should know."""

    question: Question
    coverage: Coverage
    hits: Sequence[Hit]
    snippets: Sequence[Snippet]
    notes: Sequence[str] = field(default_factory=tuple)


def tree_of(repository: Repository, question: Question) -> tuple[Tree, str]:
    """The tree that is asked, and the name of its database file."""
    if question.revision is not None:
        return revision_tree(repository, question.revision), "revision"
    if repository.bare:
        return revision_tree(repository, "HEAD"), "revision"
    if question.cached:
        return index_tree(repository), "index"
    return work_tree(repository), "work"


@dataclass
class Opened:
    """A tree with its database brought along, for any number of questions about it.

    ``notes`` says, once each, what the person should know.
    """

    tree: Tree
    connection: apsw.Connection
    local: LocalVectors
    encoder: Callable[[], Encoder]
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a note that is not there yet."""
        if text not in self.notes:
            self.notes.append(text)

    def hits(self, question: Question) -> list[Hit]:
        """The hits of a question, best first."""
        vector = None
        if question.mode != "keyword":
            vector = _question_vector(self, question)
        paths = None
        if question.patterns:
            patterns = list(question.patterns)
            paths = matching_paths(self.tree.repository, patterns, self.tree.revision)
        found = find(
            self.connection,
            self.tree.config.model,
            question.text,
            vector,
            Filter(question.roles, question.languages, paths),
            question.mode,
        )
        return found[: question.count]


@contextlib.contextmanager
def _opened(tree: Tree, path: Path, encoder: Callable[[Tree], Encoder]) -> Iterator[Opened]:
    fingerprint = tree.config.model
    local = LocalVectors(tree.repository.shared / "vectors.db", fingerprint)
    notes: list[str] = []
    try:
        connection = open_database(path, fingerprint)
    except SearchError as error:
        notes.append(f"{error.problem}; searching in memory")
        connection = open_database(None, fingerprint)
    with contextlib.closing(connection):
        _derive(connection, tree, local)
        yield Opened(tree, connection, local, cache(partial(encoder, tree)), notes)


def with_opened(
    repository: Repository,
    question: Question,
    encoder: Callable[[Tree], Encoder],
    work: Callable[[Opened], T],
) -> T:
    """Run ``work`` with the tree that ``question`` is about; the model is opened when needed."""
    tree, slot = tree_of(repository, question)
    path = repository.private / f"{slot}.db"
    try:
        with _opened(tree, path, encoder) as ready:
            return work(ready)
    except DAMAGE:
        # Damage that opening did not see. What is derived is derived again, without a word.
        remove(path)
        with _opened(tree, path, encoder) as ready:
            return work(ready)


def answer(
    repository: Repository, question: Question, encoder: Callable[[Tree], Encoder]
) -> Answer:
    """Answer a question. Raises SearchError for trouble; finding nothing is no trouble."""

    def ask(ready: Opened) -> Answer:
        hits = ready.hits(question)
        snippets = snippets_of(ready.tree, hits, question.text, question.context)
        return Answer(question, coverage(ready.connection), hits, snippets, ready.notes)

    return with_opened(repository, question, encoder, ask)


def _derive(connection: apsw.Connection, tree: Tree, local: LocalVectors) -> None:
    if state_of(connection) == tree.name:
        return
    # Only now: what fills rows costs more to import than a question to answer.
    from hybridindex.database.deriving import TreeState, derive

    state = TreeState(
        name=tree.name,
        segments=lambda: tree.sorted.segments,
        files=lambda: tree.sorted.files,
        catalogue=lambda: tree.catalogue,
        read=tree.read,
        chunking=tree.config.chunking,
    )

    with contextlib.ExitStack() as stack:

        def begin(total: int) -> Advance:
            return stack.enter_context(Progress("reading the index", "files", total))

        derive(connection, state, tree.config.model, local.get, begin)


def _question_vector(ready: Opened, question: Question) -> bytes | None:
    """The question's int8 vector; None, and a note, where no model is at hand."""
    _refuse_foreign_vectors(ready.connection, ready.tree)
    try:
        encoder = ready.encoder()
        _embed_missing(ready.connection, ready.tree, encoder, ready.local)
        from hybridindex.embedding.quantise import quantise

        vector: bytes = quantise(encoder.encode_question(question.text)[None, :])[0].tobytes()
        return vector
    except ModelMismatch:
        raise
    except ModelUnavailable as error:
        if question.mode == "semantic":
            raise
        ready.note(f"searching by keyword alone: {error}")
        return None


def _refuse_foreign_vectors(connection: apsw.Connection, tree: Tree) -> None:
    """Raise ModelMismatch where every committed vector is of another model."""
    if connection.execute("SELECT EXISTS (SELECT 1 FROM chunk WHERE embedded = 1)").get:
        return
    foreign = tree.catalogue.foreign
    if foreign:
        models = ", ".join(sorted(foreign))
        raise ModelMismatch(
            f"the committed vectors are of {models} under another fingerprint, and"
            f" {tree.config.model.model} is configured",
            "run `git search-index update`, or search with --mode keyword",
        )


def _embed_missing(
    connection: apsw.Connection, tree: Tree, encoder: Encoder, local: LocalVectors
) -> None:
    """Give the few chunks that nobody embedded yet their vectors, and keep them locally."""
    rows = list(
        connection.execute(
            "SELECT chunk.id, chunk.key, chunk.start_line, chunk.end_line, chunk.symbols,"
            " file.path, file.role, file.language"
            " FROM chunk JOIN file ON file.id = chunk.file_id WHERE chunk.embedded = 0 LIMIT ?",
            (EMBED_AT_MOST + 1,),
        )
    )
    if not rows or len(rows) > EMBED_AT_MOST:
        return
    from hybridindex import text as texts
    from hybridindex.database.connection import writing
    from hybridindex.embedding.quantise import quantise
    from hybridindex.keys import chunk_key

    lines = {
        path: texts.lines_of(texts.decode(data))
        for path, data in tree.read(sorted({texts.decode_path(row[5]) for row in rows}))
    }
    embedded = []
    for chunk_id, key, start, end, symbols, raw_path, role, language in rows:
        path = texts.decode_path(raw_path)
        if path not in lines:
            continue
        named = tuple(symbols.split("\n")) if symbols else ()
        text = texts.chunk_text(path, named, lines[path], start, end)
        # A record whose key is not that of its own lines would give a vector to the wrong text.
        if chunk_key(tree.config.model, text) == key:
            embedded.append((chunk_id, key, text, role, language))
    if not embedded:
        return
    vectors = quantise(encoder.encode_documents([item[2] for item in embedded]))
    local.put((item[1], row.tobytes()) for item, row in zip(embedded, vectors, strict=True))
    with writing(connection):
        for (chunk_id, _, _, role, language), row in zip(embedded, vectors, strict=True):
            pending = "UPDATE chunk SET embedded = 1 WHERE id = ? AND embedded = 0"
            connection.execute(pending, (chunk_id,))
            if connection.changes():  # another process may have been faster
                insert_vector(connection, chunk_id, row.tobytes(), role, language)
