"""SHA-256 of weight files, remembered so that a question does not hash 91 MB each time."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from hybridindex.errors import ModelUnavailable

_HEX = re.compile(r"[0-9a-f]{64}")
_BLOCK = 1 << 20
#: Hashes remembered; more are forgotten at once, so that the file stays a page long.
_REMEMBERED = 32


def sha256_of(weights: Sequence[Path], cache: Path | None = None) -> str:
    """Hex SHA-256 of a weight file; of the shards' hex digests in order where there are several.

    ``cache`` is a JSON file this function owns. An entry counts only while the file's resolved
    path, size, modification time in nanoseconds and inode are all the same; a missing, damaged
    or unwritable cache only costs the hashing.

    Raises ModelUnavailable when a file cannot be read.
    """
    known = _read(cache)
    digests = []
    changed = False
    for path in weights:
        try:
            key = _identity(path)
            digest = known.get(key)
            if digest is None:
                digest = known[key] = _hash(path)
                changed = True
        except OSError as error:
            raise ModelUnavailable(
                f"{path} cannot be read: {error.strerror}", "install the model again"
            ) from error
        digests.append(digest)
    if cache is not None and changed:
        _write(cache, dict(list(known.items())[-_REMEMBERED:]))
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def _identity(path: Path) -> str:
    resolved = path.resolve(strict=True)
    status = resolved.stat()
    return f"{resolved}|{status.st_size}|{status.st_mtime_ns}|{status.st_ino}"


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _read(cache: Path | None) -> dict[str, str]:
    if cache is None:
        return {}
    try:
        stored = json.loads(cache.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {k: v for k, v in stored.items() if isinstance(v, str) and _HEX.fullmatch(v)}


def _write(cache: Path, known: dict[str, str]) -> None:
    temporary = cache.with_name(f"{cache.name}.{os.getpid()}.tmp")
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(known, indent=1), "utf-8")
        temporary.replace(cache)
    except (OSError, UnicodeEncodeError):
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
