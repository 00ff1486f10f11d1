"""Brings the forms of a word together, for comparing the words of names with those of a question.

The keyword lists have SQLite's Porter stemmer; here only sameness counts, and speed: a question
compares some thousand words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hybridindex.text import spaced, split_identifiers

_WORD = re.compile(r"\w+")
#: Longest first. What is left must keep at least ``_MIN_LETTERS`` letters.
_ENDINGS = (
    "ization", "ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ers", "ors",
    "er", "or", "ies", "ied", "es", "ed", "s", "e", "y",
)  # fmt: skip
_MIN_LETTERS = 3


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without one ending and without a doubled last letter.

    >>> stem("mapping"), stem("retries")
    ('map', 'retr')
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_LETTERS:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _MIN_LETTERS and word[-1] == word[-2] else word


@lru_cache(maxsize=8192)
def stems(name: str) -> frozenset[str]:
    """The stems of the words of a name or a text, identifiers split."""
    words = _WORD.findall(split_identifiers(spaced(name)).replace("_", " ").lower())
    return frozenset(stem(word) for word in words)
