"""Asks a question set of the repository, on the way every ``git search`` takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitsearch.layout import CONFIG
from gitsearch.tree import Tree
from hybridindex.evaluation import DEPTH, Located, Outcome, Question, result_fields
from hybridindex.evaluation import evaluate as evaluate_questions
from hybridindex.searcher import Note, Query, Searcher
from hybridindex.types import Mode, Watch, unwatched


@dataclass(frozen=True)
class Evaluation:
    """The outcome of every question, the share of files covered, what the person should know."""

    outcomes: Sequence[Outcome]
    coverage: float
    notes: Sequence[Note]

    def fields(self) -> dict[str, Any]:
        """As it goes into a JSON file."""
        return {
            **result_fields(self.outcomes),
            "coverage": round(self.coverage, 4),
            "notes": [str(note) for note in self.notes],
        }


def evaluate(
    searcher: Searcher,
    tree: Tree,
    questions: Sequence[Question],
    mode: Mode = "hybrid",
    source: Path | None = None,
    watch: Watch = unwatched,
) -> Evaluation:
    """Ask each question. Raises SearchError as a search does.

    ``source`` is the file that the questions were read from. The database and the model are opened
    once, so the first question's time holds the model's loading and the others are what a program
    that stays open would take.
    """
    # A dictionary, since each note is told once.
    notes: dict[Note, None] = {}
    if source is not None and _is_indexed(source, tree):
        text = f"{source} is in the index and answers its own questions"
        notes[Note(text, f"list it under files.exclude in {CONFIG}")] = None
    coverage = 1.0
    with watch("asking", "questions", len(questions)) as advance:

        def search(text: str) -> Sequence[Located]:
            nonlocal coverage
            answer = searcher.search(Query(text, DEPTH, mode))
            notes.update(dict.fromkeys(answer.notes))
            coverage = answer.coverage.share
            advance(1)
            return answer.hits

        outcomes = list(evaluate_questions(questions, search))
    return Evaluation(outcomes, coverage, tuple(notes))


def _is_indexed(source: Path, tree: Tree) -> bool:
    root = tree.location.root
    where = source.resolve()
    return where.is_relative_to(root) and where.relative_to(root).as_posix() in tree.files
