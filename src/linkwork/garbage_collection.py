"""Python's garbage collector, held while thousands of objects are made that all stay.

It looks for cycles every few hundred new objects, among all there are: a third of the time that a mechanism of 10,000
bodies takes to set up, for nothing found.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def uncollected(function: Callable[P, T]) -> Callable[P, T]:
    """The function with the collector held while it runs; where it is held already, nothing changes."""

    @wraps(function)
    def held(*args: P.args, **named: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **named)
        gc.disable()
        try:
            return function(*args, **named)
        finally:
            gc.enable()

    return held
