"""The constraint equations alone with rigid couplings: [I phi_q^T; phi_q 0] without them, bordered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.equations.coupled.implicit import (
    BEGIN,
    BORDER,
    COUPLINGS,
    DETECT_REDUNDANT_ROWS,
    FACTORISE,
    OK,
    OUTSIDE,
    ROWS,
    SET_STATE,
    SOLVE,
    SPLIT,
    TABLES,
    WORK,
    Border,
    Outside,
    back,
    into,
)
from linkwork.equations.coupled.pull_back import FORCES, pull_back
from linkwork.kernels.couplings import (
    GAMMA,
    NU,
    PHI,
    CoupledRows,
    Couplings,
    coupling_gammas,
    coupling_rate,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import new_record
from linkwork.problems.entry import entry
from linkwork.problems.implicit import (
    ACC,
    ACCELERATION_LEVEL,
    ALPHA,
    LEVEL,
    POSITION_LEVEL,
    A,
    KinematicProblem,
    R,
    V,
    W,
    Work,
)
from linkwork.problems.layout import address_table
from linkwork.problems.linear import new_linear
from linkwork.problems.nothing import NOTHING
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import new_coupled_rows
from linkwork.system.packed import Tables, system_of


@kernel
def constrain(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border
) -> int:
    """The constraint equations at the level asked for, those of couplings behind the rows'."""
    into(border, outside.z, border.z)
    status = int(border.evaluate(border.context))
    back(border, border.residual, outside.residual)
    m, system, level = work.motion, system_of(tables), work.coef[LEVEL].real
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    if level == POSITION_LEVEL:
        place_couplings(system, couplings, r, A_, work.torsion_angles, tables.torsion.shape[0], False, rows)
    elif level == ACCELERATION_LEVEL:
        coupling_gammas(system, couplings, r, A_, v, w, rows)
    for k in range(rows.row.shape[0]):
        if level == POSITION_LEVEL:
            found = rows.row[k, PHI]
        elif level == ACCELERATION_LEVEL:
            a, alpha = m[:, ACC : ACC + 3], m[:, ALPHA : ALPHA + 3]
            found = coupling_rate(system, couplings, rows, k, a, alpha) - rows.row[k, GAMMA]
        else:
            found = coupling_rate(system, couplings, rows, k, v, w) - rows.row[k, NU]
        outside.residual[border.flags[SPLIT] + k] = found
    return status


@kernel
def assemble(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border
) -> int:
    """The matrix inside at the present pose, and the border, whose rows and columns are alike."""
    into(border, outside.z, border.z)
    status = int(border.assemble(border.context))
    for k in range(rows.row.shape[0]):
        pull_back(tables, work.coef, couplings, rows, k, FORCES, 0, border.tangent, border.B)
        pull_back(tables, work.coef, couplings, rows, k, FORCES, 0, border.tangent, border.C)
    return OK if status == OK else status


ALL = (TABLES, WORK, COUPLINGS, ROWS, OUTSIDE, BORDER)
CONSTRAIN = entry(constrain, *ALL)
ASSEMBLE = entry(assemble, *ALL)


def with_couplings(problem: KinematicProblem, mechanism: CompiledMechanism) -> KinematicProblem:
    """A problem of `mechanism` from a bordered one of the same without its couplings. Rotors play no part."""
    n, layout, old = mechanism.rigid, replace(problem.layout, nc=mechanism.nc), problem.work
    couplings = mechanism.couplings._replace(about=mechanism.couplings.about[:n], number=mechanism.couplings.number[:n])
    tangent = problem.structure.matrix.tangent
    inside = {name: getattr(problem, name) for name in ("begin", "set_state", "assemble", "factorise", "solve")}
    idle = dict.fromkeys(("apply", "vary_forces", "vary_reactions", "minimum_norm_multipliers"), NOTHING)
    border = new_record(
        Border, float,
        {
            **inside, **idle, "evaluate": problem.constrain, "detect_redundant_rows": problem.detect_redundant_rows,
            "context": problem.context, "flags": np.array([0, problem.layout.multipliers.stop, 0], dtype=np.int64),
            "z": old.z, "z_old": old.z_old, "residual": old.residual, "delta": problem.linear.delta, "tangent": tangent,
        },
        nk=n, npos=problem.layout.coordinates, N=problem.layout.total,
    )  # fmt: skip
    size = layout.total
    work = old._replace(z=np.zeros(size), z_old=np.zeros(size), residual=np.zeros(size))
    linear = new_linear(size, True, layout.multipliers.start)
    rows = new_coupled_rows(couplings)
    outside = Outside(work.z, work.z_old, work.residual, linear.delta)
    return replace(
        problem,
        mechanism=mechanism,
        layout=layout,
        work=work,
        context=address_table((mechanism.bare.tables, work, couplings, rows, outside, border)),
        linear=linear,
        begin=BEGIN,
        set_state=SET_STATE,
        assemble=ASSEMBLE,
        constrain=CONSTRAIN,
        factorise=FACTORISE,
        solve=SOLVE,
        detect_redundant_rows=DETECT_REDUNDANT_ROWS,
        inside=(problem, border, rows, couplings),
    )
