"""What is asked, and where the answers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Located(Protocol):
    """A result: a line range (1-based, inclusive) of a path relative to the repository root."""

    @property
    def path(self) -> str: ...  # noqa: D102

    @property
    def start(self) -> int: ...  # noqa: D102

    @property
    def end(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Place:
    """The smallest :class:`Located`."""

    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Target:
    """Where an answer is: a line range (1-based, inclusive), or a whole file without one.

    ``relevance`` is above 0; the larger, the better it answers.
    """

    path: str
    start: int | None = None
    end: int | None = None
    relevance: float = 1.0

    def matches(self, result: Located) -> bool:
        """Whether a result has this path and, where there is a range, shares a line with it."""
        if self.path != result.path:
            return False
        if self.start is None or self.end is None:
            return True
        return self.start <= result.end and result.start <= self.end


@dataclass(frozen=True)
class Question:
    """A question with at least one target. ``group`` is '' where the set has no groups."""

    id: str
    query: str
    targets: Sequence[Target]
    group: str = ""
