"""A tree as the engine sees it: whatever has these can be searched and indexed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from hybridindex.types import Fingerprint, Method

if TYPE_CHECKING:
    from hybridindex.segments import Catalogue


class Source(Protocol):
    """Source files, and the segments that know some of them.

    ``name`` stands for all that decides the rows of a database: equal names, equal rows. The other
    properties are asked for only when they are needed, since a source may have to work for them.
    """

    @property
    def name(self) -> str:
        """Equal for equal sources alone."""
        ...

    @property
    def fingerprint(self) -> Fingerprint:
        """What its vectors mean."""
        ...

    @property
    def chunking(self) -> Method:
        """How files without a file record are cut."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """Blob id by path of each source file."""
        ...

    @property
    def segments(self) -> Mapping[str, str]:
        """Blob id by name of each segment."""
        ...

    @property
    def catalogue(self) -> Catalogue:
        """What the segments know, under ``fingerprint``."""
        ...

    def read(self, paths: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        """(path, bytes) of source files as they are indexed, in any order.

        Files that cannot be read are left out.
        """
        ...

    def read_shown(self, paths: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        """As :meth:`read`, the bytes that a person has before them: of the same lines."""
        ...
