"""Derived databases of corpora, kept until the code that fills them changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from bench.corpora import Corpus
from bench.vectors import Vectors
from gitsearch.terminal.progress import Progress
from hybridindex.database.connection import open_database, remove, state_of
from hybridindex.database.deriving import derive
from hybridindex.indexing import missing_of
from hybridindex.segments import Catalogue
from hybridindex.source import Source
from hybridindex.types import Fingerprint, Method


@dataclass(frozen=True)
class Pinned:
    """A source of files that never change and that no segment knows."""

    name: str
    fingerprint: Fingerprint
    files: Mapping[str, str]
    read: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]
    catalogue: Catalogue
    chunking: Method = "syntax"
    segments: Mapping[str, str] = field(default_factory=dict)

    @property
    def read_shown(self) -> Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]:
        return self.read


def database_of(
    cache: Path, corpus: Corpus, vectors: Vectors, chunking: Method = "syntax"
) -> apsw.Connection:
    """The database of a corpus: derived and embedded where it is not yet so."""
    fingerprint = vectors.fingerprint
    name = state_name(corpus.commit, *corpus.include, chunking)

    def make() -> Source:
        tree = corpus.tree(fingerprint, chunking)
        catalogue = Catalogue(fingerprint, (), lambda _: ())
        source = Pinned(name, fingerprint, tree.files, tree.read, catalogue, chunking)
        vectors.fill(missing_of(source, [*tree.files], Progress).texts, Progress)
        return source

    return kept_database(cache, f"{corpus.name}-{chunking}", name, vectors, make)


def state_name(*parts: str) -> str:
    """The name of a source that depends on ``parts``."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def kept_database(
    cache: Path, stem: str, name: str, vectors: Vectors, make: Callable[[], Source]
) -> apsw.Connection:
    """The database kept as ``stem``, if it holds the rows of ``name``; else one made for it.

    Rows that other code made are made anew by whoever opens a database.
    """
    fingerprint = vectors.fingerprint
    path = cache / "databases" / f"{stem}-{fingerprint.id.hex()[:8]}.db"
    connection = open_database(path, fingerprint)
    if state_of(connection) == name:
        return connection
    connection.close()
    # Ids of rows break ties, so rows are never brought along from another source.
    remove(path)
    connection = open_database(path, fingerprint)
    derive(connection, make(), vectors.of_chunk, Progress)
    return connection
