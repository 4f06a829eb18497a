"""The state of a mechanism at one instant: places and velocities of all bodies, in the order of its bodies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.kernels.angles import count_angles
from linkwork.mechanism import Mechanism
from linkwork.mechanism.rotation import EXACT, NEARLY, nearest_rotation
from linkwork.result import Result
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.counted_angles import told_at_start

Array = NDArray[np.float64]
LOOSE = 0.1  # how far from orthonormal a matrix of a run may be, max |A^T A - I|
BODIES = ("position", "rotation", "velocity", "angular_velocity")  # what a state holds of every body


@dataclass(frozen=True, repr=False)
class State(Shown):
    """Where nb bodies are and how they move; frames at centres of mass, as in a result.

    position : (nb, 3) m, global.                rotation : (nb, 3, 3) body -> global; the nearest rotation is taken.
    velocity : (nb, 3) m/s, global.              angular_velocity : (nb, 3) rad/s, body components.
    time : s, at which drivers and loads are taken.
    counted_angles : (angles,) of torsion springs, formulas and couplings, with their turns [rad]; within half a turn of
        zero if left out.
    computed : whether it is a sample of a run, whose velocities meet the joints as well as its method does: a run from
        it takes out a thousandth of the fastest motion, and says so, where stated velocities may miss rounding alone.
    """

    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array
    time: float = 0.0
    counted_angles: Array | None = None
    computed: bool = False

    def __post_init__(self) -> None:
        nb = len(self.position)
        for name, shape in (
            ("position", (nb, 3)),
            ("rotation", (nb, 3, 3)),
            ("velocity", (nb, 3)),
            ("angular_velocity", (nb, 3)),
        ):
            array = np.array(getattr(self, name), dtype=float)
            if array.shape != shape:
                raise UsageError(f"a state's {name} has shape {array.shape}, expected {shape}.")
            if not np.isfinite(array).all():
                raise UsageError(f"a state's {name} is not finite.")
            object.__setattr__(self, name, array)
        self._need_rotations()

    def _need_rotations(self) -> None:
        """Take the nearest rotations where matrices are off by little: of a run, by what its method leaves; else by
        rounding. Raises UsageError where they are none."""
        R = self.rotation
        defects = np.max(np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)), axis=(1, 2))
        for b in np.flatnonzero(~(defects <= EXACT) | (np.linalg.det(R) < 0.0)):
            if not defects[b] <= (LOOSE if self.computed else NEARLY) or np.linalg.det(R[b]) < 0.0:
                raise UsageError(
                    f"a state's rotation of body number {b} is none: its columns are orthonormal only to "
                    f"{defects[b]:.2g}, or left-handed.",
                    remedy="Give matrices that turn body components into global ones.",
                )
            R[b] = nearest_rotation(R[b])[0]

    def told(self) -> str:
        """Of how many bodies, and when."""
        return f"of {counted(len(self.position), 'body')} at t = {self.time:g} s"

    @classmethod
    def of(cls, result: Result, k: int) -> State:
        """Sample k of a result (negative: from the end). Turns of angles are counted up to there."""
        n = len(result.time)
        try:
            k = index(k)
        except TypeError as error:
            raise UsageError(
                f"a sample is told by its number, not by {k!r}.",
                remedy="Of a time t take int(np.argmin(abs(result.time - t))).",
            ) from error
        if not -n <= k < n:
            raise UsageError(f"the result has {n} samples; there is no sample {k}.")
        k %= n
        return cls(
            position=result.read("position", k, k + 1)[0],
            rotation=result.read("rotation", k, k + 1)[0],
            velocity=result.read("velocity", k, k + 1)[0],
            angular_velocity=result.read("angular_velocity", k, k + 1)[0],
            time=float(result.time[k]),
            counted_angles=_turned(result, k),
            computed=True,
        )

    @classmethod
    def start(cls, mechanism: Mechanism) -> State:
        """The start state as described, assembled or not."""
        return state_of(compile_mechanism(mechanism.lower()))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> State:
        """The state that `to_dict` wrote."""
        given = dict(data)
        time, angles = float(given.pop("time", 0.0)), given.pop("counted_angles", given.pop("torsion_angles", None))
        computed = bool(given.pop("computed", False))
        arrays = {name: np.array(given.pop(name, None), dtype=float) for name in BODIES}
        if given:
            raise UsageError(f"a state has no {next(iter(given))!r}.", remedy=f"It has {', '.join(BODIES)} and time.")
        return cls(
            **arrays,
            time=time,
            counted_angles=None if angles is None else np.array(angles, dtype=float),
            computed=computed,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, exact to the bit."""
        data: dict[str, Any] = {name: getattr(self, name).tolist() for name in BODIES}
        angles = {} if self.counted_angles is None else {"counted_angles": np.asarray(self.counted_angles).tolist()}
        return {"time": self.time, **data, **angles, **({"computed": True} if self.computed else {})}

    def within(self, compiled: CompiledMechanism) -> CompiledMechanism:
        """The compiled mechanism with this as its start state. Raises UsageError for another number of bodies
        or of counted angles."""
        nb = compiled.nb
        if len(self.position) != nb:
            raise UsageError(
                f"the state has {counted(len(self.position), 'body')}, the mechanism {nb}.",
                element=f"mechanism {compiled.lowered.name!r}",
            )
        angles = self.counted_angles
        if angles is not None and np.shape(angles) != (compiled.angles,):
            raise UsageError(
                f"the state has {np.size(angles)} angles that are counted with their turns, the mechanism "
                f"{compiled.angles}: it belongs to another one.",
                element=f"mechanism {compiled.lowered.name!r}",
                remedy="Leave counted_angles out: angles are then within half a turn of zero.",
            )
        r, A, v, w = compiled.r.copy(), compiled.A.copy(), compiled.v.copy(), compiled.w.copy()
        r[:nb], A[:nb] = self.position, self.rotation.reshape(nb, 9)
        v[:nb], w[:nb] = self.velocity, self.angular_velocity
        return compiled.other(r=r, A=A, v=v, w=w, squares=None, counted_angles=self.counted_angles)


def need_state(given: object) -> None:
    """Raise UsageError for what is neither a State nor None."""
    if given is not None and not isinstance(given, State):
        raise UsageError(
            f"a State is wanted, not {type(given).__name__}.",
            remedy='Take State.of(result, k), assemble(mech).state, or lw.start_state(mech, {"hip": 0.3}).',
        )


def state_at(result: Result, k: int = -1) -> State:
    """Sample k of a result (negative: from the end)."""
    return State.of(result, k)


def state_of(compiled: CompiledMechanism, time: float = 0.0) -> State:
    """The start state of a compiled mechanism."""
    nb = compiled.nb
    return State(compiled.r[:nb], compiled.A[:nb].reshape(nb, 3, 3), compiled.v[:nb], compiled.w[:nb], time)


def _turned(result: Result, k: int) -> Array | None:
    """Angles at sample k, turns counted over the samples before it; None where none are counted."""
    document = json.loads(result.mechanism_document) if result.mechanism_document else {}
    if not document.get("forces") and not document.get("couplings"):
        return None
    compiled = compile_mechanism(Mechanism.from_dict(document).lower())
    if not compiled.angles:
        return None
    angles = np.array(told_at_start(result.info) or np.zeros(compiled.angles))
    rotation = result.read("rotation", 0, k + 1)
    A = compiled.A.copy()
    for sample in rotation:
        A[:-1] = sample.reshape(-1, 9)
        count_angles(compiled.system, A, angles, angles)
    return angles
