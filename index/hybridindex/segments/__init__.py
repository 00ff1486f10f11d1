"""Committed segments: ``encoding`` bytes ↔ values, ``writing`` new ones, ``catalogue`` a tree's.

The format is described on one page in ``docs/segment-format.md``.
"""
