"""Putting an index-3 problem together from its parts: arrays, sparse structure, compiled entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.problems.implicit import ImplicitProblem, Work
    from linkwork.system import CompiledMechanism

Newton = Literal["frozen", "full", "no-reaction-variation"]
NEWTON = Option(
    "implicit integrators: the matrix of Newton's method, without the variation of the reactions and kept over "
    "iterations and steps until convergence slows; exact; or without that variation, formed at every iteration"
)


def index_3_problem(
    mechanism: CompiledMechanism,
    layout: Any,
    work: Work,
    structure: Any,
    entries: Any,
    *,
    newton: str,
    droppable: bool,
    pose_tolerance: float,
    formulation_arrays: Sequence[Any] = (),
    set_start: Callable[[CompiledMechanism], bool] | None = None,
) -> ImplicitProblem:
    """The problem in coordinates that `entries` know: what has BEGIN, SET_STATE, EVALUATE and ASSEMBLE; for Radau
    methods CONSTRAIN, too, and INCREMENT_RATE where increments live in an algebra.

    layout, work, structure : the unknowns, the arrays at the start, the iteration matrix.
    newton, droppable, pose_tolerance : as in `AbsoluteFormulation.build`.
    formulation_arrays : further arrays of the entries; they come last in the context.
    set_start : `ImplicitProblem.set_start`.
    """
    from linkwork.equations.index_3.variations import APPLY, VARY_FORCES, VARY_REACTIONS
    from linkwork.problems.context import make_context
    from linkwork.problems.dependent import new_dependence
    from linkwork.problems.implicit import ImplicitProblem
    from linkwork.problems.linear import MINIMUM_NORM_MULTIPLIERS, new_linear
    from linkwork.problems.nothing import NOTHING

    forced = mechanism.forced
    parts = (structure.matrix, structure.pattern, structure.factors)
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    linear = new_linear(layout.total, droppable, layout.multipliers.start)
    return ImplicitProblem(
        mechanism=mechanism,
        layout=layout,
        work=work,
        context=make_context(mechanism.tables, work, *parts, dependent, linear, *formulation_arrays),
        formulation_arrays=tuple(formulation_arrays),
        structure=structure,
        linear=linear,
        dependence=dependent,
        droppable=droppable,
        frozen=newton == "frozen",
        begin=entries.BEGIN,
        set_state=entries.SET_STATE,
        evaluate=entries.EVALUATE,
        assemble=entries.ASSEMBLE,
        apply=APPLY if forced else NOTHING,
        vary_forces=VARY_FORCES if forced else NOTHING,
        vary_reactions=VARY_REACTIONS if newton == "full" else NOTHING,
        **linear_entries(droppable),
        minimum_norm_multipliers=MINIMUM_NORM_MULTIPLIERS if droppable else NOTHING,
        forced=forced,
        constrain=getattr(entries, "CONSTRAIN", NOTHING),
        increment_rate=getattr(entries, "INCREMENT_RATE", NOTHING),
        set_start=set_start,
    )


def linear_entries(droppable: bool) -> dict[str, Any]:
    """factorise, solve, and the search for redundant rows where there may be any."""
    from linkwork.problems.linear import DETECT_REDUNDANT_ROWS, FACTORISE, SOLVE
    from linkwork.problems.nothing import NOTHING

    detect = DETECT_REDUNDANT_ROWS if droppable else NOTHING
    return {"factorise": FACTORISE, "solve": SOLVE, "detect_redundant_rows": detect}
