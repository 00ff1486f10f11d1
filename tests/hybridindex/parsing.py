"""A text's definitions, as the chunker finds them."""

from __future__ import annotations

from hybridindex.syntax.definitions import Definition, find_definitions
from hybridindex.syntax.loading import load


def definitions_of(text: str, language: str) -> list[Definition] | None:
    """Scopes included; None without a grammar for the language."""
    loaded = load(language)
    if loaded is None:
        return None
    tree = loaded.parser.parse(text.encode("utf-8", "replace"))
    return list(find_definitions(loaded, tree.root_node))
