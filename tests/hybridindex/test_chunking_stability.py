"""An edit changes only the chunks around it."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import pytest

from hybridindex.chunking import chunk

_WORDS = ["load", "save", "parse", "send", "find", "merge", "close", "open", "read", "write"]


def _python(lines: int) -> list[str]:
    """A module with classes, methods of many sizes, long functions and a large table."""
    dice = random.Random(7)
    text: list[str] = ["import os", ""]
    while len(text) < lines:
        text += ["", f"class Thing{len(text)}:", f'    """Thing {len(text)}."""', ""]
        for _ in range(dice.randrange(3, 9)):
            text.append(f"    def {dice.choice(_WORDS)}_{len(text)}(self, value):")
            for _ in range(dice.choice([1, 2, 8, 20, 60])):
                text.append(f"        self.{dice.choice(_WORDS)}(value, {dice.randrange(999)})")
            text.append("")
        text.append(f"TABLE_{len(text)} = {{")
        text += [f"    '{dice.choice(_WORDS)}': {dice.randrange(9999)}," for _ in range(60)]
        text += ["}", ""]
    return text


def _texts(lines: list[str], language: str | None) -> list[str]:
    return [
        "\n".join(lines[part.start - 1 : part.end]) for part in chunk("\n".join(lines), language)
    ]


def _new(lines: list[str], language: str | None, edits: int) -> list[int]:
    """For each of many one-line insertions, how many chunks were not there before."""
    dice = random.Random(3)
    before = set(_texts(lines, language))
    counts = []
    for _ in range(edits):
        row = dice.randrange(1, len(lines))
        indent = len(lines[row]) - len(lines[row].lstrip())
        edited = [*lines[:row], " " * indent + f"# inserted {dice.randrange(99)}", *lines[row:]]
        counts.append(sum(text not in before for text in _texts(edited, language)))
    return counts


@pytest.mark.parametrize(("language", "mean"), [("python", 1.2), (None, 1.5)])
def test_an_inserted_line_changes_its_neighbourhood(language: str | None, mean: float) -> None:
    lines = _python(1_000)
    assert len(_texts(lines, language)) > 25
    counts = _new(lines, language, 100)
    assert sum(counts) / len(counts) < mean
    assert max(counts) <= 4


def test_an_inserted_line_in_a_real_file() -> None:
    lines = Path(argparse.__file__).read_text(encoding="utf-8").split("\n")
    assert len(lines) > 1_000
    counts = _new(lines, "python", 60)
    assert sum(counts) / len(counts) < 1.4


def test_an_edited_function_changes_no_other_definition() -> None:
    functions = [
        [f"def run_{index}(value):", *(f"    step_{n}(value, {index})" for n in range(25)), ""]
        for index in range(40)
    ]
    lines = [line for function in functions for line in function]
    before = _texts(lines, "python")
    after = _texts([*lines[:500], "    inserted(value)", *lines[500:]], "python")
    assert len(before) == len(after) == 40
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_flat_text_finds_the_same_cuts_again() -> None:
    """Without blank lines or indentation only the text itself can say where to cut."""
    dice = random.Random(5)
    lines = [" ".join(dice.choices(_WORDS, k=9)) for _ in range(1_000)]
    counts = _new(lines, None, 60)
    assert sum(counts) / len(counts) < 3
