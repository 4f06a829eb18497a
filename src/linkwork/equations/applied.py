"""Applied forces on all bodies, and how they vary: the one place where every formulation has them from."""

from __future__ import annotations

from linkwork.kernels.efforts import apply_efforts, effort_now, effort_variation, use_variation
from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import Work
from linkwork.problems.implicit import A, Matrix, R, V, W
from linkwork.problems.implicit import Work as ImplicitWork
from linkwork.system.packed import Tables, system_of


@kernel
def put_applied_forces(tables: Tables, work: Work | ImplicitWork) -> None:
    """work.e (nb + 1, 6) = force (N, global) and torque (N m, body) on every body, weight among them.

    Reads poses, velocities, and what formulas of time came to; those of the state are evaluated here.
    """
    m, e = work.motion, work.e
    for b in range(e.shape[0]):
        for c in range(6):
            e[b, c] = 0.0
    values = LoadValues(work.load_values, work.element_values, work.counted_angles)
    applied_forces(
        system_of(tables), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3], values, e[:, 0:3],
        e[:, 3:6],
    )  # fmt: skip
    if tables.effort_int.shape[0] > 0:
        add_efforts(tables, work)


@separate_kernel
def add_efforts(tables: Tables, work: Work | ImplicitWork) -> None:
    """Add forces and torques by formulas of the state to work.e; work.operands say what they know of it."""
    m, e = work.motion, work.e
    apply_efforts(
        system_of(tables), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3], work.request.time[0],
        work.counted_angles, work.operands, work.stack, e[:, 0:3], e[:, 3:6],
    )  # fmt: skip


@separate_kernel
def vary_efforts(tables: Tables, work: ImplicitWork, matrix: Matrix) -> None:
    """Subtract the derivatives of forces by formulas of the state from the blocks, at operands measured already."""
    m, out = work.motion, matrix.scratch
    system = system_of(tables)
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    measured = 2 * system.quantities.kind.shape[0]
    for k in range(system.efforts.quantity.shape[0]):
        first = system.efforts.first[k]
        for n in range(-1, system.efforts.reads[k]):
            use = -1 if n < 0 else system.uses[first + n]
            effort, slope = effort_now(system, k, work.request.time[0], work.operands, use, work.stack)
            if n < 0:
                clear(out)
                effort_variation(system, k, r, A_, effort, out[0:12, :])
                scatter(matrix.blocks, matrix.effort_pair, k, out, 0, 0, -1.0)
            elif use < measured:
                use_variation(system, k, use, slope, r, A_, v, w, out[0:12, :], out[12:24, :])
                scatter(matrix.blocks, matrix.use_pair, first + n, out, 0, 0, -1.0)
                if use % 2 == 1:
                    scatter(matrix.blocks, matrix.use_pair, first + n, out, 12, 36, -1.0)


@kernel
def clear(out: Floats) -> None:
    """Set every number of a 2-d array to zero."""
    for r in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[r, c] = 0.0


@kernel
def scatter(blocks: Floats, pairs: Ints, k: int, out: Floats, top: int, where: int, sign: float) -> None:
    """Add the four 6 x 6 quarters of one element's 12 x 12 block to the pairs of bodies they belong to."""
    for quarter in range(4):
        p = pairs[k, quarter]
        if p >= 0:
            r0, c0 = top + 6 * (quarter // 2), 6 * (quarter % 2)
            for r in range(6):
                for c in range(6):
                    blocks[p, where + 6 * r + c] += sign * out[r0 + r, c0 + c]
