"""Turns whatever goes wrong into one line on standard error and an exit code."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from gitsearch import __version__
from gitsearch.wording import plain
from hybridindex.errors import SearchError

FOUND, NOTHING, TROUBLE = 0, 1, 2
#: As a shell reports a program ended by SIGINT.
INTERRUPTED = 130


def report(program: str, problem: str, hint: str = "") -> None:
    """Say what happened and, as git does, what mends it."""
    sys.stderr.write(plain(f"{program}: {problem}") + "\n")
    if hint:
        sys.stderr.write(plain(f"hint: {hint}") + "\n")


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
        report(program, error.problem, error.hint)
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


def _git_version() -> str:
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        return f"no git: {error}"
    return done.stdout.strip()


def _log() -> str:
    import platform

    try:
        handle, name = tempfile.mkstemp(prefix="git-search-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"git-search {__version__}, {_git_version()}\n")
            file.write(f"Python {sys.version}\n{platform.platform()}\n{sys.argv!r}\n")
            traceback.print_exc(file=file)
    except OSError:
        return "what it was asked"
    return str(Path(name))
