"""The index-1 problem of the rotation-matrix formulation: arrays, compiled entries and a solver put together."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from linkwork.formulations.rotation_matrix.work import ElementWork, new_work, weights
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import ExplicitProblem
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
    """The problem at the mechanism's start pose and velocity; arguments as in `RotationMatrixFormulation.build`.

    held : whether multipliers are held over a step. dense : whether the linear system's matrix is.
    """
    entries = import_module("linkwork.formulations.rotation_matrix.compiled")
    shared = import_module("linkwork.equations.index_1.compiled")
    nothing = import_module("linkwork.problems.nothing").NOTHING
    make_context = import_module("linkwork.problems.explicit_context").make_context
    system = mechanism.system
    forced = bool(len(system.loads.body) or len(system.springs.body_i) or len(system.torsions.body_i))
    work, elements = new_work(
        mechanism, held=held, orthonormalise_every=orthonormalise_every, printed=elimination == "two-step"
    )
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    solver = choose_solver(mechanism, work.group, elimination, dense=dense, droppable=droppable, room=room)
    return ExplicitProblem(
        mechanism=mechanism,
        work=work,
        context=make_context(mechanism.tables, work, dependent, solver.arrays, elements),
        own=elements,
        extra=elements.Lambda,
        dependence=dependent,
        droppable=droppable,
        forced=forced,
        weight=weights(mechanism),
        set_state=entries.set_state,
        apply=entries.apply if forced else nothing,
        detect_redundant_rows=shared.detect_redundant_rows if droppable else nothing,
        factorise=solver.factorise,
        solve=solver.solve,
        rhs=entries.rhs,
        accept_step=entries.accept_step,
        retract=entries.retract,
        output=nothing,
        notices=partial(drifted, elements),
        remembers=held,
        bases=() if held else (elements.start,),
        momenta=np.zeros((0, 2)),
        solves_extra=True,
        solver=solver,
    )


def choose_solver(
    mechanism: CompiledMechanism, group: Any, elimination: str, *, dense: bool, droppable: bool, room: int
) -> Solver:
    """The solver of an elimination: the range space for 'newton-euler', the eliminations' own systems else."""
    if elimination == "newton-euler":
        return new_solver(mechanism, group, droppable, room, "range_space_dense" if dense else "range_space")
    here = "linkwork.formulations.rotation_matrix"
    name = elimination.replace("-", "_")
    records = import_module(f"{here}.{name}").new_arrays(mechanism, dense)
    entries = import_module(f"{here}.compiled_{name}{'_dense' if dense else ''}")
    return Solver(name, records, entries.factorise, entries.solve)


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
