"""What sensors read of recorded motion: formulas by compiled code, inertial measuring units by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.header import Variable
from linkwork.kernels.compiling import purpose
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.tables import Floats
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Lowered, LoweredEffort, LoweredImu, Quantity
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.problems.one_by_one import OneByOne
from linkwork.system.compiled import compile_mechanism
from linkwork.system.derived_kernels import Scratch
from linkwork.system.operands import OperandPlaces
from linkwork.system.packed import Tables
from linkwork.system.sensor_kernels import LastReading, read_sensors

Array = NDArray[np.float64]
Inputs, Readings = Annotated[Floats, Shape("n", "ni")], Annotated[Floats, Shape("m", "n")]
NOWHERE = Quantity("TRAVEL", -1, -1, a_i=(1.0, 0.0, 0.0))  # efforts act along something; sensors do not act

# samples of a run, as results record them: time, position, rotation, velocity, angular velocity
RECORDED = (
    Annotated[Floats, Shape("n")],
    Annotated[Floats, Shape("n", "nb", 3)],
    Annotated[Floats, Shape("n", "nb", 9)],
    Annotated[Floats, Shape("n", "nb", 3)],
    Annotated[Floats, Shape("n", "nb", 3)],
)
TABLES, SCRATCH, LAST, *SAMPLES = slots(Tables, Scratch, LastReading, *RECORDED, Inputs, Readings)
READ_SENSORS = direct_entry(read_sensors, TABLES, SCRATCH, LAST, *SAMPLES)


def sensor_variables(lowered: Lowered) -> dict[str, Variable]:
    """What results call the readings: of a formula the sensor's name, of a measuring unit two variables."""
    found: dict[str, Variable] = {}
    for one in lowered.sensors:
        if one.imu is None:
            found[one.name] = Variable(("time",), one.unit, one.description)
        else:
            of = ("time", "xyz")
            found[f"{one.name}.acceleration"] = Variable(of, "m s-2", f"acceleration less gravity, {one.description}")
            found[f"{one.name}.angular_velocity"] = Variable(of, "rad s-1", f"angular velocity, {one.description}")
    return found


class Sensing:
    """The sensors of one mechanism. Samples are to be given in order of time: turns of angles are counted on."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered, self.variables = lowered, sensor_variables(lowered)
        self.names = tuple(one.name for one in lowered.sensors if one.f is not None)
        formulas = [one.f for one in lowered.sensors if one.f is not None]
        self.units = [(one.name, one.imu) for one in lowered.sensors if one.imu is not None]
        base = lowered.base if self.units else ()
        self.mechanism = compile_mechanism(_readings(lowered, (*formulas, *base)))
        self.last = new_record(LastReading, nq=len(self.mechanism.system.quantities.kind), ni=len(lowered.inputs))
        self.last.read[self.mechanism.system.uses] = 1.0
        self.default = np.array([one.default for one in lowered.inputs])
        depth, nb = int(self.mechanism.system.programs.depth[0]), self.mechanism.nb
        self._scratch = new_record(Scratch, nb=nb, nc=0, depth=max(1, depth))
        self._scratch.A[:] = np.eye(3).ravel()

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        """Addresses of what stays from block to block."""
        return address_table((self.mechanism.tables, self._scratch, self.last))

    def __getstate__(self) -> dict[str, Any]:
        """For copies, whose arrays stand elsewhere."""
        return {name: value for name, value in vars(self).items() if name != "_table"}

    @property
    def quantities(self) -> list[Quantity]:
        """What is measured, in the order of the operands."""
        return list(OperandPlaces(self.mechanism.lowered).quantities)

    def forget(self) -> None:
        """What comes next is a first sample."""
        self.last.step[:] = 0.0
        self.last.operands[:] = 0.0

    def read_one(self, time: float, r: Array, A: Array, v: Array, w: Array) -> Array:
        """(programs,) what formulas, and last those of a shaken base, come to at one state, inputs as described; by the
        kernel as plain Python, which needs no compiler. Leaves operands in `last`."""
        out = np.zeros((len(self.mechanism.system.efforts.program), 1))
        self.forget()
        state = (np.array([time]), r[None], A.reshape(1, -1, 9), v[None], w[None], self.default[None])
        read_sensors(self.mechanism.tables, self._scratch, self.last, *state, out)
        return out[:, 0]

    @property
    def arrays(self) -> dict[str, Array]:
        """In which numbers of the description stand, by place; others may be written into them."""
        return {**self.mechanism.tables._asdict(), "default": self.default}

    def read_each(
        self, time: Array, *motion: Array, begin: Callable[[int], object] = lambda k: None
    ) -> dict[str, Array]:
        """What formulas read (runs, n) of several runs at these times, one after the other, each as by itself, with
        inputs as described. motion : positions, rotations, velocities, angular velocities (runs, n, nb, ...). begin :
        called before each run with its number."""
        position, rotation, *rates = (np.ascontiguousarray(one, dtype=float) for one in motion)
        runs, n, nb = position.shape[:3]
        inputs = np.zeros((runs, n, len(self.default)))
        out = np.zeros((runs, len(self.mechanism.system.efforts.program), n))
        times = np.broadcast_to(np.ascontiguousarray(time, dtype=float), (runs, n))
        each = OneByOne(self._table, (times, position, rotation.reshape(runs, n, nb, 9), *rates, inputs, out))
        for k in range(runs):
            begin(k)
            self.forget()
            inputs[k] = self.default
            with purpose("sensors"):
                READ_SENSORS(each.table(k))
        return {name: out[:, m] for m, name in enumerate(self.names)}

    def read(
        self,
        time: Array,
        position: Array,
        rotation: Array,
        velocity: Array,
        angular: Array,
        acceleration: Array | None,
        angular_acceleration: Array | None,
        inputs: Array | None = None,
    ) -> dict[str, Array]:
        """Readings by the names of `variables`, (n,) or (n, 3). inputs : (n, ni), as described if left out.

        Without accelerations measuring units tell angular velocities alone.
        """
        n, nb = len(time), self.mechanism.nb
        if n and self.last.known[0] and time[0] < self.last.time[0]:
            self.forget()
        attitudes = np.reshape(rotation, (n, nb, 3, 3))
        given = np.tile(self.default, (n, 1)) if inputs is None else inputs
        out = np.zeros((len(self.mechanism.system.efforts.program), n))
        if n and len(out):
            state = (time, position, attitudes.reshape(n, nb, 9), velocity, angular, given)
            records = [np.ascontiguousarray(x, dtype=float) for x in state]
            with purpose("sensors"):
                READ_SENSORS(np.concatenate((self._table, address_table((*records, out)))))
        found = dict(zip(self.names, out, strict=False))
        base = out[len(self.names) :].T if len(out) > len(self.names) else 0.0
        for name, unit in self.units:
            A, w = _part(attitudes, unit.body, np.eye(3)), _part(angular, unit.body, np.zeros(3))
            found[f"{name}.angular_velocity"] = np.broadcast_to(turned_back(unit.rotation, w), (n, 3)).copy()
            if acceleration is not None and angular_acceleration is not None:
                a, alpha = (_part(x, unit.body, np.zeros(3)) for x in (acceleration, angular_acceleration))
                felt = acceleration_felt(unit, A, w, a + base - self.lowered.gravity, alpha)
                found[f"{name}.acceleration"] = np.broadcast_to(felt, (n, 3)).copy()
        return found


def acceleration_felt(unit: LoweredImu, A: Array, w: Array, a: Array, alpha: Array) -> Array:
    """In the unit's axes, from the acceleration a of the body's centre, gravity taken away. Real or complex."""
    s = np.array(unit.point)
    in_body = turned_back(A, a) + np.cross(alpha, s) + np.cross(w, np.cross(w, s))
    return turned_back(unit.rotation, in_body)


def turned_back(A: Array, s: Array) -> Array:
    """A^T s, to the same bits however many samples there are."""
    rows: Array = A[..., 0, :] * s[..., 0:1] + A[..., 1, :] * s[..., 1:2] + A[..., 2, :] * s[..., 2:3]
    return rows


def _part(values: Array, body: int, of_ground: Array) -> Any:
    """One body's part of an array over time."""
    return of_ground if body < 0 else values[:, body]


def _readings(lowered: Lowered, formulas: tuple[Expression, ...]) -> Lowered:
    """The mechanism without anything but bodies, and formulas where its efforts were."""
    efforts = tuple(LoweredEffort(f"reading {k}", NOWHERE, f) for k, f in enumerate(formulas))
    none: dict[str, Any] = dict.fromkeys(("rows", "joints", "loads", "elements", "sensors", "base"), ())
    return replace(lowered, efforts=efforts, **none)
