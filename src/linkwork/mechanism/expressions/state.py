"""What formulas know besides time: names, numbers measured from the state, and tables, in the tree of a formula.

A parsed formula says them as they were written: a name (`name`), a function of elements (`state`) with its arguments, a
table (`table`). `resolved` looks them up in a scope, which answers with other nodes: numbers for parameters, operands
for what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from linkwork.mechanism.expressions.tree import Node, NodeError, apply

MEASURES = {
    "angle": "a joint",
    "displacement": "a joint",
    "rate": "a joint, and 'angle' or 'displacement' where it has both",
    "position": "a body and an axis 'x', 'y' or 'z'",
    "velocity": "a body and an axis 'x', 'y' or 'z'",
    "angular_velocity": "a body and an axis 'x', 'y' or 'z'",
    "direction": "a body, one of its axes and a global axis",
    "speed": "a body",
    "distance": "two bodies",
    "distance_rate": "two bodies",
    "input": "an input",
}
"""Functions of elements, and what stands in their parentheses; `mechanism.measuring` says what they measure."""


class Scope(Protocol):
    """Where names are looked up. Raises NodeError for what there is not."""

    def name(self, name: str) -> Node:
        """A parameter, or what an element calls its own."""

    def measured(self, function: str, args: tuple[Any, ...]) -> Node:
        """One of MEASURES."""

    def table(self, name: str) -> str:
        """The table of this name."""


def name_node(name: str) -> Node:
    """A name to be looked up."""
    return Node("name", about=name)


def measure_node(function: str, args: tuple[Any, ...]) -> Node:
    """A number to be measured; args are texts and vectors of three nodes."""
    return Node("state", about=(function, args))


def table_node(name: str, u: Node) -> Node:
    """A table of u."""
    return Node("table", (u,), None, 1 + u.depth, name)


def clip_node(u: Node, low: Node, high: Node) -> Node:
    """u between two bounds, which may be parameters still: these are looked at when they are known."""
    if any(node.constant is None for node in (low, high)):
        return Node("clip", (u, low, high), None, 2 + max(u.depth, low.depth, high.depth), ("clip", ()))
    return clipped(u, low, high)


def clipped(u: Node, low: Node, high: Node) -> Node:
    """min(max(u, low), high). Raises NodeError for constant bounds in the wrong order."""
    if low.constant is not None and high.constant is not None and low.constant > high.constant:
        raise NodeError(
            f"clip(u, low, high) needs low <= high; here low is {low.constant:g} and high {high.constant:g}."
        )
    return apply("min", apply("max", u, low), high)


def operand_node(about: Any) -> Node:
    """A number that is measured in a run, or given to it."""
    return Node("operand", about=about)


def nodes_of(node: Node) -> Iterator[Node]:
    """The node and all below it; what is constant is one."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.args if one.constant is None else ()


def resolved(node: Node, scope: Scope) -> Node:
    """The tree with everything looked up, constants folded again."""
    if node.name == "name":
        return scope.name(node.about)
    if node.name == "state":
        function, args = node.about
        return scope.measured(function, tuple(arg if isinstance(arg, str) else numbers(arg, scope) for arg in args))
    if node.name == "table":
        return table_node(scope.table(node.about), resolved(node.args[0], scope))
    if not node.args:
        return node
    if node.name == "clip":
        return clipped(*(resolved(arg, scope) for arg in node.args))
    return apply(node.name, *(resolved(arg, scope) for arg in node.args))


def numbers(vector: tuple[Node, ...], scope: Scope) -> tuple[float, ...]:
    """Three constants."""
    found = [resolved(node, scope).constant for node in vector]
    if any(x is None for x in found):
        raise NodeError("the components of a point must be constants.")
    return tuple(float(x) for x in found if x is not None)
