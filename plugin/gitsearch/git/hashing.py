"""Object names of bytes that git does not have yet."""

from __future__ import annotations

import hashlib


def object_id_of(data: bytes, kind: str = "blob", length: int = 40) -> str:
    """The name git would give an object: SHA-1, or SHA-256 where names have 64 hex digits."""
    algorithm = hashlib.sha256 if length == 64 else hashlib.sha1
    return algorithm(f"{kind} {len(data)}\0".encode() + data).hexdigest()


#: Names of the blob without content.
EMPTY_BLOBS = frozenset({object_id_of(b""), object_id_of(b"", length=64)})
