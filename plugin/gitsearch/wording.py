"""Words that go to people: safe on a terminal, right in number."""

from __future__ import annotations


def plain(text: str) -> str:
    r"""Text without control characters, whatever file or path it came from, on one line.

    >>> plain("a\x1b[31m\n")
    'a\\x1b[31m\\n'
    """
    cleaned = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return cleaned.encode("utf-8", "backslashreplace").decode()


def printable(path: str) -> str:
    """A path as valid Unicode: bytes that are not UTF-8 become replacement characters."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def counted(count: int, noun: str) -> str:
    """A number with its noun, which takes an s.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
