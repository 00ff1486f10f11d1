"""Reproduces every published number: ``python -m bench SUITE --data DIR --corpora DIR``.

What is no suite has a command line of its own: ``python -m bench growth -h``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import octocode, osfoundry, riido07, semble
from bench.models import no_vectors, open_vectors
from bench.reporting import PROJECT, fields_of, lines_of, project_commit, write_result
from bench.suites import Report, Setting
from hybridindex.embedding.adapting import adapter_called
from hybridindex.errors import SearchError
from hybridindex.types import METHODS, MODES

SUITES: dict[str, Callable[[Setting], Report]] = {
    "octocode": octocode.run,
    "semble": semble.run,
    "riido07": riido07.run,
    "osfoundry": osfoundry.run,
}


def _default_cache() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "git-search-bench"


def _split(text: str) -> tuple[int, int]:
    part, separator, parts = text.partition("/")
    if not separator or not part.isdecimal() or not parts.isdecimal():
        raise argparse.ArgumentTypeError("write it as K/N")
    k, n = int(part), int(parts)
    if not 1 <= k <= n:
        raise argparse.ArgumentTypeError("K lies between 1 and N")
    return k, n


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, epilog=f"No suites: {', '.join(TOOLS)}."
    )
    made.add_argument("suite", choices=[*SUITES])
    made.add_argument("--data", type=Path, required=True, help="question files; see README.md")
    made.add_argument("--corpora", type=Path, required=True, help="clones named as README.md says")
    made.add_argument("--cache", type=Path, default=_default_cache(), help="vectors and databases")
    made.add_argument("--json", type=Path, help="result file; default bench/results/local/…")
    made.add_argument("--mode", choices=MODES, default="hybrid")
    made.add_argument("--chunking", choices=METHODS, default="syntax")
    made.add_argument("--model", help="name of an embedding model")
    made.add_argument("--model-path", type=Path, help="folder with the model's files")
    made.add_argument("--max-tokens", type=int, help="tokens of a chunk the model reads")
    made.add_argument("--adapter", help="change of the model's weights, or none")
    made.add_argument(
        "--split", type=_split, metavar="K/N", help="semble: also a part, and the rest"
    )
    return made


#: Name and module of what is no suite.
TOOLS = {
    "ablations": "bench.ablations",
    "convert": "bench.convert",
    "encoder": "bench.encoder",
    "golden": "bench.golden_vectors",
    "growth": "bench.growth",
    "merges": "bench.merges",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a benchmark; returns the exit code: 2 for trouble, in one line."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] and arguments[0] in TOOLS:
        code: int = importlib.import_module(TOOLS[arguments[0]]).main(arguments[1:])
        return code
    options = parser().parse_args(arguments)
    begun = time.perf_counter()
    try:
        if options.mode == "keyword":
            vectors = no_vectors(options.cache)
        else:
            vectors = open_vectors(
                options.cache,
                options.model,
                options.model_path,
                options.max_tokens,
                adapter_called(options.adapter),
            )
        setting = Setting(
            data=options.data,
            corpora=options.corpora,
            cache=options.cache,
            vectors=vectors,
            mode=options.mode,
            chunking=options.chunking,
            split=options.split,
        )
        report = SUITES[options.suite](setting)
    except SearchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    for table in report.tables:
        print("\n".join(lines_of(table)) + "\n")
    name = f"{options.suite}-{options.mode}-{project_commit()}.json"
    target = options.json or PROJECT / "bench" / "results" / "local" / name
    write_result(target, fields_of(options.suite, setting, report))
    print(f"{time.perf_counter() - begun:.1f} s, written to {target}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
