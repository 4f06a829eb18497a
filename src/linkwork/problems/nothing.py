"""The entry that is called where there is nothing to do."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.problems.entry import entry


@kernel
def nothing() -> int:
    """What a mechanism does not need: returns 0, an OK."""
    return 0


NOTHING = entry(nothing)
