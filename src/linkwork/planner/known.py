"""What a plan found out, kept with its mechanism: the same call once more begins with the run that is handed over.

A plan is made of a call in plain data and of a mechanism that has not changed (`mechanism.kept`), and what its pilots
find does not depend on what ran before. What they found, and the run they were made with, is kept as started runs are
(`run.held`); whoever takes it out has it alone.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from linkwork.planner.candidates import Considered
from linkwork.planner.closer_samples import Cleared
from linkwork.planner.tolerances import Attempt, Outcome
from linkwork.planner.traits import Traits
from linkwork.run.held import LARGEST, MOST, Held


class Known(NamedTuple):
    """Of a plan that was carried out: its outcome, all runs that were made, the setting they began with, the setting of
    the run that was handed over, the run to start again, and the energy balance of closer samples that cleared it of a
    doubt (None where none did)."""

    found: Outcome
    attempts: tuple[Attempt, ...]
    first: float
    value: float
    held: Held
    cleared: Cleared | None

    @property
    def size(self) -> int:
        """Of its arrays, about [bytes]: 24 numbers of a body at every sample."""
        results = [one.result for one in self.attempts if one.result is not None]
        return self.held.size + sum(8 * 24 * one.time.size * len(one.bodies) for one in results)


class Found(NamedTuple):
    """What a plan is made of, and what carrying it out taught; `known` is written into."""

    traits: Traits
    considered: Considered
    remarks: tuple[str, ...]
    known: list[Known]


def key_of(asked: Mapping[str, Any] | None, learnt: Mapping[str, Any], effort: str, *, plain: bool) -> Hashable:
    """Equal for calls whose plans are the same; None where that cannot be told.

    asked : the call in plain data. learnt : the wisdom that the plan begins with. plain : no object was handed over.
    """
    if asked is None or not plain or asked["state"] is not None or effort != "estimate":
        return None
    return "plan", json.dumps(asked, sort_keys=True), json.dumps(learnt, sort_keys=True)


def taken(known: list[Known]) -> Known | None:
    """One that nobody uses at the moment, which is the caller's then."""
    try:
        return known.pop()
    except IndexError:
        return None


def keep(known: list[Known], one: Known) -> None:
    """For the next call. Not where a run failed, as by a time limit."""
    if not any(each.failed for each in one.attempts) and len(known) < MOST and one.size <= LARGEST:
        known.append(one)
