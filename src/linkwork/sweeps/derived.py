"""What is derived of an instance from its recorded motion and multipliers: energies, reactions, readings of sensors.

As a result derives them (`equations.derived`), of the mechanism with the instance's numbers, which do not move its
start. Where these stand in what derives, found as `run.numbers` finds it in a run, they are written there, and
no mechanism is compiled for the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.derived import MechanismDeriver
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
from linkwork.sweeps.element_forces import ElementNumbers, element_numbers

Given = Mapping[str, float]
Variables = Mapping[str, Array] | None
PARTS = tuple(sorted(BODY.values()))  # of a body's numbers, in order
TRIED = 2  # samples that both ways derive from, where they are compared


class Copy(NamedTuple):
    """A number in what derives, and the spot of a placed run that holds the same."""

    array: str
    at: int
    spot: int


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
        if self.plain is None:
            return None
        every = [{name: described_number(self.span.mechanism, name) or 0.0 for name in self.names}]
        every += trials(self.span.mechanism, self.names)
        rows = [self.plain.row(given) for given in every]
        kept = [row for row in rows if row is not None]
        if len(kept) < len(every) or len(every) < 2:
            return None
        derivers = [self._compiled(given) for given in every]
        copies = _copies_of([arrays_of(one) for one in derivers], np.array(kept))
        if copies is None:
            return None
        writable = Writable(derivers[0], copies)
        alike = (self._alike(writable.write(row), one) for row, one in zip(kept, derivers, strict=True))
        return copies if all(alike) else None

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


def _copies_of(of_each: list[dict[str, Array]], rows: Array) -> list[Copy] | None:
    """The numbers that differ between these arrays (trials), and the columns of `rows` (trials, spots) that are the
    same."""
    columns = {column.tobytes(): spot for spot, column in reversed([*enumerate(rows.T.copy())])}
    found: list[Copy] = []
    for name, at, values in _differing(of_each):
        spot = columns.get(values.tobytes())
        if spot is None:
            return None
        found.append(Copy(name, at, spot))
    return found


def _differing(of_each: list[dict[str, Array]]) -> Iterator[tuple[str, int, Array]]:
    """(array, index, number of each) wherever these arrays differ; an index of -1 where they do in shape."""
    first, *others = of_each
    for name, array in first.items():
        same_shape = all(name in one and one[name].shape == array.shape for one in others)
        if not same_shape or len({*map(len, of_each)}) > 1:
            yield name, -1, np.zeros(0)
            continue
        flat = np.array([one[name].reshape(-1) for one in of_each])
        for at in np.flatnonzero(np.any(flat != flat[0], axis=0) & ~np.all(np.isnan(flat), axis=0)):
            yield name, int(at), flat[:, at].astype(float)
