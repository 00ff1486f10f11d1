"""How one language is read: which of its nodes define something, and how that is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hybridindex.syntax.naming import Namer

#: Nodes that belong to the definition below them, in every language.
LEADS = frozenset(
    {"comment", "line_comment", "block_comment", "multiline_comment", "doc_comment", "haddock"}
)


@dataclass(frozen=True)
class Grammar:
    """How one language is read.

    ``names`` maps node kinds that define something, wherever they stand, to how their name is
    found; ``placed`` those that do so only where one of ``patterns`` matches (the node is captured
    as ``@d``). ``scopes`` qualify what they enclose and are no symbol themselves. ``leads`` belong
    to what follows; neighbouring ``clauses`` of one name are one definition.
    """

    module: str
    names: Mapping[str, Namer]
    function: str = "language"
    placed: Mapping[str, Namer] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    scopes: frozenset[str] = frozenset()
    leads: frozenset[str] = LEADS
    clauses: frozenset[str] = frozenset()

    def name(self, kind: str) -> Namer | None:
        """How a node of this kind is named."""
        return self.names.get(kind) or self.placed.get(kind)


def by(namer: Namer, kinds: str) -> dict[str, Namer]:
    """One namer for several node kinds, written with spaces between them."""
    return dict.fromkeys(kinds.split(), namer)
