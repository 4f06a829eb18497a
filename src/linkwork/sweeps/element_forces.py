"""Force elements of runs that differ in numbers, without a mechanism that is lowered and compiled for each.

An element is asked what it did as `Result.force` asks (`quantities.forces`): by the mechanism with this element alone.
Where numbers go into flat mechanisms as copies (`run.copied`), which a few that are lowered as usual show, those of the
element are written into the tables of one that is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Lowered
from linkwork.quantities.forces import alone
from linkwork.remembered import with_fields
from linkwork.run.copied import copies_of, described_number
from linkwork.run.lengths import other_lengths
from linkwork.run.lines import TABLES, line_of
from linkwork.run.written import FORMULA, LISTS, WHOLE, OtherStructureError, differing, number_at, put, remaker
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]


class ElementNumbers:
    """Flat mechanisms with other numbers of these names, and tables of single elements of these. Several threads may
    ask."""

    def __init__(self, mech: Mechanism, names: tuple[str, ...]) -> None:
        """Raises OtherStructureError where the numbers are no copies, or formulas of forces differ."""
        some, compiled = other_lengths(mech, names)
        self.names, self.known = names, compiled.lowered
        told = [{name: described_number(mech, name) or 0.0 for name in names}, *(trial for trial, _ in some)]
        found = dict.fromkeys(path for _, one in some for path in differing(compiled, one))
        paths = [path for path in found if path[0] in (*LISTS, "gravity")]
        if any(path[0] in WHOLE.values() or path[-1] == FORMULA for path in found):
            raise OtherStructureError
        seen = [[number_at(one, path) for one in (compiled, *(other for _, other in some))] for path in paths]
        chosen, self.values = copies_of(mech, names, told, seen)
        if len(chosen) < len(paths):
            raise OtherStructureError
        tree: dict[str, Any] = {}
        for spot, path in enumerate(paths):
            put(tree, path, spot)
        self._parts: dict[str, list[tuple[Any, Any]]] = {}
        for name, changes in tree.items():
            whole = getattr(self.known, name)
            several = changes.items() if name in LISTS else ()
            self._parts[name] = [(k, remaker(whole[k], one)) for k, one in several]
        self._alone: dict[str, CompiledMechanism] = {}
        for trial, one in some:
            made = self.lowered(trial)
            if made is None or _said_of(made) != _said_of(one.lowered):
                raise OtherStructureError

    def lowered(self, given: Mapping[str, float]) -> Lowered | None:
        """The flat mechanism with these numbers, but for its weight; None where a formula of them has no value."""
        found, good = self.values(np.array([[given[name] for name in self.names]]))
        if not good[0]:
            return None
        numbers, parts = found[0].tolist(), dict[str, Any]()
        for name, remakes in self._parts.items():
            if name in LISTS:
                made = [*getattr(self.known, name)]
                for k, remake in remakes:
                    made[k] = remake(numbers)
                parts[name] = tuple(made)
        return with_fields(self.known, **parts)

    def alone(self, lowered: Lowered, name: str) -> CompiledMechanism:
        """`quantities.forces.alone` of one of these flat mechanisms."""
        if name not in self._alone:
            self._alone[name] = alone(self.known, name)
        base, tables = self._alone[name], dict[str, Any]()
        for part, table, fields, _ in TABLES:
            if part == "rows":
                continue  # no force asks for these
            mine = [one for one in getattr(lowered, part) if one.name == name]
            for k, (before, after) in enumerate(zip(getattr(base.lowered, part), mine, strict=True)):
                if after is not before:
                    made = tables.setdefault(table, getattr(base.tables, table).copy())
                    line = line_of(before, after, fields, made[k])
                    if line is None:
                        return alone(lowered, name)
                    made[k] = line
        return base.other(tables=base.tables._replace(**tables)) if tables else base


def _said_of(lowered: Lowered) -> tuple[Any, ...]:
    numbers = [(repr(one.mass), None if one.inertia is None else one.inertia.tobytes()) for one in lowered.bodies]
    parts = lowered.rows, lowered.joints, lowered.loads, lowered.elements, lowered.efforts
    return numbers, *map(repr, parts)


def element_numbers(mech: Mechanism, names: tuple[str, ...]) -> ElementNumbers | None:
    """Where these numbers stand in flat mechanisms; None where more than copies of them does."""
    try:
        return ElementNumbers(mech, names)
    except OtherStructureError:
        return None
