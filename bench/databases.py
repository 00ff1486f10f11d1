"""Derived databases of corpora, kept until the code that fills them changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import apsw

import gitsearch
import hybridindex
from bench.corpora import Corpus
from bench.vectors import Vectors
from gitsearch.progress import Progress
from gitsearch.update import wanted_of
from hybridindex.database.connection import open_database, remove, state_of
from hybridindex.database.deriving import TreeState, derive
from hybridindex.segments.catalogue import Catalogue
from hybridindex.types import Method

#: Code of hybridindex that decides no row of a database: how it is asked and judged, and the
#: model, which the fingerprint stands for. Everything else does, new modules too.
_ASKING = ("evaluation/", "embedding/", "segments/", "finding.py", "merging.py", "ranking.py",
           "terms.py", "reasoning/", "database/searching.py", "database/search.sql")  # fmt: skip
_READING = ("tree.py", "git/attributes.py")


@lru_cache
def code_version() -> str:
    """Stands for all code that decides where chunks are and what rows they get."""
    digest = hashlib.blake2b(digest_size=16)
    index, plugin = (Path(str(module.__file__)).parent for module in (hybridindex, gitsearch))
    paths = [
        path
        for path in sorted(index.rglob("*"))
        if path.suffix in (".py", ".sql")
        and not path.relative_to(index).as_posix().startswith(_ASKING)
    ]
    for path in [*paths, *(plugin / name for name in _READING)]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for package in sorted(
        f"{d.name} {d.version}" for d in metadata.distributions() if "tree-sitter" in (d.name or "")
    ):
        digest.update(package.encode() + b"\0")
    return digest.hexdigest()


def database_of(
    cache: Path, corpus: Corpus, vectors: Vectors, chunking: Method = "syntax"
) -> apsw.Connection:
    """The database of a corpus, whole: derived and embedded where it is not yet so."""
    fingerprint = vectors.fingerprint
    name = state_name(corpus.commit, *corpus.include, chunking)

    def make() -> TreeState:
        tree = corpus.tree(fingerprint, chunking)
        catalogue = no_catalogue(fingerprint.id)
        vectors.fill(wanted_of(tree, catalogue, list(tree.sorted.files)).texts)
        return TreeState(
            name=name,
            segments=lambda: (),
            files=lambda: tree.sorted.files,
            catalogue=lambda: catalogue,
            read=tree.read,
            chunking=chunking,
        )

    return kept_database(cache, f"{corpus.name}-{chunking}", name, vectors, make)


def state_name(*parts: str) -> str:
    """The name of a tree state that depends on the code and on ``parts``."""
    joined = "\0".join((code_version(), *parts))
    return hashlib.blake2b(joined.encode(), digest_size=16).hexdigest()


def no_catalogue(fingerprint: bytes) -> Catalogue:
    """What a tree without any segment knows."""
    return Catalogue(fingerprint, (), lambda _: ())


def kept_database(
    cache: Path, stem: str, name: str, vectors: Vectors, make: Callable[[], TreeState]
) -> apsw.Connection:
    """The database kept as ``stem``, if it holds the state ``name``; else one made for it."""
    fingerprint = vectors.fingerprint
    path = cache / "databases" / f"{stem}-{fingerprint.id.hex()[:8]}.db"
    connection = open_database(path, fingerprint)
    if state_of(connection) == name:
        return connection
    connection.close()
    # Ids of rows break ties, so rows are never brought along from another state.
    remove(path)
    connection = open_database(path, fingerprint)
    state = make()
    with Progress(f"deriving {stem}", "files", len(state.files())) as advance:
        derive(connection, state, fingerprint, vectors.of_chunk, lambda _: advance)
    return connection
