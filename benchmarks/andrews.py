"""Andrews' squeezer: seven bodies in one plane, three loops, a spring, angular accelerations of 1e4 rad/s^2 and more.

G. P. Andrews, M. K. Ormrod: Advent: a simulation program for constrained planar kinematic and dynamic systems, 1986; E.
Hairer, G. Wanner: Solving Ordinary Differential Equations II, VII.7; W. Schiehlen (ed.): Multibody Systems Handbook,
1990. The numbers, and the end computed by PSIDE with tolerances of 1e-14, are those of the Test Set for Initial
Value Problem Solvers (F. Mazzia, C. Magherini, release 2.4, problem "andrews").

q = (beta, Theta, gamma, Phi, delta, Omega, epsilon) are the paper's angles; body k turns with `angles(q)[k]`. Nothing
weighs: there is no gravity. `examples/andrews_squeezer.yaml` is `mechanism()`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]
T_END = 0.03  # s
MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # kg
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # kg m^2
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])  # m
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD = 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
STIFFNESS, REST, TORQUE = 4530.0, 0.07785, 0.033  # N/m, m, N m
START: Array = np.array([
    -0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
    0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568,
])  # fmt: skip
END: Array = np.array([
    15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
    0.5244099658805304, 0.5347301163226948, 1.048080741042263,
])  # fmt: skip
END_RATES: Array = np.array([
    1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385,
    0.5735699284790808, -19.29337464421385, 0.3231791658026955,
])  # fmt: skip
SUMS: Array = np.array([  # each body's angle, of q
    [1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0],
    [0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1],
], dtype=float)  # fmt: skip


def along(angle: float, x: float, y: float) -> Array:
    """(x, y) of a body turned by an angle, in the plane."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * x - s * y, s * x + c * y])


def angles(q: Array) -> Array:
    """Of the seven bodies [rad]; with rates in place of q their rates."""
    return np.asarray(SUMS @ q)


def centres(q: Array) -> Array:
    """(7, 2) centres of mass [m]."""
    t = angles(q)
    elbow, tip = A + along(t[4], ZT, 0.0), A + along(t[6], 0.0, -U)
    return np.array([
        along(t[0], RA, 0.0),
        along(t[0], RR, 0.0) - along(t[1], DA, 0.0),
        B + along(t[2], SB, -SA),
        elbow + along(t[3], 0.0, EA - E),
        A + along(t[4], TA, TB),
        tip + along(t[5], ZF - FA, 0.0),
        A + along(t[6], UA, -UB),
    ])  # fmt: skip


def mechanism() -> lw.Mechanism:
    """At the start, at rest; z is normal to the plane."""
    t, r = angles(START), centres(START)
    mech = lw.Mechanism("Andrews' squeezer", gravity=[0.0, 0.0, 0.0])
    for k in range(7):
        c, s = float(np.cos(t[k])), float(np.sin(t[k]))
        mech.body(f"K{k + 1}", mass=MASS[k], inertia=[INERTIA[k]] * 3, position=[*map(float, r[k]), 0.0],
                  rotation=[[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])  # fmt: skip
    pins = {
        "O": ("ground", "K1", np.zeros(2)),
        "crank pin": ("K1", "K2", along(t[0], RR, 0.0)),
        "B": ("ground", "K3", B),
        "P of K3": ("K2", "K3", B + along(t[2], 0.0, -SS)),
        "A of K5": ("ground", "K5", A),
        "elbow": ("K5", "K4", A + along(t[4], ZT, 0.0)),
        "P of K4": ("K2", "K4", B + along(t[2], 0.0, -SS)),
        "A of K7": ("ground", "K7", A),
        "tip": ("K7", "K6", A + along(t[6], 0.0, -U)),
        "P of K6": ("K2", "K6", B + along(t[2], 0.0, -SS)),
    }
    for name, (first, second, point) in pins.items():
        at = [*map(float, point), 0.0]
        mech.joint(name, "revolute", first, second, point=at, axis=[0.0, 0.0, 1.0])
    held = [*map(float, B + along(t[2], SD, -SC)), 0.0]
    mech.force("spring", "spring", first="ground", second="K3", point=[*map(float, C), 0.0], point2=held,
               stiffness=STIFFNESS, damping=0.0, length=REST)  # fmt: skip
    mech.force("drive", "torque", body="K1", axes="global", components=[0.0, 0.0, TORQUE])
    return mech
