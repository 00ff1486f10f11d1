"""Each definition against a number computed by hand, then what must hold for any input."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridindex.evaluation import metrics
from hybridindex.evaluation.questions import Place, Target
from hybridindex.evaluation.scoring import DEPTH, NAMES, scores_of

# Ranks 1 to 5. The first target is found by ranks 2 and 3, the second by rank 5.
TARGETS = (Target("a.py", 10, 20, 2.0), Target("b.py", 1, 5, 1.0), Target("c.py", 1, 9, 1.0))
RESULTS = (
    Place("a.py", 21, 30),
    Place("a.py", 20, 25),
    Place("a.py", 1, 10),
    Place("x.py", 1, 99),
    Place("b.py", 5, 5),
)


@pytest.mark.parametrize(
    ("start", "end", "matches"),
    [(1, 9, False), (1, 10, True), (12, 13, True), (20, 40, True), (21, 40, False), (1, 99, True)],
)
def test_a_result_matches_a_target_whose_lines_it_shares(
    start: int, end: int, matches: bool
) -> None:
    assert Target("a.py", 10, 20).matches(Place("a.py", start, end)) is matches
    assert not Target("a.py", 10, 20).matches(Place("b.py", start, end))


def test_a_target_without_lines_is_matched_by_its_path() -> None:
    assert Target("a.py").matches(Place("a.py", 7, 8))


def test_hits() -> None:
    assert [metrics.hit(RESULTS, TARGETS, k) for k in (1, 2, 5)] == [0.0, 1.0, 1.0]


def test_reciprocal_rank_is_that_of_the_first_match_within_the_depth() -> None:
    assert metrics.reciprocal_rank(RESULTS, TARGETS, 20) == 1 / 2
    assert metrics.reciprocal_rank(RESULTS, TARGETS, 1) == 0.0


def test_recall_counts_each_target_once() -> None:
    assert metrics.recall(RESULTS, TARGETS, 4) == pytest.approx(1 / 3)
    assert metrics.recall(RESULTS, TARGETS, 5) == pytest.approx(2 / 3)


def test_ndcg_lets_a_target_gain_once() -> None:
    gained = 2 / math.log2(3) + 1 / math.log2(6)
    ideal = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(RESULTS, TARGETS, 10) == pytest.approx(gained / ideal)
    # By decimals, so that both sides are not the same expression.
    assert metrics.ndcg(RESULTS, TARGETS, 10) == pytest.approx(0.526589, abs=1e-6)


def test_the_ideal_of_ndcg_at_k_has_k_results() -> None:
    """A published number: with more targets than k nobody could reach 1 otherwise."""
    found = (Place("a.py", 10, 11), Place("b.py", 1, 2))
    assert metrics.ndcg(found, TARGETS, 1) == 1.0
    assert metrics.ndcg(found, TARGETS, 2) == 1.0
    assert metrics.ndcg_every(found, TARGETS, 1) == 1.0
    assert metrics.ndcg_every(found, TARGETS, 2) == 1.0
    assert metrics.ndcg(found[1:], TARGETS, 1) == pytest.approx(0.5)
    assert metrics.ndcg(found, TARGETS, 3) == pytest.approx(0.840303, abs=1e-6)


def test_ndcg_every_lets_every_matching_result_gain() -> None:
    gained = 2 / math.log2(3) + 2 / math.log2(4) + 1 / math.log2(6)
    assert metrics.ndcg_every(RESULTS, TARGETS, 10) == pytest.approx(gained / 3.130930)
    assert metrics.ndcg_every(RESULTS, TARGETS, 10) == pytest.approx(0.845983, abs=1e-6)


def test_ndcg_every_can_exceed_one() -> None:
    twice = (Place("a.py", 10, 11), Place("a.py", 12, 13))
    assert metrics.ndcg_every(twice, TARGETS[:1], 10) == pytest.approx(1 + 1 / math.log2(3))
    assert metrics.ndcg(twice, TARGETS[:1], 10) == 1.0


def test_a_result_that_shows_two_targets_gains_once() -> None:
    both = (Target("a.py", 1, 2), Target("a.py", 3, 4))
    found = metrics.ndcg((Place("a.py", 1, 4),), both, 10)
    assert found == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_a_question_without_an_answer_counts_as_one_past_the_depth() -> None:
    scores = scores_of((Place("x.py", 1, 1),) * 40, TARGETS)
    assert scores["first_rank"] == DEPTH + 1
    assert [scores[name] for name in NAMES if name != "first_rank"] == [0.0] * (len(NAMES) - 1)


places = st.builds(Place, st.sampled_from("abc"), st.integers(1, 9), st.just(0)).map(
    lambda p: Place(p.path, p.start, p.start + 3)
)
targets = st.builds(
    lambda path, start, relevance: Target(path, start, start + 2, relevance),
    st.sampled_from("abc"),
    st.integers(1, 9),
    st.sampled_from([1.0, 2.0]),
)


@given(st.lists(places, max_size=30), st.lists(targets, min_size=1, max_size=5))
def test_numbers_stay_in_their_ranges_and_agree(results: list[Place], wanted: list[Target]) -> None:
    scores = scores_of(results, wanted)
    assert set(scores) == set(NAMES)
    for name in set(NAMES) - {"first_rank", "ndcg_every_10"}:
        assert 0 <= scores[name] <= 1 + 1e-12
    assert scores["ndcg_every_10"] >= 0
    assert scores["hit_1"] <= scores["hit_5"] <= scores["hit_10"]
    assert scores["recall_5"] <= scores["recall_10"] <= scores["hit_10"]
    assert (scores["mrr"] > 0) == (scores["first_rank"] <= DEPTH)
    assert (scores["hit_10"] > 0) == (scores["ndcg_10"] > 0) == (scores["ndcg_every_10"] > 0)


@given(st.lists(places, max_size=12), st.lists(targets, min_size=1, max_size=5), st.data())
def test_a_match_put_first_never_lowers_a_number(
    results: list[Place], wanted: list[Target], data: st.DataObject
) -> None:
    best = max(wanted, key=lambda target: target.relevance)
    assert best.start is not None
    first = Place(best.path, best.start, best.start)
    before, after = scores_of(results, wanted), scores_of([first, *results], wanted)
    assert after["hit_1"] == after["mrr"] == after["first_rank"] == 1.0
    assert after["mrr"] >= before["mrr"]


@pytest.mark.slow  # compiling its functions takes two minutes
def test_ranx_defines_the_same_where_results_and_targets_pair_off() -> None:
    """A cross-check; the library is too heavy to be a dependency (see ``metrics``)."""
    ranx = pytest.importorskip("ranx")
    chance = random.Random(7)
    qrels, run, ours = {}, {}, {}
    for number in range(60):
        wanted = [
            Target(f"t{i}", relevance=float(chance.choice([1, 2])))
            for i in range(chance.randint(1, 4))
        ]
        paths = [target.path for target in wanted] + [f"x{i}" for i in range(30)]
        chance.shuffle(paths)
        paths = paths[: chance.randint(5, 25)]
        question = f"q{number:02}"
        qrels[question] = {target.path: int(target.relevance) for target in wanted}
        run[question] = {path: 1.0 - rank / 100 for rank, path in enumerate(paths)}
        ours[question] = scores_of([Place(path, 1, 1) for path in paths], wanted)
    theirs = {
        "hit_rate@1": "hit_1",
        "hit_rate@5": "hit_5",
        "hit_rate@10": "hit_10",
        f"mrr@{DEPTH}": "mrr",
        "recall@5": "recall_5",
        "recall@10": "recall_10",
        "ndcg@10": "ndcg_10",
    }
    found = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(theirs))
    for name, own in theirs.items():
        mean = sum(scores[own] for scores in ours.values()) / len(ours)
        assert found[name] == pytest.approx(mean, abs=1e-9), name
        if own == "ndcg_10":
            every = sum(scores["ndcg_every_10"] for scores in ours.values()) / len(ours)
            assert every == pytest.approx(mean, abs=1e-9)
