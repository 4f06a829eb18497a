"""Linear algebra of NumPy and SciPy on one thread, where matrices are small.

OpenBLAS starts a thread per core for matrices of a hundred rows, and these threads wait for each other longer than
they compute: a check of 21 bodies with redundant loops took 6 s of processor time on two cores instead of 0.6 s. The
number of threads is a function of OpenBLAS that NumPy's and SciPy's own wheels export under one of a few names; where
it is not found (other BLAS libraries, Windows) nothing changes but the time.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import Any

_PREFIXES, _SUFFIXES = ("scipy_openblas_", "openblas_"), ("64_", "")
_USERS = ("numpy.linalg._umath_linalg", "scipy.linalg._fblas")  # modules that are linked with an OpenBLAS each

Threads = tuple[Callable[[], int], Callable[[int], Any]]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra on one thread, and on as many as before afterwards. SciPy's is held if it is loaded already."""
    before: list[tuple[Callable[[int], Any], int]] = []
    for get, put in loaded():
        count = get()
        if count != 1:
            before.append((put, count))
            put(1)
    try:
        yield
    finally:
        for put, count in before:
            put(count)


def loaded() -> list[Threads]:
    """What reads and sets the number of threads of each OpenBLAS that is in use here."""
    files = [getattr(sys.modules.get(name), "__file__", None) for name in _USERS]
    return [found for file in files if file is not None and (found := _functions(file)) is not None]


@cache
def _functions(file: str) -> Threads | None:
    """Those of the OpenBLAS that an extension module is linked with; None without one."""
    try:
        library = ctypes.CDLL(file)  # loaded already
    except OSError:
        return None
    for prefix, suffix in product(_PREFIXES, _SUFFIXES):
        try:
            get, put = (getattr(library, f"{prefix}{word}_num_threads{suffix}") for word in ("get", "set"))
        except AttributeError:
            continue
        get.restype, put.argtypes = ctypes.c_int, (ctypes.c_int,)
        return get, put
    return None
