"""What a benchmark hands over: its corpora's questions to ask, and the rows to print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.vectors import Vectors
from hybridindex.evaluation.questions import Question
from hybridindex.evaluation.scoring import Outcome, Search, evaluate
from hybridindex.types import Method, Mode


@dataclass(frozen=True)
class Setting:
    """What one run is made with: where things lie, and how it searches."""

    data: Path
    corpora: Path
    cache: Path
    vectors: Vectors
    mode: Mode = "hybrid"
    chunking: Method = "syntax"
    split: tuple[int, int] | None = None


@dataclass(frozen=True)
class Row:
    """A line of a printed table: whose numbers, and the numbers by column."""

    name: str
    numbers: Mapping[str, float]
    ours: bool = False


@dataclass(frozen=True)
class Table:
    """A printed table; columns in order."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]


@dataclass(frozen=True)
class Report:
    """What a run found. ``fields`` goes into the result file: numbers and ids, never texts."""

    tables: Sequence[Table]
    fields: Mapping[str, Any] = field(default_factory=dict)


def evaluate_suite(
    questions: Mapping[str, Sequence[Question]], search_of: Callable[[str], Search]
) -> dict[str, list[Outcome]]:
    """The outcomes of every corpus's questions, by the corpus's name.

    ``search_of`` opens the search function of a corpus: try a ranking by giving another one.
    """
    return {name: list(evaluate(asked, search_of(name))) for name, asked in questions.items()}
