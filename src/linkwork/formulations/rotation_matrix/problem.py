"""The index-1 problem of the rotation-matrix formulation: arrays, entries and a solver put together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from linkwork.equations.index_1.redundancy import DETECT_REDUNDANT_ROWS
from linkwork.equations.index_1.work import place_work
from linkwork.formulations.rotation_matrix import one_shot, two_step
from linkwork.formulations.rotation_matrix.accept_step import ACCEPT_STEP
from linkwork.formulations.rotation_matrix.forces import APPLY
from linkwork.formulations.rotation_matrix.formulation import refuse
from linkwork.formulations.rotation_matrix.rhs import RETRACT, RHS
from linkwork.formulations.rotation_matrix.set_state import SET_STATE
from linkwork.formulations.rotation_matrix.work import ElementWork, initialise_state, new_work, renew, weights
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import ExplicitProblem, Work
from linkwork.problems.explicit_context import make_context
from linkwork.problems.nothing import NOTHING
from linkwork.solvers.choice import Solver, new_solver
from linkwork.system import CompiledMechanism

FAR_OFF, OF_TOLERANCE = 1e-6, 30.0  # A^T A - I worth a word: with fixed steps; of the relative tolerance


def rotation_matrix_problem(
    mechanism: CompiledMechanism,
    *,
    elimination: str,
    held: bool,
    dense: bool,
    orthonormalise_every: int,
    droppable: bool,
    pose_tolerance: float,
    room: int,
) -> ExplicitProblem:
    """The problem at the mechanism's start pose and velocity; arguments as in `RotationMatrix.build`.

    held : whether multipliers are held over a step. dense : whether the linear system's matrix is.
    """
    forced = mechanism.forced
    work, elements = new_work(
        mechanism, held=held, orthonormalise_every=orthonormalise_every, printed=elimination == "two-step"
    )
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    weight = weights(mechanism)
    solver = choose_solver(mechanism, work.group, elimination, dense=dense, droppable=droppable, room=room)
    return ExplicitProblem(
        mechanism=mechanism,
        work=work,
        context=make_context(mechanism.tables, work, dependent, solver.records, (elements,)),
        formulation_arrays=elements,
        extra=elements.Lambda,
        dependence=dependent,
        droppable=droppable,
        forced=forced,
        weight=weight,
        set_state=SET_STATE,
        apply=APPLY if forced else NOTHING,
        detect_redundant_rows=DETECT_REDUNDANT_ROWS if droppable else NOTHING,
        factorise=solver.factorise,
        solve=solver.solve,
        rhs=RHS,
        accept_step=ACCEPT_STEP,
        retract=RETRACT,
        output=NOTHING,
        notices=partial(drifted, elements),
        remembers=held,
        bases=() if held else (elements.start,),
        momenta=np.zeros((0, 2)),
        solves_extra=True,
        solver=solver,
        renew=partial(renew_both, elements, solver),
        set_start=partial(set_start, work, elements, solver, weight),
    )


def renew_both(elements: ElementWork, solver: Solver, mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """What the elements and the solver hold of masses and inertias, of other ones. Raises UnsupportedElementError."""
    of_these = mechanism.other(system=mechanism.system._replace(bodies=bodies))
    refuse(of_these, inverse_of_K=not solver.name.startswith("range_space"))
    renew(elements, bodies)
    if solver.renew is not None:
        solver.renew(mechanism, bodies)


def set_start(work: Work, elements: ElementWork, solver: Solver, weight: Floats, mechanism: CompiledMechanism) -> bool:
    """Another start state; and all that is worked out of masses and lengths, counted angles and inputs."""
    renew_both(elements, solver, mechanism, mechanism.system.bodies)
    place_work(work, mechanism)
    initialise_state(work, elements)
    weight[:] = weights(mechanism)
    return True


def choose_solver(
    mechanism: CompiledMechanism, group: Ints, elimination: str, *, dense: bool, droppable: bool, room: int
) -> Solver:
    """The solver of an elimination: the range space for 'newton-euler', the eliminations' own systems else."""
    if elimination == "newton-euler":
        return new_solver(mechanism, group, droppable, room, "range_space_dense" if dense else "range_space")
    way = {"two-step": two_step, "one-shot": one_shot}[elimination]
    records = way.new_arrays(mechanism, dense)
    renewed = partial(renew_way, way.renew, records[0])
    return Solver(elimination.replace("-", "_"), records, way.FACTORISE, way.SOLVE, renew=renewed)


def renew_way(renew: Callable[[Any, Bodies], None], system: Any, mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """What an elimination's own system holds of inertias."""
    renew(system, bodies)


def drifted(elements: ElementWork, rtol: float | None) -> list[str]:
    """That A is off SO(3) where a run ends, if that is more than was asked for.

    elements : the formulation's arrays. rtol : relative tolerance of adaptive steps, None with fixed ones.
    """
    A = elements.start[:-1, 3:12].reshape(-1, 3, 3)
    off = float(np.max(np.abs(np.swapaxes(A, 1, 2) @ A - np.eye(3)), initial=0.0))
    limit = FAR_OFF if rtol is None else OF_TOLERANCE * rtol
    if not off > limit:
        return []
    asked = "" if rtol is None else f", {off / rtol:.2g} times the relative tolerance"
    return [
        f"rotation matrices are off SO(3) by {off:.2g} at the end (largest element of A^T A - I){asked}, and turns and "
        "angular velocities with them: nothing holds A^T A = I but its second derivative, and errors add up. "
        "orthonormalise_every=1 puts them back, stabilisation='projection' holds the joints as well."
    ]
