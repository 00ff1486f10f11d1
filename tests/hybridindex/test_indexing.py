"""What completes a source: nothing twice, and an update that is cut off goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.seeded import SeededEncoder
from hybridindex.chunking.keyed import chunk_key
from hybridindex.errors import ModelUnavailable
from hybridindex.indexing import chunks_of, complete, embed, honest, missing_of, uncovered
from hybridindex.segments import Catalogue, new_segments
from hybridindex.types import Advance, Encoder, FileRecord, Fingerprint, KeyedChunk
from hybridindex.vectors import LocalVectors
from tests.hybridindex.sources import FILES, FINGERPRINT, Made

if TYPE_CHECKING:
    from hybridindex.types import Float32


class Stopped(BaseException):
    """What Ctrl-C is to a program, but not to the one that runs this test."""


class CutOff(SeededEncoder):
    """Ends after so many texts as Ctrl-C or a killed job would."""

    def __init__(self, fingerprint: Fingerprint, after: int) -> None:
        super().__init__(fingerprint)
        self.left = after

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        if self.left < len(texts):
            raise Stopped
        self.left -= len(texts)
        return super().encode_documents(texts, advance)


def texts(count: int) -> dict[bytes, str]:
    return {chunk_key(FINGERPRINT, text): text for text in (f"text {i}" for i in range(count))}


@pytest.fixture
def local(tmp_path: Path) -> LocalVectors:
    return LocalVectors(tmp_path / "vectors", FINGERPRINT)


def seeded(_: int) -> Encoder:
    return SeededEncoder(FINGERPRINT)


def no_model(_: int) -> Encoder:
    raise ModelUnavailable("no model here", "get one")


def test_a_cut_off_update_keeps_what_it_embedded_and_the_next_embeds_the_rest(
    local: LocalVectors,
) -> None:
    wanted = texts(1300)
    with pytest.raises(Stopped):
        embed(wanted, lambda _: CutOff(FINGERPRINT, 1100), local)
    kept = [key for key in wanted if local.snapshot().vector(key) is not None]
    assert len(kept) == 1024  # twice 512
    opened_for: list[int] = []

    def encoder(count: int) -> Encoder:
        opened_for.append(count)
        return CutOff(FINGERPRINT, 276)

    vectors, embedded = embed(wanted, encoder, local)
    assert (len(vectors), embedded, opened_for) == (1300, 276, [276])
    # As one that was never cut off.
    assert vectors == embed(wanted, seeded, LocalVectors(Path("/nowhere"), FINGERPRINT))[0]


def test_an_update_loses_at_most_512_chunks(local: LocalVectors) -> None:
    with pytest.raises(Stopped):
        embed(texts(600), lambda _: CutOff(FINGERPRINT, 512), local)
    assert len(local.snapshot().keys) == 512


def test_a_small_update_leaves_no_local_vectors(local: LocalVectors) -> None:
    embed(texts(512), seeded, local)
    assert len(local.snapshot().keys) == 0


def test_what_is_here_needs_no_model(local: LocalVectors) -> None:
    wanted = texts(20)
    made, count = embed(wanted, seeded, local)
    assert count == 20
    local.put(made.items())
    assert embed(wanted, no_model, local) == (made, 0)
    with pytest.raises(ModelUnavailable):
        embed(texts(21), no_model, local)


def completed(source: Made, local: LocalVectors) -> Made:
    done = complete(source, uncovered(source), seeded, local)
    after = Made(source.contents, covered=[])
    after.segment_bytes = source.segment_bytes | dict(done.segments)
    return after


def test_what_completes_a_source_covers_all_of_it(local: LocalVectors) -> None:
    source = Made(FILES, covered=["src/send.py", "docs/retry.md"])
    assert uncovered(source) == ["lib/cache.go", "src/retry.py", "tests/test_retry.py"]
    after = completed(source, local)
    assert uncovered(after) == []
    nothing = complete(after, uncovered(after), no_model, local)
    assert (nothing.records, nothing.embedded, nothing.segments) == (0, 0, ())


def test_files_known_to_be_covered_are_not_looked_at() -> None:
    source = Made(FILES, covered=[])
    found = uncovered(source, lambda path, blob_id: path.endswith(".py"))
    assert found == ["docs/retry.md", "lib/cache.go"]


def test_chunks_that_a_segment_has_are_not_embedded_again(local: LocalVectors) -> None:
    """A file that moved a line keeps the vectors of its chunks."""
    before = Made({"a.md": b"# One\n\nwords of one\n\n" + b"# Two\n\nwords of two\n" * 40})
    text = b"# Nought\n\n" + b"new words here\n" * 40 + b"\n" + before.contents["a.md"]
    after = Made({"a.md": text}, covered=[])
    after.segment_bytes = dict(before.segment_bytes)
    missing = missing_of(after, uncovered(after))
    (record,) = missing.records
    assert 0 < len(missing.texts) < len(record.chunks)
    assert all(key not in after.catalogue for key in missing.texts)


def test_a_file_with_nothing_to_search_gets_a_record_with_the_reason(local: LocalVectors) -> None:
    source = Made({"a.dat": b"\0\1\2" * 20, "b.py": b"b = 1\n"}, covered=[])
    missing = missing_of(source, uncovered(source))
    reasons = {record.path: record.skipped for record in missing.records}
    assert reasons["a.dat"]
    assert reasons["b.py"] == ""
    after = completed(source, local)
    assert uncovered(after) == []
    assert [chunk.path for chunk in chunks_of(after)] == ["b.py"]


def test_every_chunk_comes_with_its_text_and_an_honest_key() -> None:
    source = Made(FILES, covered=["src/retry.py"])
    chunks = list(chunks_of(source))
    assert {chunk.path for chunk in chunks} == set(FILES)
    assert all(honest(source, chunk) for chunk in chunks)
    assert all(chunk.text.startswith(chunk.path) for chunk in chunks)
    (one,) = chunks_of(source, ["lib/cache.go"])
    assert (one.start, one.end, one.symbols, one.language) == (1, 5, ("EvictOldest",), "go")


def test_a_key_of_another_text_or_model_is_not_honest() -> None:
    source = Made(FILES)
    chunk, *_ = chunks_of(source, ["src/retry.py"])
    other = Made({**FILES, "src/retry.py": b"def other():\n    return 0\n"}, covered=[])
    other.segment_bytes = dict(source.segment_bytes)
    (changed,) = chunks_of(other, ["src/retry.py"])
    assert changed.key != chunk.key
    assert honest(other, changed)
    elsewhere = Made(FILES)
    elsewhere.fingerprint = Fingerprint("another", "", "", 16, 128)
    assert not honest(elsewhere, chunk)


def test_segments_of_a_completion_are_read_by_anybody(local: LocalVectors) -> None:
    source = Made(FILES, covered=[])
    done = complete(source, uncovered(source), seeded, local)
    data = dict(done.segments)
    found = Catalogue(FINGERPRINT, data, lambda name: [data[name]])
    assert done.records == len(FILES)
    assert done.keys == frozenset(found.keys)
    assert all(found.covers(path, blob_id) for path, blob_id in source.files.items())


def test_chunks_are_taken_from_their_record_as_it_has_them() -> None:
    """Readers never cut a committed file again: another chunker may have made the record."""
    source = Made(
        {"tests/test_a.py": b"def one():\n    pass\n\n\ndef two():\n    pass\n"}, covered=[]
    )
    (path,) = source.files
    chunks = tuple(KeyedChunk(line, line, (f"s{line}",), bytes([line] * 16)) for line in (1, 2, 5))
    record = FileRecord(path, source.files[path], chunks)
    source.segment_bytes = dict(new_segments(FINGERPRINT, [record], {}))
    found = list(chunks_of(source))
    assert [(c.start, c.end, c.symbols, c.key) for c in found] == [
        (c.start, c.end, c.symbols, c.key) for c in chunks
    ]
    assert {(c.path, c.role, c.language) for c in found} == {(path, "test", "python")}


def test_a_completion_writes_changes_against_what_the_source_has(local: LocalVectors) -> None:
    sections = [b"# Section %d\n\n%s\n" % (n, b"words of it and more\n" * 20) for n in range(30)]
    source = Made({"a.md": b"".join(sections)})
    sections[7] = b"# Other\n\n" + b"new words in it\n" * 25
    after = Made({"a.md": b"".join(sections)}, covered=[])
    after.segment_bytes = dict(source.segment_bytes)
    done = complete(after, uncovered(after), seeded, local)
    ((_, data),) = done.segments
    assert done.embedded == 1
    assert len(data) < 300
    after.segment_bytes |= dict(done.segments)
    again = Made(after.contents, covered=[])
    again.segment_bytes = after.segment_bytes
    resolved = again.catalogue.resolved("a.md", again.files["a.md"])
    assert resolved is not None
    assert resolved.depth == 1


def test_similar_lengths_are_embedded_together(local: LocalVectors) -> None:
    """A batch is as slow as its longest text."""
    seen: list[int] = []

    class Noting(SeededEncoder):
        def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
            seen.extend(len(text) for text in texts)
            return super().encode_documents(texts, advance)

    wanted = {bytes([n] * 16): "x" * ((n * 37) % 91) for n in range(60)}
    embed(wanted, lambda _: Noting(FINGERPRINT), local)
    assert seen == sorted(seen)


def test_progress_is_told_in_files_and_chunks(local: LocalVectors) -> None:
    told: list[list[object]] = []

    @contextmanager
    def watch(doing: str, unit: str, total: int) -> Iterator[Advance]:
        told.append([doing, unit, total, 0])
        line = told[-1]

        def advance(count: int) -> None:
            line[3] = int(str(line[3])) + count

        yield advance

    source = Made(FILES, covered=["src/retry.py"])
    complete(source, uncovered(source), seeded, local, watch)
    assert told == [["reading", "files", 4, 4], ["embedding", "chunks", 4, 4]]
