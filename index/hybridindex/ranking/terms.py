"""A question as keyword queries: its words, joined by OR and quoted so that none is syntax."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hybridindex.text import spaced, split_identifiers

_WORD = re.compile(r"\w+")

#: Words that say nothing of code. Only dropped where something else is left.
STOP_WORDS = frozenset(
    "a an and any are as at be been but by can could did do does done for from get had has have "
    "how i if in into is it its me my of on or our should so some than that the their them then "
    "there these they this those to up us was we were what when where which while who whom why "
    "will with would you your".split()
)
#: A question longer than this is a paste; the first words carry it, and FTS5 stays fast.
MAX_TERMS = 64


@dataclass(frozen=True)
class Terms:
    """The words of a question, lower case, each once, in order.

    ``exact`` keeps identifiers as they stand, ``split`` cuts them into their words.
    """

    exact: tuple[str, ...]
    split: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    words: dict[str, None] = {}
    for match in _WORD.finditer(text):
        words.setdefault(match.group().lower())
        if len(words) >= MAX_TERMS:
            break
    telling = tuple(word for word in words if word not in STOP_WORDS)
    return telling or tuple(words)


def terms_of(question: str) -> Terms:
    """The terms of a question; none where it holds no letter or digit.

    >>> terms_of("how does rebuild_auth work")
    Terms(exact=('rebuild_auth', 'work'), split=('rebuild', 'auth', 'work'))
    """
    prepared = spaced(question.encode("utf-8", "replace").decode())
    return Terms(_words(prepared), _words(split_identifiers(prepared).replace("_", " ")))


def fts_query(words: tuple[str, ...]) -> str:
    """An FTS5 query that matches any of the words.

    >>> fts_query(("retry", "back"))
    '"retry" OR "back"'
    """
    # An empty phrase is valid and matches nothing.
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words) or '""'
