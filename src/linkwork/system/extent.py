"""How large a mechanism is: a length typical of it, and its own extent, wherever it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.force_laws import laws
from linkwork.kernels.rows.kinds import CONSTANT, NAMES, ROTATION_ALONE
from linkwork.kernels.tables import Bodies, System

Array = NDArray[np.float64]
IS_CONSTANT = np.isin(np.arange(len(NAMES)), CONSTANT)  # by kind of row
HAS_POINTS = ~np.isin(np.arange(len(NAMES)), (*CONSTANT, *ROTATION_ALONE))
SPRING = laws.NUMBER["SPRING"]
AROUND = 2.0  # times a mechanism's own extent: as far as the origin of coordinates is counted in
FAR = 100.0  # times the length, at most, that coordinates are away by: tolerances stay above their rounding
OF_WIDEST = 1e-5  # of the largest radius of gyration: what points are apart by is no size of a mechanism below it, but
# rounding; masses that are tried with other values, down to a millionth, do not reach it


def spread_of(r: Array) -> tuple[float, float]:
    """How far bodies (nb + 1, 3) are from each other at most [m]: with ground, which is the last, and without."""
    whole = float(np.linalg.norm(np.ptp(r, axis=0)))
    return whole, float(np.linalg.norm(np.ptp(r[:-1], axis=0))) if len(r) > 2 else 0.0


def lengths_of(system: System, r: Array, A: Array, spread: tuple[float, float] | None = None) -> tuple[float, float]:
    """`CompiledMechanism.length` and `extent` [m] of a start pose, ground last; 1 m where nothing has an extent.

    A rotor whose centre is a rounding error away from its axis is as large as its body is (`OF_WIDEST`).
    spread : `spread_of` r, where it is known."""
    rows, nb = system.rows, len(r) - 1
    whole, around = spread or spread_of(r)
    squares = np.concatenate([rows.s_i, rows.s_j])
    squares = np.add.reduce(squares * squares, axis=1).reshape(2, -1)
    squares[:, IS_CONSTANT[rows.kind]] = 0.0
    size = max(whole, math.sqrt(float(np.maximum.reduce(squares, axis=None, initial=0.0))))
    if not size > 0.0:
        return 1.0, 1.0
    if size < OF_WIDEST * (widest := _widest(system.bodies)):
        places = _places(system, r, A)
        size = max(widest, float(np.linalg.norm(np.ptp(places, axis=0))))
        return size, size
    on_bodies = np.stack([rows.body_i, rows.body_j]) < nb
    on_one = float(np.maximum.reduce(squares, axis=None, initial=0.0, where=on_bodies))  # of a body, at least
    around = max(around, math.sqrt(on_one))
    if AROUND * around >= size:
        return size, size
    places = _places(system, r, A)
    box = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0
    extent = min(size, AROUND * max(box, _widest(system.bodies))) if box > 0.0 else size
    return max(extent, size / FAR), extent


class Reach:
    """`lengths_of` mechanisms that differ in points of some rows, to the same bits: those of others are looked at once.

    rows : these, by number. points : which of theirs these are, as (0 on the first body or 1 on the second, row); all
    if None."""

    def __init__(
        self, system: System, r: Array, A: Array, rows: Sequence[int], points: Sequence[tuple[int, int]] | None = None
    ) -> None:
        self.r, self.A, self.spread = r, A, spread_of(r)
        nb, table = len(r) - 1, system.rows
        counted = [k for k in rows if not IS_CONSTANT[table.kind[k]]]
        both = table.body_i, table.body_j
        every = [(side, k, bool(bodies[k] < nb)) for k in counted for side, bodies in enumerate(both)]
        self.sides = [one for one in every if points is None or one[:2] in points]
        others = ~IS_CONSTANT[table.kind]
        others[list(rows)] = False
        self.bodies, self.least = system.bodies, OF_WIDEST * _widest(system.bodies)
        self.largest = self.on_one = 0.0
        sides = table.s_i, table.s_j
        for ends, bodies in zip(sides, both, strict=True):
            for (x, y, z), on_body in zip(ends[others].tolist(), (bodies[others] < nb).tolist(), strict=True):
                self._look(x, y, z, on_body)
        for side, k, on_body in set(every) - set(self.sides):
            x, y, z = sides[side][k].tolist()
            self._look(x, y, z, on_body)

    def of(self, system: System) -> tuple[float, float]:
        """Length and extent [m] of one of these."""
        largest, on_one = self.largest, self.on_one
        points = system.rows.s_i, system.rows.s_j
        for side, k, on_body in self.sides:
            x, y, z = points[side][k].tolist()
            square = x * x + y * y + z * z
            largest, on_one = max(largest, square), max(on_one, square) if on_body else on_one
        whole, around = self.spread
        size, around = max(whole, math.sqrt(largest)), max(around, math.sqrt(on_one))
        least = self.least if system.bodies is self.bodies else OF_WIDEST * _widest(system.bodies)
        if size > 0.0 and size >= least and AROUND * around >= size:
            return size, size
        return lengths_of(system, self.r, self.A, self.spread)

    def _look(self, x: float, y: float, z: float, on_body: bool) -> None:
        square = x * x + y * y + z * z
        self.largest, self.on_one = max(self.largest, square), max(self.on_one, square) if on_body else self.on_one


def _widest(bodies: Bodies) -> float:
    """The largest radius of gyration about a body's centre [m]."""
    known = bodies.mass > 0.0
    moments = bodies.inertia[known][:, [0, 4, 8]].sum(axis=1)
    return float(np.sqrt(np.max(0.5 * moments / bodies.mass[known], initial=0.0)))


def _places(system: System, r: Array, A: Array) -> Array:
    """(n, 3) m, global: where bodies are, and the points of joints and of springs."""
    rows, elements = system.rows, system.elements
    joined, springs = HAS_POINTS[rows.kind], elements.law == SPRING
    ends = (
        (rows.body_i, rows.s_i, joined),
        (rows.body_j, rows.s_j, joined),
        (elements.body_i, elements.s_i, springs),
        (elements.body_j, elements.s_j, springs),
    )
    body = np.concatenate([bodies[used] for bodies, _, used in ends])
    local = np.concatenate([points[used] for _, points, used in ends])
    points = r[body] + np.einsum("kij,kj->ki", A[body].reshape(-1, 3, 3), local)
    return np.concatenate([r[:-1], points])
