"""The validation case of section 6: two bars on two ball joints, beside the classical Lagrange equations.

The shipped mechanism is the paper's; step, method and span, which the paper does not name, are ours. `Reference` holds
angles integrated from eq. 26 and all multipliers in closed form from them; nothing of the runs enters it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies.published import published
from linkwork.studies.runs import Runs

Array = NDArray[Any]

MODEL = "dumitriu2015_double_pendulum"
FORMULATION = "rotation-matrix"
BARS = ("bar 1", "bar 2")
T_END, STEP, METHOD = 10.0, 1e-3, "rk4"
PUBLISHED = published("dumitriu2015")
m, l, a = (PUBLISHED["case"].value(name) for name in ("mass_kg", "length_m", "width_m"))
g = 9.81  # m/s^2; the paper gives no value
PHI0, PSI0 = (float(np.radians(PUBLISHED["case"].value(name))) for name in ("phi_deg", "psi_deg"))
C = m * (l * l + a * a) / 12  # kg m^2, about z0
LONGEST = 0.005  # s, a step of the reference: keeps its error and that of its dense output below 1e-12 rad


@dataclass(frozen=True)
class Reference:
    """What must come out at the times (nt,): along x0 y0 z0, with R_i = I at the start.

    angle : (nt, 2) phi, psi. rate, acceleration : their derivatives.
    """

    time: Array
    angle: Array
    rate: Array
    acceleration: Array

    def bar(self, k: int) -> tuple[Array, Array]:
        """(nt, 3) unit vectors along bar k and across it."""
        c, s = np.cos(self.angle[:, k]), np.sin(self.angle[:, k])
        return np.stack([c, s, 0 * c], axis=1), np.stack([-s, c, 0 * c], axis=1)

    def joint_multipliers(self) -> tuple[Array, Array]:
        """Lambda_01 and Lambda_12 (nt, 3) N: what bar 1 does to ground, bar 2 to bar 1, by Newton's law."""
        half = [
            0.5 * l * (self.acceleration[:, k, None] * across - self.rate[:, k, None] ** 2 * along)
            for k, (along, across) in enumerate(map(self.bar, (0, 1)))
        ]
        weight = np.array([m * g, 0.0, 0.0])
        on_2 = m * (2.0 * half[0] + half[1]) - weight
        on_1 = m * half[0] - weight + on_2
        return -on_1, -on_2

    def multiplier_matrix(self, k: int) -> Array:
        """Lambda of bar k (nt, 3, 3) N m, S K - R^T Z [Dumitriu 2015, eqs. 17, 22] written in the bar's own axes."""
        first, second = self.joint_multipliers()
        pull = np.sum((first + second if k == 0 else second) * self.bar(k)[0], axis=1)
        w, alpha = self.rate[:, k], self.acceleration[:, k]
        stress = np.zeros((w.size, 3, 3))
        stress[:, 0, 0] = -(w**2) * m * l * l / 12 - 0.5 * l * pull
        stress[:, 0, 1] = stress[:, 1, 0] = -alpha * m * a * a / 12
        stress[:, 1, 1] = -(w**2) * m * a * a / 12
        c, s = np.cos((PHI0, PSI0)[k]), np.sin((PHI0, PSI0)[k])
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        turned: Array = turn @ stress @ turn.T
        return turned


def accelerations(y: Array) -> Array:
    """(phiddot, psiddot) at y = (phi, psi, phidot, psidot) [Dumitriu 2015, eq. 26]."""
    phi, psi, dphi, dpsi = y
    c, s, half = np.cos(phi - psi), np.sin(phi - psi), 0.5 * m * l * l
    first, both, second = C + 2.5 * half, half * c, C + 0.5 * half
    P = -half * s * dpsi**2 - 1.5 * m * g * l * np.sin(phi)
    Q = half * s * dphi**2 - 0.5 * m * g * l * np.sin(psi)
    found: Array = np.array([second * P - both * Q, first * Q - both * P]) / (first * second - both * both)
    return found


@cache
def reference(t_end: float = T_END, n: int = round(T_END / STEP)) -> Reference:
    """At n + 1 equidistant times."""
    from scipy.integrate import solve_ivp

    def rates(_: float, y: Array) -> Array:
        return np.concatenate((y[2:], accelerations(y)))

    time, start = np.linspace(0.0, t_end, n + 1), np.array([PHI0, PSI0, 0.0, 0.0])
    tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-15, "max_step": LONGEST}
    y = solve_ivp(rates, (0.0, t_end), start, t_eval=time, **tight).y
    return Reference(time, y[:2].T, y[2:].T, accelerations(y).T)


def run(
    runs: Runs, step: float = STEP, method: str = METHOD, t_end: float = T_END, n: int = 10_000, **options: Any
) -> Result:
    """A run of the mechanism that keeps n samples besides the start."""
    return runs.simulate(MODEL, t_end, step, FORMULATION, method, every=round(t_end / step / n), **options)


def angles(result: Result) -> Array:
    """(nt, 2) phi and psi from the directions of the bars [Dumitriu 2015, eq. 27, without its T2*]."""
    along = result["rotation"][:, :, :, 0]
    found: Array = np.arctan2(along[:, :, 1], along[:, :, 0])
    return found


def angle_error(result: Result) -> Array:
    """(nt,) rad, the larger of the two."""
    wanted = reference(float(result.time[-1]), result.time.size - 1).angle
    off: Array = np.abs(angles(result) - wanted).max(axis=1)
    return off


def out_of_plane(result: Result) -> float:
    """The largest component along z0 of positions [m] and of the bars' axes in the plane [1]."""
    A = result["rotation"]
    return float(
        max(np.abs(result["position"][..., 2]).max(), np.abs(A[..., 2, :2]).max(), np.abs(A[..., :2, 2]).max())
    )


def largest(values: Any) -> float:
    """The largest magnitude."""
    return float(np.abs(np.asarray(values)).max())
