"""Writes and removes files below a folder, whatever a clone has put on the way.

A clone's content is data: a committed link named `.search/segments`, or like a file that is about
to be written, must lead nowhere. Each folder on the way is opened without following a link, the
bytes go into a new file of a name that nobody can foresee, and that takes the place of what was
there.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

#: Where the platform opens relative to a folder that is open, no link can be slipped in between.
_BY_FOLDER = {os.open, os.mkdir, os.unlink, os.stat} <= os.supports_dir_fd
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


class LinkOnTheWay(OSError):
    """A link or something else that is no folder stands where a folder should be."""


def write_inside(root: Path, path: str, data: bytes, mode: int = 0o644) -> None:
    """Give ``root / path`` these bytes, whole or not at all; missing folders are made.

    Raises OSError, LinkOnTheWay among them. ``root`` itself may be anything.
    """
    with _parent(root, path, make=True) as (folder, name):
        partial = f".{name[:40]}.{secrets.token_hex(8)}"
        handle = _open(folder, partial, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            _replace(folder, partial, name)
        except BaseException:
            with contextlib.suppress(OSError):
                _unlink(folder, partial)
            raise


def remove_inside(root: Path, path: str) -> None:
    """Delete ``root / path`` if it is there. Raises OSError, LinkOnTheWay among them."""
    with contextlib.suppress(FileNotFoundError), _parent(root, path, make=False) as (folder, name):
        _unlink(folder, name)


#: A folder on the way: open, where the platform can go on from there, else its path.
_Folder = int | Path


@contextlib.contextmanager
def _parent(root: Path, path: str, make: bool) -> Iterator[tuple[_Folder, str]]:
    """The folder of ``root / path``, and the name in it."""
    *folders, name = path.split("/")
    if any(part in ("", ".", "..") for part in (*folders, name)):
        raise LinkOnTheWay(f"{path} is no path inside {root}")
    if not _BY_FOLDER:
        where = root
        for part in folders:
            where /= part
            if make:
                where.mkdir(exist_ok=True)
            if not stat.S_ISDIR(where.lstat().st_mode):
                raise LinkOnTheWay(f"{where} is no folder")
        yield where, name
        return
    with contextlib.ExitStack() as stack:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, handle)
        for part in folders:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
            try:
                flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
                handle = os.open(part, flags, dir_fd=handle)
            except FileNotFoundError:
                raise
            except OSError as error:
                raise LinkOnTheWay(f"{part} on the way to {path} is no folder") from error
            stack.callback(os.close, handle)
        yield handle, name


def _open(folder: _Folder, name: str, mode: int) -> int:
    if isinstance(folder, int):
        return os.open(name, _NEW, mode, dir_fd=folder)
    return os.open(folder / name, _NEW, mode)


def _replace(folder: _Folder, old: str, new: str) -> None:
    if isinstance(folder, int):
        os.replace(old, new, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        (folder / old).replace(folder / new)


def _unlink(folder: _Folder, name: str) -> None:
    if isinstance(folder, int):
        os.unlink(name, dir_fd=folder)
    else:
        (folder / name).unlink()
