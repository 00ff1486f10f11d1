"""Committed segments: ``encoding`` bytes ↔ values, ``writing`` new ones, ``catalogue`` a tree's.

``records`` and ``varint`` are what segments are made of, ``compaction`` makes few of many. The
format is described on one page in ``docs/segment-format.md``.
"""

from hybridindex.segments.catalogue import Catalogue
from hybridindex.segments.compaction import ABOVE, Compaction, compact
from hybridindex.segments.encoding import MAGIC, MAX_BYTES, NAME
from hybridindex.segments.writing import new_segments

__all__ = [
    "ABOVE",
    "MAGIC",
    "MAX_BYTES",
    "NAME",
    "Catalogue",
    "Compaction",
    "compact",
    "new_segments",
]
