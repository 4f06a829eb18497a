"""The index-3 problem with couplings: z = (accelerations, lambda, mu, ...), and Newton's matrix bordered.

A rigid coupling adds C^T mu to the forces, phi/c_q = 0 to the residual and mu to the unknowns. A rotor adds
I (C a - gamma) C^T to the forces and no unknown; its part I C^T C of the matrix is a border with 1/I in its corner.
Derivatives of these forces by pose and velocity are left out of the matrix, as those of reactions are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.coupled.dense import eliminate, substitute
from linkwork.equations.coupled.pull_back import ACCELERATIONS, FORCES, POSES, pull_back
from linkwork.kernels.couplings import (
    GAMMA,
    INERTIA,
    PHI,
    CoupledRows,
    Couplings,
    add_coupling_force,
    coupling_gammas,
    coupling_rate,
    drive_couplings,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import EntryCall, Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import entry
from linkwork.problems.implicit import ACC, ALPHA, A, ImplicitProblem, R, V, W, Work
from linkwork.problems.layout import address_table, slots
from linkwork.problems.linear import new_linear
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import new_coupled_rows
from linkwork.system.packed import Tables, system_of

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
FORCED_INSIDE, SPLIT, MAPPED = 0, 1, 2  # entries of Border.flags


class Border(NamedTuple):
    """The problem inside, and what the couplings add to it. Unknowns inside stand in the same order, without mu."""

    begin: EntryCall
    set_state: EntryCall
    evaluate: EntryCall
    assemble: EntryCall
    apply: EntryCall
    vary_forces: EntryCall
    vary_reactions: EntryCall
    factorise: EntryCall
    solve: EntryCall
    detect_redundant_rows: EntryCall
    minimum_norm_multipliers: EntryCall
    context: Annotated[Ints, Shape("words"), "of these entries"]
    flags: Annotated[Ints, Shape(3), "forces inside; unknowns before mu; pulled back by maps (1) or tangents (0)"]
    z: Annotated[Floats, Shape("N"), "unknowns inside"]
    z_old: Annotated[Floats, Shape("N"), "those of the step before"]
    residual: Annotated[Floats, Shape("N"), "residual inside"]
    delta: Annotated[Floats, Shape("N"), "solution inside"]
    tangent: Annotated[Floats, Shape("nb + 1", "maps"), "what pulls back to the unknowns, Matrix.tangent"]
    B: Annotated[Floats, Shape("nk", "npos"), "C^T pulled back, of the balance"]
    C: Annotated[Floats, Shape("nk", "npos"), "derivatives of the couplings by the unknowns"]
    Y: Annotated[Floats, Shape("nk", "N"), "answers to B"]
    S: Annotated[Floats, Shape("nk", "nk"), "C Y + c, eliminated"]
    size: Annotated[Floats, Shape("nk"), "what its diagonal is measured against"]
    mu: Annotated[Floats, Shape("nk"), "corrections of multipliers"]


class Outside(NamedTuple):
    """What the integrator sees."""

    z: Annotated[Floats, Shape("N"), "Work.z"]
    z_old: Annotated[Floats, Shape("N"), "Work.z_old"]
    residual: Annotated[Floats, Shape("N"), "Work.residual"]
    delta: Annotated[Floats, Shape("N"), "Linear.delta"]


@kernel
def into(border: Border, given: Floats, out: Floats) -> None:
    """Unknowns without mu, as they stand inside."""
    split, rigid = border.flags[SPLIT], given.shape[0] - out.shape[0]
    for c in range(out.shape[0]):
        out[c] = given[c] if c < split else given[c + rigid]


@kernel
def back(border: Border, given: Floats, out: Floats) -> None:
    """The same back to where they stand with mu, which stays."""
    split, rigid = border.flags[SPLIT], out.shape[0] - given.shape[0]
    for c in range(given.shape[0]):
        if c < split:
            out[c] = given[c]
        else:
            out[c + rigid] = given[c]


@kernel
def begin(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border) -> int:
    """Formulas at the new time; the present pose becomes the base."""
    into(border, outside.z, border.z)
    into(border, outside.z_old, border.z_old)
    rebased = int(border.begin(border.context))
    back(border, border.z, outside.z)
    back(border, border.z_old, outside.z_old)
    drive_couplings(system_of(tables), couplings, work.request.time[0], work.stack, rows)
    return rebased


@kernel
def set_state(outside: Outside, border: Border) -> int:
    """Poses, velocities and accelerations from the unknowns."""
    into(border, outside.z, border.z)
    return int(border.set_state(border.context))


@kernel
def apply(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border) -> int:
    """Minus the applied forces into e, and what couplings and rotors exert."""
    m, e, system = work.motion, work.e, system_of(tables)
    if border.flags[FORCED_INSIDE] == 1:
        border.apply(border.context)
    else:
        for b in range(e.shape[0]):
            for c in range(6):
                e[b, c] = 0.0
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    place_couplings(system, couplings, r, A_, work.counted_angles, False, rows)
    coupling_gammas(system, couplings, r, A_, v, w, rows)
    for k in range(rows.row.shape[0]):
        x = 0.0
        if couplings.number[k, INERTIA] > 0.0:
            x = couplings.number[k, INERTIA] * acceleration_of(tables, work, couplings, rows, k)
        else:
            x = outside.z[border.flags[SPLIT] + k]
        add_coupling_force(system, couplings, rows, k, x, e[:, 0:3], e[:, 3:6])
    return OK


@kernel
def acceleration_of(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, k: int) -> Any:
    """C a - gamma, what a coupling's second derivative is off by."""
    m = work.motion
    a, alpha = m[:, ACC : ACC + 3], m[:, ALPHA : ALPHA + 3]
    return coupling_rate(system_of(tables), couplings, rows, k, a, alpha) - rows.row[k, GAMMA]


@kernel
def evaluate(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border
) -> int:
    """The residual, at the state that `apply` has seen."""
    into(border, outside.z, border.z)
    status = int(border.evaluate(border.context))
    back(border, border.residual, outside.residual)
    split = border.flags[SPLIT]
    for k in range(outside.z.shape[0] - border.z.shape[0]):
        if work.request.level[0] == ACCELERATION_LEVEL:
            outside.residual[split + k] = acceleration_of(tables, work, couplings, rows, k)
        else:
            outside.residual[split + k] = rows.row[k, PHI] / work.request.c_q[0]
    return status


@kernel
def assemble(
    tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, outside: Outside, border: Border
) -> int:
    """The matrix inside at the state last evaluated, and the border."""
    into(border, outside.z, border.z)
    status = int(border.assemble(border.context))
    index_3 = work.request.level[0] != ACCELERATION_LEVEL
    mapped, tangent = border.flags[MAPPED], border.tangent
    for k in range(rows.row.shape[0]):
        pull_back(tables, work.request, couplings, rows, k, FORCES, mapped, tangent, border.B)
        if couplings.number[k, INERTIA] > 0.0:
            pull_back(tables, work.request, couplings, rows, k, ACCELERATIONS, mapped, tangent, border.C)
        elif index_3:
            pull_back(tables, work.request, couplings, rows, k, POSES, mapped, tangent, border.C)
        else:
            pull_back(tables, work.request, couplings, rows, k, ACCELERATIONS, mapped, tangent, border.C)
    return status


@kernel
def factorise(couplings: Couplings, border: Border) -> int:
    """The matrix inside, its answers to the couplings, and what is left for these."""
    status = int(border.factorise(border.context))
    if status != OK:
        return status
    n, npos = border.B.shape[0], border.B.shape[1]
    for k in range(n):
        for c in range(border.residual.shape[0]):
            border.residual[c] = border.B[k, c] if c < npos else 0.0
        status = int(border.solve(border.context))
        if status != OK:
            return status
        for c in range(border.delta.shape[0]):
            border.Y[k, c] = border.delta[c]
    for k in range(n):
        for o in range(n):
            total, size = 0.0, 0.0
            for c in range(npos):
                total += border.C[k, c] * border.Y[o, c]
                size += abs(border.C[k, c] * border.Y[o, c])
            border.S[k, o] = total
            if o == k:
                border.size[k] = size
        if couplings.number[k, INERTIA] > 0.0:
            border.S[k, k] += 1.0 / couplings.number[k, INERTIA]
    return SINGULAR if eliminate(border.S, border.size) >= 0 else OK


@kernel
def solve(couplings: Couplings, outside: Outside, border: Border) -> int:
    """delta of all unknowns from the residual."""
    into(border, outside.residual, border.residual)
    status = int(border.solve(border.context))
    split, npos = border.flags[SPLIT], border.B.shape[1]
    for k in range(border.mu.shape[0]):
        total = 0.0
        for c in range(npos):
            total += border.C[k, c] * border.delta[c]
        if couplings.number[k, INERTIA] == 0.0:
            total -= outside.residual[split + k]
        border.mu[k] = total
    substitute(border.S, border.mu)
    for k in range(border.mu.shape[0]):
        for c in range(border.delta.shape[0]):
            border.delta[c] -= border.Y[k, c] * border.mu[k]
    back(border, border.delta, outside.delta)
    for k in range(outside.z.shape[0] - border.z.shape[0]):
        outside.delta[split + k] = border.mu[k]
    return status


@kernel
def vary_forces(border: Border) -> int:
    """Derivatives of applied forces into the blocks, by the problem inside."""
    return int(border.vary_forces(border.context))


@kernel
def vary_reactions(outside: Outside, border: Border) -> int:
    """Derivatives of the rows' reactions into the blocks, by the problem inside."""
    into(border, outside.z, border.z)
    return int(border.vary_reactions(border.context))


@kernel
def detect_redundant_rows(border: Border) -> int:
    """Which rows depend on others, couplings left aside."""
    return int(border.detect_redundant_rows(border.context))


@kernel
def minimum_norm_multipliers(outside: Outside, border: Border) -> int:
    """Multipliers of least norm, of the rows without couplings."""
    into(border, outside.z, border.z)
    status = int(border.minimum_norm_multipliers(border.context))
    back(border, border.z, outside.z)
    return status


TABLES, WORK, COUPLINGS, ROWS, OUTSIDE, BORDER = slots(Tables, Work, Couplings, CoupledRows, Outside, Border)
ALL = (TABLES, WORK, COUPLINGS, ROWS, OUTSIDE, BORDER)
BEGIN = entry(begin, *ALL)
SET_STATE = entry(set_state, OUTSIDE, BORDER)
APPLY = entry(apply, *ALL)
EVALUATE = entry(evaluate, *ALL)
ASSEMBLE = entry(assemble, *ALL)
FACTORISE = entry(factorise, COUPLINGS, BORDER)
SOLVE = entry(solve, COUPLINGS, OUTSIDE, BORDER)
VARY_FORCES = entry(vary_forces, BORDER)
VARY_REACTIONS = entry(vary_reactions, OUTSIDE, BORDER)
DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, BORDER)
MINIMUM_NORM_MULTIPLIERS = entry(minimum_norm_multipliers, OUTSIDE, BORDER)
INSIDE = Border._fields[:11]
MAPS = 63  # columns of tangents that are maps (`formulations.lie.implicit`)


def outside_of(
    problem: Any, mechanism: CompiledMechanism, couplings: Couplings, entries: Mapping[str, Any], flags: list[int],
    *, droppable: bool,
) -> dict[str, Any]:  # fmt: skip
    """What of a problem changes when couplings come to it, implicit or kinematic (hence Any).

    entries, flags : of the problem without them, as the border has them. droppable : rows may be dependent.
    """
    layout, old = replace(problem.layout, nc=mechanism.nc), problem.work
    border = new_record(
        Border, float,
        {
            **entries, "context": problem.context, "flags": np.array(flags, dtype=np.int64),
            "z": old.z, "z_old": old.z_old, "residual": old.residual, "delta": problem.linear.delta,
            "tangent": problem.structure.matrix.tangent,
        },
        nk=len(couplings.about), npos=problem.layout.coordinates, N=problem.layout.total,
    )  # fmt: skip
    size = layout.total
    work = old._replace(z=np.zeros(size), z_old=np.zeros(size), residual=np.zeros(size))
    linear, rows = new_linear(size, droppable, layout.multipliers.start), new_coupled_rows(couplings)
    outside = Outside(work.z, work.z_old, work.residual, linear.delta)
    return {
        "mechanism": mechanism,
        "layout": layout,
        "work": work,
        "context": address_table((mechanism.bare.tables, work, couplings, rows, outside, border)),
        "linear": linear,
        "begin": BEGIN,
        "set_state": SET_STATE,
        "factorise": FACTORISE,
        "solve": SOLVE,
        "detect_redundant_rows": DETECT_REDUNDANT_ROWS,
        "inside": (problem, border, rows, couplings),
    }


def with_couplings(problem: ImplicitProblem, mechanism: CompiledMechanism) -> ImplicitProblem:
    """A problem of `mechanism` from one of the same without its couplings."""
    inside = {name: getattr(problem, name) for name in INSIDE}
    flags = [problem.forced, problem.layout.multipliers.stop, problem.structure.matrix.tangent.shape[1] == MAPS]
    bordered = replace(
        problem,
        **outside_of(problem, mechanism, mechanism.couplings, inside, flags, droppable=problem.droppable),
        evaluate=EVALUATE,
        assemble=ASSEMBLE,
        apply=APPLY,
        vary_forces=VARY_FORCES,
        vary_reactions=VARY_REACTIONS,
        minimum_norm_multipliers=MINIMUM_NORM_MULTIPLIERS,
        forced=True,
    )

    def one_matrix() -> ImplicitProblem:
        from linkwork.equations.coupled.one_matrix import as_one_matrix

        _, border, rows, _ = bordered.inside
        return as_one_matrix(bordered, problem, mechanism, border, rows)

    return replace(bordered, one_matrix=one_matrix)
