"""The start of a run: coordinates, rates and momenta of a mechanism that is assembled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from linkwork.formulations.recursive.articulated_inertia import ENTRY_OF, axis_of, eliminate_joints, set_rigid_inertias
from linkwork.formulations.recursive.closing_rows import row_times, set_closing_rows
from linkwork.formulations.recursive.double_double import extended_initial_momenta
from linkwork.formulations.recursive.link_transforms import inertia_to_parent, link_at, wrench_to_parent
from linkwork.formulations.recursive.loop_impulses import impulse_momenta
from linkwork.formulations.recursive.measured_links import MeasuredLinks, inertias_of, moved_by
from linkwork.formulations.recursive.state import set_link_frames
from linkwork.formulations.recursive.workspace import LINKS, RECURSION, RecursiveWork, new_workspace
from linkwork.kernels.couplings import INERTIA
from linkwork.kernels.jit import kernel
from linkwork.kernels.sincos import cosines_and_sines
from linkwork.kernels.spatial.inertias import add_to21, get21, rigid_times
from linkwork.kernels.spatial.vectors import add_to6, get6, put6
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.explicit import V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.solvers.admission import invertible
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.dense import NO_ROWS, Pose, drives, row_parts
from linkwork.system.links import Links, LinkTree, coordinates_at, links_of, set_rigid_bodies
from linkwork.system.links.coordinates import Measured
from linkwork.system.links.linktree import FIRST_ANGLE, FREEDOMS, HELICAL, REVOLUTE, SPHERICAL
from linkwork.system.links.single import Constants
from linkwork.system.packed import Tables

OK = int(Status.OK)


@kernel
def momenta_from_twists(links: Links, recursion: RecursiveWork) -> None:
    """joint_momentum p = E^T P, P = I V of whole branches; and joint_acceleration, as work space, E^T I E of whole
    branches with joints at rest: the inertia that each coordinate moves. Reads twist; articulated_bias and _inertia are
    work space."""
    n, acc, P, inertia = (
        links.kind.shape[0],
        recursion.articulated_inertia,
        recursion.articulated_bias,
        recursion.joint_acceleration,
    )
    set_rigid_inertias(links, recursion)
    for k in range(n):
        put6(P, k, rigid_times(links.rigid, k, 0, get6(recursion.twist, k)))
    for k in range(n - 1, -1, -1):
        link = link_at(links, recursion, k)
        kind, i, p = link.kind, link.dof, link.parent
        for j in range(FREEDOMS[kind]):
            turn, slide, about = axis_of(links, k, kind, j)
            recursion.joint_momentum[i + j] = turn * P[k, about] + slide * P[k, 5]
            inertia[i + j] = turn * turn * acc[k, ENTRY_OF[about][about]] + slide * slide * acc[k, 20]
            if slide != 0.0:
                inertia[i + j] += 2.0 * turn * slide * acc[k, ENTRY_OF[about][5]]
        if link.inner:
            add_to6(P, p, wrench_to_parent(links, recursion, k, link, get6(P, k)))
            add_to21(acc, p, inertia_to_parent(links, recursion, k, get21(acc, k)))


@kernel
def initial_momenta(links: Links, recursion: RecursiveWork) -> int:
    """`momenta_from_twists` at recursion.angle, whose cosines and sines are, to the last digit, those of the
    recursions."""
    cosines_and_sines(links.kind.shape[0], recursion.angle, recursion.cos, recursion.sin)
    momenta_from_twists(links, recursion)
    return 0


@kernel
def initial_extended_momenta(links: Links, recursion: RecursiveWork) -> int:
    """Initial momenta of twice the digits: `double_double.extended_initial_momenta` as an entry."""
    extended_initial_momenta(links, recursion)
    return 0


@kernel
def initial_rotor_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """joint_acceleration, as work space: what rotors with closing rows of their own add to the momenta, W^T I W u."""
    set_link_frames(links, recursion)
    status = set_closing_rows(tables, work, links, recursion)
    if status != 0:
        return status
    m, couplings = recursion.sigma.shape[0], recursion.couplings
    for k in range(recursion.held[0], m):
        inertia = couplings.number[couplings.number.shape[0] - m + k, INERTIA]
        recursion.sigma[k] = inertia * row_times(work, recursion, k, V, W)
    impulse_momenta(links, recursion, m)
    return 0


INITIAL_MOMENTA = direct_entry(initial_momenta, LINKS, RECURSION)
INITIAL_ROTOR_MOMENTA = direct_entry(initial_rotor_momenta, TABLES, WORK, LINKS, RECURSION)
INITIAL_EXTENDED_MOMENTA = direct_entry(initial_extended_momenta, LINKS, RECURSION)


class StartCalls:
    """Compiled code for starts of one problem. context : its table of addresses, which is handed over once."""

    def __init__(self, context: Ints) -> None:
        self.context = context

    @cached_property
    def momenta(self) -> Callable[[], int]:
        """`initial_momenta`."""
        return INITIAL_MOMENTA.code.bound(self.context)


def link_without_inertia(mechanism: CompiledMechanism, root: str | None, frames: str) -> str:
    """The name of a link in the tree with a freedom that moves nothing with inertia at the mechanism's pose; '' if
    there is none. By the recursions themselves, as plain Python."""
    if invertible(mechanism):
        return ""
    tree = links_of(mechanism, root, frames=frames)
    recursion = new_workspace(tree, mechanism.nb)
    set_initial_coordinates(mechanism, tree, recursion)
    recursion.cos[:], recursion.sin[:] = np.cos(recursion.angle), np.sin(recursion.angle)
    return "" if eliminate_joints(tree.links, recursion) == OK else tree.names[int(recursion.report[1])]


def set_initial_state(
    mechanism: CompiledMechanism,
    tree: LinkTree,
    recursion: RecursiveWork,
    calls: StartCalls,
    momenta: bool,
    plain: LinkTree | None = None,
    constants: Constants | None = None,
    measured: MeasuredLinks | None = None,
) -> None:
    """The mechanism's start as base: coordinates, rates or momenta; and what they are measured against. plain : the
    tree without rotors. constants : its, where they are known. measured : measures them by compiled code."""

    def otherwise() -> Floats:
        set_row_sizes(mechanism, tree, recursion, mechanism.system.bodies)
        return set_initial_coordinates(mechanism, tree, recursion, plain, constants).rate

    rate = otherwise() if measured is None else measured(mechanism, otherwise)
    if not momenta:
        recursion.base[tree.dofs :, 0] = rate
    set_initial_inertias(mechanism, tree, recursion, calls, momenta, rate)


def renew(
    plain: LinkTree,
    tree: LinkTree,
    recursion: RecursiveWork,
    calls: StartCalls,
    momenta: bool,
    mechanism: CompiledMechanism,
    bodies: Bodies,
) -> None:
    """The links' inertias and all that is worked out of them at the start, of other masses and inertias. plain, tree :
    without rotors, and with them."""
    for links in {id(one): one.links for one in (plain, tree)}.values():
        set_rigid_bodies(links, bodies)
    set_row_sizes(mechanism, tree, recursion, bodies)
    set_initial_inertias(mechanism, tree, recursion, calls, momenta, recursion.joint_rate)


def set_initial_inertias(
    mechanism: CompiledMechanism,
    tree: LinkTree,
    recursion: RecursiveWork,
    calls: StartCalls,
    momenta: bool,
    rate: Floats,
) -> None:
    """Momenta of these rates, and what increments are measured against, of links whose inertias are set."""
    d, held = tree.dofs, int(recursion.held[0])
    weights = [1.0 if unit == "rad" else 1.0 / mechanism.length for unit in tree.units]
    calls.momenta()
    of_momenta = weights
    if momenta:
        inertias = recursion.joint_acceleration.tolist()
        of_momenta = [one / moved if moved > 0.0 else one for one, moved in zip(weights, inertias, strict=True)]
    recursion.weights[:] = weights + of_momenta
    if momenta:
        recursion.base[d:, 0] = recursion.joint_momentum + recursion.rotor * rate
        if held < len(recursion.sigma):
            INITIAL_ROTOR_MOMENTA(calls.context)
            recursion.base[d:, 0] += recursion.joint_acceleration
    if len(recursion.double_double):
        INITIAL_EXTENDED_MOMENTA(calls.context)


def set_initial_coordinates(
    mechanism: CompiledMechanism,
    tree: LinkTree,
    recursion: RecursiveWork,
    plain: LinkTree | None = None,
    constants: Constants | None = None,
) -> Measured:
    """The mechanism's start as coordinates, which are set, and rates; returns these. plain : the tree without
    rotors. constants : its, where they are known."""
    found = coordinates_at(plain or tree, mechanism.r, mechanism.A, mechanism.v, mechanism.w, constants, FIRST_ANGLE)
    d, links = tree.dofs, tree.links
    recursion.base[:d, 0] = found.q
    recursion.base_pose[:], recursion.pose[:] = found.pose, found.pose
    recursion.twist[:], recursion.joint_rate[:] = found.twist, found.rate
    q, free = np.where(links.driver >= 0, found.driven, 0.0), (links.kind == REVOLUTE) | (links.kind == HELICAL)
    q[free] = found.q[links.dof[free]]
    about_z = links.kind < SPHERICAL
    recursion.angle[: len(q)] = links.angle_0 + links.turn_per_q * q
    recursion.z_shift[:-1] = np.where(about_z, links.z_shift_0 + links.slide_per_q * q, 0.0)
    return found


def set_row_sizes(mechanism: CompiledMechanism, tree: LinkTree, recursion: RecursiveWork, bodies: Bodies) -> None:
    """What closing rows are measured against."""
    if held := int(recursion.held[0]):
        recursion.row_size[:held] = free_row_norms(mechanism, tree.links.closing[:held], bodies)


def free_row_norms(mechanism: CompiledMechanism, rows: Ints, bodies: Bodies) -> Floats:
    """(m,) norms of rows of G M^-1/2 at the start, M of the bodies that they join as if these were free: what a row
    that the tree leaves nothing of is measured against. rows : of couplings, too, which are the last."""
    squares, (i, j), coupled = mechanism.once(("squares of rows", rows.tobytes()), lambda: row_squares(mechanism, rows))
    moved = moved_by(bodies, i, j)
    heavy = moved > 0.0
    total = np.add.reduce(np.divide(squares, moved, out=np.zeros(moved.shape), where=heavy), axis=0)
    if n := len(coupled):
        inertia = np.repeat(np.array(inertias_of(bodies)).T[:-1], 3, axis=1).ravel()
        total[len(total) - n :] = np.sum(coupled[:, inertia > 0.0] / inertia[inertia > 0.0], axis=1)
    found: Floats = np.where(total > 0.0, np.sqrt(total), 1.0)
    return found


def row_squares(mechanism: CompiledMechanism, rows: Ints) -> tuple[Floats, tuple[Ints, Ints], Floats]:
    """At the start: squares (4, m) of rows' parts for translation and rotation of body i, then of body j; these bodies;
    and squares of couplings' parts for all bodies."""
    if mechanism.squares is not None:
        squares, coupled = mechanism.squares[:, rows], NO_ROWS
    else:
        parts = row_parts(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))
        found = [np.sum(G[rows, at] ** 2, axis=1) for G in (parts.G_i, parts.G_j) for at in (slice(3), slice(3, 6))]
        squares, coupled = np.array(found), parts.coupled
    return squares, (mechanism.system.rows.body_i[rows], mechanism.system.rows.body_j[rows]), coupled**2
