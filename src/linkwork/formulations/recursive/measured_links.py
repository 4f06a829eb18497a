"""Joint coordinates and rates at a start by compiled code, with the bits of `system.links.coordinates_at`, and sizes of
closing rows, with those of `free_row_norms`.

For trees in which one revolute or spherical joint, one slide or nothing leads to each body, none of them driven: the
usual ones. Every operation is that of `system.links.single`, rounded by itself. It is asked from the 24th start on that
a problem is placed at, and before that compared with the code in Python, bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.formulations.recursive.workspace import LINKS, RECURSION, RecursiveWork
from linkwork.kernels.compiling import purpose
from linkwork.kernels.jit import exact_kernel, exactly, large_exact_kernel
from linkwork.kernels.mat33 import IDENTITY, get9, matmul, matmul_t, rotate, rotate_t, transpose
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.spatial.vectors import put6
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.kernels.vec3 import add, cross, dot, get3, put3, scale, sub
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.system import CompiledMechanism
from linkwork.system.links import Links, LinkTree
from linkwork.system.links.linktree import FIRST_ANGLE, FIXED, HELICAL, REVOLUTE, SPHERICAL
from linkwork.system.links.single import constants_of

SEVERAL = 24  # starts, until compiled code is asked
SET = (
    "base",
    "base_pose",
    "pose",
    "twist",
    "joint_rate",
    "angle",
    "z_shift",
    "row_size",
)  # what a start sets of `RecursiveWork`
exact_matmul, exact_matmul_t, exact_rotate, exact_rotate_t = map(exactly, (matmul, matmul_t, rotate, rotate_t))
exact_cross, exact_dot, exact_add, exact_scale, exact_sub = map(exactly, (cross, dot, add, scale, sub))


class LinkFrames(NamedTuple):
    """A start of a mechanism, and where its links are then. Ground is the last body, and the last link."""

    r: Annotated[Floats, Shape("nb + 1", 3), "m", "positions of bodies"]
    A: Annotated[Floats, Shape("nb + 1", 9), "their rotation matrices"]
    v: Annotated[Floats, Shape("nb + 1", 3), "m/s", "velocities, global"]
    w: Annotated[Floats, Shape("nb + 1", 3), "rad/s", "angular velocities, body components"]
    R: Annotated[Floats, Shape("n + 1", 9), "rotation matrices of links' frames"]
    p: Annotated[Floats, Shape("n + 1", 3), "m", "their origins"]
    squares: Annotated[Floats, Shape("m", 4), "of closing rows' parts: translation, rotation of body i, then body j"]
    moved: Annotated[Floats, Shape("m", 4), "kg, kg m^2", "masses and mean moments of inertia that these move"]


(FRAMES,) = slots(LinkFrames, table=1)


@exact_kernel
def put9(table: Any, k: int, m: Any) -> None:
    """Write the first nine columns of row k."""
    for c in range(9):
        table[k, c] = m[c]


@exact_kernel
def before_joint(links: Links, k: int) -> Any:
    """(R, p) of what stands before the elementary joint of link k."""
    if links.is_general[k] == 1:
        return get9(links.fixed, k), (links.fixed[k, 9], links.fixed[k, 10], links.fixed[k, 11])
    c, s = links.x_cos[k], links.x_sin[k]
    return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c), (links.x_shift[k], 0.0, 0.0)


@large_exact_kernel
def measure_link(links: Links, recursion: RecursiveWork, s: LinkFrames, k: int) -> None:
    """Coordinate, rate, frame and twist of link k, whose parent is measured."""
    kind, parent, b, i = links.kind[k], links.parent[k], links.body[k], links.dof[k]
    place, at = get9(links.body_frame, k), (links.body_frame[k, 9], links.body_frame[k, 10], links.body_frame[k, 11])
    T = exact_matmul(get9(s.A, b), transpose(place))
    origin = exact_sub(get3(s.r, b), exact_rotate(T, at))
    base_R, base_p = get9(s.R, parent), get3(s.p, parent)
    before_R, before_p = before_joint(links, k)
    Q = exact_matmul(base_R, before_R)
    z = (Q[2], Q[5], Q[8])
    p = exact_add(base_p, exact_rotate(base_R, before_p))
    angle, shift, turn, slide = links.angle_0[k], links.z_shift_0[k], links.turn_per_q[k], links.slide_per_q[k]
    q = 0.0
    if kind == SPHERICAL:
        turned = exact_matmul_t(Q, T)
        R = exact_matmul(Q, turned)
        j = links.pose_index[k]
        put9(recursion.pose, j, turned)
        recursion.pose[j, 9], recursion.pose[j, 10], recursion.pose[j, 11] = 0.0, 0.0, 0.0
        for c in range(12):
            recursion.base_pose[j, c] = recursion.pose[j, c]
        recursion.angle[k], recursion.z_shift[k] = angle + turn * q, 0.0
    else:
        if kind == REVOLUTE:
            x, y, tx, ty = (Q[0], Q[3], Q[6]), (Q[1], Q[4], Q[7]), (T[0], T[3], T[6]), (T[1], T[4], T[7])
            found = math.atan2(exact_dot(y, tx) - exact_dot(x, ty), exact_dot(x, tx) + exact_dot(y, ty))
            q = ((found - angle) / turn - FIRST_ANGLE) % (2.0 * math.pi) + FIRST_ANGLE
        elif kind == HELICAL:
            q = exact_dot(z, exact_sub(origin, exact_add(p, exact_scale(shift, z)))) / slide
        recursion.angle[k], recursion.z_shift[k] = angle + turn * q, shift + slide * q
        if kind == REVOLUTE:
            angle += turn * q
        p = exact_add(p, exact_scale(shift + slide * q, z))
        cos, sin = math.cos(angle), math.sin(angle)
        R = (
            cos * Q[0] + sin * Q[1], cos * Q[1] - sin * Q[0], Q[2], cos * Q[3] + sin * Q[4], cos * Q[4] - sin * Q[3],
            Q[5], cos * Q[6] + sin * Q[7], cos * Q[7] - sin * Q[6], Q[8],
        )  # fmt: skip
    put9(s.R, k, R)
    put3(s.p, k, p)
    above = recursion.twist
    w = exact_rotate(base_R, (above[parent, 0], above[parent, 1], above[parent, 2]))
    u = exact_rotate(base_R, (above[parent, 3], above[parent, 4], above[parent, 5]))
    omega = exact_rotate_t(R, w)
    moved = exact_rotate_t(R, exact_add(u, exact_cross(w, exact_sub(p, base_p))))
    if kind == FIXED:
        put6(above, k, (omega[0], omega[1], omega[2], moved[0], moved[1], moved[2]))
        return
    spin = exact_rotate(place, get3(s.w, b))
    if kind == SPHERICAL:
        put6(above, k, (spin[0], spin[1], spin[2], moved[0], moved[1], moved[2]))
        recursion.joint_rate[i], recursion.joint_rate[i + 1], recursion.joint_rate[i + 2] = exact_sub(spin, omega)
        return
    speed = exact_sub(exact_rotate_t(R, get3(s.v, b)), exact_cross(spin, at))
    rate = (turn * (spin[2] - omega[2]) + slide * (speed[2] - moved[2])) / (turn * turn + slide * slide)
    recursion.base[i, 0], recursion.joint_rate[i] = q, rate
    put6(above, k, (omega[0], omega[1], omega[2] + turn * rate, moved[0], moved[1], moved[2] + slide * rate))


@large_exact_kernel
def measure_links(links: Links, recursion: RecursiveWork, s: LinkFrames) -> int:
    """Coordinates, rates, frames and twists of all links, parents first."""
    n = links.kind.shape[0]
    put9(s.R, n, IDENTITY)
    for c in range(6):
        recursion.twist[n, c] = 0.0
    for i in range(recursion.joint_rate.shape[0]):  # those of spherical joints stay
        recursion.base[i, 0] = 0.0
    for k in range(n):
        measure_link(links, recursion, s, k)
    for k in range(s.squares.shape[0]):
        total = 0.0
        for c in range(4):
            total += s.squares[k, c] / s.moved[k, c] if s.moved[k, c] > 0.0 else 0.0
        recursion.row_size[k] = math.sqrt(total) if total > 0.0 else 1.0
    return 0


MEASURE_LINKS = direct_entry(measure_links, LINKS, RECURSION, FRAMES)


def inertias_of(bodies: Bodies) -> tuple[Floats, Floats]:
    """Masses, and mean moments of inertia."""
    return bodies.mass, np.add.reduce(bodies.inertia[:, ::4], axis=1) / 3.0


def moved_by(bodies: Bodies, i: Ints, j: Ints) -> Floats:
    """(4, m) masses and mean moments of inertia of the bodies i, then of the bodies j."""
    mass, inertia = inertias_of(bodies)
    return np.array((mass[i], inertia[i], mass[j], inertia[j]))


class MeasuredLinks:
    """Starts of one problem whose links may lie elsewhere, too.

    context : its table of addresses. plain : whether all links are of kinds that compiled code knows.
    """

    def __init__(self, mechanism: CompiledMechanism, tree: LinkTree, recursion: RecursiveWork, context: Any) -> None:
        self.nb, self.tree, self.recursion, self.context, self.asked = mechanism.nb, tree, recursion, context, 0
        self.closing = tree.links.closing[: int(recursion.held[0])]
        self.bodies: Bodies | None = None  # whose inertias stand in `frames`

    @cached_property
    def plain(self) -> bool:
        """Whether all links are of kinds that compiled code knows, and carry bodies; and it was found to be right."""
        constants = constants_of(self.tree)
        return all(constants.simple) and all(len(group) == 1 for group in constants.groups)

    @cached_property
    def frames(self) -> LinkFrames:
        """Where the bodies are, and what is found of the links."""
        return new_record(LinkFrames, nb=self.nb, n=len(self.tree.links.kind), m=len(self.closing))

    @cached_property
    def measure(self) -> Callable[[], int]:
        """Compiled code that does so."""
        with purpose("consistent starts"):
            return MEASURE_LINKS.code.bound(self.context, address_table((self.frames,)))

    def __call__(self, mechanism: CompiledMechanism, otherwise: Callable[[], Floats]) -> Floats:
        """Set coordinates and rates of the mechanism's start, and sizes of rows; returns the rates (d,).

        otherwise : does the same."""
        squares, bodies = mechanism.squares, mechanism.system.bodies
        self.asked += 1
        if self.asked < SEVERAL or not self.plain or squares is None:
            self.asked = min(self.asked, SEVERAL - 1)
            return otherwise()
        wanted = [otherwise(), *self._set()] if self.asked == SEVERAL else []
        s = self.frames
        s.r[:], s.A[:], s.v[:], s.w[:] = mechanism.r, mechanism.A, mechanism.v, mechanism.w
        s.squares.T[:] = squares[:, self.closing]
        if bodies is not self.bodies:
            ends = mechanism.system.rows
            s.moved.T[:] = moved_by(bodies, ends.body_i[self.closing], ends.body_j[self.closing])
            self.bodies = None if bodies.mass.flags.writeable else bodies
        self.measure()
        rate = self.recursion.joint_rate.copy()
        if wanted and [one.tobytes() for one in (rate, *self._set())] != [one.tobytes() for one in wanted]:
            self.plain = False
            return otherwise()
        return rate

    def _set(self) -> list[Floats]:
        """Copies of what a start sets."""
        return [getattr(self.recursion, name).copy() for name in SET]
