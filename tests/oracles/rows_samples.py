"""Random tables of constraint rows and random states, for the tests of linkwork.kernels.rows.

Two bodies and ground (index 2). Every position-level kind stands between the bodies, between a body and ground,
and between ground and a body; ground has r = 0, A = I and is at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from linkwork.kernels.tables import ROW_KINDS, Rows

GROUND = 2
PAIRS = {
    "DP1": ((0, 1), (0, GROUND), (GROUND, 1)),
    "DP2": ((0, 1), (0, GROUND), (GROUND, 1)),
    "D": ((0, 1), (0, GROUND), (GROUND, 1)),
    "CD": ((0, 1), (0, GROUND), (GROUND, 1)),
    "ANGLE": ((0, 1), (0, GROUND), (GROUND, 1)),
    "PFAFFIAN": ((0, 1), (1, GROUND)),
    "KNIFE": ((0, GROUND), (1, GROUND)),
    "ROLL_HEIGHT": ((0, GROUND), (1, GROUND)),
    "ROLL_SLIP": ((0, GROUND), (1, GROUND)),
    "SCREW": ((0, 1), (0, GROUND), (GROUND, 1)),
}
VELOCITY_LEVEL = ("PFAFFIAN", "KNIFE", "ROLL_SLIP")  # said apart from `kernels.rows.kinds`, which is held against it


class Sample(NamedTuple):
    """Rows, their kinds by name, and a state."""

    rows: Rows
    kinds: tuple[str, ...]
    r: np.ndarray
    A: np.ndarray
    v: np.ndarray
    w: np.ndarray
    drive: np.ndarray
    lam: np.ndarray


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def sample(seed: int) -> Sample:
    """A table with every kind of row, and a state of its bodies that meets none of them."""
    rng = np.random.default_rng(seed)
    places = [(kind, i, j) for kind, pairs in PAIRS.items() for i, j in pairs]
    kinds = tuple(kind for kind, _, _ in places)
    nc = len(places)
    vectors = {name: rng.normal(size=(nc, 3)) for name in ("a_i", "b_i", "a_j", "s_i", "s_j", "n")}
    for k, kind in enumerate(kinds):
        if kind in ("ANGLE", "ROLL_HEIGHT", "ROLL_SLIP", "SCREW"):
            a, n = unit(vectors["a_i"][k]), unit(vectors["n"][k])
            if kind in ("ANGLE", "SCREW"):
                a = unit(a - (a @ n) * n)
                vectors["b_i"][k] = np.cross(n, a)
                vectors["a_j"][k] = unit(vectors["a_j"][k])
            vectors["a_i"][k], vectors["n"][k] = a, n
    rows = Rows(
        kind=np.array([ROW_KINDS.index(kind) for kind in kinds]),
        body_i=np.array([i for _, i, _ in places]),
        body_j=np.array([j for _, _, j in places]),
        **vectors,
        scalar=rng.uniform(0.2, 1.0, nc),
        nonholonomic=np.array([int(kind in VELOCITY_LEVEL) for kind in kinds]),
        program=np.full(nc, -1),
        constant=np.zeros(nc),
    )
    r, v, w = rng.normal(size=(3, 3, 3))
    A = Rotation.random(3, random_state=seed).as_matrix()
    r[GROUND], v[GROUND], w[GROUND], A[GROUND] = 0.0, 0.0, 0.0, np.eye(3)
    return Sample(rows, kinds, r, A.reshape(3, 9), v, w, rng.normal(size=(nc, 3)), rng.normal(size=nc))
