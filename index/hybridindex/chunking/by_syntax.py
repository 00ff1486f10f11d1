"""Chunks that follow a syntax tree: definitions stay whole, or part at their statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hybridindex.chunking.measure import ALONE, MAX_SIZE, Measure
from hybridindex.chunking.pieces import Piece, join
from hybridindex.syntax.definitions import Definitions, find_definitions, last_row
from hybridindex.syntax.guessing import guessed
from hybridindex.syntax.loading import Loaded
from hybridindex.types import Chunk

if TYPE_CHECKING:
    from tree_sitter import Node

#: Below this depth a text is cut by lines: nobody nests statements so deep, but data files nest
#: brackets without end.
MAX_DEPTH = 60

#: A row, and the nodes that start on it and are not started by an earlier one.
Start = tuple[int, list["Node"]]


def syntax_chunks(text: str, loaded: Loaded) -> list[Chunk]:
    """Chunks that cover every line which is not blank, however broken the syntax is."""
    tree = loaded.parser.parse(text.encode("utf-8", "replace"))
    measure = Measure(text)
    definitions = find_definitions(loaded, tree.root_node)
    cutter = _Cutter(loaded, measure, definitions)
    cutter.node(tree.root_node, 0, measure.last, 0)
    chunks = []
    for start, end, parts in join(cutter.pieces, measure):
        symbols = definitions.symbols(start, end, [piece.opens for piece in parts])
        chunks.append(Chunk(start + 1, end + 1, symbols or guessed(measure.lines[start : end + 1])))
    return chunks


class _Cutter:
    """Takes a tree apart into pieces, going down only into what is too large for a chunk."""

    def __init__(self, loaded: Loaded, measure: Measure, definitions: Definitions) -> None:
        self.pieces: list[Piece] = []
        self._grammar = loaded.grammar
        self._measure = measure
        self._definitions = definitions
        self._fence = False

    def node(self, node: Node, start: int, end: int, depth: int) -> None:
        """Adds pieces for the rows ``start`` to ``end``, which begin and may end with ``node``."""
        units = self._units(node, start, end) if depth < MAX_DEPTH else []
        if not units:
            self._lines(start, end, depth)
            return
        if units[0][0][0] > start:
            self._add(start, units[0][0][0] - 1, depth)
        for index, unit in enumerate(units):
            last = units[index + 1][0][0] - 1 if index + 1 < len(units) else end
            self._unit(unit, last, depth)

    def _units(self, node: Node, start: int, end: int) -> list[list[Start]]:
        """The children by the rows they start on; what leads stays with what it leads."""
        units: list[list[Start]] = []
        leading = False
        row = -1
        ended = -1
        before: Node | None = None
        for child in node.named_children:
            first, last = child.start_point[0], last_row(child)
            if last < start:
                continue
            if first > end:
                break
            first = max(first, start)
            if first > row:
                held = units and first - ended <= 1 and leading
                if held or (before is not None and units and self._continues(before, child)):
                    units[-1].append((first, [child]))
                else:
                    units.append([(first, [child])])
                leading = child.type in self._grammar.leads
            else:
                units[-1][-1][1].append(child)
                leading = leading and child.type in self._grammar.leads
            row, ended, before = first, last, child
        return units

    def _continues(self, before: Node, node: Node) -> bool:
        """Whether two nodes are clauses of one definition."""
        clauses = self._grammar.clauses
        if before.type not in clauses or node.type not in clauses:
            return False
        namer = self._grammar.name(node.type)
        name = namer(node) if namer else None
        return name is not None and namer is not None and namer(before) == name

    def _unit(self, unit: list[Start], end: int, depth: int) -> None:
        """Adds pieces for one unit: whole when it fits, else its parts."""
        start = unit[0][0]
        main = unit[-1][1][-1]
        reach = min(end, last_row(main))
        size = self._measure.size(start, reach)
        outer = self._definitions.first_in(start, end)
        opens = -1
        if outer and 2 * self._measure.size(outer.start, min(end, outer.end)) >= (
            self._measure.size(unit[-1][0], reach)
        ):
            opens = outer.start
        alone = opens >= 0 and size >= ALONE
        self._fence = self._fence or alone
        first = len(self.pieces)
        if size <= MAX_SIZE or start == end:
            self._add(start, end, depth)
        elif len(unit) > 1:
            for index, (row, nodes) in enumerate(unit):
                last = unit[index + 1][0] - 1 if index + 1 < len(unit) else end
                self._part(nodes, row, last, depth + 1)
        else:
            self._part(unit[0][1], start, end, depth + 1)
        self.pieces[first].weakness = self._weakness(start, depth)
        self.pieces[first].opens = opens
        self._fence = alone

    def _part(self, nodes: list[Node], start: int, end: int, depth: int) -> None:
        """Adds pieces for nodes that start on one row: the last of them reaches furthest."""
        main = nodes[-1]
        if self._measure.size(start, min(end, last_row(main))) <= MAX_SIZE:
            self._add(start, end, depth)
        else:
            self.node(main, start, end, depth)

    def _lines(self, start: int, end: int, depth: int) -> None:
        for row in range(start, end + 1):
            self._add(row, row, depth + 1)

    def _add(self, start: int, end: int, depth: int) -> None:
        self.pieces.append(Piece(start, end, self._weakness(start, depth), self._fence))
        self._fence = False

    def _weakness(self, row: int, depth: int) -> int:
        return 2 * depth + (0 if self._measure.blank(row - 1) else 1)
