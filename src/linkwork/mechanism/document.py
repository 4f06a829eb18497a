"""The whole description as one document: what a linkwork file holds, and what must fit together in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, WithJsonSchema

from linkwork.mechanism.body import Body
from linkwork.mechanism.constraints import CONSTRAINTS
from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.couplings import COUPLINGS
from linkwork.mechanism.couplings.base import JointCoupling
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.elements import GROUND, Element, Name, Positive, Text, Vector, by_type, did_you_mean
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.parameters import Input, Parameter
from linkwork.mechanism.sensors import SENSORS
from linkwork.mechanism.sensors.base import Sensor
from linkwork.mechanism.tables import Table
from linkwork.mechanism.validation_errors import InvalidValue

if TYPE_CHECKING:
    AnyJoint = Joint
    AnyConstraint = Constraint
    AnyForce = Force
    AnySensor = Sensor
    AnyCoupling = JointCoupling
else:
    AnyJoint = by_type(JOINTS, Joint)
    AnyConstraint = by_type(CONSTRAINTS, Constraint)
    AnyForce = by_type(FORCES, Force)
    AnySensor = by_type(SENSORS, Sensor)
    AnyCoupling = by_type(COUPLINGS, JointCoupling)

VERSION = 1
STANDARD_GRAVITY = (0.0, 0.0, -9.81)
KINDS = ("bodies", "joints", "constraints", "drivers", "forces", "couplings")


_A_SPRING = "springs, dampers and actuators are forces: `forces: [{type: spring, ...}]` or `type: torsion`"
_A_LOAD = "loads are forces: `forces: [{type: force, ...}]` or `type: torque`"
_A_MOTOR = "motors are drivers: `drivers: [{joint: ..., f: ...}]`, or forces of `type: motor`"
_A_BODY = "the parts of a mechanism are `bodies`"
_A_JOINT = "what holds bodies together are `joints`, and raw rows `constraints`"
_NONE = "linkwork has none; docs/limits.md says what to do instead"
OTHER_WORDS = {
    **dict.fromkeys(("spring", "springs", "damper", "dampers", "actuators", "force_elements"), _A_SPRING),
    **dict.fromkeys(("load", "loads", "torque", "torques", "moments"), _A_LOAD),
    **dict.fromkeys(("motor", "motors", "motions", "actuator", "drives"), _A_MOTOR),
    **dict.fromkeys(("links", "link", "parts", "rigid_bodies", "elements", "frames"), _A_BODY),
    **dict.fromkeys(("hinges", "hinge", "pins", "connections", "restrictions"), _A_JOINT),
    **dict.fromkeys(("contacts", "contact", "friction", "flexible_bodies", "cables", "controllers"), _NONE),
}


_NAMED = {"type": ["number", "string", "object"]}
_COLUMN = {"type": ["string", "integer"]}
_IN_FILE = {
    **{key: {} for key in ("between", "outside", "unit", "description")},
    "file": {"type": "string"},
    "x": _COLUMN,
    "y": _COLUMN,
}
_TABLE = {
    "anyOf": [
        {"$ref": "#/definitions/Table"},
        {"type": "object", "properties": _IN_FILE, "required": ["file"], "additionalProperties": False},
    ]
}
_SENSOR = {"anyOf": [{"type": ["number", "string"]}, {"$ref": "#/definitions/sensor"}]}


class Run(Element):
    """What a run takes when it is not told: the end time and the step, s."""

    t_end: Positive | None = None
    step: Positive | None = None


class Document(Element):
    """A mechanism: bodies, joints, raw constraints, drivers, forces, gravity (m/s^2)."""

    linkwork: Literal[1] = 1
    name: Name = "mechanism"
    description: Text = ""
    gravity: Vector = STANDARD_GRAVITY
    run: Run = Run()
    parameters: dict[str, Annotated[Parameter, WithJsonSchema(_NAMED)]] = Field(default_factory=dict)
    inputs: dict[str, Annotated[Input, WithJsonSchema(_NAMED)]] = Field(default_factory=dict)
    tables: dict[str, Annotated[Table, WithJsonSchema(_TABLE)]] = Field(default_factory=dict)
    sensors: dict[str, Annotated[AnySensor, WithJsonSchema(_SENSOR)]] = Field(default_factory=dict)
    bodies: tuple[Body, ...] = ()
    joints: tuple[AnyJoint, ...] = ()
    constraints: tuple[AnyConstraint, ...] = ()
    drivers: tuple[Driver, ...] = ()
    forces: tuple[AnyForce, ...] = ()
    couplings: tuple[AnyCoupling, ...] = ()

    lists: ClassVar[tuple[str, ...]] = KINDS
    other_words: ClassVar[dict[str, str]] = OTHER_WORDS


NamedElement = Body | Joint | Constraint | Driver | Force | JointCoupling


class Names:
    """Which names are taken, and by what; element names are unique in a mechanism."""

    def __init__(self) -> None:
        self.taken: dict[str, str] = {GROUND: "the fixed body every mechanism has"}
        self.bodies: dict[str, Body | None] = {GROUND: None}
        self.joints: dict[str, Joint] = {}
        self.tied: dict[str, list[tuple[str, str]]] = {}  # couplings of two coordinates, and these

    def check(self, kind: str, k: int, element: NamedElement) -> list[InvalidValue]:
        """Errors about a name that is taken, and about names the element uses that do not exist."""
        found = self._uses(element)
        if element.name in self.taken:
            found.append(f"has the name {element.name!r}, which {self.taken[element.name]} has already")
        return [InvalidValue((kind, k), text) for text in found]

    def add(self, kind: str, k: int, element: NamedElement) -> None:
        """Take the element's name."""
        self.taken.setdefault(element.name, f"{kind}[{k}]")
        if isinstance(element, Body):
            self.bodies[element.name] = element
        elif isinstance(element, Joint):
            self.joints[element.name] = element

    def _uses(self, element: NamedElement) -> list[str]:
        if isinstance(element, Joint):
            return self._pair(element.first, element.second)
        if isinstance(element, Constraint):
            return self._pair(element.body_i, element.body_j)
        if isinstance(element, Driver):
            return self._drives(element)
        if isinstance(element, Force):
            return self._acts(element)
        if isinstance(element, JointCoupling):
            return self._couples(element)
        return []

    def _pair(self, *names: str) -> list[str]:
        found = [text for name in names for text in self._body(name)]
        if len(names) == 2 and names[0] == names[1]:
            found.append(f"joins body {names[0]!r} to itself")
        return found

    def _body(self, name: str) -> list[str]:
        if name in self.bodies:
            return []
        return [f"body {name!r} does not exist{did_you_mean(name, self.bodies)}"]

    def _joint(self, name: str) -> list[str]:
        if name in self.joints:
            return []
        return [f"joint {name!r} does not exist{did_you_mean(name, self.joints)}"]

    def _drives(self, driver: Driver) -> list[str]:
        if driver.joint is None:
            return self._pair(driver.body or GROUND)
        missing = self._joint(driver.joint)
        if missing:
            return missing
        try:
            driver.coordinate_of(self.joints[driver.joint])
        except ValueError as error:
            return [str(error)]
        return []

    def _couples(self, coupling: JointCoupling) -> list[str]:
        seen: list[tuple[str, str]] = []
        found = self._pair(*coupling.bodies())
        missing = [said for on in coupling.on() for said in self._joint(on.joint)]
        found += missing
        if not missing:
            try:
                seen = coupling.which(self.joints)
            except ValueError as error:
                found.append(str(error))
        if len(set(seen)) < len(seen):
            found.append("couples a coordinate to itself")
        elif not found and coupling.links():
            found += self._circle(coupling.name, seen)
        return found

    def _circle(self, name: str, coordinates: list[tuple[str, str]]) -> list[str]:
        """A coupling of two coordinates that others tie to each other already says the same or the opposite."""
        if len(coordinates) != 2:
            return []
        reached, over = {coordinates[0]}, [one for other, one in self.tied.items() if other != name]
        while grown := [pair for pair in over if len(reached & set(pair)) == 1]:
            reached.update(grown[0])
        if coordinates[1] in reached:
            joints = " and ".join(repr(joint) for joint, _ in coordinates)
            return [f"closes a circle: joints {joints} are coupled already"]
        self.tied[name] = coordinates
        return []

    def _acts(self, force: Force) -> list[str]:
        found = self._pair(*force.bodies().values())
        found += [text for name in force.joints() for text in self._joint(name)]
        if found == [] and force.needs_coordinate:
            lacking = [name for name in force.joints() if force.needs_coordinate not in self.joints[name].coordinates]
            found += [f"is on joint {name!r}, which has no {force.needs_coordinate}" for name in lacking]
        if found == [] and set(force.bodies().values()) == {GROUND}:
            found.append("acts on ground alone, which does not move")
        return found


def check_names(elements: Sequence[tuple[str, Sequence[NamedElement]]]) -> tuple[Names, list[InvalidValue]]:
    """All errors about names in whole lists of elements, bodies first."""
    names, found = Names(), []
    for kind, some in elements:
        for k, element in enumerate(some):
            found += names.check(kind, k, element)
            names.add(kind, k, element)
    return names, found


def one_element(kind: str, data: object) -> NamedElement:
    """Validate one element of a kind ('joints', ...). Raises pydantic's ValidationError."""
    document = Document.model_validate({kind: [data]})
    made: NamedElement = getattr(document, kind)[0]
    return made
