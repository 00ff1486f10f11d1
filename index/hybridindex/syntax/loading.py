"""Grammars ready to parse, each imported when its language is first met."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hybridindex.syntax.grammar import Grammar
from hybridindex.syntax.grammars import GRAMMARS

if TYPE_CHECKING:
    from tree_sitter import Parser, Query


@dataclass(frozen=True)
class Loaded:
    """A grammar ready to parse, and the query that finds its definitions."""

    grammar: Grammar
    parser: Parser
    query: Query


@cache
def load(language: str) -> Loaded | None:
    """The grammar of a language, or None when there is none or its package is not installed.

    Imported at the first call for that language only.
    """
    grammar = GRAMMARS.get(language)
    if grammar is None:
        return None
    try:
        import tree_sitter

        module = importlib.import_module(grammar.module)
        known = tree_sitter.Language(getattr(module, grammar.function)())
    # ValueError: the package is built for another ABI than this tree-sitter reads.
    except (ImportError, AttributeError, ValueError):
        return None
    sources = [
        f"({kind}) @d" for kind in grammar.names if known.id_for_node_kind(kind, True) is not None
    ]
    for pattern in grammar.patterns:
        # Another version of the grammar may not know a node: its other definitions still count.
        try:
            tree_sitter.Query(known, pattern)
        except tree_sitter.QueryError:
            continue
        sources.append(pattern)
    return Loaded(grammar, tree_sitter.Parser(known), tree_sitter.Query(known, "\n".join(sources)))
