"""Octocode's benchmark: line ranges in its own repository, for code and for documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bench.asking import Asking
from bench.corpora import open_corpus
from bench.databases import database_of
from bench.reading import read_json
from bench.suites import Report, Row, Setting, Table, evaluate_suite
from hybridindex.evaluation.reading import read_questions
from hybridindex.evaluation.results import result_fields
from hybridindex.evaluation.scoring import Outcome
from hybridindex.evaluation.summary import Summary, by_group, summarise
from hybridindex.types import ROLES, Role

COMMIT = "b1771ba48214ce7404ad7158e277eb60680912b4"
SETS = {"code": "code questions", "docs": "documentation questions"}
#: Octocode is asked for code or for documentation; we are not told, unless a row says so.
KINDS: dict[str, tuple[Role, ...]] = {
    "code": tuple(role for role in ROLES if role != "docs"),
    "docs": ("docs",),
}
#: Small chunks profit from NDCG that counts every result, so the other reading stands beside it.
_ONCE = "NDCG@10 once"
#: As published, and the number of ours that is defined the same way.
_COLUMNS = {
    "hit@5": "hit_5",
    "hit@10": "hit_10",
    "MRR": "mrr",
    "NDCG@10": "ndcg_every_10",
    "R@5": "recall_5",
    "R@10": "recall_10",
}
_PUBLISHED_KEYS = dict(
    zip(_COLUMNS, ("hit_at_5", "hit_at_10", "mrr", "ndcg_at_10", "recall_at_5", "recall_at_10"),
        strict=True)
)  # fmt: skip
_LATER_KEYS = dict(
    zip(_COLUMNS, ("hit5", "hit10", "mrr", "ndcg10", "recall5", "recall10"), strict=True)
)


def run(setting: Setting) -> Report:
    """Ask every question of the whole repository, then of the kind of file it asks for."""
    folder = setting.data / "octocode"
    published = read_json(folder / "published.json")
    questions = {name: read_questions(folder / f"{name}.json") for name in SETS}
    corpus = open_corpus(setting.corpora / "octocode", "octocode", COMMIT)
    connection = database_of(setting.cache, corpus, setting.vectors, setting.chunking)
    asking = Asking(connection, setting.vectors, setting.mode)
    outcomes = evaluate_suite(questions, lambda _: asking)
    narrow = {name: replace(asking, roles=KINDS[name]) for name in SETS}
    narrowed = evaluate_suite(questions, lambda name: narrow[name])
    tables = []
    for name, title in SETS.items():
        rows = _published(published) if name == "code" else []
        rows += _ours(outcomes[name])
        rows.append(_row(f"ours, {name} files only", summarise(narrowed[name])))
        tables.append(Table(f"Octocode, {title}", (*_COLUMNS, _ONCE), rows))
    return Report(tables, {n: result_fields(found, texts=False) for n, found in outcomes.items()})


def _ours(outcomes: Sequence[Outcome]) -> list[Row]:
    rows = [_row(f"ours ({len(outcomes)} questions)", summarise(outcomes))]
    groups = by_group(outcomes)
    return rows + [_row(f"ours, {name} ({g.questions})", g) for name, g in groups.items()]


def _row(name: str, summary: Summary) -> Row:
    numbers = {column: summary.means[key] for column, key in _COLUMNS.items()}
    return Row(name, numbers | {_ONCE: summary.means["ndcg_10"]}, ours=True)


def _published(published: Mapping[str, Mapping[str, object]]) -> list[Row]:
    rows = []
    variants = published["matrix"]["variants"]
    assert isinstance(variants, list)
    for variant in variants:
        rows.append(_published_row(str(variant["variant"]), variant, _PUBLISHED_KEYS))
    for numbers in published.values():
        if isinstance(numbers, dict):
            for key, later in numbers.items():
                if isinstance(later, dict) and set(_LATER_KEYS.values()) <= set(later):
                    rows.append(_published_row(key, later, _LATER_KEYS))
    return rows


def _published_row(name: str, numbers: Mapping[str, float], keys: Mapping[str, str]) -> Row:
    return Row(name, {column: float(numbers[key]) for column, key in keys.items()})
