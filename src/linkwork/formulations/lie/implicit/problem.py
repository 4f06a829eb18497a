"""Making the implicit problem of a mechanism whose bodies live on chosen groups."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_3 import rotation_matrix as rotation_matrix_equations
from linkwork.equations.index_3.problem import index_3_problem
from linkwork.equations.index_3.structure import TANGENT, build_structure
from linkwork.equations.index_3.work import Layout, new_work
from linkwork.equations.index_3.work import set_start as place_work
from linkwork.formulations.lie.implicit import iteration_matrix
from linkwork.formulations.lie.implicit.maps import MAPS
from linkwork.problems.implicit import A, ImplicitProblem, V, Work
from linkwork.spaces import rotation_matrix
from linkwork.system import CompiledMechanism


def build_implicit(
    mechanism: CompiledMechanism,
    groups: NDArray[np.int64],
    *,
    newton: str = "frozen",
    droppable: bool = False,
    pose_tolerance: float = 1e-11,
    room: int = 1,
) -> ImplicitProblem:
    """The index-3 problem of this mechanism, at its start pose and velocity.

    groups : (nb,) 1 for bodies on SE(3), 0 for those on SO(3) x R^3.
    newton, droppable, pose_tolerance, room : as in `LieFormulation.build`.
    Raises MissingMassError.
    """
    mechanism.need_masses()
    mixed = bool(groups.any())  # with every body on SO(3) x R^3 unknowns, equations and matrix are those of rA
    layout = Layout(mechanism.nb, mechanism.nc, 3, False, algebra=True)
    group = np.append(groups, 0).astype(np.int64)  # ground last
    structure = build_structure(
        mechanism,
        layout,
        reaction_variation=newton == "full",
        droppable=droppable,
        room=room,
        twisted=[bool(g) for g in groups],
        tangent=MAPS if mixed else TANGENT,
    )
    work = work_on(mechanism, layout, group)
    return index_3_problem(
        mechanism,
        layout,
        work,
        structure,
        iteration_matrix if mixed else rotation_matrix_equations,
        newton=newton,
        droppable=droppable,
        pose_tolerance=pose_tolerance,
        formulation_arrays=(group,) if mixed else (),
        set_start=partial(set_start, work, layout, group),
    )


def work_on(mechanism: CompiledMechanism, layout: Layout, group: NDArray[np.int64]) -> Work:
    """A workspace at the mechanism's start, twists of bodies on SE(3) in body components."""
    work = new_work(mechanism, layout, rotation_matrix)
    set_twists(work, layout, group)
    return work


def set_start(work: Work, layout: Layout, group: NDArray[np.int64], mechanism: CompiledMechanism) -> bool:
    """Another start state of the same elements, in a workspace as `work_on` makes it."""
    place_work(work, layout, rotation_matrix, mechanism)
    set_twists(work, layout, group)
    return True


def set_twists(work: Work, layout: Layout, group: NDArray[np.int64]) -> None:
    """Rates of bodies on SE(3) in body components."""
    for b in range(layout.nb):
        if group[b] == 1:
            work.rate[layout.translation(b)] = work.motion[b, A : A + 9].reshape(3, 3).T @ work.motion[b, V : V + 3]
