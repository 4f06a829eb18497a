"""From the description to numbered bodies, rows and forces: the one place where names become indices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.garbage_collection import uncollected
from linkwork.kernels.force_laws.laws import NUMBER
from linkwork.mechanism.body import Body
from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.cosine import as_angle_rows, with_other_points
from linkwork.mechanism.couplings.base import Coordinates, JointCoupling
from linkwork.mechanism.document import KINDS
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.elements import GROUND, Element, invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import NodeError
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.forces.base_acceleration import BaseAcceleration
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.joints.distance import Distance
from linkwork.mechanism.kept import kept
from linkwork.mechanism.laws import settled
from linkwork.mechanism.lowered import (
    Lowered,
    LoweredBody,
    LoweredCoupling,
    LoweredEffort,
    LoweredElement,
    LoweredInput,
    LoweredJoint,
    LoweredLoad,
    LoweredSensor,
    Row,
)
from linkwork.mechanism.markers import Marker, Poses, triple
from linkwork.mechanism.measuring import Measuring
from linkwork.mechanism.primitives import Primitive
from linkwork.mechanism.sensors.base import Readings
from linkwork.mechanism.tables import with_tables
from linkwork.mechanism.validation_errors import InvalidValue, Path, refuse

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

E = TypeVar("E", bound=Element)


@uncollected
def lower(mechanism: Mechanism) -> Lowered:
    """Every element by number. Raises ModelError with all elements whose place makes no sense."""
    kin = mechanism._kept.kin
    work = Lowering(mechanism, None if kin is None else known_lowering(kin))
    work.attempt_all()
    return _finished(work)


def lowered_kin(mechanism: Mechanism) -> Lowered | None:
    """The flat mechanism with which this one shares parts, the very same objects; None if there is none."""
    kin = mechanism._kept.kin
    if kin is None:
        return None
    try:
        return kept(kin, "flat kin", lambda: _finished(known_lowering(kin)))
    except LinkworkError:
        return None


def _finished(work: Lowering) -> Lowered:
    """What all elements came to, together. Raises ModelError for what is wrong with some."""
    mechanism = work.mechanism
    for name in mechanism.sensors:
        work.sensor(name)
    data = {kind: getattr(mechanism, kind) for kind in KINDS}
    refuse(work.errors, data, file=mechanism.file, locate=mechanism._kept.locate)
    rows, notes = work.angle_rows()
    couplings, tables = with_tables(work.couplings, mechanism.tables)
    rows = (*rows, *(row_of(one) for one in couplings if one.rigid))
    for body in work.poses.bodies:  # several runs may share them
        for array in (body.inertia, body.position, body.rotation, body.velocity, body.angular_velocity):
            if array is not None:
                array.flags.writeable = False
    return Lowered(
        name=mechanism.name,
        gravity=np.array(mechanism.gravity),
        bodies=work.poses.bodies,
        rows=rows,
        joints=tuple(work.joints),
        loads=tuple(work.loads),
        elements=tuple(sorted(work.elements, key=lambda one: NUMBER[one.law])),
        efforts=tuple(work.efforts),
        couplings=couplings,
        inputs=tuple(LoweredInput(name, one.default) for name, one in mechanism.inputs.items()),
        tables=tables,
        sensors=tuple(work.sensors),
        base=work.base(mechanism.forces) if work.sensors else (),
        notes=(*mechanism.notes, *notes),
    )


class _Part(NamedTuple):
    """What an element was lowered to: places in the lists where its parts begin, and these."""

    element: Element
    first: tuple[int, ...]
    parts: tuple[list[Any], ...]
    placed: Any = None


def known_lowering(kin: Mechanism) -> Lowering:
    """What others with most of the same elements take theirs from."""
    return kept(kin, "lowering", lambda: _attempted(kin))


def _attempted(mechanism: Mechanism) -> Lowering:
    """The lists of a mechanism, from which others with most of the same elements take theirs."""
    work = Lowering(mechanism, None)
    work.attempt_all()
    return work


def row_of(coupling: LoweredCoupling) -> Row:
    """The row under which a coupling is named and counted; what it says, `kernels.couplings` knows."""
    return Row("CD", coupling.name + coupling.label, coupling.name, -1, -1, f=coupling.f)


def try_markers(bodies: Mapping[str, Body | None], joint: Joint, path: Path) -> list[InvalidValue]:
    """What is wrong with a joint's place on these bodies (None: ground)."""
    used = [body for name in (joint.first, joint.second) if (body := bodies[name]) is not None]
    try:
        _placed(Poses(used), joint)
    except ValueError as error:
        return [InvalidValue(path, str(error))]
    return []


def _placed(poses: Poses, joint: Joint) -> tuple[Joint, Marker, Marker]:
    """The joint complete (a rod with its length) and its markers, all finite."""
    if isinstance(joint, Distance):
        joint = joint.at(poses)
    i, j = joint.markers(poses)
    if not math.isfinite(sum(i.point + i.x + i.z + j.point + j.x + j.z)):
        raise invalid("has a place that is not finite")
    return joint, i, j


class Lowering:
    """The lists while they grow."""

    poses: Poses

    def __init__(self, mechanism: Mechanism, known: Lowering | None) -> None:
        """known : of a mechanism with most of the same elements."""
        self.mechanism, self.known = mechanism, known
        bodies: Mapping[int, LoweredBody] = {} if known is None else known.by_id
        self.bodies = mechanism.bodies
        if known is not None and len(known.bodies) == len(self.bodies) and all(map(is_, known.bodies, self.bodies)):
            self.poses = known.poses
        else:
            self.poses = Poses(self.bodies, bodies)
        self.by_id: dict[int, LoweredBody] = dict(zip(map(id, self.bodies), self.poses.bodies, strict=True))
        self.moved = {k for k, body in enumerate(self.bodies) if id(body) not in bodies}  # by number, new ones too
        self._still = {body.name for k, body in enumerate(self.bodies) if k not in self.moved} | {GROUND}
        self._standing = self._still | (set() if known is None else self.poses.standing(known.poses))
        self._parts: dict[Path, _Part] = {}
        self._angles: tuple[tuple[Row, ...], tuple[str, ...]] | None = None
        self.rows: list[Row] = []
        self.joints: list[LoweredJoint] = []
        self.loads: list[LoweredLoad] = []
        self.elements: list[LoweredElement] = []
        self.efforts: list[LoweredEffort] = []
        self.sensors: list[LoweredSensor] = []
        self.couplings: list[LoweredCoupling] = []
        self.errors: list[InvalidValue] = []
        self._described = {joint.name: joint for joint in mechanism.joints}
        self._placed: dict[str, tuple[Joint, Marker, Marker]] = {}
        self.scope = Measuring(
            self.poses,
            [body.name for body in mechanism.bodies],
            self._placed,
            parameters=mechanism.parameter_values,
            inputs=mechanism.inputs,
            tables=mechanism.tables,
            sensors=mechanism.sensors,
        )
        self.readings = Readings(mechanism.sensors, self.scope)

    def attempt_all(self) -> None:
        """Lower every element but sensors; what is wrong with one is kept for the end."""
        mechanism = self.mechanism
        for k, joint in enumerate(mechanism.joints):
            if self.attempt(("joints", k), self.joint, joint, (joint.first, joint.second)):
                self._still.add(joint.name)
                self._standing.add(joint.name)
        for k, constraint in enumerate(mechanism.constraints):
            self.attempt(("constraints", k), self.constraint, constraint, (constraint.body_i, constraint.body_j))
        for k, driver in enumerate(mechanism.drivers):
            self.attempt(("drivers", k), self.driver, driver, (driver.joint or driver.body or GROUND,))
        everything = (*(body.name for body in mechanism.bodies), *(joint.name for joint in mechanism.joints))
        for k, force in enumerate(mechanism.forces):
            self.attempt(("forces", k), self.force, force, everything)
        if self.known is not None and mechanism.tables is not self.known.mechanism.tables:
            everything = ("",)  # curves are others; formulas with other parameters stand in elements that are
        for k, coupling in enumerate(mechanism.couplings):
            self.attempt(("couplings", k), self.coupling, coupling, everything)

    def angle_rows(self) -> tuple[tuple[Row, ...], tuple[str, ...]]:
        """The rows with cosine drivers as angles, and notes about these."""
        known, taken, many = self.known, None, len(self.rows)
        if known is not None and len(known.rows) == many and not self.moved.intersection(known.branching):
            taken = with_other_points(known.rows, known.angle_rows(), self.rows)
        if self._angles is None:
            self._angles = taken or as_angle_rows(self.rows, self.poses)
        return self._angles

    @cached_property
    def branching(self) -> set[int]:
        """Bodies by number whose start decides which angle a driven cosine is of."""
        driven = [row for row in self.rows if row.kind == "DP1" and not isinstance(row.f, float)]
        return {body for row in driven for body in (row.body_i, row.body_j)}

    def attempt(self, path: Path, step: Callable[[E], None], element: E, needs: tuple[str, ...]) -> bool:
        """Lower one element; what is wrong with it is kept for the end. needs : names of the bodies and joints that it
        hangs on. True where it is what it was."""
        lists: tuple[list[Any], ...] = (
            self.rows, self.joints, self.loads, self.elements, self.efforts, self.couplings
        )  # fmt: skip
        first, name = tuple(len(some) for some in lists), getattr(element, "name", "")
        part = None if self.known is None else self.known._parts.get(path)
        still = self._still if path[0] == "forces" else self._standing
        if part is not None and part.element is element and part.first == first and still.issuperset(needs):
            for some, more in zip(lists, part.parts, strict=True):
                some += more
            if part.placed is not None:
                self._placed[name] = part.placed
            self._parts[path] = part
            return True
        if self._tried(path, step, element):
            parts = tuple(some[start:] for some, start in zip(lists, first, strict=True))
            self._parts[path] = _Part(element, first, parts, self._placed.get(name))
        return False

    def _tried(self, path: Path, step: Callable[[E], None], element: E) -> bool:
        try:
            step(element)
        except LinkworkError as error:
            self.errors.append(InvalidValue(path, error.message))
        except ValueError as error:
            self.errors.append(InvalidValue(path, str(error)))
        else:
            return True
        return False

    def row(self, name: str, owner: str, k: int, m: int, primitive: Primitive, driver: bool = False) -> int:
        """Add a row between bodies k and m; its number."""
        if primitive.swapped:
            k, m = m, k
        self.rows.append(Row(name=name, owner=owner, body_i=k, body_j=m, driver=driver, **primitive.columns))
        return len(self.rows) - 1

    def joint(self, described: Joint) -> None:
        """A joint's locked rows, named 'joint.lock[0]', ..."""
        joint, i, j = self._placed[described.name] = _placed(self.poses, described)
        k, m = self.poses.index(joint.first), self.poses.index(joint.second)
        rows = tuple(
            self.row(f"{joint.name}.lock[{n}]", joint.name, k, m, primitive)
            for n, primitive in enumerate(joint.locks(i, j))
        )
        moves = joint.moves(i, j)
        self.joints.append(
            LoweredJoint(joint.name, joint.type, "joint", k, m, j.point, rows, joint.lower_pair, (i, j), moves)
        )

    def constraint(self, constraint: Constraint) -> None:
        """A raw constraint's row, under its own name."""
        k, m = self.poses.index(constraint.body_i), self.poses.index(constraint.body_j)
        primitive, name = constraint.row(self.poses), constraint.name
        drives = constraint.prescribes()
        row = self.row(name, name, k, m, primitive, drives)
        s_j = constraint.reaction_point(self.poses)
        driven = (k, constraint.reaction_point(self.poses, first=True)) if drives and m < 0 else None
        self.joints.append(LoweredJoint(name, constraint.type, "constraint", k, m, s_j, (row,), reacts_on=driven))

    def driver(self, driver: Driver) -> None:
        """A driver's row on its joint, under the driver's name."""
        if driver.body is not None:
            self._moving_point(driver, self.poses.index(driver.body))
            return
        if driver.joint is None or driver.joint not in self._placed:  # its joint has an error of its own
            return
        joint, i, j = self._placed[driver.joint]
        k, m, name = self.poses.index(joint.first), self.poses.index(joint.second), driver.name
        coordinate = driver.coordinate_of(joint)
        row = self.row(name, name, k, m, driver.row(joint, i, j), driver=True)
        driven = (k, i.point) if m < 0 else None
        self.joints.append(LoweredJoint(name, coordinate, "driver", k, m, j.point, (row,), reacts_on=driven))

    def _moving_point(self, driver: Driver, body: int) -> None:
        """A driver's row on a point of a body."""
        if body < 0:
            raise invalid("drives a point of ground, which does not move")
        point = triple(self.poses.point(body, driver.point or (0.0, 0.0, 0.0)))
        row = self.row(driver.name, driver.name, -1, body, driver.row_of_point(point), driver=True)
        self.joints.append(
            LoweredJoint(driver.name, f"position_{driver.coordinate}", "driver", -1, body, point, (row,))
        )

    def sensor(self, name: str) -> None:
        """What a sensor reads; what is wrong with it is kept for the end."""
        try:
            self.sensors.append(self.readings.lowered(name))
        except NodeError as error:
            self.errors.append(InvalidValue(("sensors", name), f"makes no sense: {error.problem}"))
        except ValueError as error:
            self.errors.append(InvalidValue(("sensors", name), str(error)))

    def base(self, forces: Iterable[Force]) -> tuple[Expression, ...]:
        """What all shaken bases together accelerate ground by; nothing where there is none."""
        total: list[Expression] = []
        for force in forces:
            if isinstance(force, BaseAcceleration):
                parts = [Expression.of_state(c).resolved(self.scope) for c in force.components]
                total = [a + b for a, b in zip(total, parts, strict=True)] if total else parts
        return tuple(total)

    def coupling(self, coupling: JointCoupling) -> None:
        """A coupling: rows over quantities, or a rotor."""
        if any(on.joint not in self._placed for on in coupling.on()):  # its joint has an error of its own
            return
        coupling.tables(self.mechanism.tables)
        placed = {name: joint for name, (joint, _, _) in self._placed.items()}
        self.couplings += coupling.lower(Coordinates(self.poses, placed))

    def force(self, force: Force) -> None:
        """A force element, into the lists of what it comes down to."""
        made = force.lower(self.poses, self._described)
        for one in made if isinstance(made, list | tuple) else (made,):
            for part in settled(one, self.scope):
                if isinstance(part, LoweredLoad):
                    self.loads.append(part)
                elif isinstance(part, LoweredElement):
                    self.elements.append(part)
                else:
                    self.efforts.append(part)
