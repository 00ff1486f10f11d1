"""Evaluations and comparisons as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitsearch.maintaining.evaluating import Evaluation
from gitsearch.wording import counted, plain
from hybridindex.evaluation import DEPTH, NAMES, Comparison, by_group, latency_of, summarise

TITLES = {
    "hit_1": "hit@1",
    "hit_5": "hit@5",
    "hit_10": "hit@10",
    "mrr": "MRR",
    "ndcg_10": "NDCG@10",
    "ndcg_every_10": "NDCG@10*",
    "recall_5": "recall@5",
    "recall_10": "recall@10",
    "first_rank": "mean rank",
}
#: Below the first table, because two of its columns need it.
LEGEND = (
    "NDCG@10 lets a target gain once, NDCG@10* with every chunk that shows it.",
    f"Of a question without an answer among {DEPTH} results, the rank counts as {DEPTH + 1}.",
)
#: Questions listed of each kind in a comparison.
_LISTED = 20


def evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """The means of all questions, then of each group, and how long answers took."""
    rows = {"all": summarise(evaluation.outcomes), **by_group(evaluation.outcomes)}
    width = max(len(plain(name)) for name in rows)
    yield f"{'':{width}}  questions  " + "  ".join(f"{TITLES[name]:>9}" for name in NAMES)
    for name, summary in rows.items():
        numbers = "  ".join(_number(key, summary.means[key]) for key in NAMES)
        yield f"{plain(name):{width}}  {summary.questions:>9}  {numbers}"
    latency = latency_of(evaluation.outcomes)
    yield ""
    yield f"latency  p50 {latency.p50 * 1000:.1f} ms, p95 {latency.p95 * 1000:.1f} ms"
    yield f"coverage {evaluation.coverage:.1%}"
    yield from LEGEND


def _number(name: str, value: float) -> str:
    return f"{value:>9.2f}" if name == "first_rank" else f"{value:>9.4f}"


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Each number before and after with its interval, then the questions that moved."""
    yield f"{counted(comparison.questions, 'question')} in both"
    for label, ids in (("first", comparison.only_before), ("second", comparison.only_after)):
        if ids:
            yield f"{counted(len(ids), 'question')} in the {label} file alone, not compared"
    yield ""
    yield f"{'':9}  {'before':>9}  {'after':>9}  {'change':>9}  95 % interval"
    for change in comparison.changes:
        difference = change.after - change.before
        mark = "  *" if change.sure else ""
        yield (
            f"{TITLES[change.name]:9}  {change.before:>9.4f}  {change.after:>9.4f}"
            f"  {difference:>+9.4f}  {change.low:+.4f} to {change.high:+.4f}{mark}"
        )
    yield "* more than chance: the interval leaves out 0"
    yield from _moved("better", comparison.better)
    yield from _moved("worse", comparison.worse)


def _moved(label: str, questions: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    yield ""
    yield f"{len(questions)} {label}" + (", by rank of the first answer:" if questions else "")
    # Largest gain or loss of reciprocal rank first: from 2 to 1 matters more than from 20 to 10.
    ordered = sorted(questions, key=lambda q: (-abs(1 / q[1] - 1 / q[2]), q[0]))
    for question_id, before, after in ordered[:_LISTED]:
        yield f"  {plain(question_id)}  {_rank(before)} -> {_rank(after)}"
    if len(ordered) > _LISTED:
        yield f"  and {len(ordered) - _LISTED} more (all of them: --json)"


def _rank(rank: int) -> str:
    return "none" if rank > DEPTH else str(rank)
