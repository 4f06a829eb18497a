"""Energies, reactions, power and constraint violations of recorded samples, compiled."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.kernels.formula import evaluate_drives
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate
from linkwork.kernels.records import Shape
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.vec3 import add, cross, dot, get3, neg, scale
from linkwork.status import Status
from linkwork.system.packed import Tables, programs_of, rows_of

OK = int(Status.OK)


class Scratch(NamedTuple):
    """One sample's state and rows, nb + 1 bodies (ground last)."""

    r: Annotated[Floats, Shape("nb + 1", 3), "m", "positions of bodies"]
    A: Annotated[Floats, Shape("nb + 1", 9), "rotation matrices"]
    v: Annotated[Floats, Shape("nb + 1", 3), "m/s", "velocities, global"]
    w: Annotated[Floats, Shape("nb + 1", 3), "rad/s", "angular velocities, body components"]
    drive: Annotated[Floats, Shape("nc", 3), "value and derivatives of each row's formula"]
    phi: Annotated[Floats, Shape("nc"), "residuals of rows"]
    nu: Annotated[Floats, Shape("nc"), "rates that rows prescribe"]
    G_i: Annotated[Floats, Shape("nc", 6), "the rows' parts for their first bodies"]
    G_j: Annotated[Floats, Shape("nc", 6), "the rows' parts for their second bodies"]
    stack: Annotated[Floats, Shape("depth", 3), "of formulas"]


class Joints(NamedTuple):
    """Which rows carry each element's reaction and where it acts."""

    start: Annotated[Ints, Shape("nj + 1"), "where each element's rows begin in `rows`"]
    rows: Annotated[Ints, Shape("n"), "numbers of rows"]
    body: Annotated[Ints, Shape("nj"), "on which it is reported"]
    point: Annotated[Floats, Shape("nj", 3), "m", "of that body"]


class Derived(NamedTuple):
    """The outputs, n samples."""

    force: Annotated[Floats, Shape("n", "nj", 3), "N", "reactions, global"]
    torque: Annotated[Floats, Shape("n", "nj", 3), "N m", "their torques, global"]
    kinetic: Annotated[Floats, Shape("n"), "J", "kinetic energy"]
    potential: Annotated[Floats, Shape("n"), "J", "potential energy"]
    power: Annotated[Floats, Shape("n"), "W", "of drivers, loads, actuators and dampers"]
    taken: Annotated[Floats, Shape("n"), "W", "what those of them take that take any, which others may give meanwhile"]
    position_violation: Annotated[Floats, Shape("n"), "largest residual of a row"]
    velocity_violation: Annotated[Floats, Shape("n"), "largest residual of a row's rate"]


@kernel
def load_state(s: Scratch, n: Any, position: Any, rotation: Any, velocity: Any, angular: Any) -> None:
    """Sample n of the recorded arrays into the scratch."""
    for b in range(position.shape[1]):
        for c in range(3):
            s.r[b, c] = position[n, b, c]
            s.v[b, c] = velocity[n, b, c]
            s.w[b, c] = angular[n, b, c]
            for d in range(3):
                s.A[b, 3 * c + d] = rotation[n, b, 3 * c + d]


@kernel
def row_velocity(s: Scratch, k: Any, i: Any, j: Any) -> Any:
    """G_k u, the rate of row k at given velocities."""
    total = 0.0
    for c in range(3):
        total += s.G_i[k, c] * s.v[i, c] + s.G_i[k, 3 + c] * s.w[i, c]
        total += s.G_j[k, c] * s.v[j, c] + s.G_j[k, 3 + c] * s.w[j, c]
    return total


@kernel
def reaction(tables: Any, s: Scratch, joints: Joints, e: Any, lam: Any, n: Any, out: Derived) -> None:
    """What element e exerts on its body (the second, or a driver's driven one), at its point there, global."""
    j = joints.body[e]
    A_j = get9(s.A, j)
    arm = rotate(A_j, get3(joints.point, e))
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for p in range(joints.start[e], joints.start[e + 1]):
        k = joints.rows[p]
        G = s.G_i if tables.row_int[k, 1] == j else s.G_j  # the row's part for that body
        f = scale(-lam[n, k], (G[k, 0], G[k, 1], G[k, 2]))
        about = rotate(A_j, scale(-lam[n, k], (G[k, 3], G[k, 4], G[k, 5])))
        force = add(force, f)
        torque = add(torque, add(about, cross(neg(arm), f)))
    for c in range(3):
        out.force[n, e, c] = force[c]
        out.torque[n, e, c] = torque[c]


@kernel
def kinetic_energy(tables: Any, s: Scratch) -> Any:
    """Sum of 1/2 m v.v + 1/2 omega.J omega."""
    total = 0.0
    for b in range(tables.body.shape[0] - 1):
        J = tables.body[b, 1:10]
        w, v = get3(s.w, b), get3(s.v, b)
        spin = (
            J[0] * w[0] + J[1] * w[1] + J[2] * w[2],
            J[3] * w[0] + J[4] * w[1] + J[5] * w[2],
            J[6] * w[0] + J[7] * w[1] + J[8] * w[2],
        )
        total += 0.5 * tables.body[b, 0] * dot(v, v) + 0.5 * dot(w, spin)
    return total


@kernel
def derive(
    tables: Tables, joints: Joints, s: Scratch, time: Any, position: Any, rotation: Any, velocity: Any, angular: Any,
    lam: Any, out: Derived,
) -> int:  # fmt: skip
    """Reactions, kinetic energy, energy of weight, power of drivers, and violations of a block. Returns OK."""
    nc = tables.row_int.shape[0]
    rows = rows_of(tables)
    for n in range(time.shape[0]):
        load_state(s, n, position, rotation, velocity, angular)
        evaluate_drives(programs_of(tables), rows.program, rows.constant, time[n], s.stack, s.drive)
        evaluate_rows(rows, s.r, s.A, s.drive, s.phi, s.G_i, s.G_j)
        rows_nu(rows, s.r, s.A, s.drive, s.nu)
        power, worst, worst_rate = 0.0, 0.0, 0.0
        for k in range(nc):
            rate = row_velocity(s, k, tables.row_int[k, 1], tables.row_int[k, 2])
            power -= lam[n, k] * s.nu[k]  # what the row prescribes; joints prescribe no motion and do no work
            worst = max(worst, abs(s.phi[k]))
            worst_rate = max(worst_rate, abs(rate - s.nu[k]))
        potential = 0.0
        for b in range(tables.body.shape[0] - 1):
            for c in range(3):
                potential -= tables.body[b, 0] * tables.gravity[c] * s.r[b, c]
        out.kinetic[n] = kinetic_energy(tables, s)
        out.potential[n] = potential
        out.power[n] = power
        out.taken[n] = max(-power, 0.0)
        out.position_violation[n] = worst
        out.velocity_violation[n] = worst_rate
        for e in range(joints.body.shape[0]):
            reaction(tables, s, joints, e, lam, n, out)
    return OK
