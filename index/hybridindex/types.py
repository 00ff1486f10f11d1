"""What travels between the steps: small, frozen, and free of behaviour that needs a library."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Float32 = npt.NDArray[np.float32]
    Int8 = npt.NDArray[np.int8]

Role = Literal["source", "test", "docs", "example", "config", "generated"]
ROLES: tuple[Role, ...] = ("source", "test", "docs", "example", "config", "generated")

#: How files are cut into chunks: along their syntax, or by the published rule of 700 tokens.
Method = Literal["syntax", "lines"]
METHODS: tuple[Method, ...] = ("syntax", "lines")

#: How a question is matched: by keywords, by meaning, or both.
Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")

#: Bytes of a chunk key: 128 bits, so that keys never meet by chance.
KEY_BYTES = 16


@dataclass(frozen=True)
class Chunk:
    """A line range, 1-based and inclusive, and the symbols it defines.

    Symbols are qualified by what encloses them (``Session.rebuild_auth``), outermost first, in
    the order of the text; headings for Markdown.
    """

    start: int
    end: int
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class KeyedChunk:
    """A chunk with its chunk key (``KEY_BYTES`` bytes)."""

    start: int
    end: int
    symbols: tuple[str, ...]
    key: bytes


@dataclass(frozen=True)
class FileRecord:
    """What a committed index says of one source file: a tracked, indexable (path, blob id).

    ``path`` is relative to the repository root with ``/`` between its parts; bytes that are not
    UTF-8 are kept by ``surrogateescape``. ``blob_id`` is git's object name in hex.
    ``skipped`` is the reason why the content holds nothing to search; such a record has no chunks.
    """

    path: str
    blob_id: str
    chunks: tuple[KeyedChunk, ...]
    skipped: str = ""


@dataclass(frozen=True)
class Fingerprint:
    """Everything that changes a vector's meaning; equal fingerprints may share vectors.

    ``max_tokens`` counts the special tokens. Prompts are put before the text as they stand.
    ``adapter`` names a change of the weights that comes with this package
    (``hybridindex.embedding.adapting``).
    """

    model: str
    revision: str
    weights_sha256: str
    dimensions: int
    max_tokens: int
    document_prompt: str = ""
    query_prompt: str = ""
    quantisation: str = "int8"
    adapter: str = ""

    @property
    def id(self) -> bytes:
        """16 bytes: BLAKE2b of the fields as canonical JSON, ``adapter`` where there is one."""
        fields = asdict(self)
        if not self.adapter:
            # Indexes committed before there were adapters stay valid.
            del fields["adapter"]
        canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(canonical.encode(), digest_size=16).digest()


#: Called with how many more items are done.
Advance = Callable[[int], None]
#: Told what is being done, what is counted and how many there are; entered, it gives an Advance.
Watch = Callable[[str, str, int], AbstractContextManager[Advance]]


def unwatched(_doing: str, _unit: str, _total: int) -> AbstractContextManager[Advance]:
    """The Watch of nobody."""
    return nullcontext(lambda _: None)


class Encoder(Protocol):
    """Turns text into vectors. Rows are float32 of length ``fingerprint.dimensions``, L2 norm 1."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What the vectors mean."""
        ...

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        """Shape (len(texts), dimensions), in the order given."""
        ...

    def encode_question(self, question: str) -> Float32:
        """Shape (dimensions,)."""
        ...
