"""Means over questions, and over groups of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hybridindex.evaluation.scoring import NAMES, Outcome


@dataclass(frozen=True)
class Summary:
    """The means of a number of questions; all 0 for none. Keys of ``means`` are ``NAMES``."""

    questions: int
    means: Mapping[str, float]


@dataclass(frozen=True)
class Latency:
    """Seconds until a question was answered: the median and the 95th percentile."""

    p50: float
    p95: float


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """The mean of every number."""
    count = len(outcomes)
    means = {name: sum(o.scores[name] for o in outcomes) / max(count, 1) for name in NAMES}
    return Summary(count, means)


def by_group(
    outcomes: Iterable[Outcome], group_of: Callable[[Outcome], str] = lambda outcome: outcome.group
) -> dict[str, Summary]:
    """A summary for each group, by name; none for questions without a group."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if group := group_of(outcome):
            groups.setdefault(group, []).append(outcome)
    return {group: summarise(groups[group]) for group in sorted(groups)}


def mean_of_groups(groups: Mapping[str, Summary]) -> Summary:
    """The mean over groups, each counted alike however many questions it has."""
    count = max(len(groups), 1)
    means = {name: sum(g.means[name] for g in groups.values()) / count for name in NAMES}
    return Summary(sum(group.questions for group in groups.values()), means)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of all values do not exceed; 0 for none.

    The nearest-rank definition: always a value that was seen.
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    # Whole numbers, because 0.95 * 20 is above 19 in binary.
    rank = -(-round(share * 1000) * len(ordered) // 1000)
    return ordered[max(rank, 1) - 1]


def latency_of(outcomes: Sequence[Outcome]) -> Latency:
    """How long answers took."""
    seconds = [outcome.seconds for outcome in outcomes]
    return Latency(percentile(seconds, 0.5), percentile(seconds, 0.95))
