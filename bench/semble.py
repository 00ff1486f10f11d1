"""The semble suite: files that answer questions about many repositories in many languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.asking import Asking
from bench.corpora import open_corpus
from bench.databases import database_of
from bench.reading import read_json
from bench.suites import Report, Row, Setting, Table, evaluate_suite
from hybridindex.evaluation.questions import Question, Target
from hybridindex.evaluation.results import result_fields, summary_fields
from hybridindex.evaluation.scoring import Outcome, Search
from hybridindex.evaluation.summary import Summary, by_group, mean_of_groups, summarise

#: Published rows that are given repository by repository, so that the same ones are compared.
_PUBLISHED = {
    "ripgrep": "ripgrep",
    "probe": "probe (BM25)",
    "grepai": "grepai",
    "semantic": "potion-code-16M, raw",
    "bm25": "BM25, raw",
    "colgrep": "ColGREP",
    "coderankembed_semantic": "CodeRankEmbed",
    "semble_semantic": "potion-code-16M, ranked",
    "semble_bm25": "BM25, ranked",
    "semble": "semble (both, ranked)",
    "coderankembed_hybrid": "CodeRankEmbed hybrid",
}
_COLUMN = "NDCG@10"


def run(setting: Setting) -> Report:
    """Ask each repository its questions; the mean is over repositories."""
    folder = setting.data / "semble"
    repositories = {item["name"]: item for item in read_json(folder / "repos.json")}
    published = {item["repo"]: item for item in read_json(folder / "by_repo.json")}
    questions: dict[str, list[Question]] = {}
    for item in read_json(folder / "queries.json"):
        questions.setdefault(item["repo"], []).append(question_of(item))

    def search_of(name: str) -> Search:
        item = repositories[name]
        include = [f"/{item['root']}/"] if item["root"] else []
        corpus = open_corpus(
            setting.corpora / "semble" / name, f"semble-{name}", item["commit"], include
        )
        connection = database_of(setting.cache, corpus, setting.vectors, setting.chunking)
        return Asking(connection, setting.vectors, setting.mode)

    outcomes = evaluate_suite(questions, search_of)
    summaries = {name: summarise(found) for name, found in sorted(outcomes.items())}
    return Report(
        _tables(setting, summaries, outcomes, repositories, published),
        {
            "mean_over_repositories": summary_fields(mean_of_groups(summaries)),
            "repositories": {name: summary_fields(s) for name, s in summaries.items()},
            **result_fields([o for found in outcomes.values() for o in found], texts=False),
        },
    )


def question_of(item: Mapping[str, Any]) -> Question:
    """A question of the suite's file; every target, primary or not, is as relevant."""
    targets = tuple(Target(t["path"], t.get("start"), t.get("end")) for t in item["targets"])
    return Question(item["id"], item["query"], targets, item["category"])


def _tables(
    setting: Setting,
    summaries: Mapping[str, Summary],
    outcomes: Mapping[str, Sequence[Outcome]],
    repositories: Mapping[str, Mapping[str, Any]],
    published: Mapping[str, Mapping[str, float]],
) -> list[Table]:
    known = [name for name in summaries if name in published]
    rows = [
        Row(label, {_COLUMN: sum(published[name][key] for name in known) / len(known)})
        for key, label in _PUBLISHED.items()
        if known
    ]
    rows.append(_row("ours", mean_of_groups(summaries)))
    if setting.split is not None:
        inside, outside = split_names(list(summaries), *setting.split)
        k, n = setting.split
        for label, names in ((f"ours, part {k} of {n}", inside), ("ours, the rest", outside)):
            chosen = {name: summaries[name] for name in names}
            rows.append(_row(f"{label} ({len(chosen)})", mean_of_groups(chosen)))
    languages: dict[str, dict[str, Summary]] = {}
    for name, summary in summaries.items():
        languages.setdefault(repositories[name]["language"], {})[name] = summary
    every = [outcome for found in outcomes.values() for outcome in found]
    best = "semble"
    by_repository = [
        Row(
            name,
            {"ours": summary.means["ndcg_10"], best: published[name][best]}
            if name in published
            else {"ours": summary.means["ndcg_10"]},
            ours=True,
        )
        for name, summary in summaries.items()
    ]
    return [
        Table(f"semble, mean over {len(summaries)} repositories", (_COLUMN,), rows),
        Table("semble, by repository", ("ours", best), by_repository),
        Table(
            "semble, by language",
            (_COLUMN,),
            [_row(name, mean_of_groups(group)) for name, group in sorted(languages.items())],
        ),
        Table(
            "semble, by kind of question",
            (_COLUMN,),
            [_row(f"{n} ({g.questions})", g) for n, g in by_group(every).items()],
        ),
    ]


def _row(name: str, summary: Summary) -> Row:
    return Row(name, {_COLUMN: summary.means["ndcg_10"]}, ours=True)


def split_names(names: Sequence[str], part: int, parts: int) -> tuple[list[str], list[str]]:
    """Repositories in part ``part`` (1-based) of ``parts``, and the others.

    Dealt out in the order of their names, so that every part has some of each kind.
    """
    ordered = sorted(names)
    inside = ordered[part - 1 :: parts]
    return inside, [name for name in ordered if name not in inside]
