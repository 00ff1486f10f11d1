"""What stands together in a file is one result."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from hybridindex.database.connection import open_database
from hybridindex.queries import Hit
from hybridindex.ranking.joining import beyond, definitions, joined
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
        ([lines(10, 20), lines(21, 40, 0.39)], [(10, 20), (21, 40)]),
        ([lines(10, 20), lines(21, 40, 0.4)], [(10, 40)]),
        ([lines(10, 20), lines(24, 40, 0.9)], [(10, 40)]),
        ([lines(1, 50), lines(51, 80, 0.9)], [(1, 80)]),
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
    assert all(one.end - one.start < 80 for one in done)
    ordered = sorted(ranges(done))
    for (start, end), (following, last) in pairwise(ordered):
        assert following - end - 1 > 3 or last - start + 1 > 80


def test_parts_of_one_definition_are_its_lines() -> None:
    parts = [(1, 1, 1, 60, "f"), (2, 1, 61, 120, "f"), (3, 1, 121, 130, "g"), (4, 2, 1, 9, "f")]
    found = definitions([lines(61, 120), lines(121, 130)], [(61, *parts[1][1:]), *parts[2:]])
    assert ranges(found) == [(61, 120), (121, 130)]
    of_f = [(1, 1, 1, 60, "f"), (61, 1, 61, 120, "f"), (121, 1, 121, 130, "g")]
    assert ranges(definitions([lines(61, 120), lines(1, 60, 0.5)], of_f)) == [(1, 120)]


@pytest.mark.parametrize(("last", "shown"), [(150, (1, 150)), (151, (61, 151))])
def test_a_part_that_would_make_a_definition_too_long_begins_another(
    last: int, shown: tuple[int, int]
) -> None:
    parts = [(1, 1, 1, 60, "f"), (61, 1, 61, last, "f")]
    assert ranges(definitions([lines(61, last)], parts)) == [shown]


def test_the_same_name_further_on_or_in_another_file_is_another_definition() -> None:
    parts = [(1, 1, 1, 9, "f"), (10, 1, 10, 19, "g"), (20, 1, 20, 29, "f"), (30, 2, 1, 9, "f"),
             (40, 2, 10, 12, ""), (50, 2, 13, 15, "")]  # fmt: skip
    for hit in (lines(1, 9), lines(20, 29)):
        assert ranges(definitions([hit], parts)) == [(hit.start, hit.end)]
    nameless = lines(10, 12, file=2)
    assert ranges(definitions([nameless], [(10, *parts[4][1:]), parts[5]])) == [(10, 12)]


def test_beyond_what_is_shown_is_what_shares_no_line_with_it() -> None:
    shown = [lines(10, 20), lines(50, 60)]
    more = [lines(20, 30), lines(21, 30), lines(1, 9), lines(1, 10), lines(12, 13), lines(1, 99),
            lines(55, 56), lines(15, 16, file=2)]  # fmt: skip
    assert beyond(shown, more) == [more[1], more[2], more[7]]


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
