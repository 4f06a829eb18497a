"""A product and a sum in one instruction.

Compilers fuse products with sums by themselves, save where a product goes into two sums; and of c a + s b they choose
which product waits for the other. Where that matters, kernels say what they want.
"""

from __future__ import annotations

from typing import Any


def fused(x: Any, y: Any, z: Any) -> Any:
    """x y + z. Compiled code (`kernels.numba_passes`) has one instruction for it where the processor has."""
    return x * y + z
