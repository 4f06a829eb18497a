"""Mechanisms with more rows than freedoms: benchmarks A02 and A04 of the IFToMM library."""

from __future__ import annotations

import numpy as np

import linkwork as lw


def n_four_bar(n: int) -> lw.Mechanism:
    """A02: n + 1 upright cranks and n couplers of 1 m and 1 kg, all hinges along z, gravity along -y, tips at 1 m/s.

    Twice a swing all bars lie in line and the mechanism has n freedoms more for an instant.
    """
    m = lw.Mechanism(f"{n}-four-bar", gravity=(0, -9.81, 0))
    for k in range(n + 1):
        m.body(
            f"crank {k}", mass=1, inertia=[1 / 12, 0, 1 / 12], position=(k, 0.5, 0), velocity=(0.5, 0, 0),
            angular_velocity=(0, 0, -1),
        )  # fmt: skip
    for k in range(n):
        m.body(f"coupler {k}", mass=1, inertia=[0, 1 / 12, 1 / 12], position=(k + 0.5, 1, 0), velocity=(1, 0, 0))
    for k in range(n + 1):
        m.joint(f"pivot {k}", "revolute", "ground", f"crank {k}", point=(k, 0, 0), axis=(0, 0, 1))
    for k in range(n):
        m.joint(f"left {k}", "revolute", f"crank {k}", f"coupler {k}", point=(k, 1, 0), axis=(0, 0, 1))
        m.joint(f"right {k}", "revolute", f"coupler {k}", f"crank {k + 1}", point=(k + 1, 1, 0), axis=(0, 0, 1))
    return m


BRICARD_POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
# where the hinge between bars 2 and 3 is at these times [s], to the 8 digits published with the benchmark
BRICARD_PATH = {0.5: (0.77471781, -0.97981505, -0.19990616), 1.0: (0.27448132, -0.88670794, -0.46233000)}


def bricard() -> lw.Mechanism:
    """A04: a closed loop of six hinges, five bars of 1 m, 1 kg and 0.1 m square section; mobility one, although 30 rows
    stand against 30 coordinates."""
    m = lw.Mechanism("bricard", gravity=(0, -9.81, 0))
    along, across = (0.1**2 + 0.1**2) / 12, (1 + 0.1**2) / 12
    for k in range(5):
        start, end = BRICARD_POINTS[k], BRICARD_POINTS[k + 1]
        d = end - start
        m.body(
            f"bar {k}",
            mass=1,
            inertia=(across - (across - along) * d * d).tolist(),
            position=((start + end) / 2).tolist(),
        )
    names = ["ground", *(f"bar {k}" for k in range(5)), "ground"]
    for k, axis in enumerate(["y", "z", "x", "y", "z", "x"]):
        direction = [float(c == axis) for c in "xyz"]
        m.joint(f"hinge {k}", "revolute", names[k], names[k + 1], point=BRICARD_POINTS[k].tolist(), axis=direction)
    return m
