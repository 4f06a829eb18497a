"""One explicit Runge-Kutta step in the algebra of a group, compiled [Müller 2013, eqs. 36-37].

Stage j is the state base exp(psi_j) with psi_j = h sum_l a_jl k_l, and k_j = dexp_{-psi_j}^-1 F. Only the problem's
entries know the group: on a vector space the same loop is the ordinary Runge-Kutta method.
"""

from __future__ import annotations

from linkwork.integrators.evaluation import OK, Entries, Run, at_base, evaluate_here
from linkwork.integrators.singular_configurations import STRIDE, evaluate, evaluate_at_rank_loss
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.kernels.jit import kernel
from linkwork.kernels.needed import needed
from linkwork.kernels.tables import Floats, Ints


@kernel
def keep(run: Run, j: int) -> None:
    """The slope just found is k_j."""
    k, slope = run.k, run.psi_rate
    for c in range(slope.shape[0]):
        k[j, c] = slope[c]


@kernel
def combine(run: Run, weights: Floats, n: int, h: float) -> None:
    """psi = h sum over l < n of weights[l] k_l."""
    psi, k = run.psi, run.k
    for c in range(psi.shape[0]):
        psi[c] = 0.0
    for j in range(n):
        factor = h * weights[j]
        if needed(factor != 0.0):
            for c in range(psi.shape[0]):
                psi[c] += factor * k[j, c]


@kernel
def first_stage(entries: Entries, context: Ints, run: Run, t: float) -> int:
    """k_0 at the base, unless it is known."""
    if run.rhs_known[0] == 1:
        return OK
    at_base(run)
    status = evaluate(entries, context, run, t, True)
    if status == OK:
        keep(run, 0)
        run.rhs_known[0], run.stencil.reacting[0] = 1, 0
    return status


@kernel
def later_stages(
    entries: Entries, context: Ints, run: Run, tableau: TableauArrays, t: float, h: float, careful: bool
) -> int:
    """k_1, k_2, ... from k_0. careful : of states on the constraints, by `evaluate_at_rank_loss`; where the state holds
    momenta k_0, too, so that all are of momenta that reactions change, also in further trials of this step."""
    first = 1
    if run.stencil.momenta.shape[0] > 0:
        careful = careful or run.stencil.reacting[0] == 1
        if careful:
            run.stencil.reacting[0], first = 1, 0
    for j in range(first, run.stages[0]):
        combine(run, tableau.a[j], j, h)
        if careful:
            status = evaluate_at_rank_loss(entries, context, run, t + tableau.c[j] * h, True)
        else:
            status = evaluate_here(entries, context, run, t + tableau.c[j] * h, False)
        if status != OK:
            return status
        keep(run, j)
    return OK


@kernel
def short(run: Run, h: float) -> bool:
    """Whether no body moves further in a step than states beside a rank loss are looked for; k_0 is known."""
    k, fastest = run.k, 0.0
    for c in range(run.psi.shape[0] // 2):
        fastest = max(fastest, abs(run.weight[c] * k[0, c]))
    return bool(h * fastest < STRIDE)


@kernel
def finish_step(entries: Entries, context: Ints, run: Run, tableau: object, t: float, placed: bool) -> int:
    """The base moves to the new state at time t. placed : whether the last stage put the bodies there already."""
    if not placed:
        run.request.time[0] = t
        status = entries.set_state(context)
        if status != OK:
            return int(status)
    moved = entries.accept_step(context)
    run.steps[0] += 1
    run.rhs_known[0] = 0
    run.state_is_set[0] = 0 if placed or moved > 0 else 1
    return OK


@kernel
def reuse_last(entries: Entries, context: Ints, run: Run) -> int:
    """k_0 from the last stage of a method whose last stage is the new state: only psi is another one."""
    at_base(run)
    run.request.first_stage[0] = 1
    status = int(entries.rhs(context))
    keep(run, 0)
    run.rhs_known[0] = 1
    return status
