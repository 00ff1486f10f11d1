"""Brings the database to one tree state by applying the difference to the one it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import apsw

from hybridindex import text as texts
from hybridindex.chunking import chunk
from hybridindex.database.connection import insert_vector, state_of, writing
from hybridindex.keys import chunk_key
from hybridindex.languages import language_of
from hybridindex.roles import role_of
from hybridindex.segments.catalogue import Catalogue
from hybridindex.skipping import skip_by_content
from hybridindex.types import Advance, Fingerprint, KeyedChunk, Method

#: Bytes of a file that name its language or tell that it was generated.
HEAD_BYTES = 2048

#: The bytes of many files, in any order; a file that cannot be read is left out.
ReadFiles = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]


@dataclass(frozen=True)
class TreeState:
    """What the database is to hold: the tree's source files and what its segments know.

    ``name`` stands for all of it: equal names, equal rows. The rest is asked for only where the
    rows are of another state. ``segments`` are the names of the tree's segments.
    """

    name: str
    segments: Callable[[], Iterable[str]]
    files: Callable[[], Mapping[str, str]]
    catalogue: Callable[[], Catalogue]
    read: ReadFiles
    chunking: Method


def keyed_chunks(
    fingerprint: Fingerprint, path: str, text: str, language: str | None, method: Method
) -> Iterator[tuple[KeyedChunk, str]]:
    """The chunks of a file with their keys, each with the text that is embedded for it."""
    lines = texts.lines_of(text)
    for item in chunk(path, text, language, method):
        embedded = texts.chunk_text(path, item.symbols, lines, item.start, item.end)
        key = chunk_key(fingerprint, embedded)
        yield KeyedChunk(item.start, item.end, item.symbols, key), embedded


def derive(
    connection: apsw.Connection,
    state: TreeState,
    fingerprint: Fingerprint,
    local_vector: Callable[[bytes], bytes | None],
    begin: Callable[[int], Advance] | None = None,
) -> None:
    """Apply what differs between the rows and ``state``; nothing where the names are equal.

    Whole or not at all: a process killed on the way leaves the old state. ``local_vector`` gives
    vectors that no segment has yet. ``begin`` is told how many files there are to read.
    """
    if state_of(connection) == state.name:
        return
    with writing(connection):
        if state_of(connection) == state.name:  # another process was faster
            return
        _apply(connection, state, fingerprint, local_vector, begin)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('state', ?)", (state.name,))
        names = "\n".join(sorted(state.segments()))
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('segments', ?)", (names,))


def _apply(
    connection: apsw.Connection,
    state: TreeState,
    fingerprint: Fingerprint,
    local_vector: Callable[[bytes], bytes | None],
    begin: Callable[[int], Advance] | None,
) -> None:
    files = state.files()
    wanted = {texts.encode_path(path): (path, blob_id) for path, blob_id in files.items()}
    now, before = set(state.segments()), _segments_of(connection)
    kept = set()
    for file_id, path, blob_id, covered in list(
        connection.execute("SELECT id, path, blob_id, covered FROM file")
    ):
        if path not in wanted or wanted[path][1] != blob_id:
            _delete_file(connection, file_id)
            continue
        if covered and not before <= now and not state.catalogue().covers(*wanted[path]):
            # Its vectors stay right and useful; that they are committed is true no more.
            connection.execute("UPDATE file SET covered = 0 WHERE id = ?", (file_id,))
        elif not covered and before != now and state.catalogue().covers(*wanted[path]):
            _delete_file(connection, file_id)
            continue
        kept.add(path)
    missing = sorted(path for encoded, (path, _) in wanted.items() if encoded not in kept)
    if not missing:
        return
    advance = begin(len(missing)) if begin else None
    catalogue = state.catalogue()
    for path, data in state.read(missing):
        _insert_file(connection, state, fingerprint, catalogue, local_vector, path, data)
        if advance:
            advance(1)


def _segments_of(connection: apsw.Connection) -> set[str]:
    names = connection.execute("SELECT value FROM meta WHERE name = 'segments'").get
    return set(str(names).split("\n")) if names else set()


def _delete_file(connection: apsw.Connection, file_id: int) -> None:
    chunks = "(SELECT id FROM chunk WHERE file_id = ?)"
    for table in ("whole", "parts"):
        connection.execute(f"DELETE FROM {table} WHERE rowid IN {chunks}", (file_id,))
    connection.execute(f"DELETE FROM vectors WHERE rowid IN {chunks}", (file_id,))
    connection.execute("DELETE FROM chunk WHERE file_id = ?", (file_id,))
    connection.execute("DELETE FROM file WHERE id = ?", (file_id,))


def _insert_file(
    connection: apsw.Connection,
    state: TreeState,
    fingerprint: Fingerprint,
    catalogue: Catalogue,
    local_vector: Callable[[bytes], bytes | None],
    path: str,
    data: bytes,
) -> None:
    blob_id = state.files()[path]
    head = data[:HEAD_BYTES]
    language = language_of(path, head)
    role = role_of(path, language, head)
    record = catalogue.record(path, blob_id)
    text = texts.decode(data)
    if record is not None:
        chunks: Sequence[KeyedChunk] = record.chunks
    elif skip_by_content(path, data):
        chunks = ()
    else:
        found = keyed_chunks(fingerprint, path, text, language, state.chunking)
        chunks = [item for item, _ in found]
    vectors = [catalogue.vector(item.key) for item in chunks]
    covered = record is not None and None not in vectors
    connection.execute(
        "INSERT INTO file (path, blob_id, language, role, covered) VALUES (?, ?, ?, ?, ?)",
        (texts.encode_path(path), blob_id, language or "", role, covered),
    )
    file_id = connection.last_insert_rowid()
    lines = texts.lines_of(text)
    shown_path = texts.printable(path)
    for item, committed in zip(chunks, vectors, strict=True):
        # A record is data of the clone: a range past the end of the file is cut, not believed.
        end = min(item.end, len(lines))
        if item.start > end:
            continue
        vector = committed if committed is not None else local_vector(item.key)
        symbols = "\n".join(item.symbols)
        connection.execute(
            "INSERT INTO chunk (file_id, start_line, end_line, symbols, key, embedded)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (file_id, item.start, end, symbols, item.key, vector is not None),
        )
        chunk_id = connection.last_insert_rowid()
        body = texts.spaced(texts.body_of(lines, item.start, end))
        body = body.encode("utf-8", "replace").decode()
        connection.execute(
            "INSERT INTO whole (rowid, path, symbols, body) VALUES (?, ?, ?, ?)",
            (chunk_id, shown_path, symbols, body),
        )
        split = (texts.split_identifiers(part) for part in (shown_path, symbols, body))
        connection.execute(
            "INSERT INTO parts (rowid, path, symbols, body) VALUES (?, ?, ?, ?)",
            (chunk_id, *split),
        )
        if vector is not None:
            insert_vector(connection, chunk_id, vector, role, language or "")
