"""A mechanism that makes no mechanical sense and has one of everything: every kind of row between every pair of
bodies it may stand between, loads in both axes, springs, dampers and actuators, some with formulas of time.

For tests of derivatives, which do not mind that its rows contradict each other.
"""

from __future__ import annotations

import numpy as np
from oracles.rows_samples import OVALS, PAIRS
from scipy.spatial.transform import Rotation

from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.rows.kinds import KINDS, NUMBER
from linkwork.kernels.tables import ROW_KINDS
from linkwork.mechanism.elements import function_of_time
from linkwork.mechanism.lowered import (
    Lowered,
    LoweredBody,
    LoweredElement,
    LoweredLoad,
    Row,
)
from linkwork.mechanism.profiles import Profile
from linkwork.system import CompiledMechanism, compile_mechanism

NB = 3
# the pairs of rows_samples, where 2 is ground, and one more body coupled to the others
PLACES = [(kind, *(-1 if b == 2 else b for b in pair)) for kind, pairs in PAIRS.items() for pair in pairs] + [
    ("DP1", 2, 0), ("DP2", 1, 2), ("D", 2, 1), ("CD", 0, 2), ("ANGLE", 1, 2), ("PFAFFIAN", 2, 0), ("KNIFE", 2, -1),
    ("ROLL_HEIGHT", 2, -1), ("ROLL_SLIP", 2, -1), ("SCREW", 2, 1),
]  # fmt: skip
TOUCHING = ("CONTACT", "CONTACT_SLIP")
PROFILES = tuple(table for points in OVALS for table in Profile(points=points).lowered())
FORMULAS = (0.3, "0.2 + 0.1*sin(3*t)", "0.5*cos(t) - t^2/7")


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def everything(seed: int, *, position_rows_only: bool = False, profiles: bool = True) -> CompiledMechanism:
    """The mechanism; with `position_rows_only` it has six rows for each body, all at position level.

    profiles : rows of profiles that touch, too, which some oracles do not know (`unit/test_cam_pairs.py` holds those).
    """
    rng = np.random.default_rng(seed)

    def vector():
        return tuple(rng.normal(size=3).tolist())

    def f(k: int):
        return function_of_time(FORMULAS[k % 3])

    places = PLACES
    if position_rows_only:
        places = [p for p in PLACES if p[0] in ("DP1", "DP2", "D", "CD", "ANGLE", "ROLL_HEIGHT", "SCREW")][: 6 * NB]
    if not profiles:
        places = [p for p in places if p[0] not in TOUCHING]
    rows: list[Row] = []
    for k, (kind, i, j) in enumerate(places):
        if kind in TOUCHING:
            made = KINDS[NUMBER[kind]].example(np.random.default_rng((seed, k)))  # leaves the other numbers as they are
            vectors = {name: tuple(np.asarray(made[name], dtype=float)) for name in VECTORS}
            about = Row(kind, f"{kind} {k}", f"{kind} {k}", i, j, **vectors, f=f(k), profiles=PROFILES)
            rows.append(about)
            continue
        a_i, b_i, a_j, n = (np.array(vector()) for _ in range(4))
        if kind in ("ANGLE", "ROLL_HEIGHT", "ROLL_SLIP", "SCREW"):
            a_i, n, a_j = unit(a_i), unit(n), unit(a_j)
        if kind in ("ANGLE", "SCREW"):
            a_i = unit(a_i - (a_i @ n) * n)
            b_i = np.cross(n, a_i)
        rows.append(
            Row(
                kind=kind,
                name=f"{kind} {k}",
                owner=f"{kind} {k}",
                body_i=i,
                body_j=j,
                a_i=tuple(a_i),
                b_i=tuple(b_i),
                a_j=tuple(a_j),
                s_i=vector(),
                s_j=vector(),
                n=tuple(n),
                scalar=float(rng.uniform(0.2, 1.0)),
                f=f(k),
            )
        )
    bodies = []
    for b in range(NB):
        root = rng.normal(size=(3, 3))
        bodies.append(
            LoweredBody(
                name=f"body {b}",
                mass=float(rng.uniform(0.5, 2.0)),
                inertia=root @ root.T,  # full, and no two moments equal
                position=rng.normal(size=3),
                rotation=Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix(),
                velocity=rng.normal(size=3),
                angular_velocity=rng.normal(size=3),
            )
        )
    loads = [
        LoweredLoad(f"load {k}", k % NB, vector(), body_axes, torque, (f(k), f(k + 1), f(k + 2)))
        for k, (body_axes, torque) in enumerate([(False, False), (True, False), (False, True), (True, True)])
    ]
    pairs = [(0, 1), (-1, 2), (1, -1), (2, 0)]
    springs = [
        LoweredElement("SPRING", f"spring {k}", i, j, 3.0 + k, 0.4 + k, 0.7, f(k), s_i=vector(), s_j=vector())
        for k, (i, j) in enumerate(pairs)
    ]
    torsions = []
    for k, (i, j) in enumerate(pairs):
        n = unit(np.array(vector()))
        a_i, a_j = np.array(vector()), np.array(vector())
        a_i = unit(a_i - (a_i @ n) * n)
        torsions.append(
            LoweredElement(
                "TORSION",
                f"torsion {k}",
                i,
                j,
                2.0 + k,
                0.3 + k,
                0.2,
                f(k),
                a_i=tuple(a_i),
                b_i=tuple(np.cross(n, a_i)),
                a_j=tuple(unit(a_j)),
                n=tuple(n),
            )
        )
    lowered = Lowered(
        name="everything",
        gravity=np.array([0.3, -0.2, -9.81]),
        bodies=tuple(bodies),
        rows=tuple(rows),
        joints=(),
        loads=tuple(loads),
        elements=(*springs, *torsions),
    )
    compiled = compile_mechanism(lowered)
    if not position_rows_only and profiles:
        assert set(compiled.system.rows.kind) == set(range(len(ROW_KINDS)))
    return compiled
