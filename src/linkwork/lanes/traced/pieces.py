"""Tables of numbers in a recorded step: pieces are selected in the place of `kernels.curves.jet_curve`.

Compiled kernels search for the piece that holds, and a recorded step can follow no search: it would hold for one piece
alone. It compares with the beginning of every piece, and selects coefficients in halves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.curves import jet_curve as searched
from linkwork.kernels.jets import Jet
from linkwork.kernels.tables import Curves, Floats
from linkwork.lanes.traced.numbers import Traced, selected

MOST = 256  # pieces of a table, each of which costs six operations; longer ones hold for the piece that was met


def jet_curve(curves: Curves, c: int, u: Jet) -> Jet:
    """Curve c of u, with its two derivatives."""
    low, high = int(curves.start[c]), int(curves.start[c + 1]) - 1
    if not isinstance(u[0], Traced) or high - low >= MOST:
        return searched(curves, c, u)
    held = [of_piece(curves.piece, column, low, high, u[0]) for column in range(5)]
    return searched(curves._replace(start=np.array([0, 1]), piece=np.array([held], dtype=object)), 0, u)


def of_piece(piece: Floats, column: int, low: int, high: int, x: Traced) -> Any:
    """What stands in this column of the last of these pieces that begins at x or before; of the first if none does."""
    if low == high:
        return piece[low, column]
    middle = (low + high + 1) // 2
    before, behind = of_piece(piece, column, low, middle - 1, x), of_piece(piece, column, middle, high, x)
    return selected(x >= piece[middle, 0], behind, before)
