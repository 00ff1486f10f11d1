"""Asks every question of a set and scores what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hybridindex.evaluation import metrics
from hybridindex.evaluation.questions import Located, Place, Question, Target

#: Results that are looked at: what the reciprocal rank counts, as published for Octocode.
DEPTH = 20

#: The numbers of a question, in the order they are shown. All but ``first_rank`` are better when
#: larger and lie between 0 and 1, ``ndcg_every_10`` above.
NAMES = (
    "hit_1",
    "hit_5",
    "hit_10",
    "mrr",
    "ndcg_10",
    "ndcg_every_10",
    "recall_5",
    "recall_10",
    "first_rank",
)

#: A question in, located results out, best first.
Search = Callable[[str], Sequence[Located]]


@dataclass(frozen=True)
class Outcome:
    """What came of one question.

    ``first_rank`` is the rank of the first match among ``results``, None without one; ``scores``
    has a number for each of ``NAMES``; ``seconds`` is how long the answer took.
    """

    id: str
    group: str
    query: str
    first_rank: int | None
    scores: Mapping[str, float]
    seconds: float
    results: Sequence[Place]


def scores_of(results: Sequence[Located], targets: Sequence[Target]) -> dict[str, float]:
    """The numbers of one question over its first ``DEPTH`` results.

    Without a match the first rank counts as one past the last that is looked at.
    """
    seen = results[:DEPTH]
    return {
        "hit_1": metrics.hit(seen, targets, 1),
        "hit_5": metrics.hit(seen, targets, 5),
        "hit_10": metrics.hit(seen, targets, 10),
        "mrr": metrics.reciprocal_rank(seen, targets, DEPTH),
        "ndcg_10": metrics.ndcg(seen, targets, 10),
        "ndcg_every_10": metrics.ndcg_every(seen, targets, 10),
        "recall_5": metrics.recall(seen, targets, 5),
        "recall_10": metrics.recall(seen, targets, 10),
        "first_rank": float(metrics.first_rank(seen, targets) or DEPTH + 1),
    }


def evaluate(questions: Sequence[Question], search: Search) -> Iterator[Outcome]:
    """The outcome of every question, in their order; each is asked when it is reached."""
    for question in questions:
        begun = time.perf_counter()
        results = search(question.query)[:DEPTH]
        seconds = time.perf_counter() - begun
        yield Outcome(
            id=question.id,
            group=question.group,
            query=question.query,
            first_rank=metrics.first_rank(results, question.targets),
            scores=scores_of(results, question.targets),
            seconds=seconds,
            results=tuple(Place(result.path, result.start, result.end) for result in results),
        )
