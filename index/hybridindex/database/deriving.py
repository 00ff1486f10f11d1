"""Brings the database to a source by applying the difference to the rows it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import apsw

from hybridindex import text as texts
from hybridindex.database.connection import get_meta, set_meta, state_of, writing
from hybridindex.database.statements import statements
from hybridindex.files import SourceFile, read_files
from hybridindex.source import Source
from hybridindex.types import Watch, unwatched

_SQL = statements("filling")
#: The int8 vector of a chunk key that no segment has, None where there is none.
LocalVector = Callable[[bytes], bytes | None]


def derive(
    connection: apsw.Connection,
    source: Source,
    local_vector: LocalVector,
    watch: Watch = unwatched,
) -> None:
    """Apply what differs between the rows and ``source``; nothing where the names are equal.

    Whole or not at all: a process killed on the way leaves the old rows.
    """
    if state_of(connection) == source.name:
        return
    with writing(connection):
        if state_of(connection) == source.name:  # another process was faster
            return
        missing = _drop_changed(connection, source)
        if missing:
            with watch("reading the index", "files", len(missing)) as advance:
                for file in read_files(source, missing, source.catalogue.record):
                    _insert_file(connection, source, local_vector, file)
                    advance(1)
        set_meta(connection, "state", source.name)
        set_meta(connection, "segments", "\n".join(sorted(source.segments)))


def _drop_changed(connection: apsw.Connection, source: Source) -> list[str]:
    """Take out the rows of files that are not as they were; paths of the files without rows."""
    wanted = {texts.encode_path(path): (path, blob_id) for path, blob_id in source.files.items()}
    names = get_meta(connection, "segments")
    before, now = set(names.split("\n")) if names else set(), set(source.segments)
    kept = set()
    for file_id, path, blob_id, covered in list(connection.execute(_SQL["files"])):
        if path not in wanted or wanted[path][1] != blob_id:
            _delete_file(connection, file_id)
            continue
        if covered and not before <= now and not source.catalogue.covers(*wanted[path]):
            # Its vectors stay right and useful; that they are committed is true no more.
            connection.execute(_SQL["uncover_file"], (file_id,))
        elif not covered and before != now and source.catalogue.covers(*wanted[path]):
            _delete_file(connection, file_id)
            continue
        kept.add(path)
    return sorted(path for encoded, (path, _) in wanted.items() if encoded not in kept)


def _delete_file(connection: apsw.Connection, file_id: int) -> None:
    for name in ("exact", "split", "vectors", "chunks", "file"):
        connection.execute(_SQL[f"delete_{name}"], (file_id,))


def _insert_file(
    connection: apsw.Connection, source: Source, local_vector: LocalVector, file: SourceFile
) -> None:
    vectors = [source.catalogue.vector(chunk.key) for chunk in file.chunks]
    covered = file.recorded and None not in vectors
    encoded, language = texts.encode_path(file.path), file.language or ""
    row = (encoded, file.blob_id, language, file.role, covered)
    connection.execute(_SQL["insert_file"], row)
    file_id = connection.last_insert_rowid()
    shown_path = texts.printable(file.path)
    for chunk, committed in zip(file.chunks, vectors, strict=True):
        # A record is data of the clone: a range past the end of the file is cut, not believed.
        end = min(chunk.end, len(file.lines))
        if chunk.start > end:
            continue
        vector = committed if committed is not None else local_vector(chunk.key)
        symbols = "\n".join(chunk.symbols)
        connection.execute(
            _SQL["insert_chunk"],
            (file_id, chunk.start, end, symbols, chunk.key, vector is not None),
        )
        chunk_id = connection.last_insert_rowid()
        body = texts.spaced(texts.body_of(file.lines, chunk.start, end))
        body = body.encode("utf-8", "replace").decode()
        fields = (shown_path, symbols, body)
        connection.execute(_SQL["insert_exact"], (chunk_id, *fields))
        split = (texts.split_identifiers(field) for field in fields)
        connection.execute(_SQL["insert_split"], (chunk_id, *split))
        if vector is not None:
            connection.execute(_SQL["insert_vector"], (chunk_id, vector, file.role, language))


def add_vectors(
    connection: apsw.Connection, rows: Sequence[int], pairs: Iterable[tuple[bytes, bytes]]
) -> None:
    """Give chunks their vectors, each with the chunk key it was made for.

    Rows that others changed meanwhile are left alone.
    """
    with writing(connection):
        for chunk_id, (key, vector) in zip(rows, pairs, strict=True):
            for role, language in list(connection.execute(_SQL["place_of_chunk"], (chunk_id, key))):
                connection.execute(_SQL["mark_embedded"], (chunk_id,))
                connection.execute(_SQL["insert_vector"], (chunk_id, vector, role, language))
