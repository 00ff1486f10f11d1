"""What completes a source: nothing twice, and an update that is cut off goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.seeded import SeededEncoder
from hybridindex.chunking.keyed import chunk_key
from hybridindex.errors import ModelUnavailable
from hybridindex.indexing import chunks_of, complete, embed, honest, missing_of, uncovered
from hybridindex.segments import Catalogue
from hybridindex.types import Advance, Encoder, Fingerprint
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
