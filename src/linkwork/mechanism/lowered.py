"""What a mechanism comes down to: bodies, primitive rows and forces, by index, ready to be compiled.

`Mechanism.lower()` makes it; `linkwork.system` turns it into arrays. Body index -1 is ground.
Vectors are in body components of the body they belong to unless `kernels.tables.Rows` says global.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.kernels.force_laws.laws import law_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linkwork.mechanism.expressions import Expression
    from linkwork.mechanism.expressions.tree import Node
    from linkwork.mechanism.markers import Marker
    from linkwork.mechanism.motions import Motion

Array = NDArray[np.float64]
ZERO3 = (0.0, 0.0, 0.0)
Triple = tuple[float, float, float]


class Stated(NamedTuple):
    """Which parts of a body's start state the description gives; the others are unknown."""

    position: bool = True
    rotation: bool = True
    velocity: bool = True
    angular_velocity: bool = True


ALL_STATED = Stated()


@dataclass(frozen=True)
class LoweredBody:
    """One body: its frame is at the centre of mass. mass or inertia None: not given; unknown velocities are zero."""

    name: str
    mass: float | None
    inertia: Array | None  # (3, 3) kg m^2
    position: Array  # (3,) m
    rotation: Array  # (3, 3) body -> global
    velocity: Array  # (3,) m/s, global
    angular_velocity: Array  # (3,) rad/s, body components
    stated: Stated = ALL_STATED
    centre: Triple = ZERO3  # the centre of mass in the described frame, whose origin a stated velocity belongs to


class Row(NamedTuple):
    """One primitive constraint row; the fields are the columns of `kernels.tables.Rows`."""

    kind: str
    name: str  # 'crank pivot.lock[1]', the name a user sees in reports
    owner: str  # the joint, driver or raw constraint it belongs to
    body_i: int
    body_j: int
    a_i: Triple = ZERO3
    b_i: Triple = ZERO3
    a_j: Triple = ZERO3
    s_i: Triple = ZERO3
    s_j: Triple = ZERO3
    n: Triple = ZERO3
    scalar: float = 0.0
    f: Expression | float = 0.0
    driver: bool = False  # prescribes a motion
    profiles: tuple[LoweredTable, ...] = ()  # curves of its own; `scalar` is then to be the number of the first


@dataclass(frozen=True)
class LoweredJoint:
    """An element that carries a reaction: a joint, a driver or a raw constraint, and its rows.

    The reaction is what the element exerts on body_j at the point s_j of that body, in global components; with
    `reacts_on`, a body and its point, on that one.
    """

    name: str
    type: str
    kind: str  # 'joint', 'driver' or 'constraint'
    body_i: int
    body_j: int
    s_j: Triple
    rows: tuple[int, ...]
    lower_pair: bool = False  # joined so to ground, a body moves in a motion subgroup of SE(3): `Joint.lower_pair`
    markers: tuple[Marker, Marker] | None = None  # of a joint, on its two bodies
    moves: tuple[Motion, ...] = ()  # what a joint leaves free: `Joint.moves`
    reacts_on: tuple[int, Triple] | None = None  # of a driver whose second body is ground: the body that it drives

    @property
    def reaction_at(self) -> tuple[int, Triple]:
        """The body on which the reaction is reported, and the point of that body."""
        return self.reacts_on or (self.body_j, self.s_j)


@dataclass(frozen=True)
class LoweredLoad:
    """A force at a point, or a torque."""

    name: str
    body: int
    point: Triple
    body_axes: bool
    torque: bool
    components: tuple[Expression | float, Expression | float, Expression | float]


@dataclass(frozen=True)
class LoweredElement:
    """A force element between two bodies by a law of `kernels.force_laws`; see `kernels.tables.ForceElements`."""

    law: str
    name: str
    body_i: int
    body_j: int
    stiffness: Expression | float
    damping: Expression | float
    rest: float
    actuator: Expression | float
    s_i: Triple = ZERO3
    s_j: Triple = ZERO3
    a_i: Triple = ZERO3
    b_i: Triple = ZERO3
    a_j: Triple = ZERO3
    n: Triple = ZERO3
    numbers: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def quantity(self) -> Quantity:
        """What it pulls back: its length or angle."""
        geometry = (self.a_i, self.b_i, self.a_j, self.s_i, self.s_j, self.n)
        return Quantity(law_of(self.law).quantity, self.body_i, self.body_j, *geometry)


class Quantity(NamedTuple):
    """A number between two bodies, measured or acted along; the fields are columns of `kernels.tables.Quantities`."""

    kind: str
    body_i: int
    body_j: int
    a_i: Triple = ZERO3
    b_i: Triple = ZERO3
    a_j: Triple = ZERO3
    s_i: Triple = ZERO3
    s_j: Triple = ZERO3
    n: Triple = ZERO3


class Operand(NamedTuple):
    """What a formula of the state reads: a quantity's value or rate, or an input."""

    quantity: Quantity | None = None
    rate: bool = False
    input: str = ""


@dataclass(frozen=True)
class LoweredEffort:
    """A force or torque by a formula of the state, along a quantity: its power is f times the quantity's rate.

    One that stores what it takes up has a potential [J], whose derivative by the quantity is -f: it does no work then.
    """

    name: str
    quantity: Quantity
    f: Expression
    label: str = ""  # which of an element's efforts it is, in messages
    local: Mapping[str, Node] = field(default_factory=dict, compare=False)  # names that f may use besides
    potential: Expression | None = None
    law: str = ""  # of the element whose formulas it holds
    parts: Mapping[str, Expression] = field(
        default_factory=dict, compare=False
    )  # what f is made of, by field as written


class CoupledTerm(NamedTuple):
    """F(q) of a coupling: a polynomial of a quantity without constant part, plus `factor` times a table's curve."""

    quantity: Quantity
    polynomial: tuple[float, float, float, float]
    table: str = ""
    factor: float = 0.0
    period: float = 0.0  # of the curve; 0: none


@dataclass(frozen=True)
class LoweredCoupling:
    """sum F(q) + constant = f; or with an inertia a rotor that turns at the sum's rate."""

    name: str
    terms: tuple[CoupledTerm, ...]
    constant: float
    f: Expression | float = 0.0
    inertia: float = 0.0
    label: str = ""  # which of an element's rows it is
    on: str = ""  # of a rotor, the coordinate: 'hip.angle'

    @property
    def rigid(self) -> bool:
        """Whether it is a constraint."""
        return self.inertia == 0.0


@dataclass(frozen=True)
class LoweredInput:
    """A number given from outside, and its value where none is given."""

    name: str
    default: float = 0.0


@dataclass(frozen=True)
class LoweredTable:
    """A table as a piecewise cubic: rows of where a piece begins and its four coefficients."""

    name: str
    pieces: tuple[tuple[float, float, float, float, float], ...]


@dataclass(frozen=True)
class LoweredImu:
    """Where an inertial measuring unit is, and how it is turned."""

    body: int
    point: Triple
    rotation: Array  # (3, 3), its axes -> the body's


@dataclass(frozen=True)
class LoweredSensor:
    """What is to be read of a motion: a formula of time and state, or what an inertial measuring unit reads."""

    name: str
    unit: str
    description: str
    f: Expression | None = None
    imu: LoweredImu | None = None


@dataclass(frozen=True)
class Lowered:
    """A whole mechanism, flat."""

    name: str
    gravity: Array
    bodies: tuple[LoweredBody, ...]
    rows: tuple[Row, ...]
    joints: tuple[LoweredJoint, ...]
    loads: tuple[LoweredLoad, ...] = field(default_factory=tuple)
    elements: tuple[LoweredElement, ...] = field(default_factory=tuple)  # in the order of their laws
    efforts: tuple[LoweredEffort, ...] = field(default_factory=tuple)
    # of couplings the rigid ones come first; each has a row without bodies, the last of `rows`
    couplings: tuple[LoweredCoupling, ...] = field(default_factory=tuple)
    inputs: tuple[LoweredInput, ...] = field(default_factory=tuple)
    tables: tuple[LoweredTable, ...] = field(default_factory=tuple)
    sensors: tuple[LoweredSensor, ...] = field(default_factory=tuple)
    # what ground itself is accelerated by, m/s^2: three formulas, or none
    base: tuple[Expression, ...] = field(default_factory=tuple)
    notes: tuple[str, ...] = field(default_factory=tuple)  # what lowering did that the user should know

    def of_law(self, law: str) -> tuple[LoweredElement, ...]:
        """Its force elements of one law."""
        return tuple(one for one in self.elements if one.law == law)

    @property
    def lines(self) -> tuple[LoweredElement, ...]:
        """Force elements that are seen as a line between two points."""
        return tuple(one for one in self.elements if law_of(one.law).ends)

    @property
    def rigid(self) -> int:
        """How many rows belong to rigid couplings: the last."""
        return sum(one.rigid for one in self.couplings)

    def need_bodies(self) -> None:
        """Raise UsageError where there is nothing that moves."""
        if not self.bodies:
            raise UsageError("the mechanism has no bodies.", element=f"mechanism {self.name!r}")

    def without_couplings(self) -> Lowered:
        """The same without the rows of rigid couplings."""
        return replace(self, rows=self.rows[: len(self.rows) - self.rigid])

    def with_rows(self, more: Sequence[Row]) -> Lowered:
        """The same with further rows, behind the others but before those of couplings."""
        n = len(self.rows) - self.rigid
        return replace(self, rows=(*self.rows[:n], *more, *self.rows[n:]))
