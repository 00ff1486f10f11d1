"""Opens the database, and makes it anew where it is missing, damaged, old or of another model."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from hybridindex.database.statements import statement
from hybridindex.errors import SearchError
from hybridindex.types import Fingerprint

#: Raised with the schema, so that an older file is made anew.
SCHEMA = 1
TABLES = frozenset({"meta", "file", "chunk", "whole", "parts", "vectors"})
#: A reader that finds the database behind waits for the one process that brings it along.
BUSY_MILLISECONDS = 120_000
#: What SQLite says of a file that is not, or no longer, a whole database.
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.FormatError)

_SUFFIXES = ("", "-wal", "-shm", "-journal")


def _load_vec0(connection: apsw.Connection) -> None:
    # Importing sqlite_vec would import numpy, which a keyword search does not need.
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise SearchError("sqlite-vec is not installed", "pip install sqlite-vec")
    connection.enable_load_extension(True)
    connection.load_extension(str(Path(spec.submodule_search_locations[0]) / "vec0"))
    connection.enable_load_extension(False)


def _connect(location: str) -> apsw.Connection:
    connection = apsw.Connection(location)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    _load_vec0(connection)
    # WAL: readers never wait for a writer. Losing the last commit to a power cut costs a rebuild.
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    return connection


def remove(path: Path) -> None:
    """Delete a database and the files SQLite keeps beside it."""
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[None]:
    """One write transaction, begun at once so that two writers queue instead of failing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with contextlib.suppress(apsw.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _prepare(connection: apsw.Connection, fingerprint: Fingerprint) -> bool:
    """Create the schema in an empty database; tell whether it is ours and of this fingerprint."""
    with writing(connection):
        version = connection.execute("PRAGMA user_version").get
        if version == 0:
            if connection.execute("SELECT count(*) FROM sqlite_schema").get:
                return False
            connection.execute(statement("schema").format(dimensions=fingerprint.dimensions))
            connection.execute(
                "INSERT INTO meta VALUES ('fingerprint', ?)", (fingerprint.id.hex(),)
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            return True
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if version != SCHEMA or not tables >= TABLES:
            return False
    stored = connection.execute("SELECT value FROM meta WHERE name = 'fingerprint'").get
    return bool(stored == fingerprint.id.hex())


def open_database(path: Path | None, fingerprint: Fingerprint) -> apsw.Connection:
    """A connection to the database at ``path`` (in memory for None), its schema in place.

    Raises SearchError where the folder cannot be written.
    """
    if path is None:
        memory = _connect(":memory:")
        _prepare(memory, fingerprint)
        return memory
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(2):
            connection: apsw.Connection | None = None
            try:
                connection = _connect(str(path))
                if _prepare(connection, fingerprint):
                    return connection
            except DAMAGE:
                pass
            if connection is not None:
                connection.close()
            remove(path)
    except (OSError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as error:
        raise SearchError(
            f"the database {path} cannot be written: {error}",
            f"make {path.parent} writable",
        ) from error
    raise SearchError(f"the database {path} cannot be made", f"delete {path.parent}")


def state_of(connection: apsw.Connection) -> str:
    """The name of the tree state the database holds, '' for none."""
    return str(connection.execute("SELECT value FROM meta WHERE name = 'state'").get or "")


def insert_vector(
    connection: apsw.Connection, chunk_id: int, vector: bytes, role: str, language: str
) -> None:
    """Give a chunk its vector (int8 as bytes)."""
    connection.execute(
        "INSERT INTO vectors (rowid, embedding, role, language) VALUES (?, vec_int8(?), ?, ?)",
        (chunk_id, vector, role, language),
    )
