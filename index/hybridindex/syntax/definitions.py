"""The definitions of one syntax tree, and which of them a chunk is named by."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hybridindex.syntax.loading import Loaded

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Definition:
    """A named definition on rows ``start`` to ``end`` (0-based, inclusive).

    ``name`` is qualified by what encloses it. A ``scope`` only qualifies and names no chunk.
    """

    name: str
    start: int
    end: int
    scope: bool = False


class Definitions:
    """All definitions of one text in order of their start, the outermost first."""

    def __init__(self, found: list[Definition]) -> None:
        self._all = found
        self._starts = [definition.start for definition in found]

    def __iter__(self) -> Iterator[Definition]:
        return iter(self._all)

    def first_in(self, start: int, end: int) -> Definition | None:
        """The outermost definition that starts on these rows."""
        index = bisect_left(self._starts, start)
        if index < len(self._all) and self._starts[index] <= end:
            return self._all[index]
        return None

    def symbols(self, start: int, end: int, opens: Sequence[int]) -> tuple[str, ...]:
        """The names of a chunk on rows ``start`` to ``end``, in the order of the text.

        ``opens`` has for each of the chunk's pieces the row of the definition that begins with it
        (its comment may fill the chunk and its first line follow in the next one), or -1. A chunk
        that does not begin with a definition is also named by the one that it is a part of.
        """
        low, high = bisect_left(self._starts, start), bisect_right(self._starts, end)
        found = [definition for definition in self._all[low:high] if not definition.scope]
        if opens[0] < 0 and (around := self._around(low, start)):
            found.insert(0, around)
        for row in opens:
            if row > end and (first := self.first_in(row, row)):
                found.append(first)
        return tuple(dict.fromkeys(definition.name for definition in found))

    def _around(self, low: int, row: int) -> Definition | None:
        """The innermost definition that started before the row and has not ended."""
        for definition in reversed(self._all[:low]):
            if definition.end >= row:
                return definition
        return None


def find_definitions(loaded: Loaded, root: Node) -> Definitions:
    """All definitions below ``root``."""
    from tree_sitter import QueryCursor

    grammar = loaded.grammar
    nodes = {node.id: node for node in QueryCursor(loaded.query).captures(root).get("d", [])}
    found: list[Definition] = []
    around: list[tuple[int, str]] = []
    for node in sorted(nodes.values(), key=lambda node: (node.start_byte, -node.end_byte)):
        namer = grammar.name(node.type)
        name = namer(node) if namer else None
        if not name:
            continue
        start, end = node.start_byte, node.end_byte
        while around and around[-1][0] <= start:
            around.pop()
        if around:
            name = f"{around[-1][1]}.{name}"
        around.append((end, name))
        scope = node.type in grammar.scopes
        found.append(Definition(name, node.start_point[0], last_row(node), scope))
    found.sort(key=lambda definition: (definition.start, -definition.end))
    return Definitions(found)


def last_row(node: Node) -> int:
    """The last row with a part of the node; some grammars end a node after the line feed."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row
