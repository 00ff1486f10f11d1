"""What makes the rows of a database: rows made by another program are made anew.

Everything in this package decides where chunks are and what rows they get, but for the modules that
ask, judge or embed. A hash of it and of the installed grammars is the row version: no number has to
be raised by hand.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from hybridindex.types import KEY_BYTES

_ENGINE = Path(__file__).parents[1]
#: Decides no row: how a database is asked and judged, the model (the fingerprint stands for it),
#: what writes segments. Everything else does, new modules too.
_ASKING = ("embedding", "evaluation", "ranking", "compaction.py", "indexing.py", "queries.py",
           "search.sql", "searcher.py", "searching.py", "searching.sql", "source.py", "vectors.py",
           "verifying.py", "version.py", "writing.py")  # fmt: skip


@cache
def row_version() -> str:
    """Hex name of the code and the grammars that make rows."""
    return code_version(_row_code(_ENGINE), _grammars())


def code_version(paths: Iterable[Path], others: Iterable[str] = ()) -> str:
    """Hex name of the content of files and of further texts, in their order."""
    digest = hashlib.blake2b(digest_size=KEY_BYTES)
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for text in others:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def _row_code(folder: Path) -> Iterator[Path]:
    """Python and SQL files below a folder that make rows, in the order of their names."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name in _ASKING:
            continue
        if entry.is_dir():
            yield from _row_code(Path(entry.path))
        elif entry.name.endswith((".py", ".sql")):
            yield Path(entry.path)


def _grammars() -> list[str]:
    """Names and versions of the installed grammars, as their metadata folders spell them.

    ``importlib.metadata`` would tell too, and take longer than a question.
    """
    found = set()
    for place in sys.path:
        try:
            names = os.listdir(place or ".")  # noqa: PTH208
        except OSError:
            continue
        found |= {n for n in names if n.startswith("tree_sitter") and n.endswith(".dist-info")}
    return sorted(found)
