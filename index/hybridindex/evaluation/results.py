"""Outcomes as a JSON file, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hybridindex.errors import SearchError
from hybridindex.evaluation.scoring import NAMES, Outcome
from hybridindex.evaluation.summary import Summary, by_group, latency_of, summarise

#: Version of the JSON form; a key is only ever added within one.
VERSION = 1


class ResultsUnreadable(SearchError):
    """A result file is missing, or is not what it must be."""


def summary_fields(summary: Summary) -> dict[str, object]:
    """A summary as it stands in a result file."""
    return {"questions": summary.questions, **rounded(summary.means)}


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """Six digits after the point: more say nothing, and two machines might differ there."""
    return {name: round(value, 6) for name, value in scores.items()}


def result_fields(outcomes: Sequence[Outcome], texts: bool = True) -> dict[str, Any]:
    """Everything there is to say of a run: summaries, groups, latency, every question.

    Without ``texts`` queries and results are left out, as for sets that are not ours to publish.
    """
    return {
        "version": VERSION,
        "overall": summary_fields(summarise(outcomes)),
        "groups": {name: summary_fields(group) for name, group in by_group(outcomes).items()},
        "latency_seconds": rounded(asdict(latency_of(outcomes))),
        "questions": [_outcome_fields(outcome, texts) for outcome in outcomes],
    }


def _outcome_fields(outcome: Outcome, texts: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": outcome.id}
    if outcome.group:
        fields["group"] = outcome.group
    if texts:
        fields["query"] = outcome.query
    fields["first_rank"] = outcome.first_rank
    fields["scores"] = rounded(outcome.scores)
    if texts:
        fields["seconds"] = round(outcome.seconds, 6)
        fields["results"] = [asdict(place) for place in outcome.results]
    return fields


def read_scores(path: Path) -> dict[str, dict[str, float]]:
    """The numbers of every question of a result file, by id. Raises ResultsUnreadable."""
    try:
        parsed = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultsUnreadable(
            f"{path} cannot be read: {error.strerror}", "name a file that `--json` wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ResultsUnreadable(f"{path} is not JSON", "name a file that `--json` wrote") from error
    try:
        return _scores(parsed)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultsUnreadable(
            f"{path} is no result file of version {VERSION}", "write it anew with `--json`"
        ) from error


def _scores(parsed: Any) -> dict[str, dict[str, float]]:
    if parsed["version"] != VERSION:
        raise ValueError
    found: dict[str, dict[str, float]] = {}
    for item in parsed["questions"]:
        scores = {name: float(item["scores"][name]) for name in NAMES}
        if not all(map(math.isfinite, scores.values())) or not isinstance(item["id"], str):
            raise ValueError
        found[item["id"]] = scores
    return found


def means_of(scores: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every number."""
    rows = list(scores)
    return {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in NAMES}
