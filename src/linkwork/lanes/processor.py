"""How many lanes this processor carries, and what stands against them."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from linkwork.errors import UsageError
from linkwork.shipped.processor import levels

WIDTH = "LINKWORK_LANES"
WIDTHS = (2, 4, 8)


@cache
def width() -> int:
    """Lanes of one register: 8 with AVX-512, else 4. LINKWORK_LANES says otherwise. Raises UsageError if that is none
    of 2, 4 and 8."""
    said = os.environ.get(WIDTH, "")
    if said:
        if said not in map(str, WIDTHS):
            raise UsageError(f"{WIDTH} is {said!r}, not 2, 4 or 8.", remedy="Leave it out: the processor decides.")
        return int(said)
    return 8 if "x86-64-v4" in levels() else 4


def no_compiler() -> str:
    """Why nothing can be compiled for lanes, in words; nothing if it can."""
    if find_spec("numba") is None:
        return "Numba is not installed, and no code for lanes comes with linkwork"
    return ""
