"""Leaves out one signal at a time and prints what that costs, as the table in ABLATIONS.md.

    python -m bench ablations --data DIR --corpora DIR [--cache DIR]

Every number is of the questions in ``--data``, with everything else as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import octocode, osfoundry, riido07, semble
from bench.models import open_vectors
from bench.suites import Setting
from hybridindex import searcher
from hybridindex.database import searching
from hybridindex.ranking import joining, priors


@contextlib.contextmanager
def changed(module: Any, name: str, value: object) -> Iterator[None]:
    """Give a constant another value for a while."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def numbers_of(setting: Setting) -> dict[str, float]:
    """One number or two of each suite."""
    code = octocode.run(setting).tables[0].rows
    ours = next(row for row in code if row.ours).numbers
    functions = riido07.run(setting).fields["numbers"]
    requests = next(row for row in osfoundry.run(setting).tables[0].rows if row.ours).numbers
    suite = next(row for row in semble.run(setting).tables[0].rows if row.ours).numbers
    return {
        "semble NDCG@10": suite["NDCG@10"],
        "Octocode MRR": ours["MRR"],
        "Octocode R@10": ours["R@10"],
        "riido07 R@1": functions["all"]["recall1"],
        "riido07 absent R@1": functions["name_absent"]["recall1"],
        "osFoundry top 10": requests["top 10"],
    }


def variants() -> Iterator[tuple[str, contextlib.AbstractContextManager[None]]]:
    """What is tried: its name, and how it is brought about."""
    yield "as it is", contextlib.nullcontext()
    for name in searching.LISTS:
        weights = {**searching.LISTS, name: 0.0}
        yield f"without the {name} list", changed(searching, "LISTS", weights)
    for left_out in priors.PRIORS:
        rest = tuple(p for p in priors.PRIORS if p is not left_out)
        yield f"without prior: {left_out.name}", changed(priors, "PRIORS", rest)
    even = dict.fromkeys(priors.ROLE_PRIORS, 1.0)
    yield "without role priors", changed(priors, "ROLE_PRIORS", even)
    for name in searching.CLOSENESS:
        near = {**searching.CLOSENESS, name: 0.0}
        yield f"without closeness: {name}", changed(searching, "CLOSENESS", near)
    yield "without closeness", changed(searching, "CLOSENESS", {})
    yield "cosine scale .06", changed(searching, "COSINE_SCALE", 0.06)
    yield "without company in a file", changed(priors, "COMPANY", 0.0)
    yield "parts of definitions apart", changed(searcher, "definitions", lambda hits, _: list(hits))
    yield "neighbours apart", changed(searcher, "joined", lambda hits: list(hits))
    yield "every neighbour joined", changed(joining, "MIN_SHARE", 0.0)
    yield "definitions up to 60 lines", changed(joining, "MAX_LINES", 60)
    for k in (6.0, 20.0, 60.0):
        yield f"RRF k = {k:.0f}", changed(searching, "RRF_K", k)
    yield "symbols weigh as body", changed(searching, "SYMBOL_WEIGHT", 1.0)


def main(argv: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench ablations", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/git-search-bench")
    options = parser.parse_args(argv)
    vectors = open_vectors(options.cache)
    setting = dataclasses.replace(
        Setting(options.data, options.corpora, options.cache, vectors), mode="hybrid"
    )
    first: dict[str, float] = {}
    for name, change in variants():
        with change:
            numbers = numbers_of(setting)
        if not first:
            first = numbers
            print("| variant | " + " | ".join(numbers) + " |")
            print("|---" * (len(numbers) + 1) + "|")
            cells = [f"{number:.4g}" for number in numbers.values()]
        else:
            cells = [f"{number - first[key]:+.4f}" for key, number in numbers.items()]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    return 0
