"""A searcher that stays open: what it embeds before it answers, and what it does about damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from bench.seeded import SeededEncoder
from hybridindex.database.connection import open_database
from hybridindex.errors import ModelMismatch
from hybridindex.queries import Query
from hybridindex.searcher import Searcher
from hybridindex.segments import Catalogue, new_segments
from hybridindex.segments import records as rec
from hybridindex.segments.encoding import RawRecord, encode
from hybridindex.types import Advance, FileRecord, Fingerprint, KeyedChunk
from hybridindex.vectors import LocalVectors
from tests.hybridindex.sources import FILES, FINGERPRINT, Made

if TYPE_CHECKING:
    from hybridindex.types import Float32


class Counting(SeededEncoder):
    """Notes every text that it embeds."""

    def __init__(self, fingerprint: Fingerprint, seen: list[str]) -> None:
        super().__init__(fingerprint)
        self.seen = seen

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        self.seen += texts
        return super().encode_documents(texts, advance)

    def encode_question(self, question: str) -> Float32:
        row: Float32 = super().encode_documents([question])[0]
        return row


@dataclass
class Asked:
    """A searcher over a source that a test may change, and what it embedded."""

    folder: Path
    source: Made
    embedded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.searcher = self.another()

    @property
    def database(self) -> Path:
        return self.folder / "work.db"

    def another(self) -> Searcher:
        return Searcher(
            lambda: self.source,
            self.database,
            self.folder / "vectors",
            lambda fingerprint: Counting(fingerprint, self.embedded),
        )

    def local(self) -> LocalVectors:
        return LocalVectors(self.folder / "vectors", FINGERPRINT)

    def paths(self, question: str) -> list[str]:
        return [hit.path for hit in self.searcher.search(Query(question))]


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[Made], Asked]:
    return lambda source: Asked(tmp_path, source)


def lying(key: bytes) -> Made:
    """A source whose committed record claims that the lines of a.py have another text's key."""
    source = Made({**FILES, "a.py": b"def zebra():\n    return 1\n"}, covered=list(FILES))
    record = FileRecord("a.py", source.files["a.py"], (KeyedChunk(1, 2, ("zebra",), key),))
    source.segment_bytes |= dict(new_segments(FINGERPRINT, [record], {}))
    return source


def test_a_record_whose_key_is_of_another_text_gets_no_vector(
    ask: Callable[[Made], Asked],
) -> None:
    """Else whoever commits a wrong key makes everybody give that key the vector of other lines."""
    key = bytes(range(16))
    asked = ask(lying(key))
    found = {hit.path: hit for hit in asked.searcher.search(Query("zebra"))}
    assert found["a.py"].lists["semantic"] is None
    assert asked.embedded == []
    assert asked.local().snapshot().vector(key) is None


def test_an_honest_record_without_a_vector_gets_one(ask: Callable[[Made], Asked]) -> None:
    whole = Made({"a.py": b"def zebra():\n    return 1\n"})
    record = whole.catalogue.record("a.py", whole.files["a.py"])
    assert record is not None
    ((chunk),) = record.chunks
    asked = ask(lying(chunk.key))
    found = {hit.path: hit for hit in asked.searcher.search(Query("zebra"))}
    assert found["a.py"].lists["semantic"] is not None
    assert len(asked.embedded) == 1
    assert asked.local().snapshot().vector(chunk.key) is not None


def unembedded(files: int) -> Made:
    """A covered file, and so many more of one chunk each that nobody embedded."""
    new = {f"new/n{i}.py": b"def fresh_%d():\n    return %d\n" % (i, i) for i in range(files)}
    return Made({**FILES, **new}, covered=list(FILES))


@pytest.mark.parametrize(("files", "embedded"), [(1, 1), (48, 48), (49, 0), (120, 0)])
def test_at_most_48_chunks_are_embedded_before_an_answer(
    ask: Callable[[Made], Asked], files: int, embedded: int
) -> None:
    """More would make the person wait; they are found by keyword meanwhile."""
    asked = ask(unembedded(files))
    assert "new/n0.py" in asked.paths("fresh_0")
    assert len(asked.embedded) == embedded


def test_what_a_search_embedded_is_embedded_once(ask: Callable[[Made], Asked]) -> None:
    asked = ask(unembedded(5))
    asked.paths("fresh_1")
    asked.paths("fresh_2")
    assert len(asked.embedded) == 5
    # Neither by another process with another database: the vectors are kept beside it.
    asked.searcher.close()
    asked.database.unlink()
    asked.searcher = asked.another()
    asked.paths("fresh_3")
    assert len(asked.embedded) == 5


def test_a_keyword_search_opens_no_model(tmp_path: Path) -> None:
    def no_model(_: Fingerprint) -> SeededEncoder:
        raise AssertionError("the model was opened")

    source = unembedded(2)
    searcher = Searcher(lambda: source, tmp_path / "w.db", tmp_path / "vectors", no_model)
    answer = searcher.search(Query("fresh_1", mode="keyword"))
    assert answer[0].path == "new/n1.py"
    assert answer.notes == ()


def drop_a_table(path: Path) -> None:
    apsw.Connection(str(path)).execute("DROP TABLE file")


def noise_in(*tables: str) -> Callable[[Path], None]:
    """Damages the pages where tables begin, so that opening sees nothing and asking does."""

    def damage(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").get
        pages = dict(connection.execute("SELECT name, rootpage FROM sqlite_schema"))
        connection.close()
        with path.open("r+b") as file:
            for table in tables:
                file.seek((pages[table] - 1) * size)
                file.write(b"\xaa" * size)

    return damage


@pytest.mark.parametrize("still_open", [True, False])
@pytest.mark.parametrize(
    "damage", [drop_a_table, noise_in("chunk"), noise_in("file", "split_data")]
)
def test_damage_found_while_asking_costs_a_derivation_and_nothing_else(
    ask: Callable[[Made], Asked], damage: Callable[[Path], None], still_open: bool
) -> None:
    asked = ask(Made(FILES))
    before = asked.searcher.search(Query("may_retry"))
    assert before
    if not still_open:
        asked.searcher.close()
    damage(asked.database)
    after = asked.searcher.search(Query("may_retry"))
    assert [(h.path, h.start, h.end, h.score) for h in after] == [
        (h.path, h.start, h.end, h.score) for h in before
    ]
    assert after.notes == ()
    # What is on disk is whole again, for everybody else too.
    assert [h.path for h in asked.another().search(Query("may_retry"))] == [h.path for h in before]
    connection = open_database(asked.database, FINGERPRINT)
    assert connection.execute("PRAGMA integrity_check").get == "ok"


def test_a_database_that_was_deleted_or_replaced_is_not_written_to_in_vain(
    ask: Callable[[Made], Asked],
) -> None:
    asked = ask(Made(FILES))
    asked.paths("may_retry")
    for suffix in ("", "-wal", "-shm"):
        asked.database.with_name(asked.database.name + suffix).unlink(missing_ok=True)
    assert asked.paths("may_retry")
    connection = open_database(asked.database, FINGERPRINT)
    assert connection.execute("SELECT count(*) FROM file").get == len(FILES)


def test_a_source_that_changed_is_searched_as_it_is_now(ask: Callable[[Made], Asked]) -> None:
    asked = ask(Made(FILES))
    assert asked.paths("EvictOldest")[0] == "lib/cache.go"
    asked.source = Made({p: d for p, d in FILES.items() if p != "lib/cache.go"})
    assert "lib/cache.go" not in asked.paths("EvictOldest")
    asked.source = Made(FILES)
    assert asked.paths("EvictOldest")[0] == "lib/cache.go"


def test_vectors_of_another_model_alone_are_refused_with_the_line_that_mends_it(
    tmp_path: Path,
) -> None:
    other = Fingerprint("other", "", "", 16, 64)

    class Foreign(Made):
        fingerprint = other

        @property
        def catalogue(self):  # type: ignore[no-untyped-def]
            names = self.segment_bytes
            return Catalogue(other, names, lambda name: [names[name]])

    source = Foreign(FILES)
    searcher = Searcher(lambda: source, tmp_path / "w.db", tmp_path / "v", SeededEncoder)
    with pytest.raises(ModelMismatch, match="seeded under another fingerprint, and other is"):
        searcher.search(Query("may_retry"))
    assert searcher.search(Query("may_retry", mode="keyword"))[0].path == "src/retry.py"


def test_a_segment_whose_vectors_have_another_length_is_damage_and_stops_no_search(
    ask: Callable[[Made], Asked],
) -> None:
    """One of the right model and the wrong dimensions made every search of every clone fail."""
    source = Made(FILES)
    record = source.catalogue.record("lib/cache.go", source.files["lib/cache.go"])
    assert record is not None
    body = rec.whole_body(rec.relative(record.chunks))
    raw = RawRecord(b"lib/cache.go", bytes.fromhex(record.blob_id), body)
    keys = [chunk.key for chunk in record.chunks]
    for dimensions in (8, 32):
        pairs = [(key, bytes(dimensions)) for key in keys]
        name, data = encode(FINGERPRINT.id, "seeded", dimensions, [raw], pairs)
        hostile = Made(FILES, covered=[path for path in FILES if path != "lib/cache.go"])
        hostile.segment_bytes[name] = data
        asked = ask(hostile)
        answer = asked.searcher.search(Query("EvictOldest"))
        assert answer[0].path == "lib/cache.go"
        assert answer.coverage.covered == len(FILES) - 1
        assert list(hostile.catalogue.damaged) == [name]
