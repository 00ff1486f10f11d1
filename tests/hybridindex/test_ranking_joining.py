"""What stands together in a file is one result."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from hybridindex.database.connection import open_database
from hybridindex.queries import Hit
from hybridindex.ranking.joining import MAX_BETWEEN, MAX_JOINED, MIN_SHARE, joined
from tests.hybridindex.sources import FINGERPRINT, Made, fill
from tests.hybridindex.sources import hits as hits_for


def lines(start: int, end: int, score: float = 1.0, name: str = "", file: int = 1) -> Hit:
    return Hit(
        path=f"{file}.py", start=start, end=end, focus=(start, end),
        symbols=(name,) if name else (), language="python", role="source", score=score, lists={},
        chunk_id=start, file_id=file,
    )  # fmt: skip


def ranges(hits: list[Hit]) -> list[tuple[int, int]]:
    return [(hit.start, hit.end) for hit in hits]


@pytest.mark.parametrize(
    ("hits", "shown"),
    [
        ([lines(10, 20), lines(22, 40, 0.9)], [(10, 40)]),
        ([lines(22, 40), lines(10, 20, 0.9)], [(10, 40)]),
        ([lines(10, 140), lines(30, 40, 0.1)], [(10, 140)]),
        ([lines(10, 20), lines(25, 40, 0.9)], [(10, 20), (25, 40)]),
        ([lines(10, 20), lines(21, 40, 0.9, file=2)], [(10, 20), (21, 40)]),
        ([lines(10, 20), lines(21, 40, 0.9 * MIN_SHARE)], [(10, 20), (21, 40)]),
        ([lines(1, 50), lines(51, 81, 0.9)], [(1, 50), (51, 81)]),
        ([lines(1, 20), lines(41, 60, 0.9), lines(21, 40, 0.8)], [(1, 60)]),
        ([lines(41, 60), lines(1, 20, 0.9), lines(21, 40, 0.8)], [(1, 60)]),
        ([lines(1, 50), lines(61, 100, 0.9), lines(51, 60, 0.8)], [(1, 60), (61, 100)]),
    ],
)  # fmt: skip
def test_neighbours_are_one_result(hits: list[Hit], shown: list[tuple[int, int]]) -> None:
    assert ranges(joined(hits)) == shown


def test_the_better_one_stays_and_the_others_symbols_come_after() -> None:
    elsewhere = lines(1, 9, 0.95, "x", file=2)
    first, second = joined(
        [lines(30, 40, 1.0, "Cache.evict"), elsewhere, lines(10, 29, 0.9, "Cache.put")]
    )
    assert second == elsewhere
    assert first.symbols == ("Cache.evict", "Cache.put")
    assert (first.chunk_id, first.score, first.focus) == (30, 1.0, (30, 40))
    assert (first.start, first.end) == (10, 40)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_lost_and_no_two_that_could_be_one_are_left(seed: int) -> None:
    dice = random.Random(seed)
    starts = sorted(dice.sample(range(1, 900, 5), 60))
    hits = [lines(start, start + dice.choice((1, 2, 4))) for start in starts]
    dice.shuffle(hits)
    done = joined(hits)
    covered = [n for hit in done for n in range(hit.start, hit.end + 1)]
    assert {n for hit in hits for n in range(hit.start, hit.end + 1)} <= set(covered)
    assert len(covered) == len(set(covered))
    assert all(one.end - one.start < MAX_JOINED for one in done)
    ordered = sorted(ranges(done))
    for (start, end), (following, last) in pairwise(ordered):
        assert following - end - 1 > MAX_BETWEEN or last - start + 1 > MAX_JOINED


def test_two_functions_that_answer_together_are_one_result(tmp_path: Path) -> None:
    """Without it the places of a short list went to pieces of one screenful."""
    filler = "".join(f"        seen_{i} = note('of the thing number {i}')\n" for i in range(12))
    methods = "".join(f"    def zebra_{n}(self):\n{filler}\n" for n in ("stripes", "herd"))
    text = f"class Zoo:\n    keeper = 1\n\n{methods}"
    connection = open_database(tmp_path / "work.db", FINGERPRINT)
    fill(connection, Made({"a.py": text.encode()}))
    assert connection.execute("SELECT count(*) FROM chunk").get > 1
    (zoo,) = hits_for(connection, "zebra")
    assert zoo.start <= 4
    assert zoo.end >= 28
