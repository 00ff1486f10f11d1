"""Runs the git program: bytes in, bytes out, an environment that changes no answer."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from hybridindex.errors import SearchError

#: Variables that would change what git prints or does for us, whoever set them.
_UNWANTED = (
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_PREFIX",
    "GIT_PAGER",
)


class GitError(SearchError):
    """Git refused; ``problem`` ends with what it said."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a git that only answers: no locks, no prompts, plain English."""
    env = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    env.update(LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat")
    if extra:
        env.update(extra)
    return env


def start(
    arguments: Sequence[str | bytes],
    cwd: Path | str,
    *,
    feed: bool = False,
    extra: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start git; the caller reads its output. Raises GitError where git is not installed."""
    try:
        return subprocess.Popen(
            ["git", *arguments],
            cwd=cwd,
            env=environment(extra),
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError as error:
        if Path(cwd).is_dir():
            raise GitError("git is not installed", "install git 2.30 or later") from error
        raise GitError(f"the folder {cwd} does not exist", "run from an existing folder") from error


def finish(
    process: subprocess.Popen[bytes], given: bytes | None = None, ok: Iterable[int] = (0,)
) -> bytes:
    """The output of a started git. Raises GitError with what it said for another exit code."""
    output, said = process.communicate(given)
    if process.returncode not in ok:
        words = [str(a) for a in process.args[1:3]] if isinstance(process.args, list) else []
        message = said.decode("utf-8", "replace").strip().splitlines()
        reason = message[-1] if message else f"exit code {process.returncode}"
        raise GitError(f"git {' '.join(words)} failed: {reason}")
    return output


def run(
    arguments: Sequence[str | bytes],
    cwd: Path | str,
    *,
    given: bytes | None = None,
    extra: Mapping[str, str] | None = None,
    ok: Iterable[int] = (0,),
) -> bytes:
    """Run git to its end and return what it printed. Raises GitError."""
    return finish(start(arguments, cwd, feed=given is not None, extra=extra), given, ok)
