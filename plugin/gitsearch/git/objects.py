"""Reads the bytes of many blobs from one running ``cat-file``, and names bytes as git would."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence

from gitsearch.git.location import Location
from gitsearch.git.partial import fetch_missing, is_partial
from gitsearch.git.process import GitError, start


def object_id_of(data: bytes, kind: str = "blob", length: int = 40) -> str:
    """The name git would give an object: SHA-1, or SHA-256 where names have 64 hex digits.

    >>> object_id_of(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    algorithm = hashlib.sha256 if length == 64 else hashlib.sha1
    return algorithm(f"{kind} {len(data)}\0".encode() + data).hexdigest()


#: Names of the blob without content.
EMPTY_BLOBS = frozenset({object_id_of(b""), object_id_of(b"", length=64)})


def read_blobs(
    location: Location, blob_ids: Sequence[str], extra: Mapping[str, str] | None = None
) -> Iterator[tuple[str, bytes]]:
    """(blob id, bytes) of each blob there is, in the order given; missing ones are left out.

    ``extra`` are variables of git's that say where else to look.
    """
    if extra:
        yield from _from_program(location, blob_ids, extra)
        return
    if len(blob_ids) > 1 and is_partial(location):
        fetch_missing(location, blob_ids)
    yield from _from_program(location, blob_ids)


def read_blob(location: Location, blob_id: str) -> bytes | None:
    """The bytes of one blob, None where it is missing."""
    return next((data for _, data in _from_program(location, [blob_id])), None)


def _from_program(
    location: Location, blob_ids: Sequence[str], extra: Mapping[str, str] | None = None
) -> Iterator[tuple[str, bytes]]:
    if not blob_ids:
        return
    process = start(["cat-file", "--batch"], location.root, feed=True, extra=extra)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    stdin, stdout = process.stdin, process.stdout

    def ask() -> None:
        # Asked from a thread of its own: git would wait for us to read while we wait to write.
        try:
            for blob_id in blob_ids:
                stdin.write(blob_id.encode() + b"\n")
            stdin.close()
        except (BrokenPipeError, ValueError):
            pass

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    try:
        for blob_id in blob_ids:
            header = stdout.readline().split()
            if not header:
                raise GitError("git cat-file ended early")
            if header[-1] == b"missing" or len(header) != 3:
                continue
            data = stdout.read(int(header[2]))
            stdout.read(1)
            if header[1] == b"blob":
                yield blob_id, data
    finally:
        process.kill()
        asking.join()
        stdout.close()
        process.stderr.close()
        process.wait()
