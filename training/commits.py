"""Subjects of commits, and the chunk each changed most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitsearch.git.process import run
from hybridindex.languages import language_of
from hybridindex.roles import role_of
from training.comments import says_something

#: How far back; older subjects are about code that reads otherwise today.
_COMMITS = 8000
_MOST_FILES = 8
#: Added lines of the source file a subject is about: one is a version, more are a feature.
_ADDED = range(2, 61)
_SHORTEST = 25

_ISSUE = re.compile(r"\s*\(?#\d+\)?")
_BRACKETS = re.compile(r"^(\[[^\]]*\]\s*)+")
_SCOPE = re.compile(r"^[\w/.,*-]+(\([^)]*\))?!?:\s*")
_CHORE = re.compile(
    r"^(merge|bump|release|updat|typo|lint|format|clippy|changelog|refactor|clean|revert|test|doc"
    r"|version|prepare|rename|remove|move|chore|comment|style"
    r"|fix (typo|lint|test|warn|build|compil|doc|comment))"
    r"|typo|comment|lint|changelog|docs?\b|readme|review|nit\b|whitespace|rustfmt|clippy",
    re.IGNORECASE,
)
_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """A commit with a telling subject, and the source file it added most lines to."""

    commit: str
    subject: str
    path: str


def telling(subject: str) -> str:
    """The subject without numbers of issues and scopes; empty for a chore."""
    text = _SCOPE.sub("", _BRACKETS.sub("", _ISSUE.sub("", subject))).strip()
    useful = len(text) >= _SHORTEST and not _CHORE.search(text) and says_something(text)
    return text if useful else ""


def changes(clone: Path, head: str) -> Iterator[Change]:
    """Small changes of one or two source files, from the newest on.

    Raises GitError in a clone whose history is not whole.
    """
    form = "--format=%x01%H%x02%s"
    log = run(
        ["log", "--no-merges", f"-n{_COMMITS}", "--no-renames", form, "--numstat", head], clone
    )
    for entry in log.decode("utf-8", "replace").split("\x01")[1:]:
        first, _, rest = entry.partition("\n")
        commit, _, subject = first.partition("\x02")
        files = [line.split("\t") for line in rest.strip().split("\n") if line.count("\t") == 2]
        sources = [(int(added), path) for added, _, path in files if _is_source(added, path)]
        if len(files) > _MOST_FILES or not 1 <= len(sources) <= 2:
            continue
        text = telling(subject)
        if text and sum(added for added, _ in sources) in _ADDED:
            yield Change(commit, text, max(sources)[1])


def added_lines(clone: Path, change: Change) -> list[range]:
    """Line numbers, 1-based, that the commit added to its file.

    Raises GitError for a commit without a parent, or whose objects are not here.
    """
    diff = run(["diff", "-U0", f"{change.commit}^", change.commit, "--", change.path], clone)
    found = []
    for hunk in _HUNK.finditer(diff.decode("utf-8", "replace")):
        start, count = int(hunk[1]), int(hunk[2] or 1)
        found.append(range(start, start + count))
    return found


def _is_source(added: str, path: str) -> bool:
    language = language_of(path)
    return (
        added.isdigit()
        and language not in (None, "markdown")
        and role_of(path, language) == "source"
    )
