"""Doc comments: the first sentence of one, and the code it stands before, without it."""

from __future__ import annotations

import re

_LINE = re.compile(r"^\s*(///?!?|//!|\*/?|/\*\*?!?|#+!?|--+\s?\|?|;+|%+)\s?(.*?)(\*/)?\s*$")
_OPENS = re.compile(r"^\s*(/\*\*?|\{-\|?|-\})")
_PYTHON = re.compile(r'^[ \t]*[rRuU]?("""|\'\'\')(.*?)\1[ \t]*$', re.DOTALL | re.MULTILINE)
_ELIXIR = re.compile(
    r'^[ \t]*@(?:doc|moduledoc) +(?:~S)?"""\n(.*?)^[ \t]*"""[ \t]*$',
    re.DOTALL | re.MULTILINE,
)
_TAG = re.compile(r"</?\w+[^>]*>")
#: Where a description ends and a list of parameters, an example or a table begins.
_SECTION = re.compile(r"@\w+|:\w+|\\param|Args:|Parameters|Returns|Example|---|===|```|#\s|\[!")
#: A first sentence; shorter ones are taken together with the next.
_SENTENCE = re.compile(r"(.{25,}?[.!?])(\s|$)")
#: What says nothing about the code it stands before.
_NOISE = re.compile(
    r"copyright|licen[sc]e|todo|fixme|eslint|noqa|nolint|@ts-|lint:|clippy|rubocop:|see also"
    r"|deprecated|^\W*$|https?://|go:build|region|pragma|frozen_string",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST_CHARACTERS = 240
#: A definition whose signature is longer than this many lines is data, not a function.
_MOST_SIGNATURE_LINES = 12


def says_something(text: str) -> bool:
    """Whether a sentence can stand for a question: words, and enough of them, not too many."""
    letters = sum(character.isalpha() or character == " " for character in text)
    return (
        4 <= len(_WORD.findall(text)) <= 45
        and not _NOISE.search(text)
        and letters / len(text) > 0.8
    )


def first_sentence(lines: list[str]) -> str:
    """The first sentence of a comment, without its markup."""
    taken: list[str] = []
    for line in lines:
        match = _LINE.match(line)
        text = (match[2] if match else line).strip()
        if not text or _SECTION.match(text):
            if taken:
                break
            continue
        taken.append(text)
    text = _TAG.sub("", " ".join(taken))
    text = re.sub(r"\{@\w+ ([^}]*)\}", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\s+", " ", re.sub(r"[`*]|:\w+:", "", text)).strip()
    sentence = _SENTENCE.match(text)
    return (sentence[1] if sentence else text)[:_MOST_CHARACTERS]


def parted(body: str, language: str) -> tuple[str, str] | None:
    """(first sentence of its doc comment, the rest) of a chunk; None where it has no comment."""
    if language == "python":
        return _within(body, _PYTHON, 2, ("def ", "class "))
    if language == "elixir":
        return _within(body, _ELIXIR, 1, ())
    lines = body.split("\n")
    start = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    end = _end_of_comment(lines, start, language)
    if end in (start, len(lines)):
        return None
    return first_sentence([_OPENS.sub("", line) for line in lines[start:end]]), "\n".join(
        lines[end:]
    )


def _within(
    body: str, pattern: re.Pattern[str], group: int, before: tuple[str, ...]
) -> tuple[str, str] | None:
    match = pattern.search(body)
    if match is None:
        return None
    head = body[: match.start()]
    if before and not any(word in head for word in before):
        return None
    if head.count("\n") > _MOST_SIGNATURE_LINES:
        return None
    rest = head + body[match.end() :].lstrip("\n")
    return first_sentence(match[group].strip().split("\n")), rest


def _end_of_comment(lines: list[str], start: int, language: str) -> int:
    inside = False
    for row in range(start, len(lines)):
        line = lines[row].strip()
        if inside or line.startswith(("/*", "{-")):
            inside = "*/" not in line and "-}" not in line
        elif not line.startswith(("//", "--")) and not (
            language in ("ruby", "bash") and line.startswith("#")
        ):
            return row
    return len(lines)
