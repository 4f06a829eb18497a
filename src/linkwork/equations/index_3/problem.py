"""Putting an index-3 problem together from its parts: arrays, sparse structure, compiled entries."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from linkwork.errors import UsageError
from linkwork.problems.implicit import ImplicitProblem, Work
from linkwork.system import CompiledMechanism

NEWTON_VARIANTS = {
    "full": "the exact matrix, with the first-order variation of the reactions, formed at every iteration",
    "no-reaction-variation": "the matrix without that variation, formed at every iteration",
    "frozen": "the matrix without that variation, kept over iterations and steps until convergence slows",
}


def check(mechanism: CompiledMechanism, newton: str) -> None:
    """Raise MissingMassError, or UsageError for an unknown variant of Newton's method."""
    if newton not in NEWTON_VARIANTS:
        raise UsageError(f"there is no Newton variant {newton!r}.", remedy=f"Known: {', '.join(NEWTON_VARIANTS)}.")
    mechanism.need_masses()


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
    own: Sequence[Any] = (),
) -> ImplicitProblem:
    """The problem in coordinates that `entries` (begin, place, evaluate, assemble) know.

    layout, work, structure : the unknowns, the arrays at the start, the iteration matrix.
    newton, droppable, pose_tolerance : as in `AbsoluteFormulation.build`.
    own : further arrays of the entries; they come last in the context.
    """
    from linkwork.problems.dependent import new_dependence
    from linkwork.problems.linear import new_linear

    make_context = import_module("linkwork.problems.context").make_context
    optional = import_module("linkwork.equations.index_3.compiled_optional")
    system = mechanism.system
    forced = bool(len(system.loads.body) or len(system.springs.body_i) or len(system.torsions.body_i))
    parts = (structure.matrix, structure.pattern, structure.factors)
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    linear = new_linear(layout.total, droppable, layout.multipliers.start)
    return ImplicitProblem(
        mechanism=mechanism,
        layout=layout,
        work=work,
        context=make_context(mechanism.tables, work, *parts, dependent, linear, *own),
        own=tuple(own),
        structure=structure,
        linear=linear,
        dependence=dependent,
        droppable=droppable,
        frozen=newton == "frozen",
        begin=entries.begin,
        set_state=entries.set_state,
        evaluate=entries.evaluate,
        assemble=entries.assemble,
        apply=optional.apply if forced else nothing(),
        vary_forces=optional.vary_forces if forced else nothing(),
        vary_reactions=optional.vary_reactions if newton == "full" else nothing(),
        **linear_entries(droppable),
        minimum_norm_multipliers=import_module("linkwork.problems.compiled_dependent").share
        if droppable
        else nothing(),
        forced=forced,
    )


def nothing() -> Any:
    """The entry that does nothing."""
    return import_module("linkwork.problems.compiled_nothing").nothing


def linear_entries(droppable: bool) -> dict[str, Any]:
    """factorise, solve, and seek where rows may be dependent."""
    linear = import_module("linkwork.problems.compiled_linear")
    seek = import_module("linkwork.problems.compiled_dependent").seek if droppable else nothing()
    return {"factorise": linear.factorise, "solve": linear.solve, "detect_redundant_rows": seek}
