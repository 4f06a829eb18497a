"""The explicit problem with couplings: every entry of a problem without them, and the border beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.coupled.dense import eliminate, substitute
from linkwork.equations.coupled.known_angles import are_angles_known
from linkwork.kernels.couplings import (
    FIRST,
    GAMMA,
    INERTIA,
    NU,
    PHI,
    QUANTITY,
    TERMS,
    CoupledRows,
    Couplings,
    coupling_gammas,
    drive_couplings,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.records import EntryCall, Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import cross, dot
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, ExplicitProblem, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.layout import address_table, slots
from linkwork.problems.momenta import MomentumEntries
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import new_coupled_rows
from linkwork.system.packed import Tables, system_of

OK, SINGULAR, ROTATION_TOO_LARGE = int(Status.OK), int(Status.SINGULAR), int(Status.ROTATION_TOO_LARGE)


class Border(NamedTuple):
    """The problem inside, and what the couplings add to it."""

    set_state: EntryCall
    apply: EntryCall
    detect_redundant_rows: EntryCall
    factorise: EntryCall
    solve: EntryCall
    rhs: EntryCall
    accept_step: EntryCall
    retract: EntryCall
    output: EntryCall
    context: Annotated[Ints, Shape("words"), "of these entries"]
    J: Annotated[Floats, Shape("terms", 12), "each term's part for the twists of its two bodies"]
    eta: Annotated[Floats, Shape("nk"), "right sides of the couplings"]
    X: Annotated[Floats, Shape("nk", "nb + 1", 6), "answers of the bodies to a unit of each multiplier"]
    L: Annotated[Floats, Shape("nk", "nc"), "answers of the rows' multipliers"]
    S: Annotated[Floats, Shape("nk", "nk"), "C X + c, eliminated"]
    size: Annotated[Floats, Shape("nk"), "its diagonal"]
    mu: Annotated[Floats, Shape("nk"), "multipliers: of rigid couplings, then torques of rotors"]
    f: Annotated[Floats, Shape("nb + 1", 6), "right sides kept"]
    kept_eta: Annotated[Floats, Shape("nc"), "right sides of the rows kept"]
    lam: Annotated[Floats, Shape("nc"), "multipliers of the problem inside"]
    report: Annotated[Floats, Shape(2), "its solver's: the smallest relative pivot, and the row"]


@kernel
def set_state(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, border: Border) -> int:
    """The state, and the couplings at it with the right sides of the level asked for. ROTATION_TOO_LARGE where it lies
    so far from the step's start that their turns are in doubt."""
    status = int(border.set_state(border.context))
    if status != OK:
        return status
    m, system = work.motion, system_of(tables)
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    drive_couplings(system, couplings, work.request.time[0], work.stack, rows)
    place_couplings(system, couplings, r, A_, work.counted_angles, False, rows)
    if not are_angles_known(tables, work, couplings, rows):
        return ROTATION_TOO_LARGE
    pull_back(tables, work, couplings, rows, border)
    level = work.request.level[0]
    if level == ACCELERATION_LEVEL:
        coupling_gammas(system, couplings, r, A_, v, w, rows)
    for k in range(border.eta.shape[0]):
        rotor = couplings.number[k, INERTIA] > 0.0
        if level == ACCELERATION_LEVEL:
            border.eta[k] = rows.row[k, GAMMA] - known_part(tables, work, couplings, border, k)
            if not rotor and (work.request.damping[0].real != 0.0 or work.request.stiffness[0].real != 0.0):
                rate = coupled_times(tables, couplings, border, k, work.twist) - rows.row[k, NU]
                border.eta[k] -= work.request.damping[0] * rate + work.request.stiffness[0] * rows.row[k, PHI]
        elif rotor:
            border.eta[k] = 0.0
        elif level == POSITION_LEVEL:
            border.eta[k] = -rows.row[k, PHI]
        else:
            border.eta[k] = rows.row[k, NU] - coupled_times(tables, couplings, border, k, work.twist)
    return OK


@kernel
def pull_back(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, border: Border) -> None:
    """Each term's part for the twists: angular first, linear in the body on SE(3)."""
    for m in range(rows.W.shape[0]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b, c = tables.quantity_int[q, 1 + side], 6 * side
            linear = at3(rows.W, m, c)
            if work.group[b] == 1:
                linear = rotate_t(at9(work.motion, b, A), linear)
            set3(border.J, m, c, at3(rows.W, m, c + 3))
            set3(border.J, m, c + 3, linear)


@kernel
def known_part(tables: Tables, work: Work, couplings: Couplings, border: Border, k: int) -> Any:
    """J_k times what of rddot = A (vdot + omega x v) is no unknown on SE(3)."""
    total, begin = 0.0, couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b = tables.quantity_int[q, 1 + side]
            if work.group[b] == 1:
                total += dot(at3(border.J, m, 6 * side + 3), cross(at3(work.twist, b, 0), at3(work.twist, b, 3)))
    return total


@kernel
def coupled_times(tables: Tables, couplings: Couplings, border: Border, k: int, table: Floats) -> Any:
    """J_k times twists or their rates, table (nb + 1, 6)."""
    total, begin = 0.0, couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b = tables.quantity_int[q, 1 + side]
            if b < table.shape[0] - 1:
                for d in range(6):
                    total += border.J[m, 6 * side + d] * table[b, d]
    return total


@kernel
def put_load(tables: Tables, couplings: Couplings, border: Border, k: int, f: Floats) -> None:
    """f (nb + 1, 6) = J_k^T alone."""
    for b in range(f.shape[0]):
        for d in range(6):
            f[b, d] = 0.0
    begin = couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b = tables.quantity_int[q, 1 + side]
            if b < f.shape[0] - 1:
                for d in range(6):
                    f[b, d] += border.J[m, 6 * side + d]


@kernel
def factorise(tables: Tables, work: Work, couplings: Couplings, border: Border) -> int:
    """The matrix inside, its answers to the couplings, and what is left for these. SINGULAR where they depend on the
    rows or on each other."""
    status = int(border.factorise(border.context))
    if status != OK:
        return status
    n, nb, nc = border.eta.shape[0], border.f.shape[0], border.lam.shape[0]
    for b in range(nb):
        for d in range(6):
            border.f[b, d] = work.f[b, d]
    for c in range(nc):
        border.kept_eta[c] = work.eta[c]
        work.eta[c] = 0.0
    for k in range(n):
        put_load(tables, couplings, border, k, work.f)
        status = int(border.solve(border.context))
        if status != OK:
            break
        for b in range(nb - 1):
            for d in range(6):
                border.X[k, b, d] = work.x[b, d]
        for c in range(nc):
            border.L[k, c] = border.lam[c]
    for b in range(nb):
        for d in range(6):
            work.f[b, d] = border.f[b, d]
    for c in range(nc):
        work.eta[c] = border.kept_eta[c]
    if status != OK:
        return status
    for k in range(n):
        for o in range(n):
            border.S[k, o] = coupled_times(tables, couplings, border, k, border.X[o])
        border.size[k] = free_size(tables, couplings, border, k)
        if couplings.number[k, INERTIA] > 0.0:
            border.S[k, k] += 1.0 / couplings.number[k, INERTIA]
            border.size[k] += 1.0 / couplings.number[k, INERTIA]
    weak = eliminate(border.S, border.size)
    if weak >= 0:
        border.report[0], border.report[1] = 0.0, nc + weak
        return SINGULAR
    return OK


@kernel
def free_size(tables: Tables, couplings: Couplings, border: Border, k: int) -> Any:
    """What C X would be of the bodies of coupling k were they free, or more: sum of J^2 over the body's inertia."""
    total, begin = 0.0, couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b = tables.quantity_int[q, 1 + side]
            if b < tables.body.shape[0] - 1:
                angular, linear = at3(border.J, m, 6 * side), at3(border.J, m, 6 * side + 3)
                trace = tables.body[b, 1] + tables.body[b, 5] + tables.body[b, 9]
                if trace > 0.0:
                    total += dot(angular, angular) / trace
                if tables.body[b, 0] > 0.0:
                    total += dot(linear, linear) / tables.body[b, 0]
    return total


@kernel
def solve(tables: Tables, work: Work, couplings: Couplings, border: Border) -> int:
    """x and all multipliers from the right sides; those of rigid couplings are the last of work.lam."""
    status = int(border.solve(border.context))
    n = border.eta.shape[0]
    for k in range(n):
        border.mu[k] = coupled_times(tables, couplings, border, k, work.x) - border.eta[k]
    substitute(border.S, border.mu)
    for k in range(n):
        for b in range(work.x.shape[0] - 1):
            for d in range(6):
                work.x[b, d] -= border.X[k, b, d] * border.mu[k]
    hand_over(work, border)
    return status


@kernel
def hand_over(work: Work, border: Border) -> None:
    """All multipliers into work.lam, those of rigid couplings last."""
    n, nc = border.eta.shape[0], border.lam.shape[0]
    for c in range(nc):
        total = border.lam[c]
        for k in range(n):
            total -= border.L[k, c] * border.mu[k]
        work.lam[c] = total
    for k in range(work.lam.shape[0] - nc):
        work.lam[nc + k] = border.mu[k]


@kernel
def apply(border: Border) -> int:
    """Applied forces, by the problem inside."""
    return int(border.apply(border.context))


@kernel
def detect_redundant_rows(border: Border) -> int:
    """Which rows depend on others, couplings left aside."""
    return int(border.detect_redundant_rows(border.context))


@kernel
def rhs(border: Border) -> int:
    """The rate of psi from x, by the problem inside."""
    return int(border.rhs(border.context))


@kernel
def accept_step(border: Border) -> int:
    """The placed state becomes the base."""
    return int(border.accept_step(border.context))


@kernel
def retract(border: Border) -> int:
    """psi from a correction x, by the problem inside."""
    return int(border.retract(border.context))


@kernel
def output(border: Border) -> int:
    """What is recorded of the placed state."""
    return int(border.output(border.context))


COUPLINGS, ROWS, BORDER = slots(Couplings, CoupledRows, Border, after=WORK)
SET_STATE = entry(set_state, TABLES, WORK, COUPLINGS, ROWS, BORDER)
FACTORISE = entry(factorise, TABLES, WORK, COUPLINGS, BORDER)
SOLVE = entry(solve, TABLES, WORK, COUPLINGS, BORDER)
APPLY = entry(apply, BORDER)
DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, BORDER)
RHS = entry(rhs, BORDER)
ACCEPT_STEP = entry(accept_step, BORDER)
RETRACT = entry(retract, BORDER)
OUTPUT = entry(output, BORDER)
INSIDE = (
    "set_state", "apply", "detect_redundant_rows", "factorise", "solve", "rhs", "accept_step", "retract", "output",
)  # fmt: skip


def with_couplings(problem: ExplicitProblem, mechanism: CompiledMechanism) -> ExplicitProblem:
    """A problem of `mechanism` from one of the same without its couplings."""
    couplings, nc = mechanism.couplings, problem.mechanism.nc
    n, nb = len(couplings.about), mechanism.nb
    work = problem.work._replace(lam=np.zeros(mechanism.nc))
    given = {name: getattr(problem, name) for name in INSIDE}
    report = problem.solver.report
    border = new_record(
        Border, float, {**given, "context": problem.context, "lam": problem.work.lam, "report": report},
        nk=n, nb=nb, nc=nc, terms=len(couplings.term),
    )  # fmt: skip
    rows, inside = new_coupled_rows(couplings), problem.in_momenta
    momenta: tuple[Any, ...] = ()
    if inside is not None:
        from linkwork.equations.coupled import momenta as coupled

        given = {name: getattr(inside, name) for name in ("momentum", "kicked", "step")}
        given["inside"] = MomentumEntries(*(getattr(inside, name) for name in MomentumEntries._fields))
        momenta = (new_record(coupled.CoupledMomenta, float, given, nk=n, nb=nb),)
        momenta[0].of_ball[:] = [one.on.endswith(".rotation") for one in mechanism.lowered.couplings]
        inside = coupled.coupled_in_momenta(inside)
    return replace(
        problem,
        mechanism=mechanism,
        work=work,
        context=address_table((mechanism.bare.tables, work, couplings, rows, border, *momenta)),
        formulation_arrays=(
            *problem.formulation_arrays,
            *rows,
            border.J,
            border.eta,
            border.mu,
            *(array for one in momenta for array in (one.spin, one.carried, one.angle)),
        ),
        set_state=SET_STATE,
        apply=APPLY,
        detect_redundant_rows=DETECT_REDUNDANT_ROWS,
        factorise=FACTORISE,
        solve=SOLVE,
        rhs=RHS,
        accept_step=ACCEPT_STEP,
        retract=RETRACT,
        output=OUTPUT,
        evaluate=None,
        inside=(problem, border, rows, couplings, *momenta),
        in_momenta=inside,
    )
