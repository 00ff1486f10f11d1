"""Orders the fused candidates by what fusion cannot know: named priors, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hybridindex.database.searching import Hit
from hybridindex.terms import terms_of
from hybridindex.types import Role

#: How much a role counts: the code that does a thing before what tests or tells of it.
ROLE_PRIORS: dict[Role, float] = {
    "source": 1.0,
    "test": 0.7,
    "docs": 0.8,
    "example": 0.75,
    "config": 0.8,
    "generated": 0.6,
}
#: Words in a question that ask for a role: it is then taken as source is.
ASKS_FOR: dict[Role, frozenset[str]] = {
    "test": frozenset({"test", "tests", "tested", "testing", "fixture", "fixtures"}),
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide"}),
    "example": frozenset({"example", "examples", "sample", "samples", "demo"}),
    "config": frozenset({"config", "configuration", "workflow", "ci", "settings"}),
}


def ranked(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits, best first, each score multiplied by its priors."""
    words = set(terms_of(question).parts)
    lifted = {role for role, asking in ASKS_FOR.items() if words & asking}
    scored = [
        replace(hit, score=hit.score * (1.0 if hit.role in lifted else ROLE_PRIORS[hit.role]))
        for hit in hits
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.path, hit.start))
