"""riido07: Go functions by their doc comments, which are taken out of what is searched.

Each function is one document of the product's own database, so that the product's lists, fusion
and ranking are what is measured: a file of one chunk whose symbol is the function's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.asking import Asking
from bench.corpora import open_corpus
from bench.databases import Pinned, kept_database, state_name
from bench.models import NO_MODEL
from bench.reading import read_json
from bench.suites import Report, Row, Setting, Table
from bench.vectors import Vectors
from gitsearch.git.objects import read_blobs
from gitsearch.terminal.progress import Progress
from hybridindex import text as texts
from hybridindex.chunking.keyed import chunk_key
from hybridindex.errors import SearchError
from hybridindex.segments import Catalogue
from hybridindex.types import FileRecord, KeyedChunk

#: Commit and folder of the clone by the name of the repository.
REPOSITORIES = {
    "kubernetes/test-infra": ("test-infra", "8125fbda10178887be5dff9e901d6a0a519b67bc"),
    "lxc/lxd": ("lxd", "7a41d14e4c1a6bc25918aca91004d594774dcdd3"),
    "etcd-io/etcd": ("etcd", "616592d9ba993e3fe9798eef581316016df98906"),
}
_COLUMNS = ("queries", "R@1", "R@5", "R@10", "MRR", "mean rank")
_KEYS = ("queries", "recall1", "recall5", "recall10", "mrr", "mean_rank")
_PARTS = {"all": "all", "name_present": "name present", "name_absent": "name absent"}
#: More than twice as many functions as there are.
_PATH_BITS = 13


@dataclass(frozen=True)
class Function:
    """A function without its doc comment: its name and its lines."""

    name: str
    body: str


def path_of(position: int) -> str:
    """A path without a word in it, because no path may be searched; sorted as the positions."""
    return format(position, f"0{_PATH_BITS}b").replace("0", "-").replace("1", ".")


def position_of(path: str) -> int:
    """The position that :func:`path_of` made the path of."""
    return int(path.replace("-", "0").replace(".", "1"), 2)


class _Functions(Catalogue):
    """Knows each function as one chunk, embedded as any chunk is, with an empty path."""

    def __init__(self, functions: Sequence[Function], vectors: Vectors) -> None:
        super().__init__(vectors.fingerprint, (), lambda _: ())
        self.texts: dict[bytes, str] = {}
        self._records: dict[str, FileRecord] = {}
        for position, function in enumerate(functions):
            text = texts.embedded_text("", (function.name,), function.body)
            key = chunk_key(vectors.fingerprint, text)
            self.texts[key] = text
            lines = len(texts.lines_of(function.body))
            path = path_of(position)
            chunk = KeyedChunk(1, lines, (function.name,), key)
            self._records[path] = FileRecord(path, "", (chunk,))

    def record(self, path: str, blob_id: str) -> FileRecord | None:
        del blob_id
        return self._records[path]


def functions_of(corpora: Path, items: Sequence[Mapping[str, Any]]) -> list[Function]:
    """The functions at their places in the corpora. Raises SearchError where one is missing."""
    found: dict[int, Function] = {}
    for repository, (folder, commit) in REPOSITORIES.items():
        corpus = open_corpus(corpora / folder, folder, commit)
        wanted: dict[str, list[Mapping[str, Any]]] = {}
        for item in items:
            if item["repo"] == repository:
                wanted.setdefault(item["path"], []).append(item)
        tree = corpus.tree(NO_MODEL, "syntax")
        ids = {entry.path: entry.blob_id for entry in tree.entries}
        missing = [path for path in wanted if path not in ids]
        if missing:
            raise SearchError(f"{repository} has no {missing[0]}", "use the pinned commit")
        paths: dict[str, list[str]] = {}
        for path in wanted:
            paths.setdefault(ids[path], []).append(path)
        for blob_id, data in read_blobs(corpus.location, list(paths)):
            lines = texts.lines_of(texts.decode(data))
            for path in paths[blob_id]:
                for item in wanted[path]:
                    body = texts.body_of(lines, item["start"], item["end"])
                    found[item["i"]] = Function(item["name"], body)
    return [found[position] for position in range(len(items))]


def run(setting: Setting) -> Report:
    """Rank all functions for every description."""
    folder = setting.data / "riido07"
    published = read_json(folder / "published.json")
    items = read_json(folder / "functions.json")
    queries = read_json(folder / "queries.json")
    asking = _open(setting, items)
    ranks = [rank_among_all(asking, query, len(items)) for query in queries]
    parts = {
        "all": list(range(len(queries))),
        "name_present": [i for i, query in enumerate(queries) if query["named"]],
        "name_absent": [i for i, query in enumerate(queries) if not query["named"]],
    }
    numbers = {part: numbers_of([ranks[i] for i in chosen]) for part, chosen in parts.items()}
    tables = []
    for part, label in _PARTS.items():
        rows = [_row(f"BM25, {key}", published[key][part]) for key in ("raw", "identifiers")]
        rows.append(_row("ours", numbers[part], ours=True))
        tables.append(Table(f"riido07, {label}", _COLUMNS, rows))
    fields = {
        "functions": len(items),
        "numbers": numbers,
        "ranks": {query["id"]: rank for query, rank in zip(queries, ranks, strict=True)},
    }
    return Report(tables, fields)


def _open(setting: Setting, items: Sequence[Mapping[str, Any]]) -> Asking:
    vectors = setting.vectors
    places = repr([(item["repo"], item["path"], item["start"], item["end"]) for item in items])

    def make() -> Pinned:
        functions = functions_of(setting.corpora, items)
        catalogue = _Functions(functions, vectors)
        vectors.fill(catalogue.texts, Progress)
        bodies = {path_of(i): function.body.encode() for i, function in enumerate(functions)}
        return Pinned(
            name=name,
            fingerprint=vectors.fingerprint,
            files=dict.fromkeys(bodies, ""),
            read=lambda paths: ((path, bodies[path]) for path in paths),
            catalogue=catalogue,
        )

    name = state_name("riido07", places)
    connection = kept_database(setting.cache, "riido07", name, vectors, make)
    return Asking(connection, vectors, setting.mode)


def rank_among_all(asking: Asking, query: Mapping[str, Any], count: int) -> int:
    """The rank of the first target among all functions.

    Those that no list holds come last, in the order of the function file.
    """
    targets = set(query["targets"])
    for search in (asking, asking.deep):
        hits = search(query["query"])
        for rank, hit in enumerate(hits, 1):
            if position_of(hit.path) in targets:
                return rank
    listed = {position_of(hit.path) for hit in hits}
    rest = [position for position in range(count) if position not in listed]
    return len(listed) + 1 + min(rest.index(target) for target in targets)


def numbers_of(ranks: Sequence[int]) -> dict[str, float]:
    """Recall@k (whether the first target is among k), mean reciprocal rank and mean rank."""
    count = max(len(ranks), 1)
    return {
        "queries": len(ranks),
        **{f"recall{k}": sum(rank <= k for rank in ranks) / count for k in (1, 5, 10)},
        "mrr": sum(1 / rank for rank in ranks) / count,
        "mean_rank": sum(ranks) / count,
    }


def _row(name: str, numbers: Mapping[str, float], ours: bool = False) -> Row:
    return Row(name, dict(zip(_COLUMNS, (numbers[k] for k in _KEYS), strict=True)), ours)
