"""Elements whose formulas know the state, as efforts: what a load or a force element comes down to besides numbers.

Whatever is constant or a formula of time stays what it was: a row of the tables of loads and of force elements.
"""

from __future__ import annotations

from dataclasses import replace

from linkwork.kernels.force_laws.laws import law_of
from linkwork.mechanism.elements import invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import Node, NodeError, apply, number
from linkwork.mechanism.lowered import LoweredEffort, LoweredElement, LoweredLoad, Quantity
from linkwork.mechanism.measuring import AXES, GROUND, Measuring, rate, turn_about, value

Law = Expression | float
Made = LoweredLoad | LoweredElement | LoweredEffort


def settled(made: Made, scope: Measuring) -> list[Made]:
    """The element with its formulas looked up; those of the state as efforts beside it."""
    if isinstance(made, LoweredLoad):
        return _load(made, scope)
    if isinstance(made, LoweredElement):
        return _pulled(made, scope)
    within = scope.with_local(made.local)
    parts = {name: Expression.parse(_looked_up(one, within, name)) for name, one in made.parts.items()}
    f = Expression.parse(_looked_up(made.f, within, made.label))
    if made.potential is None:
        return [replace(made, f=f, local={}, parts=parts)]
    potential = Expression.parse(_looked_up(made.potential, within, made.label))
    return [replace(made, f=f, potential=potential, local={}, parts=parts)]


def _pulled(made: LoweredElement, scope: Measuring) -> list[Made]:
    """Stiffness, damping and actuator: what is constant, or an actuator of time, stays; the rest is one effort."""
    quantity, known = made.quantity, law_of(made.law)
    q = value(quantity)
    local = {known.value.name: q, known.stretch: apply("-", q, number(made.rest)), "rate": rate(quantity)}
    within = scope.with_local(local)
    stiffness = _looked_up(made.stiffness, within, "stiffness")
    damping = _looked_up(made.damping, within, "damping")
    actuator = actuator_said = _looked_up(made.actuator, within, "actuator")
    if not known.linear and (isinstance(stiffness, Expression) or isinstance(damping, Expression)):
        raise invalid("has a formula as stiffness or damping, which its law takes as numbers")
    total: Node | None = None
    for law, times in ((stiffness, local[known.stretch]), (damping, local["rate"])):
        if isinstance(law, Expression):
            total = _sum(total, apply("*", law.root, times))
    if isinstance(actuator, Expression) and actuator.needs_state:
        total, actuator = _sum(total, actuator.root), 0.0
    plain = [law if isinstance(law, float) else 0.0 for law in (stiffness, damping)]
    left: list[Made] = [replace(made, stiffness=plain[0], damping=plain[1], actuator=actuator)]
    if total is None:
        return left
    # an element pulls q back, against its rate
    said = {"stiffness": stiffness, "damping": damping, "actuator": actuator_said}
    parts = {name: one for name, one in said.items() if isinstance(one, Expression)}
    effort = LoweredEffort(made.name, quantity, Expression(apply("*", number(-1.0), total)), law=made.law, parts=parts)
    return [effort] if plain == [0.0, 0.0] and actuator == 0.0 else [*left, effort]


def _load(made: LoweredLoad, scope: Measuring) -> list[Made]:
    """A force or torque: a load where its components are formulas of time, else an effort for each."""
    components = [_looked_up(c, scope, f"components[{n}]") for n, c in enumerate(made.components)]
    if not any(isinstance(c, Expression) and c.needs_state for c in components):
        x, y, z = components
        return [replace(made, components=(x, y, z))]
    efforts: list[Made] = []
    for (name, axis), law in zip(AXES.items(), components, strict=True):
        if law == 0.0:
            continue
        f = Expression.parse(law)
        if made.body_axes:
            f = -f
        if made.torque and made.body_axes:
            quantity = turn_about(made.body, axis, GROUND)
        elif made.torque:
            quantity = turn_about(GROUND, axis, made.body)
        elif made.body_axes:
            quantity = Quantity("SPEED", made.body, GROUND, a_i=axis, s_i=made.point)
        else:
            quantity = Quantity("TRAVEL", GROUND, made.body, a_i=axis, s_j=made.point)
        efforts.append(LoweredEffort(made.name, quantity, f, name))
    return efforts


def _looked_up(law: Law, scope: Measuring, where: str) -> Law:
    """A formula with its names looked up; a number where that leaves one."""
    if not isinstance(law, Expression):
        return float(law)
    try:
        found = law.resolved(scope)
    except NodeError as error:
        raise invalid(f"has a formula in {where or 'f'} that makes no sense: {error.problem}") from None
    return found if found.constant is None else found.constant


def _sum(total: Node | None, more: Node) -> Node:
    return more if total is None else apply("+", total, more)
