"""The constraint equations alone with rigid couplings: [D phi_q^T; phi_q 0] without them, bordered."""

from __future__ import annotations

from dataclasses import replace

from linkwork.equations.coupled.implicit import (
    BORDER,
    COUPLINGS,
    OK,
    OUTSIDE,
    ROWS,
    SPLIT,
    TABLES,
    WORK,
    Border,
    Outside,
    back,
    into,
    outside_of,
)
from linkwork.equations.coupled.levels import evaluate_couplings, unmet
from linkwork.equations.coupled.pull_back import FORCES, pull_back
from linkwork.kernels.couplings import GAMMA, CoupledRows, Couplings, coupling_rate
from linkwork.kernels.jit import kernel
from linkwork.problems.entry import entry
from linkwork.problems.implicit import ACC, ALPHA, KinematicProblem, Work
from linkwork.problems.nothing import NOTHING
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables, system_of


@kernel
def constrain(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border
) -> int:
    """The constraint equations at the level asked for, those of couplings behind the rows'."""
    into(border, outside.z, border.z)
    status = int(border.evaluate(border.context))
    back(border, border.residual, outside.residual)
    evaluate_couplings(tables, work, couplings, rows)
    for k in range(rows.row.shape[0]):
        if work.request.level[0] == ACCELERATION_LEVEL:
            a, alpha = work.motion[:, ACC : ACC + 3], work.motion[:, ALPHA : ALPHA + 3]
            found = coupling_rate(system_of(tables), couplings, rows, k, a, alpha) - rows.row[k, GAMMA]
        else:
            found = unmet(tables, work, couplings, rows, k)
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
        pull_back(tables, work.request, couplings, rows, k, FORCES, 0, border.tangent, border.B)
        pull_back(tables, work.request, couplings, rows, k, FORCES, 0, border.tangent, border.C)
    return OK if status == OK else status


ALL = (TABLES, WORK, COUPLINGS, ROWS, OUTSIDE, BORDER)
CONSTRAIN = entry(constrain, *ALL)
ASSEMBLE = entry(assemble, *ALL)


def with_couplings(problem: KinematicProblem, mechanism: CompiledMechanism) -> KinematicProblem:
    """A problem of `mechanism` from a bordered one of the same without its couplings. Rotors play no part."""
    n = mechanism.rigid
    couplings = mechanism.couplings._replace(about=mechanism.couplings.about[:n], number=mechanism.couplings.number[:n])
    names = ("begin", "set_state", "assemble", "factorise", "solve", "detect_redundant_rows")
    idle = ("apply", "vary_forces", "vary_reactions", "minimum_norm_multipliers")
    inside = {name: getattr(problem, name) for name in names} | dict.fromkeys(idle, NOTHING)
    flags = [0, problem.layout.multipliers.stop, 0]
    return replace(
        problem,
        **outside_of(problem, mechanism, couplings, inside | {"evaluate": problem.constrain}, flags, droppable=True),
        assemble=ASSEMBLE,
        constrain=CONSTRAIN,
    )
