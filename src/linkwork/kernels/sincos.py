"""Cosines and sines of many angles at once.

Compiled code takes them from polynomials, several angles in one instruction; Python, which may have complex numbers or
numbers that count, from NumPy.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels.jit import compiled_for, kernel
from linkwork.kernels.tables import Floats

LANES = 8  # angles that compiled code takes side by side: two vector instructions of four numbers
FAR = 1e5  # rad: beyond, the parts of pi / 2 below leave too little
TWO_OVER_PI = 2.0 / np.pi
# pi / 2 in two parts, the first with so few digits that its products with whole numbers are exact
HALF_PI = float.fromhex("0x1.921fb544p+0")
HALF_PI_REST = 6.077100506506192e-11
ROUND = 6755399441055744.0  # 1.5 * 2^52: what is added to it loses its fraction, to the nearest whole number

# sin y = y + y^3 (S[0] + S[1] y^2 + ...), cos y = 1 - y^2 / 2 + y^4 (C[0] + C[1] y^2 + ...), minimax (Remez) for
# |y| <= pi / 4: to 2^-57 of y, and 2^-59
S = (
    -0.16666666666666632, 0.008333333333322424, -0.00019841269829816522, 2.755731369506965e-06, -2.5050758627586645e-08,
    1.5896826378983546e-10,
)  # fmt: skip
C = (
    0.0416666666666666, -0.0013888888888874138, 2.480158728949134e-05, -2.7557314355094627e-07, 2.0875723663659185e-09,
    -1.1359668754188887e-11,
)  # fmt: skip


def cosines_and_sines(n: int, angle: Floats, cos: Floats, sin: Floats) -> None:
    """Cosines and sines of n angles (rad) into cos and sin, to within one unit of the last digit. The arrays may be
    longer: with a multiple of `LANES` all angles are taken side by side."""
    for k in range(n):
        cos[k], sin[k] = np.cos(angle[k]), np.sin(angle[k])


@compiled_for(cosines_and_sines)
def fast_cosines_and_sines(n: int, angle: Floats, cos: Floats, sin: Floats) -> None:
    """`cosines_and_sines`, of all that the arrays hold, without branches; again where an angle is far away or not
    finite."""
    far = 0
    for k in range(angle.shape[0]):
        cos[k], sin[k] = cosine_and_sine(angle[k])
        far += not abs(angle[k]) <= FAR
    if far > 0:
        for k in range(n):
            cos[k], sin[k] = np.cos(angle[k]), np.sin(angle[k])


@kernel
def cosine_and_sine(x: float) -> tuple[float, float]:
    """Cosine and sine of x = quarters * pi / 2 + y, y and what rounding takes from it; by y, then by the quadrant."""
    quarters = (x * TWO_OVER_PI + ROUND) - ROUND
    near = x - quarters * HALF_PI
    y = near - quarters * HALF_PI_REST
    rest = (near - y) - quarters * HALF_PI_REST
    z, half = y * y, 0.5 * (y * y)
    series = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])))
    s = y - ((z * (0.5 * rest - z * y * series) - rest) - z * y * S[0])
    series = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))))
    c = (1.0 - half) + (((1.0 - (1.0 - half)) - half) + (z * series - y * rest))
    quadrant = quarters - 4.0 * ((0.25 * quarters - 0.375 + ROUND) - ROUND)
    odd = (quadrant == 1.0) | (quadrant == 3.0)
    a, b = chosen(odd, s, c), chosen(odd, c, s)
    return signed(a, (quadrant == 0.0) | (quadrant == 3.0)), signed(b, quadrant < 2.0)


@kernel
def signed(x: float, plus: bool) -> float:
    """x where `plus` is true, else -x; no branch."""
    return x if plus else -x


@kernel
def chosen(first: bool, a: float, b: float) -> float:
    """a where `first` is true, else b; no branch."""
    return a if first else b
