"""Puts our lines into git's hook files, and takes exactly those out again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gitsearch.git.location import Location
from gitsearch.git.process import run
from hybridindex.errors import SearchError

#: Our first line begins so; what follows on it has changed between versions.
MARK = "# git-search begin"
BEGIN = f"{MARK}: keeps the committed search index complete"
END = "# git-search end"
_BLOCK = re.compile(rf"^{MARK}[^\n]*$.*?^{END}$\n?", re.MULTILINE | re.DOTALL)
_SHEBANG = "#!/bin/sh\n"
#: Shells that read our lines; a hook in another language cannot hold them.
_SHELLS = re.compile(rb"#!\s*\S*?(?:/env\s+)?(?:[\w/.-]*/)?(?:ba|da|z|k|a)?sh\b")


@dataclass(frozen=True)
class Installed:
    """A hook file and what became of it: ``created``, ``extended``, ``kept`` or ``removed``."""

    path: Path
    change: str


def hooks_folder(location: Location) -> Path:
    """Where git looks for hooks: ``core.hooksPath`` or the shared git directory's own."""
    answer = run(["rev-parse", "--git-path", "hooks"], location.root)
    folder = location.root / os.fsdecode(answer.removesuffix(b"\n"))
    # husky makes `.husky/_` anew at each install; what people write lies one folder above.
    return folder.parent if _is_husky(folder) else folder


def _is_husky(folder: Path) -> bool:
    return folder.name == "_" and folder.parent.name == ".husky"


def block(hook: str, program: str | None) -> str:
    """Our lines for a hook. A clone without the program commits all the same.

    ``program`` is the path of the one that is installed here, None for a hook that is shared.
    """
    if program is None:
        return (
            f"{BEGIN}\n"
            "if command -v git-search-index >/dev/null 2>&1; then\n"
            f'  git-search-index run-hook {hook} "$@" || exit $?\n'
            "fi\n"
            f"{END}\n"
        )
    quoted = "'" + program.replace("'", "'\\''") + "'"
    return (
        f"{BEGIN}\n"
        f"if [ -x {quoted} ]; then\n"
        f'  {quoted} run-hook {hook} "$@" || exit $?\n'
        "elif command -v git-search-index >/dev/null 2>&1; then\n"
        f'  git-search-index run-hook {hook} "$@" || exit $?\n'
        "fi\n"
        f"{END}\n"
    )


def install(location: Location, hooks: Iterable[str], program: str) -> list[Installed]:
    """Put our lines at the head of each hook, once. Raises SearchError for a hook in no shell."""
    folder = hooks_folder(location)
    shared = folder.is_relative_to(location.root) and not folder.is_relative_to(location.common_dir)
    return [_install(folder / hook, block(hook, None if shared else program)) for hook in hooks]


def _install(path: Path, ours: str) -> Installed:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write(path, _SHEBANG + ours)
            return Installed(path, "created")
        text = path.read_bytes()
        if text.startswith(b"#!") and not _SHELLS.match(text):
            raise SearchError(
                f"{path} is not a shell script",
                f"let it run `git-search-index run-hook {path.name}`",
            )
        old = text.decode("utf-8", "surrogateescape")
        rest = _BLOCK.sub("", old, count=1) if MARK in old else old
        first, newline, others = rest.partition("\n")
        # At the head, since many hooks end with `exec` or `exit`; behind the shebang.
        new = first + newline + ours + others if first.startswith("#!") else ours + rest
        if new == old:
            return Installed(path, "kept")
        _write(path, new)
        return Installed(path, "extended")
    except OSError as error:
        raise SearchError(
            f"the hook {path} cannot be written: {error}", "make the folder writable"
        ) from error


def uninstall(location: Location, hooks: Iterable[str]) -> list[Installed]:
    """Take our lines out of each hook; a file that holds nothing else is deleted."""
    folder = hooks_folder(location)
    done = []
    for hook in hooks:
        path = folder / hook
        try:
            old = path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            continue
        new = _BLOCK.sub("", old, count=1)
        if new == old:
            continue
        if new.strip() in ("", _SHEBANG.strip()):
            path.unlink()
        else:
            _write(path, new)
        done.append(Installed(path, "removed"))
    return done


def _write(path: Path, text: str) -> None:
    mode = path.stat().st_mode if path.exists() else 0o755
    partial = path.with_name(path.name + ".git-search")
    partial.write_bytes(text.encode("utf-8", "surrogateescape"))
    partial.chmod(mode | 0o111)
    partial.replace(path.resolve())
