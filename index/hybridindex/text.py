"""The texts of a chunk: as read, as embedded, as searched by keyword.

Whoever changes what :func:`embedded_text` returns changes every chunk key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: A capital before which a word begins: behind a small letter or digit, or last of several before
#: a small one. Looking at capitals first is five times as fast as looking between all characters.
_CAMEL = re.compile(r"[A-Z](?:(?<=[a-z0-9].)|(?=[a-z])(?<=[A-Z].))")

#: Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, CJK, and their
#: extensions. Hangul has spaces but glues particles to words, so it is read the same way.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f]+"
)


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 without its byte order mark, else Latin-1, which never fails."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def lines_of(text: str) -> list[str]:
    r"""Lines as git counts them: split at ``\n`` alone, without it; no line after a last ``\n``.

    >>> lines_of("a\r\nb\n")
    ['a\r', 'b']
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def body_of(lines: Sequence[str], start: int, end: int) -> str:
    """Lines ``start`` to ``end`` (1-based, inclusive) as one text; out of range is empty."""
    return "\n".join(lines[max(start, 1) - 1 : max(end, 0)])


def encode_path(path: str) -> bytes:
    """A path as git has it."""
    return path.encode("utf-8", "surrogateescape")


def decode_path(path: bytes) -> str:
    """The inverse of :func:`encode_path`, for any bytes."""
    return path.decode("utf-8", "surrogateescape")


def printable(path: str) -> str:
    """A path as valid Unicode: bytes that are not UTF-8 become replacement characters."""
    return encode_path(path).decode("utf-8", "replace")


def embedded_text(path: str, symbols: Sequence[str], body: str) -> str:
    r"""What a chunk's vector is made from: the path, the symbols it defines, its lines.

    >>> embedded_text("src/a.py", ("A.f",), "def f(self): ...")
    'src/a.py\nA.f\ndef f(self): ...'
    """
    head = printable(path)
    if symbols:
        head += "\n" + ", ".join(symbols)
    return f"{head}\n{body}"


def chunk_text(
    path: str, symbols: Sequence[str], lines: Sequence[str], start: int, end: int
) -> str:
    """:func:`embedded_text` of the lines ``start`` to ``end`` (1-based, inclusive) of a file."""
    return embedded_text(path, symbols, body_of(lines, start, end))


def _pairs(run: re.Match[str]) -> str:
    characters = run.group()
    if len(characters) == 1:
        return f" {characters} "
    return " " + " ".join(characters[i : i + 2] for i in range(len(characters) - 1)) + " "


def spaced(text: str) -> str:
    """Text in unspaced scripts as overlapping pairs of characters with spaces between them."""
    return text if text.isascii() else _UNSPACED.sub(_pairs, text)


def split_identifiers(text: str) -> str:
    """Identifiers cut into their words.

    >>> split_identifiers("should_strip_auth"), split_identifiers("parseHTTPHeader")
    ('should strip auth', 'parse HTTP Header')
    """
    return _CAMEL.sub(r" \g<0>", text).replace("_", " ")
