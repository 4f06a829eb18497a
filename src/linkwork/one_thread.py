"""NumPy's linear algebra on one thread, where matrices are small.

OpenBLAS starts a thread per core for matrices of a hundred rows, and these threads wait for each other longer than
they compute: a check of 21 bodies with redundant loops took 6 s of processor time on two cores instead of 0.6 s. The
number of threads is a function of OpenBLAS that NumPy's own wheels export under one of a few names; where it is not
found (other BLAS libraries, Windows) nothing changes but the time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import Any

import numpy as np

_PREFIXES, _SUFFIXES = ("scipy_openblas_", "openblas_"), ("64_", "")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra of NumPy on one thread, and on as many as before afterwards."""
    found = _functions()
    if found is None:
        yield
        return
    get, put = found
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    """What reads and sets the number of threads of the OpenBLAS that NumPy is linked with; None without one."""
    try:
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)  # loaded already
    except (AttributeError, OSError):
        return None
    for prefix, suffix in product(_PREFIXES, _SUFFIXES):
        try:
            get, put = (getattr(library, f"{prefix}{word}_num_threads{suffix}") for word in ("get", "set"))
        except AttributeError:
            continue
        get.restype, put.argtypes = ctypes.c_int, (ctypes.c_int,)
        return get, put
    return None
