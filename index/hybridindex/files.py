"""Source files as they are read: language, role, chunks.

The one way from a file and its record to lines, texts and chunk keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hybridindex import text as texts
from hybridindex.chunking import lacks_grammar
from hybridindex.chunking.keyed import keyed_chunks
from hybridindex.languages import language_of
from hybridindex.roles import role_of
from hybridindex.skipping import skip_by_content
from hybridindex.source import Source
from hybridindex.types import FileRecord, KeyedChunk, Role

#: Bytes of a file that name its language or tell that it was generated.
HEAD_BYTES = 2048

#: The file record of (path, blob id), None where none is known.
Records = Callable[[str, str], FileRecord | None]


@dataclass(frozen=True)
class SourceFile:
    """A source file with its chunks.

    ``chunks`` are those of its file record, whose keys are the record's claim, or, where
    ``recorded`` is false, made here, by lines where ``lacks_grammar`` names a language. ``skipped``
    tells why the content holds nothing to search.
    """

    path: str
    blob_id: str
    language: str | None
    role: Role
    lines: Sequence[str]
    chunks: Sequence[KeyedChunk]
    recorded: bool
    skipped: str = ""
    lacks_grammar: str = ""

    def text(self, chunk: KeyedChunk) -> str:
        """What is embedded for a chunk of the file."""
        return texts.chunk_text(self.path, chunk.symbols, self.lines, chunk.start, chunk.end)


def no_records(_path: str, _blob_id: str) -> None:
    """Records of nobody: every file is cut anew."""


def read_files(
    source: Source, paths: Sequence[str], records: Records = no_records
) -> Iterator[SourceFile]:
    """The source files at ``paths``, in any order; those that cannot be read are left out."""
    for path, data in source.read(paths):
        blob_id = source.files[path]
        head = data[:HEAD_BYTES]
        language = language_of(path, head)
        record = records(path, blob_id)
        skipped = skip_by_content(path, data) if record is None else record.skipped
        # What is skipped for its size is not decoded first.
        text = "" if skipped else texts.decode(data)
        chunks: Sequence[KeyedChunk] = ()
        lacking = ""
        if record is not None:
            chunks = record.chunks
        elif not skipped:
            found = keyed_chunks(source.fingerprint, path, text, language, source.chunking)
            chunks = tuple(chunk for chunk, _ in found)
            lacking = lacks_grammar(text, language, source.chunking)
        yield SourceFile(
            path=path,
            blob_id=blob_id,
            language=language,
            role=role_of(path, language, head),
            lines=texts.lines_of(text),
            chunks=chunks,
            recorded=record is not None,
            skipped=skipped,
            lacks_grammar=lacking,
        )
