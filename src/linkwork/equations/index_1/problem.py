"""The index-1 problem of bodies on their groups: arrays, entries and a solver put together."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_1.accept_step import ACCEPT_STEP
from linkwork.equations.index_1.forces import APPLY
from linkwork.equations.index_1.momenta import Momenta, in_momenta
from linkwork.equations.index_1.redundancy import DETECT_REDUNDANT_ROWS
from linkwork.equations.index_1.rhs import RETRACT, RHS
from linkwork.equations.index_1.set_state import SET_STATE
from linkwork.equations.index_1.work import new_work, place_work, weights
from linkwork.kernels.records import new_record
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import ExplicitProblem, Work
from linkwork.problems.explicit_context import make_context
from linkwork.problems.nothing import NOTHING
from linkwork.system import CompiledMechanism


def index_1_problem(
    mechanism: CompiledMechanism,
    group: NDArray[np.int64],
    solver: Any,
    *,
    droppable: bool,
    pose_tolerance: float,
    momenta: bool = False,
) -> ExplicitProblem:
    """M Vdot + J^T lambda = f, J Vdot = eta [Müller 2013, eq. 3] at the mechanism's start pose and velocity.

    group : (nb,) 1 for bodies on SE(3), 0 for those on SO(3) x R^3.
    solver : of this system, as `solvers.choice.new_solver` makes it: its arrays and entries.
    droppable : allow for dependent rows. pose_tolerance : to what share of the mechanism's length poses are met.
    momenta : with the entries of methods in momenta (`equations.index_1.momenta`).
    """
    forced = mechanism.forced
    detect = DETECT_REDUNDANT_ROWS if solver.detect is None else solver.detect
    work = new_work(mechanism, group)
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    momenta_arrays = new_record(Momenta, nb=mechanism.nb, nc=mechanism.nc) if momenta else None
    arrays = () if momenta_arrays is None else tuple(momenta_arrays)
    weight = weights(mechanism)
    return ExplicitProblem(
        mechanism=mechanism,
        work=work,
        context=make_context(mechanism.tables, work, dependent, solver.records, arrays),
        formulation_arrays=arrays,
        extra=np.zeros((mechanism.nb + 1, 0)),
        dependence=dependent,
        droppable=droppable,
        forced=forced,
        weight=weight,
        set_state=SET_STATE,
        apply=APPLY if forced else NOTHING,
        detect_redundant_rows=detect if droppable else NOTHING,
        factorise=solver.factorise,
        solve=solver.solve,
        rhs=RHS,
        accept_step=ACCEPT_STEP,
        retract=RETRACT,
        output=NOTHING,
        notices=None if solver.notices is None else partial(solver.notices, solver.records),
        remembers=False,
        bases=(work.base,),
        momenta=np.zeros((0, 2)),
        solves_extra=True,
        solver=solver,
        in_momenta=None if momenta_arrays is None else in_momenta(momenta_arrays),
        renew=solver.renew,
        set_start=partial(set_start, work, solver, weight),
    )


def set_start(work: Work, solver: Any, weight: NDArray[np.float64], mechanism: CompiledMechanism) -> bool:
    """Another start state; and all that is worked out of masses and lengths, counted angles and inputs."""
    if solver.renew is not None:
        solver.renew(mechanism, mechanism.system.bodies)
    place_work(work, mechanism)
    weight[:] = weights(mechanism)
    return True
