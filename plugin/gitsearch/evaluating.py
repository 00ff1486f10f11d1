"""Asks a question set of the repository, on the way every ``git search`` takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gitsearch.answering import Opened, Question, with_opened
from gitsearch.git.repository import Repository
from gitsearch.layout import CONFIG
from gitsearch.progress import Progress
from gitsearch.tree import Tree
from hybridindex.database.searching import coverage
from hybridindex.evaluation import questions as sets
from hybridindex.evaluation.results import result_fields
from hybridindex.evaluation.scoring import DEPTH, Outcome
from hybridindex.evaluation.scoring import evaluate as evaluate_questions
from hybridindex.types import Encoder


@dataclass(frozen=True)
class Evaluation:
    """The outcome of every question, the share of files covered, what the person should know."""

    outcomes: Sequence[Outcome]
    coverage: float
    notes: Sequence[str]

    def fields(self) -> dict[str, Any]:
        """As it goes into a JSON file."""
        return {
            **result_fields(self.outcomes),
            "coverage": round(self.coverage, 4),
            "notes": list(self.notes),
        }


def evaluate(
    repository: Repository,
    questions: Sequence[sets.Question],
    asked: Question,
    encoder: Callable[[Tree], Encoder],
    source: Path | None = None,
) -> Evaluation:
    """Ask each question as ``asked``, with its own text. Raises SearchError as ``answer`` does.

    ``source`` is the file that the questions were read from.

    The database and the model are opened once, so the first question's time holds the model's
    loading and the others are what a program that stays open would take.
    """

    def ask(ready: Opened) -> Evaluation:
        if source is not None and _is_indexed(source, ready.tree):
            ready.note(
                f"{source} is in the index and answers its own questions; list it under"
                f" files.exclude in {CONFIG}"
            )
        with Progress("asking", "questions", len(questions)) as advance:

            def search(text: str) -> Sequence[sets.Located]:
                hits = ready.hits(replace(asked, text=text, count=DEPTH))
                advance(1)
                return hits

            outcomes = list(evaluate_questions(questions, search))
        return Evaluation(outcomes, coverage(ready.connection).share, ready.notes)

    return with_opened(repository, asked, encoder, ask)


def _is_indexed(source: Path, tree: Tree) -> bool:
    root = tree.repository.root
    where = source.resolve()
    return where.is_relative_to(root) and where.relative_to(root).as_posix() in tree.sorted.files
