"""What an adapter learns from: what somebody wrote about code, and that code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["comment", "commit"]

#: What an adapter learns from: owner and name, commit, and whether it is held out.
REPOSITORIES = Path(__file__).with_name("repositories.json")


@dataclass(frozen=True)
class Pair:
    """``written`` is a sentence of a doc comment, or the subject of a commit.

    ``body`` is the chunk it is about: without the comment, or as the commit left it.
    """

    repository: str
    kind: Kind
    path: str
    line: int
    written: str
    symbols: tuple[str, ...]
    body: str

    @property
    def place(self) -> tuple[str, str, int]:
        """Where the chunk is; two commits may have changed one."""
        return self.repository, self.path, self.line


def file_of(folder: Path, repository: str) -> Path:
    """Where the pairs of a repository lie, which is named ``owner/name``."""
    return folder / f"{repository.replace('/', '+')}.jsonl"


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """One JSON object a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file, in the order of the tree, so that neighbours in it are neighbours."""
    with path.open(encoding="utf-8") as file:
        pairs = [Pair(**{**fields, "symbols": tuple(fields["symbols"])})
                 for fields in map(json.loads, file)]  # fmt: skip
    return sorted(pairs, key=lambda pair: pair.place)
