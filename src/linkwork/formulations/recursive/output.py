"""What is recorded of a placed state: motion of all bodies, multipliers of all rows, joint coordinates and momenta.

This is the recovery pass: slopes of `canonical` need no accelerations, and neither formulation needs reactions.
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import eliminate
from linkwork.formulations.recursive.impulses import take_from
from linkwork.formulations.recursive.place import place_bodies, place_frames
from linkwork.formulations.recursive.velocities import move_bodies
from linkwork.formulations.recursive.whole import (
    accelerate_bodies,
    accelerate_tree,
    apply_forces,
    close_loops,
    share_wrenches,
)
from linkwork.formulations.recursive.workspace import DEPENDENT, FORCED
from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.table import evaluate_rows
from linkwork.kernels.so3 import log_so3
from linkwork.kernels.tuple_access import at3, at9
from linkwork.problems.dependent import share_densely
from linkwork.problems.explicit import CARE, A, R
from linkwork.problems.implicit import DRIVE, PHI
from linkwork.status import Status
from linkwork.system.links.linktree import BALL, DOF, HELD, KIND, SLIDES, TURNED
from linkwork.system.packed import rows_of

OK = int(Status.OK)


@kernel
def present_tree_rates(tables: Any, work: Any, links: Any, own: Any) -> int:
    """Of a tree whose slopes have found accelerations already."""
    place_frames(links, own)
    place_bodies(work, links, own)
    move_bodies(work, links, own)
    present_bodies(tables, work, links, own)
    return OK


@kernel
def present_tree_momenta(tables: Any, work: Any, links: Any, own: Any) -> int:
    """Of a tree whose accelerations have to be found first."""
    eliminate(links, own)
    accelerate_tree(tables, links, own, False)
    return present_tree_rates(tables, work, links, own)


@kernel
def present_rates(tables: Any, work: Any, links: Any, own: Any) -> int:
    """With closing rows or applied forces; accelerations are there."""
    present_bodies(tables, work, links, own)
    for k in range(own.sigma.shape[0]):
        work.lam[links.closing[k]] = own.sigma[k]
    return OK


@kernel
def share(tables: Any, work: Any, own: Any, dependent: Any) -> int:
    """Of multipliers that are not unique, those of least norm. (Large mechanisms: `share_sparsely`.)"""
    if own.flags[DEPENDENT] == 1:
        share_densely(tables, work, dependent, work.row[:, PHI])
    return OK


@kernel
def present_momenta(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """With closing rows or applied forces; accelerations have to be found first."""
    forced = own.flags[FORCED] == 1
    if forced:
        apply_forces(tables, work, links, own)
    accelerate_tree(tables, links, own, forced)
    if own.sigma.shape[0] > 0:
        close_loops(tables, work, links, own, factors)
    status = present_rates(tables, work, links, own)
    if own.sigma.shape[0] > 0 and work.coef[CARE] > 0.0:
        let_react(work, links, own)
    return int(status)


@kernel
def let_react(work: Any, links: Any, own: Any) -> None:
    """Beside a rank loss slopes are wanted of momenta that reactions change: p' - Phi_q^T lambda."""
    take_from(links, own)
    d = own.rate.shape[0]
    for i in range(d):
        work.slope[d + i] -= own.second[i]


@kernel
def present_bodies(tables: Any, work: Any, links: Any, own: Any) -> None:
    """Accelerations of bodies, multipliers of the rows in the tree, coordinates."""
    m, row = work.motion, work.row
    accelerate_bodies(tables, work, links, own)
    evaluate_rows(
        rows_of(tables), m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3], row[:, PHI], work.G[:, 0:6],
        work.G[:, 6:12],
    )  # fmt: skip
    share_wrenches(work, links, own)
    keep_coordinates(work, links, own)


@kernel
def keep_coordinates(work: Any, links: Any, own: Any) -> None:
    """own.extra: coordinates (of ball joints: the rotation vector), rates, momenta."""
    d, width = own.rate.shape[0], own.extra.shape[1]
    for k in range(links.what.shape[0]):
        kind, i, b = links.what[k, KIND], links.what[k, DOF], links.what[k, TURNED]
        if kind == BALL:
            x = log_so3(at9(own.pose, b, 0))
            for c in range(3):
                put(own.extra, width, i + c, x[c])
        elif kind == SLIDES:
            x = at3(own.pose, b, 9)
            for c in range(3):
                put(own.extra, width, i + c, x[c])
        elif kind != HELD:
            put(own.extra, width, i, own.base[i, 0] + work.psi[i])
    for i in range(d):
        put(own.extra, width, d + i, own.rate[i])
        put(own.extra, width, 2 * d + i, own.momentum[i])


@kernel
def put(table: Any, width: Any, i: Any, x: Any) -> None:
    """Entry i of a table read row by row."""
    table[i // width, i % width] = x
