"""Where the chunks of a text are.

Everything here is a function of text and language alone: no state, no environment beyond which
grammars are installed.
"""

from __future__ import annotations

import re

from hybridindex.chunking.lines import line_chunks
from hybridindex.chunking.markdown import markdown_chunks
from hybridindex.chunking.published import published_chunks
from hybridindex.syntax.grammars import GRAMMARS
from hybridindex.syntax.loading import load
from hybridindex.types import Chunk, Method

#: What a header named as C's has only where it is C++.
_CPLUSPLUS = re.compile(
    r"^[ \t]*(?:template[ \t]*<|namespace\b[ \t\w:]*\{|(?:public|protected|private)[ \t]*:"
    r"|(?:enum[ \t]+)?class[ \t]+(?:\w+[ \t]+)*\w+[ \t]*(?:[:{].*)?$|using[ \t]+\w+[ \t]*=)",
    re.MULTILINE,
)


def chunk(text: str, language: str | None, method: Method = "syntax") -> list[Chunk]:
    """Chunks in order, 1-based and inclusive, that cover every line which is not blank.

    Lines end at line feeds only. "syntax" follows the language and its chunks never overlap;
    "lines" follows the published rules of fixed windows, which do. A language without an installed
    grammar is chunked by lines that re-synchronise at unindented starts. Raises ``ValueError`` for
    another method.

    >>> chunk("a = 1\\n\\nb = 2\\n", None)
    [Chunk(start=1, end=3, symbols=())]
    """
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
    from hybridindex.chunking.by_syntax import syntax_chunks

    return syntax_chunks(text, loaded)


def lacks_grammar(text: str, language: str | None, method: Method = "syntax") -> str:
    """The language whose grammar :func:`chunk` would follow and that is not installed; "" for none.

    Chunks of such a text are not those that another machine makes, so they are not for committing.
    """
    if method != "syntax" or language is None:
        return ""
    wanted = _grammar_of(text, language)
    return wanted if wanted in GRAMMARS and load(wanted) is None else ""


def _grammar_of(text: str, language: str) -> str:
    """The language whose grammar reads a text: many a header named as C's is C++."""
    return "cpp" if language == "c" and _CPLUSPLUS.search(text) else language
