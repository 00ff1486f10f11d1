"""What is asked, and what comes back: everything that crosses the border of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from hybridindex.types import Mode, Role

#: Results of a query that names no number.
DEFAULT_COUNT = 10


@dataclass(frozen=True)
class Query:
    """A question and how it is narrowed; None where anything may be found.

    ``paths`` are whole paths from the root. Filters narrow before candidates are taken. With
    ``context`` a snippet is the whole result and so many lines around it.
    """

    text: str
    count: int = DEFAULT_COUNT
    mode: Mode = "hybrid"
    roles: Sequence[Role] | None = None
    languages: Sequence[str] | None = None
    paths: Sequence[str] | None = None
    context: int | None = None


@dataclass(frozen=True)
class Snippet:
    """Lines ``start`` on, and of those the numbers of the lines that answer (all 1-based)."""

    start: int
    lines: tuple[str, ...]
    matched: frozenset[int]

    def __str__(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Hit:
    """A result: lines of a file (1-based, inclusive), their score, and how it came about.

    ``focus`` are the lines of the chunk that matched, where the result is more: the whole
    definition around it, or its neighbours too. ``language`` is '' where unknown. ``lists`` has the
    rank (1-based) in each list, None where absent; ``closeness``, between 0 and 1, how near it is
    to the best of those lists that tell; ``priors`` what each prior multiplied the fused score by.
    ``chunk_id`` and ``file_id`` are rows of the database. ``snippet`` is None until it is shown.
    """

    path: str
    start: int
    end: int
    focus: tuple[int, int]
    symbols: tuple[str, ...]
    language: str
    role: Role
    score: float
    lists: Mapping[str, int | None]
    chunk_id: int
    file_id: int
    closeness: Mapping[str, float] = field(default_factory=dict)
    priors: Mapping[str, float] = field(default_factory=dict)
    snippet: Snippet | None = None

    @property
    def symbol(self) -> str | None:
        """The first symbol of the result."""
        return self.symbols[0] if self.symbols else None


@dataclass(frozen=True)
class Coverage:
    """How many source files a tree has, and how many its committed segments cover.

    ``by_keyword`` are those that no vector of any kind is there for, in part or in whole.
    """

    files: int
    covered: int
    by_keyword: int = 0

    @property
    def share(self) -> float:
        """Between 0 and 1; a tree without source files is covered."""
        return self.covered / self.files if self.files else 1.0


@dataclass(frozen=True)
class Note:
    """What a person should know of an answer, and the line that mends it, if one does."""

    text: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.hint})" if self.hint else self.text


@dataclass(frozen=True)
class Answer(Sequence[Hit]):
    """The hits of a query, best first, each with its snippet; iterates over them."""

    query: Query
    hits: Sequence[Hit]
    coverage: Coverage
    notes: Sequence[Note] = ()

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, at: int) -> Hit: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Hit]: ...

    def __getitem__(self, at: int | slice) -> Hit | Sequence[Hit]:
        return self.hits[at]
