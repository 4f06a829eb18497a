"""What every sensor has, and how sensors are lowered that name each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from linkwork.mechanism.elements import Element, Text
from linkwork.mechanism.expressions.parser import MAX_TOKENS
from linkwork.mechanism.expressions.state import nodes_of
from linkwork.mechanism.expressions.tree import MAX_DEPTH, Node, NodeError
from linkwork.mechanism.lowered import LoweredSensor
from linkwork.mechanism.measuring import Measuring

TAKEN = frozenset(
    (
        "time", "position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration",
        "multiplier", "iterations", "reaction_force", "reaction_torque", "kinetic_energy", "potential_energy", "power",
        "position_violation", "velocity_violation", "input", "body", "joint", "row", "xyz", "xyz_body",
        "joint_body", "joint_point", "run_document", "mechanism_document", "coordinate", "joint_coordinate",
        "joint_rate", "joint_momentum", "multiplier_matrix", "pseudo_translation", "orthogonality_violation",
    )
)  # fmt: skip
"""Names that results have for what is theirs."""


class Sensor(Element):
    """Base of all sensors. Its name is the key that it stands under."""

    type: str
    description: Text = ""

    def lower(self, name: str, scope: Measuring) -> LoweredSensor:
        """What it reads, with names looked up. Raises NodeError or ValueError for what there is not."""
        raise NotImplementedError


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


def said_in_full(said: Any) -> Any:
    """A sensor as a mapping: a text or a number alone is a formula, and so is a mapping that says no type."""
    if isinstance(said, str | int | float):
        return {"type": "formula", "value": said}
    if isinstance(said, dict) and "type" not in said:
        return {"type": "formula", **said}
    return said
