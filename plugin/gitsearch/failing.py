"""Turns whatever goes wrong into one line on standard error and an exit code."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from hybridindex.errors import SearchError

FOUND, NOTHING, TROUBLE = 0, 1, 2
#: As a shell reports a program ended by SIGINT.
INTERRUPTED = 130


def report(program: str, problem: str, remedy: str = "") -> None:
    """Say what happened and what mends it."""
    sys.stderr.write(plain(f"{program}: {problem}") + "\n")
    if remedy:
        sys.stderr.write(plain(f"  to mend it: {remedy}") + "\n")


def plain(text: str) -> str:
    """Text without control characters, whatever file or path it came from, on one line."""
    cleaned = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return cleaned.encode("utf-8", "backslashreplace").decode()


def guarded(program: str, work: Callable[[], int]) -> int:
    """Run ``work``; the exit code is its own, or TROUBLE with one line and never a traceback."""
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has enough, as `head` has: that is success.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    except SearchError as error:
        report(program, error.problem, error.remedy)
        return TROUBLE
    except Exception as error:
        log = _log()
        report(
            program,
            f"unexpected {type(error).__name__}: {error}",
            f"this is a fault of ours; please report it with {log}",
        )
        return TROUBLE
    return code


def _log() -> str:
    try:
        handle, name = tempfile.mkstemp(prefix="git-search-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{sys.version}\n{sys.argv!r}\n")
            traceback.print_exc(file=file)
    except OSError:
        return "what it was asked"
    return str(Path(name))
