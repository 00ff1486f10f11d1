from __future__ import annotations

import time

import pytest

from gitsearch.terminal.progress import Progress


def test_work_of_over_a_second_tells_its_rate_and_the_time_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Progress("embedding", "chunks", 40, shown=True) as advance:
        advance(10)
        assert capsys.readouterr().err == ""  # what ends within a second shows nothing
        time.sleep(1.05)
        advance(10)
        shown = capsys.readouterr().err
        assert "embedding [##########" in shown
        assert "20/40 chunks, 1" in shown
        assert "/s, 0:01 left" in shown
    assert capsys.readouterr().err == "\r\x1b[K"


def test_nothing_is_shown_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("embedding", "chunks", 2) as advance:
        advance(1)
        time.sleep(1.05)
        advance(1)
    assert capsys.readouterr().err == ""
