"""osFoundry's ten questions and two identifiers: the rank of a definition among all chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.asking import Asking
from bench.corpora import open_corpus
from bench.databases import database_of
from bench.reading import read_json
from bench.suites import Report, Row, Setting, Table
from hybridindex.evaluation.metrics import rank_of
from hybridindex.evaluation.questions import Target
from hybridindex.queries import Hit

COMMIT = "0e322af87745eff34caffe4df68456ebc20d9068"
_SOURCE = "src/"
_COLUMNS = ("top 5", "top 10", "src top 5", "src top 10")


def run(setting: Setting) -> Report:
    """The rank of the first chunk with each definition, in the repository and below ``src/``."""
    folder = setting.data / "osfoundry"
    published = read_json(folder / "published.json")
    questions = read_json(folder / "queries.json")
    corpus = open_corpus(setting.corpora / "requests", "requests", COMMIT)
    connection = database_of(setting.cache, corpus, setting.vectors, setting.chunking)
    whole = Asking(connection, setting.vectors, setting.mode)
    paths = [path.decode() for (path,) in connection.execute("SELECT path FROM file")]
    below = [path for path in paths if path.startswith(_SOURCE)]
    source = replace(whole, paths=below)
    chunks = connection.execute("SELECT count(*) FROM chunk").get
    ranks = {
        item["id"]: {
            "whole": definition_rank(item, whole.deep(item["query"])),
            "src": definition_rank(item, source.deep(item["query"])),
        }
        for item in questions
    }
    asked = [item["id"] for item in questions if item["kind"] == "question"]
    hits = {
        "whole": [_within(ranks, asked, "whole", k) for k in (5, 10)],
        "src": [_within(ranks, asked, "src", k) for k in (5, 10)],
    }
    return Report(
        [
            Table(
                f"osFoundry, hits of {len(asked)} questions",
                _COLUMNS,
                [
                    *_published(published),
                    Row(
                        "ours", dict(zip(_COLUMNS, hits["whole"] + hits["src"], strict=True)), True
                    ),
                ],
            ),
            Table(
                f"osFoundry, rank among {chunks} chunks (0: not found)",
                ("whole", "src", "BM25", "hybrid bge-m3"),
                [_rank_row(item, ranks[item["id"]]) for item in questions],
            ),
        ],
        {"chunks": chunks, "hits": hits, "ranks": ranks},
    )


def definition_rank(item: Mapping[str, Any], hits: Sequence[Hit]) -> int | None:
    """The rank of the first chunk that contains the line with the definition."""
    return rank_of(Target(item["path"], item["def_line"], item["def_line"]), hits)


def _within(
    ranks: Mapping[str, Mapping[str, int | None]], asked: Sequence[str], where: str, k: int
) -> int:
    return sum((rank := ranks[name][where]) is not None and rank <= k for name in asked)


def _published(published: Mapping[str, Any]) -> list[Row]:
    hits = published["hits_top5_top10_of_10"]
    whole, source = hits["whole repo"], hits["src only"]
    return [
        Row(name, dict(zip(_COLUMNS, [*whole[name], *source[name]], strict=True))) for name in whole
    ]


def _rank_row(item: Mapping[str, Any], ranks: Mapping[str, int | None]) -> Row:
    theirs = item["published_rank"]
    numbers = {where: rank or 0 for where, rank in ranks.items()}
    for column, key in (("BM25", "bm25"), ("hybrid bge-m3", "hybrid_bge_m3")):
        if theirs.get(key) is not None:
            numbers[column] = theirs[key]
    return Row(f"{item['id']} {item['symbol']}", numbers, ours=True)
