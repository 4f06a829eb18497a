"""Making the explicit problem of a recursive formulation: links, arrays at the start, entries."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from linkwork.formulations.recursive import workspace as o
from linkwork.kernels.dense_qr import row_factors
from linkwork.problems.explicit import BASE, COEFFICIENTS, LENGTH, MOTION, A, ExplicitProblem, R, V, W, Work
from linkwork.solvers.choice import invertible
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.links import LinkTree, coordinates_at, links_of
from linkwork.system.links.coordinates import Measured
from linkwork.system.links.linktree import (
    BALL,
    DOF,
    DRIVE,
    KIND,
    PER_SLIDE,
    PER_TURN,
    SCREW,
    SHIFT_0,
    TURN,
)
from linkwork.system.torsions import start_angles

HERE = "linkwork.formulations.recursive"
MANY = 32  # freedoms: with fewer, rounding of momenta takes little from the rates
PLANNED = ("flags", "size")  # belong to how a problem was made: not taken over by one that is made otherwise


@dataclass(frozen=True)
class Tree:
    """The solver as reports see it, and the links with their names."""

    name: str
    report: Any
    tree: LinkTree
    own: o.Own
    arrays: tuple[Any, ...] = ()
    shares: Any = None
    undetermined: Any = None


def build_recursive(
    mechanism: CompiledMechanism,
    name: str,
    *,
    droppable: bool,
    pose_tolerance: float,
    root: str | None,
    frames: str,
    growing: bool = False,
) -> ExplicitProblem:
    """name : 'articulated_body' or 'canonical', the compiled files' names. growing : sigma is not taken out."""
    from linkwork.problems.dependent import new_dependence
    from linkwork.problems.sparse_redundancy import is_wide

    tree = links_of(mechanism, root, frames=frames)
    system = mechanism.system
    forced = bool(len(system.loads.body) or len(system.springs.body_i) or len(system.torsions.body_i))
    loops = len(tree.links.closing)
    driven = bool(np.any(tree.links.what[:, DRIVE] >= 0))
    kinds = "whole" if forced or loops or driven or len(system.programs.start) > 1 else "tree"
    fine = name == "canonical" and not loops and not driven and tree.dofs >= MANY
    work, own = new_arrays(mechanism, tree, forced=forced, droppable=droppable, growing=growing, fine=fine)
    factors = row_factors(loops, tree.dofs)
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    nothing = import_module("linkwork.problems.nothing").NOTHING
    entries = import_module(f"{HERE}.compiled_{name}_{kinds}")
    apply, present = nothing, entries.present
    if forced and name == "articulated_body":
        apply = import_module(f"{HERE}.compiled_{name}_forces").apply
    if fine:
        present = import_module(f"{HERE}.compiled_fine_{kinds}").present
    elif kinds == "whole" and is_wide(dependent.wide):
        present = import_module(f"{HERE}.compiled_{name}_wide").present
    shared = (*tree.links, *import_module(f"{HERE}.context").OWN.arrays(own), *factors)
    make_context = import_module("linkwork.problems.explicit_context").make_context
    context = make_context(mechanism.tables, work, dependent, (), shared)
    measure_start(mechanism, tree, own, context, name == "canonical")
    return ExplicitProblem(
        mechanism=mechanism,
        work=work,
        context=context,
        own=tuple(array for name, array in zip(own._fields, own, strict=True) if name not in PLANNED),
        extra=own.extra,
        dependence=dependent,
        droppable=droppable,
        forced=forced,
        weight=own.measure,
        set_state=entries.place,
        apply=apply,
        detect_redundant_rows=import_module(f"{HERE}.compiled_choose").seek if droppable and loops else nothing,
        factorise=entries.factorise,
        solve=entries.solve,
        rhs=entries.slope,
        accept_step=entries.settle,
        retract=entries.shift if loops else nothing,
        output=present,
        remembers=False,
        bases=(own.base, own.base_pose) if loops else (),
        momenta=own.base[tree.dofs :] if loops and name == "canonical" else np.zeros((0, 2)),
        solves_extra=False,
        solver=Tree(name, own.report, tree, own, shared),
        evaluate=getattr(entries, "evaluate", None),
    )


def new_arrays(
    mechanism: CompiledMechanism, tree: LinkTree, *, forced: bool, droppable: bool, growing: bool, fine: bool
) -> tuple[Work, o.Own]:
    """Work space and own arrays, flags set."""
    nb, nc, d = mechanism.nb, mechanism.nc, tree.dofs
    system, links = mechanism.system, tree.links
    own = o.new_own(tree, nb, fine=fine)
    work = Work(
        motion=np.zeros((nb + 1, MOTION)), base=np.zeros((0, BASE)), twist=np.zeros((0, 6)), row=np.zeros((nc, 6)),
        G=np.zeros((nc, 12)), J=np.zeros((0, 12)), e=np.zeros((nb + 1, 6)), f=np.zeros((0, 6)), eta=np.zeros(0),
        x=np.zeros((0, 6)), lam=np.zeros(nc), psi=np.zeros(2 * d), slope=np.zeros(2 * d), size=np.ones(2 * d),
        coef=np.zeros(COEFFICIENTS), group=np.zeros(nb + 1, dtype=np.int64),
        load_values=np.zeros((len(system.loads.body), 3)), spring_values=np.zeros(len(system.springs.body_i)),
        torsion_values=np.zeros(len(system.torsions.body_i)), torsion_angles=start_angles(mechanism),
        stack=np.zeros((max(1, int(system.programs.depth[0])), 3)),
    )  # fmt: skip
    work.coef[LENGTH] = mechanism.length
    m = work.motion
    m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = (
        mechanism.r, mechanism.A, mechanism.v, mechanism.w,
    )  # fmt: skip
    work.row[:, 0] = system.rows.constant
    own.row_int[:], own.row_data[:] = mechanism.tables.row_int[links.closing], mechanism.tables.row[links.closing]
    own.flags[o.WEIGHT] = bool(np.any(system.gravity != 0.0))
    own.flags[o.FORCED] = forced
    own.flags[o.DEPENDENT], own.flags[o.GROWING] = droppable, growing
    return work, own


def link_without_inertia(mechanism: CompiledMechanism, root: str | None, frames: str) -> str:
    """The name of a link in the tree with a freedom that moves nothing with inertia at the mechanism's pose; '' if
    there is none. By the recursions themselves, as plain Python."""
    from linkwork.formulations.recursive.eliminate import OK, eliminate

    if invertible(mechanism):
        return ""
    tree = links_of(mechanism, root, frames=frames)
    own = new_arrays(mechanism, tree, forced=False, droppable=False, growing=False, fine=False)[1]
    stand_at_start(mechanism, tree, own)
    own.cos[:], own.sin[:] = np.cos(own.angle), np.sin(own.angle)
    return "" if eliminate(tree.links, own) == OK else tree.names[int(own.report[1])]


def measure_start(mechanism: CompiledMechanism, tree: LinkTree, own: o.Own, context: Any, momenta: bool) -> None:
    """The mechanism's start into own: coordinates, rates or momenta, and what they are measured against."""
    found = stand_at_start(mechanism, tree, own)
    d = tree.dofs
    if len(own.size):
        own.size[:] = row_weights(mechanism, tree.links.closing)
    length = np.array([1.0 if unit == "rad" else 1.0 / mechanism.length for unit in tree.units])
    import_module(f"{HERE}.compiled_start").gather(context)
    inertia = own.second.copy()
    own.measure[:d] = own.measure[d:] = length
    if momenta:
        own.measure[d:] /= np.where(inertia > 0.0, inertia, 1.0)
    own.base[d:, 0] = own.momentum if momenta else found.rate
    if len(own.fine):
        import_module(f"{HERE}.compiled_start").gather_finely(context)


def stand_at_start(mechanism: CompiledMechanism, tree: LinkTree, own: o.Own) -> Measured:
    """The mechanism's start into own, as coordinates and rates; returns these."""
    found = coordinates_at(tree, mechanism.r, mechanism.A, mechanism.v, mechanism.w)
    d, screw = tree.dofs, tree.links.screw
    own.base[:d, 0] = found.q
    own.base_pose[:], own.pose[:] = found.pose, found.pose
    own.V[:], own.rate[:] = found.twist, found.rate
    one = tree.links.what[:, KIND] < BALL
    q = np.where(tree.links.what[:, DRIVE] >= 0, found.held, 0.0)
    free = np.isin(tree.links.what[:, KIND], (TURN, SCREW))
    q[free] = found.q[tree.links.what[free, DOF]]
    own.angle[: len(q)] = tree.links.angle_0 + screw[:, PER_TURN] * q
    own.now[:-1, o.D] = np.where(one, screw[:, SHIFT_0] + screw[:, PER_SLIDE] * q, 0.0)
    return found


def row_weights(mechanism: CompiledMechanism, rows: Any) -> Any:
    """(m,) of rows: the norm of G M^-1/2 at the start, M of the bodies that they join. What a row that the tree leaves
    nothing of is measured against."""
    parts = row_parts(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))
    bodies, total = mechanism.system.bodies, np.zeros(len(rows))
    mass = bodies.mass
    moment = np.trace(bodies.inertia.reshape(-1, 3, 3), axis1=1, axis2=2) / 3.0
    for G, body in ((parts.G_i, mechanism.system.rows.body_i), (parts.G_j, mechanism.system.rows.body_j)):
        b = body[rows]
        for part, inertia in ((G[rows, :3], mass[b]), (G[rows, 3:], moment[b])):
            total += np.where(inertia > 0.0, np.sum(part**2, axis=1) / np.where(inertia > 0.0, inertia, 1.0), 0.0)
    return np.where(total > 0.0, np.sqrt(total), 1.0)
