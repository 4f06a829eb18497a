"""Assembly as a user asks for it: a mechanism whose start state fits its constraints, and what had to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.relocated import relocated
from linkwork.analysis.state import State, state_of
from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.one_thread import one_blas_thread
from linkwork.run.moved_bodies import moved
from linkwork.shown import Shown
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system import assembly as system_assembly
from linkwork.system.alignment import aligned_axes, misalignment
from linkwork.system.dense import Pose

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyChange:
    """What assembly did to one body: how far it moved [m], turned [rad], and how its velocities changed."""

    moved: float
    turned: float
    velocity_change: float
    angular_velocity_change: float


@dataclass(frozen=True, repr=False)
class AssemblyReport(Shown):
    """An assembled start state, and what it took.

    state : poses and velocities of all bodies (frames at centres of mass); `position(body)` and its kin by name.
    changes : by body name, what moved.
    position_before, position_after : the largest violation of the position rows before and after.
    velocity_before, velocity_after : of the velocity equations.
    notes : what is unusual about the assembled position, such as joints with opposite axes.
    mechanism : the mechanism with the assembled state as its start state, to run or to save.
    """

    state: State
    changes: Mapping[str, BodyChange]
    position_before: float
    position_after: float
    velocity_before: float
    velocity_after: float
    notes: tuple[str, ...]
    messages: tuple[str, ...]
    _source: Mechanism
    _compiled: CompiledMechanism

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism at the assembled state; itself where nothing had to move."""
        if not any(any(vars(change).values()) for change in self.changes.values()):
            return self._source
        return relocated(self._source, self._compiled)

    def _number(self, body: str) -> int:
        names = list(self.changes)
        if body not in names:
            raise UsageError(f"there is no body {body!r}{did_you_mean(body, names)}")
        return names.index(body)

    def position(self, body: str) -> Array:
        """(3,) m, of the centre of mass, global."""
        found: Array = self.state.position[self._number(body)]
        return found

    def rotation(self, body: str) -> Array:
        """(3, 3) body -> global."""
        found: Array = self.state.rotation[self._number(body)]
        return found

    def velocity(self, body: str) -> Array:
        """(3,) m/s, of the centre of mass, global."""
        found: Array = self.state.velocity[self._number(body)]
        return found

    def angular_velocity(self, body: str) -> Array:
        """(3,) rad/s, in body components."""
        found: Array = self.state.angular_velocity[self._number(body)]
        return found

    def told(self) -> str:
        """Of what, and how well it fits."""
        off = f"{self.position_after:.1e} in positions, {self.velocity_after:.1e} in velocities"
        return f"of {self._source.name!r}: off by {off}"

    def text(self) -> str:
        """The report in words."""
        lines = [
            f"positions fit to {self.position_after:.3g} (before: {self.position_before:.3g}), "
            f"velocities to {self.velocity_after:.3g} (before: {self.velocity_before:.3g})"
        ]
        lines += self.messages or ["nothing had to move"]
        return "\n".join([*lines, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        bodies = {
            name: {
                "position": self.state.position[k].tolist(),
                "rotation": self.state.rotation[k].tolist(),
                "velocity": self.state.velocity[k].tolist(),
                "angular_velocity": self.state.angular_velocity[k].tolist(),
                **vars(change),
            }
            for k, (name, change) in enumerate(self.changes.items())
        }
        return {
            "bodies": bodies,
            "position_violation": {"before": self.position_before, "after": self.position_after},
            "velocity_violation": {"before": self.velocity_before, "after": self.velocity_after},
            "notes": list(self.notes),
        }


@one_blas_thread()
def assemble(
    mechanism: Mechanism,
    t: float = 0.0,
    *,
    weights: Mapping[str, float] | None = None,
    hold: Iterable[str] = (),
    keep_velocities: bool = False,
) -> AssemblyReport:
    """Make the start state of a mechanism fit its constraints, with the least change.

    Parameters
    ----------
    mechanism : stays as it is; the report's `.mechanism` is the assembled one.
    t : time at which drivers are taken [s]. Drivers win over the start state.
    weights : by body name, how much moving or turning this body counts against 1 of the others.
    hold : bodies that must not move at all.
    keep_velocities : leave the velocities alone.

    Positions that fit already stay exactly as they are, likewise velocities. Raises AssemblyError naming the rows that
    cannot be met and by how much, ModelError, UsageError for a body that does not exist.
    """
    need_mechanism(mechanism)
    if not np.isfinite(t):
        raise UsageError(f"t must be a finite number of seconds, not {t!r}.")
    compiled = compile_mechanism(mechanism.lower())
    found = system_assembly.assemble(
        compiled, t, weights=_weights(compiled, weights or {}, tuple(hold)), keep_velocities=keep_velocities
    )
    at = compiled.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w)
    sizes = (found.moved, found.turned, found.velocity_change, found.spin_change)
    return AssemblyReport(
        state=state_of(at, t),
        changes={name: BodyChange(*(float(size[k]) for size in sizes)) for k, name in enumerate(compiled.body_names)},
        position_before=found.before,
        position_after=found.after,
        velocity_before=found.velocity_before,
        velocity_after=found.velocity_after,
        notes=opposite_axes(at),
        messages=tuple(moved(compiled, found)),
        _source=mechanism,
        _compiled=at,
    )


def opposite_axes(compiled: CompiledMechanism) -> tuple[str, ...]:
    """Joints whose axes point against each other, or which are turned half round, at the compiled start pose."""
    pose = Pose(compiled.r, compiled.A)
    found = []
    for axes in aligned_axes(compiled):
        angle, turn = misalignment(compiled, axes, pose)
        if angle > np.pi / 2:
            found.append(f"joint {axes.joint!r}: the axes of its two bodies point in opposite directions")
        elif turn > np.pi / 2:
            found.append(f"joint {axes.joint!r}: its second body is turned half round against its first")
    return tuple(found)


def _weights(compiled: CompiledMechanism, weights: Mapping[str, float], hold: tuple[str, ...]) -> Array | None:
    names = compiled.body_names
    if not weights and not hold:
        return None
    out = np.ones(compiled.nb)
    for name, weight in [*weights.items(), *((name, np.inf) for name in hold)]:
        if name not in names:
            raise UsageError(f"there is no body {name!r}{did_you_mean(name, names)}")
        if not weight > 0:
            raise UsageError(f"the weight of body {name!r} must be a positive number, not {weight!r}.")
        out[names.index(name)] = weight
    return out
