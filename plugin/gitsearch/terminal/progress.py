"""Progress on a terminal: how far, how fast, how long still. Silent where nobody watches."""

from __future__ import annotations

import sys
import time
from types import TracebackType

#: Nothing is shown for what ends sooner, in seconds.
_PATIENCE = 1.0
_REDRAW = 0.1


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Progress:
    """One line on standard error, rewritten in place and wiped at the end.

    Use it as a context manager and call it with how many more items are done.
    """

    def __init__(self, doing: str, unit: str, total: int, shown: bool | None = None) -> None:
        self._doing, self._unit, self._total = doing, unit, total
        self._done = 0
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._shown = sys.stderr.isatty() if shown is None else shown

    def __enter__(self) -> Progress:
        return self

    def __call__(self, more: int) -> None:
        """Say that ``more`` items are done."""
        self._done += more
        now = time.monotonic()
        if self._shown and now - self._begun > _PATIENCE and now - self._drawn > _REDRAW:
            self._drawn = now
            self._draw(now - self._begun)

    def _draw(self, seconds: float) -> None:
        rate = self._done / seconds
        left = (self._total - self._done) / rate if rate else 0.0
        share = self._done / self._total if self._total else 1.0
        bar = "#" * int(share * 20)
        sys.stderr.write(
            f"\r\x1b[K{self._doing} [{bar:<20}] {self._done}/{self._total} {self._unit},"
            f" {rate:.0f}/s, {_clock(left)} left"
        )
        sys.stderr.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
