from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridindex.errors import SearchError
from hybridindex.evaluation.comparing import bootstrap_interval, compare, dropped
from hybridindex.evaluation.questions import Place, Question, Target
from hybridindex.evaluation.results import ResultsUnreadable, read_scores, result_fields
from hybridindex.evaluation.scoring import NAMES, evaluate
from hybridindex.evaluation.summary import (
    by_group,
    latency_of,
    mean_of_groups,
    percentile,
    summarise,
)

QUESTIONS = [
    Question("one", "a", (Target("a"),), "easy"),
    Question("two", "b", (Target("b"),), "easy"),
    Question("three", "c", (Target("nowhere"),), "hard"),
]


def search(found: dict[str, list[str]], query: str) -> list[Place]:
    return [Place(path, 1, 1) for path in found[query]]


def outcomes(found: dict[str, list[str]]) -> list:  # type: ignore[type-arg]
    return list(evaluate(QUESTIONS, lambda query: search(found, query)))


FIRST = {"a": ["a", "x"], "b": ["x", "b"], "c": ["x"] * 30}


def test_evaluate_keeps_rank_results_and_order() -> None:
    one, two, three = outcomes(FIRST)
    assert [o.id for o in (one, two, three)] == ["one", "two", "three"]
    assert [o.first_rank for o in (one, two, three)] == [1, 2, None]
    assert one.results == (Place("a", 1, 1), Place("x", 1, 1))
    assert len(three.results) == 20
    assert one.seconds >= 0


def test_means_of_all_of_groups_and_over_groups() -> None:
    found = outcomes(FIRST)
    assert summarise(found).means["mrr"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert summarise(found).means["first_rank"] == pytest.approx((1 + 2 + 21) / 3)
    groups = by_group(found)
    assert list(groups) == ["easy", "hard"]
    assert groups["easy"].means["mrr"] == pytest.approx(3 / 4)
    assert mean_of_groups(groups).means["mrr"] == pytest.approx((3 / 4 + 0) / 2)
    assert mean_of_groups(groups).questions == 3
    assert summarise([]).means["mrr"] == 0.0


def test_percentiles_are_values_that_were_seen() -> None:
    assert percentile([5, 1, 4, 2, 3], 0.5) == 3
    assert percentile(list(range(1, 21)), 0.95) == 19
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([], 0.5) == 0.0
    assert latency_of([]).p95 == 0.0


def test_results_come_back_from_their_file(tmp_path: Path) -> None:
    found = outcomes(FIRST)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(result_fields(found)))
    scores = read_scores(path)
    assert list(scores) == ["one", "two", "three"]
    assert scores["two"] == pytest.approx(dict(found[1].scores), abs=1e-6)


def test_results_without_texts_hold_no_texts() -> None:
    fields = result_fields(outcomes(FIRST), texts=False)
    assert all(q.keys() <= {"id", "group", "first_rank", "scores"} for q in fields["questions"])


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "questions": []}',
        '{"version": 1, "questions": [{"id": "x"}]}',
        '{"version": 1, "questions": [7]}',
        "[" * 100_000,
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(content)
    for candidate in (path, tmp_path / "missing", tmp_path):
        with pytest.raises(ResultsUnreadable):
            read_scores(candidate)


def scores(ranks: dict[str, int]) -> dict[str, dict[str, float]]:
    return {
        name: {key: float(rank) if key == "first_rank" else 1 / rank for key in NAMES}
        for name, rank in ranks.items()
    }


def test_compare_tells_what_moved() -> None:
    found = compare(
        scores({"a": 1, "b": 4, "c": 2, "gone": 1}), scores({"a": 1, "b": 2, "c": 21, "new": 1})
    )
    assert found.questions == 3
    assert found.better == [("b", 4, 2)]
    assert found.worse == [("c", 2, 21)]
    assert (found.only_before, found.only_after) == (["gone"], ["new"])
    by_name = {change.name: change for change in found.changes}
    assert by_name["mrr"].before == pytest.approx((1 + 1 / 4 + 1 / 2) / 3)
    assert by_name["mrr"].low <= by_name["mrr"].after - by_name["mrr"].before <= by_name["mrr"].high
    assert not by_name["mrr"].sure


def test_a_gain_on_every_question_is_sure() -> None:
    names = [f"q{i}" for i in range(30)]
    found = compare(scores(dict.fromkeys(names, 4)), scores(dict.fromkeys(names, 2)))
    assert all(change.sure for change in found.changes)
    assert {change.name: change for change in found.changes}["mrr"].low == pytest.approx(1 / 4)


def test_runs_of_other_questions_cannot_be_compared() -> None:
    with pytest.raises(SearchError, match="no question in common"):
        compare(scores({"a": 1}), scores({"b": 1}))


def test_the_interval_is_the_same_every_time_and_close_to_the_normal_one() -> None:
    differences = [0.1 * (i % 7 - 2) for i in range(200)]
    low, high = bootstrap_interval(differences)
    assert (low, high) == bootstrap_interval(differences)
    mean = sum(differences) / 200
    deviation = (sum((d - mean) ** 2 for d in differences) / 200 / 200) ** 0.5
    assert low == pytest.approx(mean - 1.96 * deviation, abs=0.1 * deviation)
    assert high == pytest.approx(mean + 1.96 * deviation, abs=0.1 * deviation)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40))
def test_the_interval_lies_within_what_was_seen(differences: list[float]) -> None:
    low, high = bootstrap_interval(differences, resamples=200)
    assert min(differences) - 1e-9 <= low <= high <= max(differences) + 1e-9


def test_dropped_names_what_fell_beyond_the_tolerance() -> None:
    before, now = scores({"a": 1, "b": 1}), scores({"a": 1, "b": 2})
    assert {name for name, _, _ in dropped(before, now, 0.2)} == set(NAMES) - {"first_rank"}
    assert dropped(before, now, 0.25) == []
    assert dropped(now, before, 0.0) == []
