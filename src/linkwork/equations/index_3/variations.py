"""First-order variations of reactions and applied forces, and the forces themselves: compiled only where needed.

They do not depend on how rotations are written, so rA, rp and re share them.
"""

from __future__ import annotations

from linkwork.equations.applied import clear, put_applied_forces, scatter, vary_efforts
from linkwork.kernels.force_laws.table import element_variation
from linkwork.kernels.forces import LoadValues, load_variation
from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.table import row_variation
from linkwork.problems.context import MATRIX, TABLES, WORK
from linkwork.problems.entry import entry
from linkwork.problems.implicit import DRIVE, A, Matrix, R, V, W, Work
from linkwork.system.packed import Tables, rows_of, system_of


@kernel
def apply(tables: Tables, work: Work) -> int:
    """e = weight - applied forces, so that the residual, which counts weight itself, comes out right."""
    e = work.e
    nb = tables.body.shape[0] - 1
    put_applied_forces(tables, work)
    for b in range(nb + 1):
        for c in range(6):
            e[b, c] = -e[b, c]
        for c in range(3):
            e[b, c] += tables.body[b, 0] * tables.gravity[c]
    return 0


@kernel
def vary_reactions(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Add the variation of G^T lambda [Kissel 2021, Tables 3-6, signs as in (34)] to the blocks."""
    m, out = work.motion, matrix.scratch
    rows = rows_of(tables)
    nc = tables.row_int.shape[0]
    first = matrix.flags[2]
    for k in range(nc):
        for r in range(12):
            for c in range(12):
                out[r, c] = 0.0
        row_variation(
            rows, k, work.z[first + k], m[:, R : R + 3], m[:, A : A + 9], work.row[:, DRIVE : DRIVE + 3], out[0:12, :]
        )
        scatter(matrix.blocks, matrix.row_pair, k, out, 0, 0, 1.0)
    return 0


@kernel
def vary_forces(tables: Tables, work: Work, matrix: Matrix) -> int:
    """Subtract the derivatives of the applied forces from the blocks."""
    m, out = work.motion, matrix.scratch
    nb = tables.body.shape[0] - 1
    system = system_of(tables)
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    values = LoadValues(work.load_values, work.element_values, work.counted_angles)
    for k in range(tables.load.shape[0]):
        b = tables.load_int[k, 0]
        if b < nb:
            clear(out)
            load_variation(system, k, r, A_, values, out[0:6, 0:6])
            for c in range(6):
                for d in range(6):
                    matrix.blocks[b, 6 * c + d] -= out[c, d]
    for k in range(tables.element.shape[0]):
        clear(out)
        element_variation(
            system.elements, k, r, A_, v, w, work.counted_angles, work.element_values[k], out[0:12, :], out[12:24, :]
        )
        scatter(matrix.blocks, matrix.element_pair, k, out, 0, 0, -1.0)
        scatter(matrix.blocks, matrix.element_pair, k, out, 12, 36, -1.0)
    if tables.effort_int.shape[0] > 0:
        vary_efforts(tables, work, matrix)
    return 0


APPLY = entry(apply, TABLES, WORK)
VARY_FORCES = entry(vary_forces, TABLES, WORK, MATRIX)
VARY_REACTIONS = entry(vary_reactions, TABLES, WORK, MATRIX)
