"""Random tables of constraint rows and random states, for the tests of linkwork.kernels.rows.

Two bodies and ground (index 2). Every position-level kind stands between the bodies, between a body and ground,
and between ground and a body; ground has r = 0, A = I and is at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.rows.kinds import KINDS, NUMBER
from linkwork.kernels.tables import Curves, Rows
from linkwork.mechanism.profiles import Profile

GROUND = 2
EVERYWHERE, TO_GROUND = ((0, 1), (0, GROUND), (GROUND, 1)), ((0, GROUND), (1, GROUND))
PAIRS = {kind.name: TO_GROUND if kind.ground_only else EVERYWHERE for kind in KINDS}
VELOCITY_LEVEL = (
    "PFAFFIAN",
    "KNIFE",
    "ROLL_SLIP",
    "CONTACT_SLIP",
)  # said apart from `kernels.rows.kinds`, which is held against it


def oval(n: int, a: float, b: float) -> list[list[float]]:
    """n points of a curve that is no circle, about 2 a by 2 b wide."""
    angles = 2 * np.pi * np.arange(n) / n
    size = 1 + 0.1 * np.sin(angles) + 0.05 * np.cos(2 * angles)
    return np.column_stack([a * size * np.cos(angles), b * size * np.sin(angles)]).tolist()


OVALS = (oval(20, 0.13, 0.1), oval(9, 0.1, 0.14))  # the profiles of rows that have some


def curves_of(points: tuple[list[list[float]], ...]) -> Curves:
    """Closed profiles as tables."""
    made = [table for some in points for table in Profile(points=some).lowered()]
    start = np.cumsum([0, *(len(table.pieces) for table in made)])
    return Curves(start, np.array([piece for table in made for piece in table.pieces]))


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


def sample(seed: int) -> Sample:
    """A table with every kind of row, and a state of its bodies that meets none of them."""
    rng = np.random.default_rng(seed)
    places = [(kind, i, j) for kind, pairs in PAIRS.items() for i, j in pairs]
    kinds = tuple(kind for kind, _, _ in places)
    nc = len(places)
    examples = [KINDS[NUMBER[kind]].example(rng) for kind in kinds]
    columns = {name: np.array([one[name] for one in examples]) for name in (*VECTORS, "scalar")}
    rows = Rows(
        kind=np.array([NUMBER[kind] for kind in kinds]),
        body_i=np.array([i for _, i, _ in places]),
        body_j=np.array([j for _, _, j in places]),
        **columns,
        nonholonomic=np.array([int(kind in VELOCITY_LEVEL) for kind in kinds]),
        program=np.full(nc, -1),
        constant=np.zeros(nc),
        curves=curves_of((*OVALS, oval(7, 0.1, 0.1))),
    )
    r, v, w = rng.normal(size=(3, 3, 3))
    A = Rotation.random(3, random_state=seed).as_matrix()
    r[GROUND], v[GROUND], w[GROUND], A[GROUND] = 0.0, 0.0, 0.0, np.eye(3)
    return Sample(rows, kinds, r, A.reshape(3, 9), v, w, rng.normal(size=(nc, 3)), rng.normal(size=nc))
