"""Places in arrays that are not negative, so that compiled code need not ask whether to count from the end."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel

MOST = 2**31 - 1


@kernel
def natural(k: Any) -> Any:
    """k, which is not negative. Compiled code then knows: of places it would count those below zero from the end."""
    return k & MOST
