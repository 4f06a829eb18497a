"""Tables of numbers as functions: piecewise cubics, with their first two derivatives.

Curve c has the pieces start[c] ... start[c + 1] - 1. Piece p is a cubic in u - x[p] with the coefficients of row p; it
holds from x[p] to x[p + 1]. The first piece is what lies before the table, the last what lies behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.kernels.jets import Jet, chain
from linkwork.kernels.jit import kernel

if TYPE_CHECKING:
    from linkwork.kernels.tables import Curves


@kernel
def jet_curve(curves: Curves, c: int, u: Jet) -> Jet:
    """Curve c of u, with its two derivatives."""
    low, high = curves.start[c], curves.start[c + 1] - 1
    while low < high:  # the last piece that begins at u or before; the first begins nowhere
        middle = (low + high + 1) // 2
        if curves.piece[middle, 0] <= u[0].real:
            low = middle
        else:
            high = middle - 1
    d = u[0] - curves.piece[low, 0]
    c0, c1, c2, c3 = curves.piece[low, 1], curves.piece[low, 2], curves.piece[low, 3], curves.piece[low, 4]
    return chain(u, c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + d * 3.0 * c3), 2.0 * c2 + 6.0 * c3 * d)


def value_of(curves: Any, c: int, u: float) -> float:
    """Curve c at a number."""
    return float(jet_curve(curves, c, (u, 0.0, 0.0))[0])
