"""Orders the fused candidates by what fusion cannot know: named priors, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hybridindex.queries import Hit
from hybridindex.ranking.stems import stem, stems
from hybridindex.ranking.terms import Terms, terms_of
from hybridindex.types import Role

#: How much a role counts: the code that does a thing before what tests or tells of it.
ROLE_PRIORS: dict[Role, float] = {
    "source": 1.0,
    "test": 0.5,
    "docs": 0.55,
    "example": 0.6,
    "config": 0.7,
    "generated": 0.6,
}
#: Words in a question that ask for a role: it is then taken as source is.
ASKS_FOR: dict[Role, frozenset[str]] = {
    "test": frozenset({"test", "tests", "tested", "testing", "fixture", "fixtures", "mock"}),
    "docs": frozenset({"doc", "docs", "documentation", "readme", "changelog", "guide", "tutorial"}),
    "example": frozenset({"example", "examples", "sample", "samples", "demo"}),
    "config": frozenset({"config", "configuration", "workflow", "ci", "settings"}),
}
#: So does a question for instructions, which documents and examples give.
_INSTRUCTIONS = re.compile(r"\s*how (?:to|(?:do|can|should) (?:i|you|we))\b", re.IGNORECASE)
_INSTRUCTING: frozenset[Role] = frozenset({"docs", "example"})
#: Words of a path that say that its code is for one platform among several, by their stems. What
#: most people run is not among them.
PLATFORMS = frozenset(
    stem(word)
    for word in (
        "windows win win32 win64 cygwin mingw msys aix os390 zos ibmi sunos solaris illumos haiku"
        " qnx"
    ).split()
)
#: A file in which several chunks answer is the better answer: this share of the next ones is added
#: to its best.
COMPANY = 0.2
COMPANIONS = 3

_COMPONENT = re.compile(r"[.#:>\s]+")


@dataclass(frozen=True)
class Asked:
    """A question as the priors look at it: its terms, their stems, the roles it asks for."""

    terms: Terms
    stems: frozenset[str]
    roles: frozenset[Role]


@dataclass(frozen=True)
class Prior:
    """Multiplies a score by ``1 + weight * part``, ``part`` between 0 and 1, weight above -1.

    ``gain`` is what it was measured to be worth.
    """

    name: str
    weight: float
    part: Callable[[Hit, Asked], float]
    reason: str
    gain: tuple[float, float, float]


def asked_of(question: str) -> Asked:
    """What the priors need to know of a question."""
    terms = terms_of(question)
    words = set(terms.split)
    roles = frozenset(role for role, asking in ASKS_FOR.items() if words & asking)
    if _INSTRUCTIONS.match(question):
        roles |= _INSTRUCTING
    return Asked(terms, frozenset(stem(word) for word in words), roles)


def last_component(symbol: str) -> str:
    """The name without what encloses it.

    >>> last_component("Session.rebuild_auth")
    'rebuild_auth'
    """
    return _COMPONENT.split(symbol)[-1]


def _begins(hit: Hit, asked: Asked) -> float:
    first = asked.terms.exact[0] if asked.terms.exact else ""
    return float(any(last_component(symbol).lower() == first for symbol in hit.symbols))


def _named(hit: Hit, asked: Asked) -> float:
    if not asked.stems:
        return 0.0
    shared = (len(stems(last_component(s)) & asked.stems) for s in hit.symbols)
    return max(shared, default=0) / len(asked.stems)


def _file_named(hit: Hit, asked: Asked) -> float:
    name = hit.path.rpartition("/")[2].lstrip(".").partition(".")[0]
    words = stems(name)
    return float(bool(words) and words <= asked.stems)


def _for_another_platform(hit: Hit, asked: Asked) -> float:
    return float(not PLATFORMS.isdisjoint(stems(hit.path)) and PLATFORMS.isdisjoint(asked.stems))


#: ``gain`` is what leaving a prior out costs on the given questions: semble NDCG@10, Octocode MRR,
#: riido07 R@1. ``bench/ABLATIONS.md`` has them all, and those that gained nothing and are not here.
PRIORS: tuple[Prior, ...] = (
    Prior(
        "subject", 0.25, _begins,
        "the question begins with the name it defines", (0.003, 0.018, 0.029),
    ),
    Prior(
        "symbol words", 0.5, _named,
        "its name is made of the question's words", (0.004, 0.018, 0.008),
    ),
    Prior(
        "file name", 0.3, _file_named,
        "every word of the file's name is in the question", (0.020, 0.0, 0.0),
    ),
    Prior(
        "platform", -0.25, _for_another_platform,
        "it is for one platform, which the question does not name", (0.003, 0.0, 0.0),
    ),
)  # fmt: skip


def weighed(hits: Sequence[Hit], asked: Asked) -> list[Hit]:
    """The hits with their priors applied, best first."""
    done = []
    for hit in hits:
        priors = {p.name: 1 + p.weight * p.part(hit, asked) for p in PRIORS}
        priors["role"] = 1.0 if hit.role in asked.roles else ROLE_PRIORS[hit.role]
        score = hit.score
        for factor in priors.values():
            score *= factor
        told = {name: factor for name, factor in priors.items() if factor != 1.0}
        done.append(replace(hit, score=score, priors=told))
    return _in_company(_sorted(done))


def _sorted(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.path, hit.start))


def _in_company(hits: Sequence[Hit]) -> list[Hit]:
    """Add to the best hit of each file a share of its next ones."""
    of_file: dict[int, list[Hit]] = {}
    for hit in hits:
        of_file.setdefault(hit.file_id, []).append(hit)
    done = []
    for found in of_file.values():
        best, others = found[0], found[1:]
        more = COMPANY * sum(hit.score for hit in others[:COMPANIONS])
        if more:
            priors = {**best.priors, "company": 1 + more / best.score}
            best = replace(best, score=best.score + more, priors=priors)
        done += [best, *others]
    return _sorted(done)
