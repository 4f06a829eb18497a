"""What a check finds, as data and in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from linkwork.shown import Shown, counted


@dataclass(frozen=True)
class Part:
    """A body, joint, driver, raw constraint or force, in one line."""

    name: str
    type: str
    detail: str
    kind: str = ""
    rows: int = 0


@dataclass(frozen=True)
class Freedom:
    """Degrees of freedom, counted and computed.

    velocities : left by all rows; positions : left by the rows at position level (more, where rows constrain
    velocities only); mobility : without the drivers; drivers : how many rows prescribe motions; counted : 6 nb less
    the number of rows (Gruebler); rank : of all rows, rank_here : at the start itself, if that is a singular position.
    """

    velocities: int
    positions: int
    mobility: int
    drivers: int
    counted: int
    rank: int
    rank_here: int
    estimated: bool


@dataclass(frozen=True)
class Redundancy:
    """Rows of one element which rows of others imply, and a freer joint that would do, or ''."""

    element: str
    rows: tuple[str, ...]
    implied_by: tuple[str, ...]
    suggestion: str


@dataclass(frozen=True)
class Conflict:
    """Rows that ask for contradictory things, and at what level; not `certain`: later, at other times."""

    rows: tuple[str, ...]
    problem: str
    certain: bool


@dataclass(frozen=True)
class Capability:
    """Whether an analysis can run, why not, and the formulations for it with their integrators.

    refused : formulations that do not take this mechanism, each with its reason.
    """

    analysis: str
    possible: bool
    obstacle: str
    formulations: Mapping[str, list[str]]
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class CheckReport(Shown):
    """What `linkwork check` says. `text()` in words, `to_dict()` as plain data.

    position_violation, velocity_violation : how far the start state is from assembled; rows_off : the rows that are
    furthest, where that is more than rounding; moves : what assembly changes.
    cannot_stay : stated start values that joints and drivers do not allow.
    singular_value : the smallest nonzero one of the scaled rows relative to the largest: small near singular positions.
    """

    name: str
    file: str | None
    bodies: tuple[Part, ...]
    joints: tuple[Part, ...]
    forces: tuple[Part, ...]
    rows: int
    freedom: Freedom
    redundant: tuple[Redundancy, ...]
    contradictions: tuple[Conflict, ...]
    driver_mismatches: tuple[str, ...]
    assembled: bool
    position_violation: float
    velocity_violation: float
    rows_off: tuple[str, ...]
    moves: tuple[str, ...]
    cannot_stay: tuple[str, ...]
    assembly_problem: str
    singular_value: float
    missing_masses: tuple[str, ...]
    can: tuple[Capability, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]

    def told(self) -> str:
        """Of what, how large, and whether it can be run."""
        size = f"{counted(len(self.bodies), 'body')}, {counted(self.rows, 'row')}"
        return f"of {self.name!r}: {size}, {'can' if self.ok else 'cannot'} be run"

    @property
    def ok(self) -> bool:
        """Whether it can be run: assembled, without certain conflicts, its joints and drivers as the start has them."""
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """0 good, 4 not assembled, conflicting or with stated values that cannot stay, 3 drivers that disagree."""
        if not self.assembled or any(one.certain for one in self.contradictions):
            return 4
        if self.driver_mismatches:
            return 3
        return 4 if self.cannot_stay else 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data: lists, numbers (None where not known) and text."""
        data = {"ok": self.ok, **asdict(self)}
        for key in ("position_violation", "velocity_violation"):
            data[key] = data[key] if math.isfinite(data[key]) else None
        made: dict[str, Any] = _plain(data)
        return made

    def text(self) -> str:
        """The report in words."""
        from linkwork.analysis.check_words import words

        return words(self)


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, (list, tuple)) else data
