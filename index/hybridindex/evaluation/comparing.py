"""Which of two runs over the same questions is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybridindex.errors import SearchError
from hybridindex.evaluation.results import means_of
from hybridindex.evaluation.scoring import NAMES

#: Resamples: the ends of a 95 % interval then move by about 2 % of its length between seeds.
RESAMPLES = 10_000
CONFIDENCE = 0.95
#: Two comparisons of the same files must say the same.
SEED = 20_240_607
#: Numbers that lie between 0 and 1 and are better when larger: what a baseline guards.
GUARDED = tuple(name for name in NAMES if name != "first_rank")
#: Values of one matrix of resamples, so that memory stays at tens of megabytes.
_BLOCK = 2_000_000

Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Change:
    """One number before and after, with the bootstrap interval of the difference of means."""

    name: str
    before: float
    after: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out no change at all."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Comparison:
    """Two runs over the questions they share.

    ``better`` and ``worse`` have (id, first rank before, after) of every question whose first
    match came earlier or later; a rank is one past the last looked at where there was none.
    ``only_before`` and ``only_after`` are ids that one of the runs lacks.
    """

    questions: int
    changes: Sequence[Change]
    better: Sequence[tuple[str, int, int]]
    worse: Sequence[tuple[str, int, int]]
    only_before: Sequence[str]
    only_after: Sequence[str]


def bootstrap_interval(
    differences: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float]:
    """The percentile interval of the mean of paired differences (Efron, 1979).

    Questions are drawn with replacement; each brings its own difference, which is what makes the
    bootstrap paired. At least one difference is needed.
    """
    import numpy as np

    values = np.asarray(differences, np.float64)
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    rows = max(1, _BLOCK // len(values))
    for at in range(0, resamples, rows):
        count = min(rows, resamples - at)
        drawn = generator.integers(0, len(values), (count, len(values)))
        means[at : at + count] = values[drawn].mean(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def shared_ids(before: Scores, after: Scores) -> list[str]:
    """Ids in both runs, in the order of the first. Raises SearchError where there are none."""
    shared = [question_id for question_id in before if question_id in after]
    if not shared:
        raise SearchError(
            "the two runs have no question in common", "compare runs of one question set"
        )
    return shared


def compare(before: Scores, after: Scores) -> Comparison:
    """Compare two runs. Raises SearchError where they share no question."""
    shared = shared_ids(before, after)
    changes = []
    for name in NAMES:
        differences = [after[i][name] - before[i][name] for i in shared]
        low, high = bootstrap_interval(differences)
        first = sum(before[i][name] for i in shared) / len(shared)
        second = sum(after[i][name] for i in shared) / len(shared)
        changes.append(Change(name, first, second, low, high))
    ranks = [(i, int(before[i]["first_rank"]), int(after[i]["first_rank"])) for i in shared]
    return Comparison(
        questions=len(shared),
        changes=changes,
        better=[item for item in ranks if item[2] < item[1]],
        worse=[item for item in ranks if item[2] > item[1]],
        only_before=[i for i in before if i not in after],
        only_after=[i for i in after if i not in before],
    )


def dropped(baseline: Scores, now: Scores, tolerance: float) -> list[tuple[str, float, float]]:
    """(name, baseline, now) of each guarded mean that fell by more than ``tolerance``.

    Means are over the shared questions. Raises SearchError where there are none.
    """
    shared = shared_ids(baseline, now)
    before = means_of(baseline[i] for i in shared)
    after = means_of(now[i] for i in shared)
    # A millionth, because files hold six digits.
    return [
        (name, before[name], after[name])
        for name in GUARDED
        if before[name] - after[name] > tolerance + 1e-6
    ]
