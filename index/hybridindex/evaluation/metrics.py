"""The numbers of one question.

All take the results best first and the targets. Each is pinned by a hand-computed example in the
tests. The ranx library (Bassani, ECIR 2022) defines hits, reciprocal rank, recall and NDCG on
documents in the same way, but has no line ranges, and brings numba, pandas, scipy, seaborn and
nine others; so the tests alone use it, to check these definitions where a result stands for at
most one target and a target for one result.

NDCG is by Järvelin and Kekäläinen (TOIS 2002) with the linear gain of trec_eval: relevance /
log2(rank + 1), divided by the same sum for the best order of the targets. Where several chunks
of one answer are found, there are two readings of it:

- :func:`ndcg`: a target gains once, by its first result; further chunks only take places. Never
  above 1. The semble suite reads it so, with every relevance 1.
- :func:`ndcg_every`: every result that matches gains. Can exceed 1. Octocode's benchmark reads
  it so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from hybridindex.evaluation.questions import Located, Target


def relevance_of(result: Located, targets: Sequence[Target]) -> float:
    """The highest relevance of the targets that the result matches, 0 for none."""
    return max((target.relevance for target in targets if target.matches(result)), default=0.0)


def rank_of(target: Target, results: Sequence[Located]) -> int | None:
    """The rank (1-based) of the first result that matches the target."""
    for rank, result in enumerate(results, 1):
        if target.matches(result):
            return rank
    return None


def first_rank(results: Sequence[Located], targets: Sequence[Target]) -> int | None:
    """The rank (1-based) of the first result that matches any target."""
    for rank, result in enumerate(results, 1):
        if any(target.matches(result) for target in targets):
            return rank
    return None


def hit(results: Sequence[Located], targets: Sequence[Target], k: int) -> float:
    """1 where any of the first ``k`` results matches, else 0."""
    return 0.0 if first_rank(results[:k], targets) is None else 1.0


def reciprocal_rank(results: Sequence[Located], targets: Sequence[Target], k: int) -> float:
    """1 / rank of the first match among the first ``k`` results, else 0."""
    rank = first_rank(results[:k], targets)
    return 1 / rank if rank else 0.0


def recall(results: Sequence[Located], targets: Sequence[Target], k: int) -> float:
    """The part of the targets that any of the first ``k`` results matches."""
    found = sum(rank_of(target, results[:k]) is not None for target in targets)
    return found / len(targets)


def _discounted(gains: Iterable[tuple[int, float]]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in gains)


def _ideal(targets: Sequence[Target], k: int) -> float:
    best = sorted((target.relevance for target in targets), reverse=True)
    return _discounted(enumerate(best[:k], 1))


def ndcg(results: Sequence[Located], targets: Sequence[Target], k: int) -> float:
    """NDCG@k where a target gains once; between 0 and 1.

    Of several targets whose first result is the same one, the highest relevance counts.
    """
    gains: dict[int, float] = {}
    for target in targets:
        rank = rank_of(target, results[:k])
        if rank is not None:
            gains[rank] = max(gains.get(rank, 0.0), target.relevance)
    return _discounted(gains.items()) / _ideal(targets, k)


def ndcg_every(results: Sequence[Located], targets: Sequence[Target], k: int) -> float:
    """NDCG@k where every matching result gains; at least 0."""
    gains = ((rank, relevance_of(result, targets)) for rank, result in enumerate(results[:k], 1))
    return _discounted(gains) / _ideal(targets, k)
