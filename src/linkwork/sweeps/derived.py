"""What is derived of an instance from its recorded motion and multipliers: energies, reactions, readings of sensors.

As a result derives them (`equations.derived`), of the mechanism with the instance's numbers, which do not move its
start. Where these stand in what derives, found as `run.numbers` finds it in a run, they are written there, and
no mechanism is compiled for the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property, partial
from typing import Any

import numpy as np

from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import LinkworkError
from linkwork.header import Array, Deriver
from linkwork.mechanism.variants import variant
from linkwork.quantities.formulas import BODY
from linkwork.quantities.model import ran_with
from linkwork.quantities.of_results import OfResult
from linkwork.result import Result
from linkwork.run.copied import described_number, trials
from linkwork.run.numbers import Plain
from linkwork.run.recording import named
from linkwork.run.snapshot import arrays_in
from linkwork.run.span import Span
from linkwork.sweeps.copies import Copy, copies_of_rows
from linkwork.sweeps.element_forces import ElementNumbers, element_numbers
from linkwork.sweeps.forces_of_several import ForcesOfSeveral, forces_of_several
from linkwork.system import CompiledMechanism

Given = Mapping[str, float]
Variables = Mapping[str, Array] | None
Curves = Mapping[str, Callable[[], Array]] | None
PARTS = tuple(sorted(BODY.values()))  # of a body's numbers, in order
TRIED = 2  # samples that both ways derive from, where they are compared


class Writable:
    """What derives, with arrays that numbers are written into. copies : which."""

    def __init__(self, deriver: MechanismDeriver, copies: list[Copy]) -> None:
        self.deriver, self.copies = deepcopy(deriver), copies
        arrays = arrays_of(self.deriver)
        self._flat = [(arrays[one.array].reshape(-1), one.at, one.spot) for one in copies]

    def write(self, row: Array) -> MechanismDeriver:
        """With the numbers that stand in a placed run's spots, (spots,)."""
        for array, at, spot in self._flat:
            array[at] = row[spot]
        self.deriver.begin()
        return self.deriver


class Asked:
    """What derives, made when it is asked for."""

    def __init__(self, make: Callable[[], MechanismDeriver]) -> None:
        self._make = make

    @cached_property
    def _deriver(self) -> MechanismDeriver:
        return self._make()

    def derive(self, names: Sequence[str], *given: Any, **more: Any) -> dict[str, Array]:
        """As in `header.Deriver`."""
        return self._deriver.derive(names, *given, **more)


class Deriving:
    """Quantities of instances with other numbers of these names. plain : where they stand in a placed run; None where
    that is not known. sensing : whether sensors are read; forces : whether force elements are asked what they do.
    Several threads may ask at the same time."""

    def __init__(
        self, span: Span, names: tuple[str, ...], plain: Plain | None, *, sensing: bool = False, forces: bool = False
    ) -> None:
        self.span, self.names, self.plain, self.sensing, self.forces = span, names, plain, sensing, forces
        self._free: list[Writable] = []
        self._of_elements: dict[str, ForcesOfSeveral | None] = {}

    def quantities(self, given: Given, time: Array, motion: Array, multiplier: Array) -> OfResult:
        """Quantities of an instance, with everything that is derived; nobody has judged it.

        given : numbers by name. time (nt,) s, motion (nt, 24 nb), multiplier (nt, nc).
        """
        found = self._of(Asked(partial(self._compiled, given)), time, motion, multiplier)
        mechanism, lowered, alone = self.span.mechanism, self.span.ready.compiled.lowered, None  # as its header has it
        if self.forces:
            made = None if self._elements is None else self._elements.lowered(given)
            if made is None or self._elements is None:
                mechanism = variant(mechanism, given)
                lowered = mechanism.lower()
            else:
                lowered, alone = made, self._elements.alone
        ran_with(found, mechanism, lowered)
        return OfResult(found, alone)

    @cached_property
    def _elements(self) -> ElementNumbers | None:
        return element_numbers(self.span.mechanism, self.names)

    def several(self, names: tuple[str, ...], rows: Array, time: Array, motion: Array, multiplier: Array) -> Variables:
        """Derived variables of instances with these numbers in a placed run's spots (n, spots), (n, nt, ...) each, to
        the bits of `quantities`; None where these are not known in what derives. motion (n, nt, 24 nb)."""
        if self._copies is None:
            return None
        writable = self._writable(self._copies)
        whole = motion.reshape(len(motion), len(time), self.span.ready.compiled.nb, -1)
        parts = (np.ascontiguousarray(whole[..., low:high]) for low, high in PARTS)
        found = writable.deriver.derive_each(
            names, time, *parts, multiplier, None, begin=lambda k: writable.write(rows[k])
        )
        self._free.append(writable)
        return found

    def curves(self, name: str, rows: Array, time: Array, motion: Array) -> Curves:
        """What works out the curves of a force element, of instances as in `several`, to the bits of `quantities`; None
        where each is to be asked."""
        if self._trials is None:
            return None
        if name not in self._of_elements:
            self._of_elements[name] = forces_of_several(self.span, name, *self._trials)
        known = self._of_elements[name]
        return None if known is None else known.curves(rows, time, motion)

    def _writable(self, copies: list[Copy]) -> Writable:
        """One that no other thread has."""
        try:
            return self._free.pop()
        except IndexError:
            return Writable(self._compiled({}), copies)

    def _of(self, deriver: Deriver, time: Array, motion: Array, multiplier: Array) -> Result:
        whole = np.ascontiguousarray(motion).reshape(len(time), self.span.ready.compiled.nb, -1)
        return Result(self.span.names, named({"time": time, "motion": whole, "multiplier": multiplier}), derive=deriver)

    def _compiled(self, given: Given) -> MechanismDeriver:
        """Of a mechanism that is compiled with these numbers."""
        return MechanismDeriver(self.span.compiled(given), sensing=self.sensing)

    @cached_property
    def _copies(self) -> list[Copy] | None:
        """Which numbers differ between mechanisms that are compiled with a few other numbers, and the spots that hold
        the same in all of them; None where some differ that no spot holds, or where a mechanism that they are written
        into does not derive what one does that is compiled with them."""
        if self._trials is None:
            return None
        compiled, rows = self._trials
        derivers = [MechanismDeriver(one, sensing=self.sensing) for one in compiled]
        copies = copies_of_rows([arrays_of(one) for one in derivers], rows)
        if copies is None:
            return None
        writable = Writable(derivers[0], copies)
        alike = (self._alike(writable.write(row), one) for row, one in zip(rows, derivers, strict=True))
        return copies if all(alike) else None

    @cached_property
    def _trials(self) -> tuple[list[CompiledMechanism], Array] | None:
        """The mechanism as described and with a few other numbers, and what a placed run's spots hold with these; None
        where that is not known."""
        if self.plain is None:
            return None
        every: list[Given] = [{name: described_number(self.span.mechanism, name) or 0.0 for name in self.names}]
        compiled = [self.span.compiled(every[0])]
        try:
            for given, one in trials(self.span.mechanism, self.names, self.span.compiled):
                every.append(given)
                compiled.append(one)
        except LinkworkError:
            return None
        rows = [row for row in map(self.plain.row, every) if row is not None]
        return (compiled, np.array(rows)) if len(rows) == len(every) > 1 else None

    def _alike(self, one: MechanismDeriver, other: MechanismDeriver) -> bool:
        """Whether both derive the same, bit by bit, from samples at the start and reactions of any size."""
        start = self.span.ready.compiled
        at_rest = np.concatenate([start.r, start.A, start.v, start.w, np.zeros((start.nb + 1, 6))], axis=1)[:-1]
        motion, multiplier = np.tile(at_rest, (TRIED, 1, 1)), np.ones((TRIED, start.nc))
        time = np.arange(TRIED) * self.span.call.step
        a, b = (self._of(deriver, time, motion, multiplier) for deriver in (one, other))
        return a.variables == b.variables and all(a[name].tobytes() == b[name].tobytes() for name in a)


def arrays_of(deriver: MechanismDeriver) -> dict[str, Array]:
    """Every array that numbers of the description may stand in, by place."""
    return arrays_in({"deriver": deriver, "tables": deriver.tables}, frozen=True)
