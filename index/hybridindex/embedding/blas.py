"""Keeping numpy's matrix products on the thread that asks for them.

OpenBLAS spreads one product over all processors and lets its threads spin. That does well only on
an idle machine: with other programs busy on two processors, attention over one batch once took
53 s instead of 1.3 s. One product on each thread, with our own threads around whole packs of text,
made 48 texts/s against 33 (the steps between products run in parallel too).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

#: (set, get) in the OpenBLAS of numpy's wheels: 2.x with 64-bit and 32-bit integers, then 1.26.
_NAMES = (
    ("scipy_openblas_set_num_threads64_", "scipy_openblas_get_num_threads64_"),
    ("scipy_openblas_set_num_threads", "scipy_openblas_get_num_threads"),
    ("openblas_set_num_threads64_", "openblas_get_num_threads64_"),
    ("openblas_set_num_threads", "openblas_get_num_threads"),
)


@contextlib.contextmanager
def one_thread_per_product() -> Iterator[int]:
    """Yield how many threads may well compute at once.

    That is the number of processors where numpy's BLAS could be told to use one thread a product
    (it is told to go back afterwards), else 1: then BLAS uses the processors itself.
    """
    control = _openblas()
    if control is None:
        yield 1
        return
    set_threads, get_threads = control
    before = get_threads()
    set_threads(1)
    try:
        yield _processors()
    finally:
        set_threads(before)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@functools.cache
def _openblas() -> tuple[Callable[[int], None], Callable[[], int]] | None:
    package = Path(np.__file__).parent
    # Where the wheels for Linux and Windows, and for macOS, keep the library that is loaded.
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            with contextlib.suppress(OSError):
                library = ctypes.CDLL(str(path))
                for set_name, get_name in _NAMES:
                    if hasattr(library, set_name) and hasattr(library, get_name):
                        set_threads = getattr(library, set_name)
                        set_threads.argtypes, set_threads.restype = [ctypes.c_int], None
                        get_threads = getattr(library, get_name)
                        get_threads.argtypes, get_threads.restype = [], ctypes.c_int
                        return set_threads, get_threads
    return None
