"""SQL kept in ``.sql`` files beside the modules that run it.

A file is one statement, or several, each under a line ``-- name: NAME``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

_ONLY = re.compile(r"--\s*only:([\w\s]+)$")
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@lru_cache
def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")


@lru_cache
def statements(name: str) -> dict[str, str]:
    """The statements of ``name.sql`` by their names."""
    _, *parts = _NAME.split(_text(name))
    return {key: text.strip() for key, text in zip(parts[::2], parts[1::2], strict=True)}


@lru_cache(maxsize=64)
def statement(name: str, parts: Collection[str] = frozenset()) -> str:
    """The text of ``name.sql`` without the lines marked ``-- only: part …`` for absent parts."""
    kept = []
    for line in _text(name).splitlines():
        mark = _ONLY.search(line)
        if mark is None or all(part in parts for part in mark.group(1).split()):
            kept.append(line)
    return "\n".join(kept)
