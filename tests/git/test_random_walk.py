"""Whatever git does to an indexed repository, nothing of the index conflicts or stays uncovered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git.walk import Walk


def walk(folder: Path, seed: int, operations: int) -> Walk:
    made = Walk(folder, seed)
    for number in range(operations):
        try:
            made.step()
        except Exception as error:
            raise AssertionError(f"seed {seed}, operation {number}") from error
    return made


def test_a_short_walk(tmp_path: Path) -> None:
    done = walk(tmp_path, seed=1, operations=60)
    assert done.counts["commit"] > 5
    assert done.counts["merge"] > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_a_long_walk(tmp_path: Path, seed: int) -> None:
    done = walk(tmp_path, seed, operations=500)
    assert done.counts["source conflicts resolved"] > 5
    assert done.counts["compact"] > 5
