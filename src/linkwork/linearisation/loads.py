"""Loads of actuators for a prescribed motion, at one state or along a run."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import UsageError
from linkwork.mechanism.elements import did_you_mean
from linkwork.result import Reaction
from linkwork.shown import Shown, counted, some
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Loads(Shown):
    """What actuators must exert for a motion, and what joints transmit then, at T instants.

    time (T,) s. values (T, n) : N m or N, per actuator, in the sense of its coordinate: first body to second.
    multipliers (T, nc) : of the rows that are no drivers; the least ones where rows are redundant. position, rotation,
    velocity, angular_velocity : the motion, as in a result. names, units : of the actuators.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    time: Array
    values: Array
    multipliers: Array
    motion: Mapping[str, Array]
    _compiled: CompiledMechanism

    def load(self, name: str) -> Array:
        """(T,) of one actuator. Raises UsageError for a name that does not exist."""
        if name not in self.names:
            raise UsageError(f"actuator {name!r} does not exist{did_you_mean(name, self.names)}")
        found: Array = self.values[:, self.names.index(name)]
        return found

    @cached_property
    def reactions(self) -> Mapping[str, Reaction]:
        """By name of joint or raw constraint: force (T, 3) N and torque (T, 3) N m on the second body, global."""
        m = self.motion
        derived = MechanismDeriver(self._compiled).derive(
            ("reaction_force", "reaction_torque"),
            self.time,
            m["position"],
            m["rotation"],
            m["velocity"],
            m["angular_velocity"],
            None,
            None,
            self.multipliers,
        )
        joints = self._compiled.lowered.joints
        return {
            one.name: Reaction(derived["reaction_force"][:, k], derived["reaction_torque"][:, k])
            for k, one in enumerate(joints)
            if one.kind != "driver"
        }

    def told(self) -> str:
        """Of which actuators, and when."""
        when = f"{counted(len(self.time), 'sample')}, {self.time[0]:g} to {self.time[-1]:g} s" if len(self.time) else ""
        return f"of {some(self.names)}: {when}"

    def text(self) -> str:
        """A table: the largest load of every actuator, when, and the root mean square."""
        lines = ["actuator                       largest          at            root mean square"]
        for k, (name, unit) in enumerate(zip(self.names, self.units, strict=True)):
            values = self.values[:, k]
            most = int(np.argmax(np.abs(values)))
            mean = float(np.sqrt(np.mean(values**2)))
            lines.append(f"{name:<30} {values[most]:+.6g} {unit}   {self.time[most]:.6g} s   {mean:.6g} {unit}")
        return "\n".join(lines)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write a CSV file: time and the load of every actuator. Raises OutputExistsError, ResultFileError."""
        from linkwork.io.results.atomic import writing

        need_table(path)
        with writing(path, force=force) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["time [s]", *(f"{n} [{u}]" for n, u in zip(self.names, self.units, strict=True))])
            table.writerows(np.column_stack([self.time, self.values]).tolist())

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        named = zip(self.names, self.units, self.values.T.tolist(), strict=True)
        return {
            "time": self.time.tolist(),
            "actuators": [{"name": name, "unit": unit, "load": values} for name, unit, values in named],
        }


def need_table(path: str | PathLike[str]) -> None:
    """Raise UsageError for a file that is no table."""
    if not fspath(path).endswith(".csv"):
        raise UsageError("loads are written as .csv.", file=fspath(path))
