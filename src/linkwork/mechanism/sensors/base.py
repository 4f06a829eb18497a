"""What every sensor has."""

from __future__ import annotations

from typing import Any

from linkwork.mechanism.elements import Element, Text
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


def said_in_full(said: Any) -> Any:
    """A sensor as a mapping: a text or a number alone is a formula, and so is a mapping that says no type."""
    if isinstance(said, str | int | float):
        return {"type": "formula", "value": said}
    if isinstance(said, dict) and "type" not in said:
        return {"type": "formula", **said}
    return said
