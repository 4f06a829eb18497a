"""What people ask a result for: one door for each question. Floors above answer (`linkwork.quantities`), by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwork.attached import attached

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.header import Array
    from linkwork.mechanism import Mechanism
    from linkwork.planner.accuracy import Accuracy
    from linkwork.quantities.drivers import DriverMotion
    from linkwork.quantities.forces import ElementForce
    from linkwork.quantities.joints import JointMotion
    from linkwork.quantities.momentum import Momentum
    from linkwork.quantities.points import PointMotion
    from linkwork.quantities.sensors import SensorReading


class Questions:
    """Base of `Result`: its quantities that are neither recorded nor derived for every run."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism as it ran. Raises UsageError for a result that does not hold it."""
        made: Mechanism = attached("Result.mechanism")(self)
        return made

    @property
    def accuracy(self) -> Accuracy | None:
        """What is known of its global error, where an accuracy was asked for; see `planner.accuracy`."""
        said: Accuracy | None = attached("Result.accuracy")(self)
        return said

    def state(self, k: int = -1) -> State:
        """Sample k as a state to start from (negative: from the end); see `linkwork.simulate(state=...)`."""
        found: State = attached("Result.state")(self, k)
        return found

    def joint(self, name: str) -> JointMotion:
        """A joint's coordinates, rates and second rates over time, turns counted; see `quantities.joints`."""
        found: JointMotion = attached("Result.joint")(self, name)
        return found

    def point(self, body: str, place: Sequence[float] = (0.0, 0.0, 0.0)) -> PointMotion:
        """The path, velocity and acceleration of a point (m, in the body's components as described)."""
        found: PointMotion = attached("Result.point")(self, body, place)
        return found

    def force(self, name: str) -> ElementForce:
        """What a force element does over time: force or torque, length or angle, rate, power; `quantities.forces`."""
        found: ElementForce = attached("Result.force")(self, name)
        return found

    def driver(self, name: str) -> DriverMotion:
        """What a driver does over time: its coordinate, effort (torque or force) and power."""
        found: DriverMotion = attached("Result.driver")(self, name)
        return found

    def sensor(self, name: str) -> SensorReading:
        """What a sensor of the description read over time; the same arrays are variables under its name."""
        found: SensorReading = attached("Result.sensor")(self, name)
        return found

    def momentum(self, about: Sequence[float] = (0.0, 0.0, 0.0)) -> Momentum:
        """Linear momentum, and angular momentum about a fixed point (m, global), over time."""
        found: Momentum = attached("Result.momentum")(self, about)
        return found

    def centre_of_mass(self) -> PointMotion:
        """Position, velocity and acceleration of the centre of mass of all bodies, over time."""
        found: PointMotion = attached("Result.centre_of_mass")(self)
        return found

    def value(self, formula: str) -> Array:
        """What a formula of its quantities comes to, ``max(rod.velocity.x)``; (nt, ...) of one over time, else (...).

        Names and functions are those of sweeps and sensitivities (`quantities.formulas`). Raises UsageError for what
        is no formula of quantities of this mechanism.
        """
        found: Array = attached("Result.value")(self, formula)
        return found
