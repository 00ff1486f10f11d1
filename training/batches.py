"""Batches in which a pair's neighbours are: other chunks of its file and of its repository."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from hybridindex.text import embedded_text
from training.pairs import Pair

SIZE = 128
#: Pairs that follow each other in a tree. Four such runs of one repository make a batch, so the
#: chunks a vector must tell apart are those a search has to: of the same file, and of the same
#: repository.
_RUN = 32
_SMALLEST_RUN = 5

#: How often a pair is shown otherwise than it is, so that no part of it is relied on.
_UNNAMED, _ASKED, _PATHLESS, _SYMBOLLESS = 0.6, 0.15, 0.15, 0.1
_ASKING = (
    "how does it ",
    "where do we ",
    "where is the code that ",
    "how is it done to ",
    "function to ",
    "which code ",
)


def batches(repositories: Mapping[str, Sequence[Pair]], dice: random.Random) -> list[list[Pair]]:
    """All pairs once, in another order each time; a few at the ends of repositories are left."""
    made: list[list[Pair]] = []
    left: list[list[Pair]] = []
    for pairs in repositories.values():
        offset = dice.randrange(_RUN)
        runs = [list(pairs[max(0, i) : i + _RUN]) for i in range(-offset, len(pairs), _RUN)]
        runs = [run for run in runs if len(run) >= _SMALLEST_RUN]
        dice.shuffle(runs)
        left += _joined(runs, made)
    dice.shuffle(left)
    _joined(left, made)
    dice.shuffle(made)
    return made


def _joined(runs: list[list[Pair]], made: list[list[Pair]]) -> list[list[Pair]]:
    """Append whole batches of runs to ``made``; returns the runs that make none."""
    count = SIZE // _RUN
    whole = len(runs) - len(runs) % count
    for i in range(0, whole, count):
        made.append([pair for run in runs[i : i + count] for pair in run])
    return runs[whole:]


def shown(pair: Pair) -> tuple[str, str]:
    """(question, text that is embedded) as the index would have them."""
    return _without_name(pair), embedded_text(pair.path, pair.symbols, pair.body)


def varied(pair: Pair, dice: random.Random) -> tuple[str, str]:
    """As :func:`shown`, with parts of it left out or put otherwise now and then."""
    question = _without_name(pair) if dice.random() < _UNNAMED else pair.written
    if dice.random() < _ASKED:
        question = dice.choice(_ASKING) + question[:1].lower() + question[1:]
    path = "" if dice.random() < _PATHLESS else pair.path
    symbols = () if dice.random() < _SYMBOLLESS else pair.symbols
    return question, embedded_text(path, symbols, pair.body)


def _without_name(pair: Pair) -> str:
    """A comment without the name of what it describes at its beginning, as Go has it."""
    name = pair.symbols[0].split(".")[-1]
    if not name or not pair.written.lower().startswith(name.lower()):
        return pair.written
    return pair.written[len(name) :].lstrip(" :-").removeprefix("is ") or pair.written
