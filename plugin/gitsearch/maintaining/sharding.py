"""Divides the uncovered files among jobs that index one tree at the same time.

Each job takes the files whose path falls into its share and writes segments of its own; segments
are only ever added, so the union of what the jobs wrote is the index.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hybridindex.errors import SearchError

_FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})\Z")


@dataclass(frozen=True)
class Shard:
    """Share ``number`` (from 1) of ``count``."""

    number: int
    count: int

    def takes(self, path: str) -> bool:
        """Whether a path falls into this share, on every machine and in every order."""
        digest = hashlib.blake2b(os.fsencode(path), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.count == self.number - 1

    def paths_of(self, paths: Sequence[str]) -> list[str]:
        """Those of the paths that fall into this share."""
        return [path for path in paths if self.takes(path)]

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def parse_shard(text: str) -> Shard:
    """The share that a text like ``2/8`` names. Raises SearchError."""
    found = _FORM.match(text)
    if found is None or int(found[1]) > int(found[2]):
        raise SearchError(f"{text!r} is not a share", "write it as 1/4, 2/4, 3/4 and 4/4")
    return Shard(int(found[1]), int(found[2]))
