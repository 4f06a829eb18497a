"""Who looks on while runs go on: a function that is given every block of samples as it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

Onlooker = Callable[[Mapping[str, NDArray[np.float64]]], None]
_present: ContextVar[Onlooker | None] = ContextVar("onlooker", default=None)


@contextmanager
def looked_on(onlooker: Onlooker) -> Iterator[None]:
    """Runs of this thread inside the block, pilot runs of a plan as well, are shown to `onlooker`."""
    token = _present.set(onlooker)
    try:
        yield
    finally:
        _present.reset(token)


def show(block: Mapping[str, NDArray[np.float64]]) -> None:
    """Show a block: `time` (n,) s and `motion` (n, nb, 24), of which nothing may be changed."""
    onlooker = _present.get()
    if onlooker is not None and len(block["time"]):
        onlooker(block)
