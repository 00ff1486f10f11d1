"""Opens the database, and makes it anew where it is missing, damaged or of others.

Others are another model, whose vectors mean something else, and another program, whose rows do.
"""

from __future__ import annotations

import contextlib
import importlib.util
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from hybridindex.database.statements import statement, statements
from hybridindex.database.version import row_version
from hybridindex.errors import SearchError
from hybridindex.types import Fingerprint

TABLES = frozenset({"meta", "file", "chunk", "exact", "split", "vectors"})
#: A reader that finds the database behind waits for the one process that brings it along.
BUSY_MILLISECONDS = 120_000
#: What SQLite says of a file that is not, or no longer, a whole database.
DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.FormatError)
#: What it says where the folder, the disk or another process is in the way.
UNWRITABLE = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.BusyError)

_SUFFIXES = ("", "-wal", "-shm", "-journal")
_SQL = statements("connection")


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
    _settle(connection)
    return connection


def _settle(connection: apsw.Connection) -> None:
    # The step to WAL takes an exclusive lock. Where two connections want it at once, SQLite fails
    # one of them without waiting: https://sqlite.org/c3ref/busy_handler.html
    until = time.monotonic() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.execute(_SQL["settings"])
            return
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def remove(path: Path) -> None:
    """Delete a database and the files SQLite keeps beside it."""
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


@contextmanager
def _transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    connection.execute(_SQL[begin])
    try:
        yield
    except BaseException:
        with contextlib.suppress(apsw.Error):
            connection.execute(_SQL["rollback"])
        raise
    connection.execute(_SQL["commit"])


def writing(connection: apsw.Connection) -> contextlib.AbstractContextManager[None]:
    """One write transaction: whole or not at all."""
    return _transaction(connection, "begin_writing")


def reading(connection: apsw.Connection) -> contextlib.AbstractContextManager[None]:
    """Everything that is read is of one moment, whatever others write meanwhile."""
    return _transaction(connection, "begin_reading")


def _prepare(connection: apsw.Connection, fingerprint: Fingerprint) -> bool:
    """Create the schema in an empty database; tell whether the rows can be ours."""
    makers = {"fingerprint": fingerprint.id.hex(), "rows": row_version()}
    tables = {name for (name,) in connection.execute(_SQL["tables"])}
    if not tables:
        with writing(connection):
            # Another process may have been faster.
            tables = {name for (name,) in connection.execute(_SQL["tables"])}
            if not tables:
                connection.execute(statement("schema").format(dimensions=fingerprint.dimensions))
                for name, value in makers.items():
                    set_meta(connection, name, value)
                return True
    return tables >= TABLES and all(get_meta(connection, n) == v for n, v in makers.items())


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
    except (OSError, *UNWRITABLE) as error:
        raise SearchError(
            f"the database {path} cannot be written: {error}",
            f"make {path.parent} writable",
        ) from error
    raise SearchError(f"the database {path} cannot be made", f"delete {path.parent}")


def get_meta(connection: apsw.Connection, name: str) -> str:
    """A fact about the rows, '' where it is unknown."""
    return str(connection.execute(_SQL["get_meta"], (name,)).get or "")


def set_meta(connection: apsw.Connection, name: str, value: str) -> None:
    """Write a fact about the rows."""
    connection.execute(_SQL["set_meta"], (name, value))


def state_of(connection: apsw.Connection) -> str:
    """The name of the source whose rows the database holds, '' for none."""
    return get_meta(connection, "state")
