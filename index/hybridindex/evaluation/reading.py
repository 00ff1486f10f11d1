"""Reads question sets: JSON, or CSV as Octocode's benchmark writes it.

JSON is a list of objects with ``query`` and ``targets``; each target has ``path`` and may have
``start``, ``end`` and ``relevance``. ``id`` is optional, and so is a group, under ``group``,
``kind`` or ``category``. CSV has the columns ``query`` and ``result1``, ``result2`` and so on,
each result as ``path:start-end:relevance`` or empty.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybridindex.errors import SearchError
from hybridindex.evaluation.questions import Question, Target

_GROUP_KEYS = ("group", "kind", "category")
_RESULT = re.compile(r"(?P<path>.+):(?P<start>\d{1,9})-(?P<end>\d{1,9}):(?P<relevance>\d{1,9})")
_JSON_HINT = (
    'write [{"id": …, "query": …, "targets": [{"path": …, "start": …, "end": …, "relevance": …}]}]'
)
_CSV_HINT = "write the columns query,result1,result2,… with results as path:start-end:relevance"


class QuestionsUnreadable(SearchError):
    """A question file is missing, or is not what it must be."""


def read_questions(path: Path) -> list[Question]:
    """The questions of a file, in its order. Raises QuestionsUnreadable naming what is wrong."""
    is_csv = path.suffix.lower() == ".csv"
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise QuestionsUnreadable(
            f"{path} cannot be read: {error.strerror}", "name a file of questions"
        ) from error
    except UnicodeDecodeError as error:
        raise QuestionsUnreadable(f"{path} is not UTF-8", "save it as UTF-8") from error
    try:
        questions = _from_csv(text, path.stem) if is_csv else _from_json(text, path.stem)
        if not questions:
            raise ValueError("there is no question in it")
        seen: set[str] = set()
        for question in questions:
            if question.id in seen:
                raise ValueError(f"two questions have the id {question.id!r}")
            seen.add(question.id)
    except (ValueError, csv.Error, RecursionError) as error:
        problem = str(error) or type(error).__name__
        raise QuestionsUnreadable(
            f"{path} is no question set: {problem}", _CSV_HINT if is_csv else _JSON_HINT
        ) from error
    return questions


def _from_json(text: str, name: str) -> list[Question]:
    parsed = json.loads(text)
    if not isinstance(parsed, list):
        raise ValueError("it is not a list")
    return [_question(item, f"{name}-{at:03}", at) for at, item in enumerate(parsed, 1)]


def _question(item: Any, default: str, at: int) -> Question:
    if not isinstance(item, dict):
        raise ValueError(f"entry {at} is not an object")
    question_id = item.get("id", default)
    if not isinstance(question_id, (str, int)) or isinstance(question_id, bool):
        raise ValueError(f"entry {at} has an id that is neither text nor a whole number")
    query = item.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ValueError(f"entry {at} has no query")
    given = item.get("targets")
    if not isinstance(given, list) or not given:
        raise ValueError(f"entry {at} has no targets")
    targets = tuple(_target(target, f"a target of entry {at}") for target in given)
    group = next((item[key] for key in _GROUP_KEYS if isinstance(item.get(key), str)), "")
    return Question(str(question_id), query, targets, group)


def _target(item: Any, name: str) -> Target:
    if not isinstance(item, dict) or not isinstance(item.get("path"), str) or not item["path"]:
        raise ValueError(f"{name} has no path")
    start, end = _line(item, "start", name), _line(item, "end", name)
    if start is None and end is not None:
        raise ValueError(f"{name} has an end but no start")
    if start is not None and end is None:
        end = start
    relevance = item.get("relevance", 1)
    number = isinstance(relevance, (int, float)) and not isinstance(relevance, bool)
    if not number or not math.isfinite(relevance) or relevance <= 0:
        raise ValueError(f"{name} has a relevance that is no number above 0")
    return _ordered(Target(item["path"], start, end, float(relevance)), name)


def _line(item: Mapping[str, Any], key: str, name: str) -> int | None:
    value = item.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} has a {key} that is no line number")
    return value


def _ordered(target: Target, name: str) -> Target:
    if target.start is not None and target.end is not None and target.start > target.end:
        raise ValueError(f"{name} ends before it starts")
    return target


def _from_csv(text: str, name: str) -> list[Question]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    columns = [column for column in reader.fieldnames or () if column.startswith("result")]
    if "query" not in (reader.fieldnames or ()) or not columns:
        raise ValueError("it lacks the columns query and result1")
    questions = []
    for at, row in enumerate(reader, 1):
        query = (row["query"] or "").strip()
        if not query:
            raise ValueError(f"row {at} has no query")
        cells = [cell for column in columns if (cell := (row[column] or "").strip())]
        if not cells:
            raise ValueError(f"row {at} has no result")
        targets = tuple(_cell(cell, f"row {at}") for cell in cells)
        questions.append(Question(f"{name}-{at:03}", query, targets))
    return questions


def _cell(cell: str, name: str) -> Target:
    found = _RESULT.fullmatch(cell)
    if found is None:
        raise ValueError(f"{name} has {cell!r} where path:start-end:relevance belongs")
    start, end, relevance = int(found["start"]), int(found["end"]), int(found["relevance"])
    if start < 1 or relevance < 1:
        raise ValueError(f"{name} has {cell!r}, whose numbers must be above 0")
    return _ordered(Target(found["path"], start, end, float(relevance)), f"a result of {name}")
