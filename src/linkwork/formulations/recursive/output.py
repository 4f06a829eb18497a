"""What is recorded of a state: motion of all bodies, multipliers of all rows, joint coordinates, rates and momenta.

This is the recovery pass: the rates of momenta need no accelerations, and no slope needs reactions.
"""

from __future__ import annotations

from linkwork.formulations.recursive.articulated_inertia import eliminate_joints
from linkwork.formulations.recursive.dynamics import (
    apply_wrenches,
    body_accelerations,
    loop_accelerations,
    tree_accelerations,
)
from linkwork.formulations.recursive.joint_multipliers import joint_multipliers
from linkwork.formulations.recursive.loop_impulses import impulse_momenta
from linkwork.formulations.recursive.state import set_body_poses, set_link_frames
from linkwork.formulations.recursive.velocities import set_body_velocities
from linkwork.formulations.recursive.workspace import FACTORS, LINKS, RECURSION, RecursiveWork
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.table import evaluate_rows
from linkwork.kernels.so3 import log_so3
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.tables import Floats
from linkwork.problems.dependent import Dependent, share_densely, share_sparsely
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, R, Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.implicit import DRIVE, PHI
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, SPHERICAL, TRANSLATION
from linkwork.system.packed import Tables, rows_of

OK = int(Status.OK)


@kernel
def output_tree_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Bodies' motion, multipliers and coordinates of an open tree whose accelerations the slope has found."""
    set_link_frames(links, recursion)
    set_body_poses(work, links, recursion)
    set_body_velocities(work, links, recursion)
    output_bodies(tables, work, links, recursion)
    return OK


@kernel
def output_tree_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """`output_tree_rates` where accelerations have to be found first."""
    eliminate_joints(links, recursion)
    tree_accelerations(tables, links, recursion, False)
    return output_tree_rates(tables, work, links, recursion)


@kernel
def output_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Output with closing rows, drivers or applied forces, whose accelerations the slope has found; sigma are the
    multipliers of rows that hold."""
    output_bodies(tables, work, links, recursion)
    for k in range(recursion.held[0]):
        work.lam[links.closing[k]] = recursion.sigma[k]
    return OK


@kernel
def minimum_norm_multipliers(tables: Tables, work: Work, recursion: RecursiveWork, dependent: Dependent) -> int:
    """Of multipliers that are not unique, those of least norm. (Large mechanisms: `share_sparsely`.)"""
    if recursion.may_depend[0] == 1:
        share_densely(tables, work, dependent, work.row[:, PHI])
    return OK


@kernel
def output_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """`output_rates` where accelerations have to be found first."""
    forced = recursion.has_forces[0] == 1
    if forced:
        apply_wrenches(tables, work, links, recursion)
    tree_accelerations(tables, links, recursion, forced)
    if recursion.sigma.shape[0] > 0:
        loop_accelerations(tables, work, links, recursion, factors)
    status = output_rates(tables, work, links, recursion)
    if recursion.sigma.shape[0] > 0 and work.request.least_independence[0] > 0.0:
        subtract_reactions(work, links, recursion)
    return int(status)


@kernel
def subtract_reactions(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """Beside a rank loss the slope is asked of momenta without impulses: pdot - Phi_q^T lambda, in work.psi_rate."""
    impulse_momenta(links, recursion, recursion.held[0])
    d = recursion.joint_rate.shape[0]
    for i in range(d):
        work.psi_rate[d + i] -= recursion.joint_acceleration[i]


@kernel
def output_bodies(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> None:
    """Accelerations of bodies, work.lam of rows in the tree, and `output_coordinates`."""
    m, row = work.motion, work.row
    body_accelerations(tables, work, links, recursion)
    evaluate_rows(
        rows_of(tables), m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3], row[:, PHI], work.G[:, 0:6],
        work.G[:, 6:12],
    )  # fmt: skip
    joint_multipliers(work, links, recursion)
    output_coordinates(work, links, recursion)


@kernel
def output_coordinates(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """recursion.extra, read row by row: coordinates (of spherical joints the rotation vector), rates, momenta; d of
    each."""
    d, width = recursion.joint_rate.shape[0], recursion.extra.shape[1]
    for k in range(links.kind.shape[0]):
        kind, i, b = links.kind[k], links.dof[k], links.pose_index[k]
        if kind == SPHERICAL:
            x = log_so3(rotation_at(recursion.pose, b))
            for c in range(3):
                put_flat(recursion.extra, width, i + c, x[c])
        elif kind == TRANSLATION:
            x = translation_at(recursion.pose, b)
            for c in range(3):
                put_flat(recursion.extra, width, i + c, x[c])
        elif kind != FIXED:
            put_flat(recursion.extra, width, i, recursion.base[i, 0] + work.psi[i])
    for i in range(d):
        put_flat(recursion.extra, width, d + i, recursion.joint_rate[i])
        put_flat(recursion.extra, width, 2 * d + i, recursion.joint_momentum[i])


@kernel
def put_flat(table: Floats, width: int, i: int, x: float) -> None:
    """Entry i of a table of this width, read row by row."""
    table[i // width, i % width] = x


@kernel
def output_rates_dense(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, dependent: Dependent) -> int:
    """`output_rates`, redundant rows searched in dense matrices."""
    output_rates(tables, work, links, recursion)
    return minimum_norm_multipliers(tables, work, recursion, dependent)


@kernel
def output_rates_sparse(
    tables: Tables, work: Work, links: Links, recursion: RecursiveWork, dependent: Dependent
) -> int:
    """`output_rates` of large mechanisms, redundant rows searched sparsely."""
    output_rates(tables, work, links, recursion)
    share_sparsely(work, dependent, work.row[:, PHI])
    return 0


@kernel
def output_momenta_dense(
    tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors, dependent: Dependent
) -> int:
    """`output_momenta`, redundant rows searched in dense matrices."""
    output_momenta(tables, work, links, recursion, factors)
    return minimum_norm_multipliers(tables, work, recursion, dependent)


@kernel
def output_momenta_sparse(
    tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors, dependent: Dependent
) -> int:
    """`output_momenta` of large mechanisms, redundant rows searched sparsely."""
    output_momenta(tables, work, links, recursion, factors)
    share_sparsely(work, dependent, work.row[:, PHI])
    return 0


OUTPUT_TREE_RATES = entry(output_tree_rates, TABLES, WORK, LINKS, RECURSION)
OUTPUT_TREE_MOMENTA = entry(output_tree_momenta, TABLES, WORK, LINKS, RECURSION)
OUTPUT_RATES = entry(output_rates_dense, TABLES, WORK, LINKS, RECURSION, DEPENDENT)
OUTPUT_RATES_SPARSE = entry(output_rates_sparse, TABLES, WORK, LINKS, RECURSION, DEPENDENT)
OUTPUT_MOMENTA = entry(output_momenta_dense, TABLES, WORK, LINKS, RECURSION, FACTORS, DEPENDENT)
OUTPUT_MOMENTA_SPARSE = entry(output_momenta_sparse, TABLES, WORK, LINKS, RECURSION, FACTORS, DEPENDENT)
