"""What is kept of each run of a sweep: formulas of quantities (`quantities.formulas`), by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.errors import UsageError
from linkwork.header import stored_name
from linkwork.mechanism import Mechanism
from linkwork.quantities.formulas import Formula, formula_of

TAKEN = "run", "time", "status", "error", "judgement", "in_lanes", "xyz", "rotation"  # in a data set


@dataclass(frozen=True)
class Kept(Formula):
    """Something that is kept of each run. name : in the data set."""

    name: str

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of its dimensions."""
        inner = {(): (), (3,): ("xyz",), (9,): ("rotation",)}[self.shape]
        return ("run", *(("time",) if self.over_time else ()), *inner)


def named(keep: Any) -> dict[str, str]:
    """A formula, a list of formulas, or names for formulas, as name -> formula. Raises UsageError for anything else."""
    remedy = 'keep=["max(rod.position.z)", "final(energy)"]'
    if isinstance(keep, str):
        keep = [keep]
    if not isinstance(keep, Mapping):
        if not isinstance(keep, Iterable):
            raise UsageError(f"what is kept are formulas in texts, not {keep!r}.", remedy=remedy)
        keep = [*keep]
    for text in (*keep, *(keep.values() if isinstance(keep, Mapping) else ())):
        if not isinstance(text, str):
            raise UsageError(f"what is kept is a formula in a text, not {text!r}.", remedy=remedy)
    if not keep:
        raise UsageError("nothing is kept of the runs.", remedy=remedy)
    return dict(keep) if isinstance(keep, Mapping) else {text: text for text in keep}


def kept_of(mech: Mechanism, keep: Any, parameters: tuple[str, ...] = ()) -> list[Kept]:
    """What is to be kept: a list of formulas, or names for formulas. Raises UsageError for what makes no sense."""
    found = [_kept(mech, name, text) for name, text in named(keep).items()]
    for one in found:
        if one.name in (*parameters, *TAKEN):
            raise UsageError(
                f"{one.name!r} is the name of something else in the data set.",
                remedy=f"Name what is kept: keep={{'NAME': {one.text!r}}}.",
            )
        if not one.name or any(
            other.name != one.name and stored_name(other.name) == stored_name(one.name) for other in found
        ):
            raise UsageError(f"{one.name!r} is no name of its own: files have ' over ' in the place of a slash.")
    return found


def _kept(mech: Mechanism, name: str, text: str) -> Kept:
    found = formula_of(mech, text)
    return Kept(found.text, found.over_time, found.shape, found.tree, name)
