"""Collects pairs from clones: ``python -m training.mine --clones DIR --to DIR``.

A clone of each of ``repositories.json`` lies in ``<clones>/<owner>/<name>``, with the commit
named there. Writes ``<to>/<owner>+<name>.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from gitsearch.config import Config
from gitsearch.edits import Edits
from gitsearch.git.listing import list_revision
from gitsearch.git.location import locate
from gitsearch.git.objects import read_blobs
from gitsearch.git.process import GitError, run
from gitsearch.tree import Tree
from hybridindex import text as texts
from hybridindex.chunking import chunk
from hybridindex.languages import language_of
from hybridindex.roles import role_of
from hybridindex.types import Chunk, Fingerprint
from training.comments import parted, says_something
from training.commits import added_lines, changes
from training.pairs import REPOSITORIES, Pair, file_of, write_pairs

_T = TypeVar("_T")

#: A repository's part is limited, so that the large do not drown the small.
MOST_FILES = 900
MOST_COMMENTS = 1000
MOST_COMMITS = 500
#: Files and pairs are dropped in runs of neighbours: what is left keeps its neighbours, which are
#: the hardest to tell apart.
RUN = 25


def thinned(items: list[_T], most: int, dice: random.Random) -> list[_T]:
    """At most ``most`` items in their order, whole runs of neighbours."""
    if len(items) <= most:
        return items
    runs = [items[i : i + RUN] for i in range(0, len(items), RUN)]
    kept = sorted(dice.sample(range(len(runs)), most // RUN))
    return [item for i in kept for item in runs[i]]


def from_comments(clone: Path, name: str, commit: str, dice: random.Random) -> list[Pair]:
    """A pair for each chunk that opens with a doc comment that says something."""
    location = locate(clone)
    config = Config.of(Fingerprint("none", "", "", 8, 128))
    files = Tree(location, list_revision(location, commit), Edits(), config, commit).files
    languages = {path: language_of(path) for path in files}
    sources = [path for path in files if role_of(path, languages[path]) == "source"]
    sources = thinned(sorted(sources), MOST_FILES, dice)
    data = dict(read_blobs(location, sorted({files[path] for path in sources})))
    pairs = []
    for path in sources:
        language = languages[path]
        if language is None or language == "markdown":
            continue
        text = texts.decode(data[files[path]])
        lines = texts.lines_of(text)
        for piece in chunk(text, language):
            found = parted(texts.body_of(lines, piece.start, piece.end), language)
            if found and piece.symbols and says_something(found[0]):
                written, body = found
                if body.count("\n") >= 2:
                    pairs.append(
                        Pair(
                            name,
                            "comment",
                            path,
                            piece.start,
                            written,
                            piece.symbols,
                            body,
                        )
                    )
    return thinned(pairs, MOST_COMMENTS, dice)


def from_commits(clone: Path, name: str, head: str, dice: random.Random) -> Iterator[Pair]:
    """A pair for each small change with a telling subject."""
    found = list(changes(clone, head))
    dice.shuffle(found)
    seen: set[str] = set()
    for change in found:
        if len(seen) == MOST_COMMITS:
            return
        try:
            added = added_lines(clone, change)
            text = texts.decode(run(["show", f"{change.commit}:{change.path}"], clone))
        except GitError:  # the first commit, or an object that is not here
            continue
        pieces = [c for c in chunk(text, language_of(change.path)) if c.symbols]
        if not pieces or change.subject.lower() in seen:
            continue
        piece = max(pieces, key=lambda piece: _shared(piece, added))
        if _shared(piece, added) >= 2:
            seen.add(change.subject.lower())
            body = texts.body_of(texts.lines_of(text), piece.start, piece.end)
            yield Pair(
                name,
                "commit",
                change.path,
                piece.start,
                change.subject,
                piece.symbols,
                body,
            )


def _shared(piece: Chunk, added: list[range]) -> int:
    whole = range(piece.start, piece.end + 1)
    return sum(max(0, min(a.stop, whole.stop) - max(a.start, whole.start)) for a in added)


def main() -> int:
    """Write the pairs of every repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--repositories", type=Path, default=REPOSITORIES)
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    for entry in json.loads(options.repositories.read_text("utf-8")):
        name, commit = entry["github"], entry["commit"]
        clone = options.clones / name
        dice = random.Random(name)
        pairs = from_comments(clone, name, commit, dice)
        try:
            pairs += from_commits(clone, name, commit, dice)
        except GitError:
            print(f"{name}: its history is not whole, comments only", file=sys.stderr)
        write_pairs(file_of(options.to, name), pairs)
        print(f"{name}: {len(pairs)} pairs", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
