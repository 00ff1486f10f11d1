"""SQL kept in ``.sql`` files beside the module that runs it."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

_ONLY = re.compile(r"--\s*only:([\w\s]+)$")


@lru_cache
def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")


def statement(name: str, parts: Collection[str] = ()) -> str:
    """The text of ``name.sql`` without the lines marked ``-- only: part …`` for absent parts."""
    kept = []
    for line in _text(name).splitlines():
        mark = _ONLY.search(line)
        if mark is None or all(part in parts for part in mark.group(1).split()):
            kept.append(line)
    return "\n".join(kept)
