"""Sensors by name, each lowered when it is asked for: the formula of one may name others, in any order but a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkwork.mechanism.expressions.parser import MAX_TOKENS
from linkwork.mechanism.expressions.state import nodes_of
from linkwork.mechanism.expressions.tree import MAX_DEPTH, Node, NodeError
from linkwork.mechanism.lowered import LoweredSensor
from linkwork.mechanism.measuring import Measuring
from linkwork.mechanism.sensors.base import Sensor


class Readings(Mapping[str, Node]):
    """What the names of sensors stand for in formulas of sensors; a parameter of the same name comes first."""

    def __init__(self, sensors: Mapping[str, Sensor], scope: Measuring) -> None:
        self.sensors, self.parameters = sensors, scope.parameters
        self.scope = scope.with_local(self)
        self.found: dict[str, LoweredSensor] = {}
        self.waiting: list[str] = []

    def lowered(self, name: str) -> LoweredSensor:
        """A sensor, with those that it names. Raises NodeError or ValueError for what makes no sense."""
        if name in self.waiting:
            raise NodeError(f"it depends on itself: {' -> '.join([*self.waiting[self.waiting.index(name) :], name])}.")
        if name not in self.found:
            self.waiting.append(name)
            try:
                made = self.sensors[name].lower(name, self.scope)
            finally:
                self.waiting.pop()
            if made.f is not None:
                _need_short(made.f.root)
            self.found[name] = made
        return self.found[name]

    def __getitem__(self, name: str) -> Node:
        made = self.lowered(name)
        if made.f is None:
            raise NodeError(f"sensor {name!r} reads vectors, and a formula takes numbers.")
        return made.f.root

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.sensors if name not in self.parameters)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self.sensors and name not in self.parameters


def _need_short(root: Node) -> None:
    """Raise NodeError for a formula that is, with those of the sensors that it names, beyond what a formula may be."""
    if root.depth > MAX_DEPTH or sum(1 for _ in nodes_of(root)) > MAX_TOKENS:
        raise NodeError(
            f"with the sensors that it names it has more than {MAX_TOKENS} numbers and names, or {MAX_DEPTH} levels."
        )
