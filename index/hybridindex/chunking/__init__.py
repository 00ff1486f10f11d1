"""Where the chunks of a text are.

Everything here is a function of path, text and language alone: no state, no environment beyond
which grammars are installed.
"""

from __future__ import annotations

import re

from hybridindex.chunking.grammars import load
from hybridindex.chunking.lines import line_chunks
from hybridindex.chunking.markdown import markdown_chunks
from hybridindex.chunking.published import published_chunks
from hybridindex.types import Chunk, Method

#: What a header named as C's has only where it is C++.
_CPLUSPLUS = re.compile(
    r"^[ \t]*(?:template[ \t]*<|namespace\b[ \t\w:]*\{|(?:public|protected|private)[ \t]*:"
    r"|(?:enum[ \t]+)?class[ \t]+(?:\w+[ \t]+)*\w+[ \t]*(?:[:{].*)?$|using[ \t]+\w+[ \t]*=)",
    re.MULTILINE,
)

#: "syntax" follows the language, "lines" the published rules of fixed, overlapping windows.


def chunk(path: str, text: str, language: str | None, method: Method = "syntax") -> list[Chunk]:
    """Chunks in order, 1-based and inclusive, that cover every line which is not blank.

    Lines end at line feeds only. Chunks of "syntax" never overlap, those of "lines" do. A language
    without an installed grammar is chunked by lines that re-synchronise at unindented starts.
    ``path`` is accepted for the day that a rule needs it. Raises ``ValueError`` for another method.
    """
    del path
    if method == "lines":
        return published_chunks(text)
    if method != "syntax":
        raise ValueError(f"unknown chunking method: {method!r}")
    if not text.strip():
        return []
    if language == "markdown":
        return markdown_chunks(text)
    loaded = load(_grammar_of(text, language)) if language else None
    if loaded is None:
        return line_chunks(text)
    from hybridindex.chunking.syntax import syntax_chunks

    return syntax_chunks(text, loaded)


def _grammar_of(text: str, language: str) -> str:
    """The language whose grammar reads a text: many a header named as C's is C++."""
    return "cpp" if language == "c" and _CPLUSPLUS.search(text) else language
