"""How all that a run begins from moves with many numbers, where most of these touch one element.

First the tables, the described start, and the rows at poses of interest, of mechanisms beside the run's (`grouped`):
from the rows follows how the start pose moves, by one factorisation for all numbers. Then what compiled code works
on. Masses and inertias are in many of these at once, down a tree; these are worked out anew from tables in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Shared, Sparse
from linkwork.derivatives.start import STILL, MovingStart, Perturbed
from linkwork.derivatives.stencil import SMOOTH
from linkwork.errors import LinkworkError, UsageError
from linkwork.solvers.admission import with_inertia
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, Rates
from linkwork.system.packed import bodies_of

if TYPE_CHECKING:
    from linkwork.derivatives.moving import Nominal
    from linkwork.derivatives.tangent_run import Prepared

Array = NDArray[np.float64]
OF_FORCES = ("body", "load", "element")  # tables that neither rows nor the start depend on
OF_BODIES = ("mass", "inertia")
COPY = 1e-11  # off one is rounding in the slope of what is a copy of a number
FEW = 64  # mechanisms that are kept for the second look


class StartTangents:
    """nominal : the run. starts : its start by each number. reached : times [s] and poses at which rows that depend on
    others are to be followed."""

    def __init__(
        self,
        nominal: Nominal,
        starts: Sequence[MovingStart],
        perturbed: Perturbed,
        reached: Sequence[tuple[float, Pose]],
    ) -> None:
        self.nominal, self.starts, self.perturbed, self.reached = nominal, starts, perturbed, reached
        self.steps = np.array([one.h for one in starts])
        self.families = [one.number.family for one in starts]
        self._mechanisms: dict[Any, CompiledMechanism] = {}
        run: Any = nominal.session.run
        self._held = not hasattr(run, "tolerances") or run.tolerances is None  # `_reals`

    @cached_property
    def found(self) -> list[Sparse]:
        """Of each number: which of the reals of a prepared run move with it, and by how much."""
        every = range(len(self.starts))
        told = self._told
        self._changes = [self._change(k, told[k]) for k in every]
        at = {name: (first, first + size) for name, first, size in self._layout}
        spans = [at[name] for name in OF_FORCES]
        self._forces = [
            all(any(a <= place < b for a, b in spans) for place in self._tables(told[k]).tolist()) for k in every
        ]
        first, last = at["body"]
        bodies = [
            k
            for k in every
            if self.starts[k].number.section == "bodies"
            and self.starts[k].number.member in OF_BODIES
            and np.all((told[k].at >= first) & (told[k].at < last))
        ]
        found: dict[int, Sparse] = {}
        if bodies and self._renews(bodies):
            shared = self._shared(self._renewed)
            found |= {k: shared.alone(k) for k in bodies}
        rest = [k for k in every if k not in found]
        found |= self._shared(self._built).derivatives(rest) if rest else {}
        for k, one in found.items():
            if not one.rough <= SMOOTH and not self._held:
                self._need_speeds_smooth(k)
            self.starts[k].need_smooth(one.rough)
        return [found[k] for k in every]

    def _need_speeds_smooth(self, k: int) -> None:
        """Raise UsageError where it is the largest speed at the start alone that has a corner."""
        self._held = True
        held = self._shared(self._built).alone(k).rough
        self._held = False
        if held <= SMOOTH:
            raise self.starts[k].refused(
                "steps of their own size are measured by the largest speed at the start, which has a corner there",
                "Take steps of one size (leave rtol and atol out), or a start that moves.",
            )

    def _reals(self, prepared: Prepared) -> Array:
        """What compiled code works on. Where steps have one size, the largest of all speeds at the start, which errors
        would be measured by, enters nothing and is held: it has a corner where nothing moves."""
        size = getattr(prepared.run.run, "size", None)
        if self._held and size is not None:
            size[:] = 1.0
        return np.asarray(prepared.reals.values)

    def _shared(self, grouped: Callable[[Sequence[int], Array], Array]) -> Shared:
        base = grouped([], np.zeros(0))
        return Shared(grouped, self.steps, self.families, parts=[(slice(0, len(base)), self.perturbed.size)])

    # what the description makes of the numbers

    @cached_property
    def _told(self) -> dict[int, Sparse]:
        """Of tables, described start and rows."""
        size, rows = self.perturbed.size, self._rows
        base = self._described([], np.zeros(0))
        least = np.zeros(len(base))
        least[rows] = size
        parts = [(slice(0, rows.start), 0.0), (rows, size)]
        shared = Shared(self._described, self.steps, self.families, least, parts)
        found = shared.derivatives(range(len(self.starts)))
        return found

    @cached_property
    def _layout(self) -> list[tuple[str, int, int]]:
        """Name, first place and size of each part of `_described`."""
        out, first = [], 0
        for name, array in self._arrays(self._mechanism([], np.zeros(0))):
            out.append((name, first, array.size))
            first += array.size
        return out

    @cached_property
    def _rows(self) -> slice:
        _, first, size = self._layout[-1]
        return slice(first, first + size)

    def _tables(self, told: Sparse) -> NDArray[np.intp]:
        found: NDArray[np.intp] = told.at[told.at < self._rows.start]
        return found

    def _mechanism(self, which: Sequence[int], by: Array) -> CompiledMechanism:
        key = tuple(which), by.tobytes()
        if key not in self._mechanisms:
            while len(self._mechanisms) >= FEW:
                self._mechanisms.pop(next(iter(self._mechanisms)))
            self._mechanisms[key] = self.perturbed.described([self.starts[k].number for k in which], by.tolist())
        return self._mechanisms[key]

    def _arrays(self, mechanism: CompiledMechanism) -> list[tuple[str, Array]]:
        perturbed = self.perturbed
        start = (perturbed.time, perturbed.said_pose(mechanism))
        return [
            *((name, x) for name, x in mechanism.tables._asdict().items() if x.dtype == np.float64),
            *(("coupling", x) for x in mechanism.couplings if x.dtype == np.float64),
            *(("start", x) for x in (mechanism.r, mechanism.A, mechanism.v, mechanism.w)),
            ("operands", mechanism.operands()),
            ("rows", perturbed.rows(mechanism, [start, *self.reached])),
        ]

    def _described(self, which: Sequence[int], by: Array) -> Array:
        arrays = self._arrays(self._mechanism(which, by))
        if which and [(name, x.size) for name, x in arrays] != [(name, size) for name, _, size in self._layout]:
            raise self._refused(which, "the equations have another structure nearby")
        return np.concatenate([x.ravel() for _, x in arrays])

    def _refused(self, which: Sequence[int], why: str) -> UsageError:
        return self.starts[which[0]].refused(why)

    def _change(self, k: int, told: Sparse) -> Array:
        """Of the start pose, per unit of the number."""
        start, rows = self.starts[k], self._rows
        start.need_smooth(told.rough)
        wanted = np.zeros(rows.stop - rows.start)
        of = told.at >= rows.start
        wanted[told.at[of] - rows.start] = told.value[of]
        every = np.split(wanted, 1 + len(self.reached))
        if self.reached:
            start.need_followed(np.concatenate(every[1:]), self.reached)
        if np.max(np.abs(every[0]), initial=0.0) <= STILL:
            return np.zeros(6 * self.nominal.ready.compiled.nb)
        return start.followed(every[0])

    # what compiled code works on

    @cached_property
    def _structure(self) -> Any:
        return self.nominal.prepared(self.nominal.ready.compiled).reals.structure

    def _built(self, which: Sequence[int], by: Array) -> Array:
        """The reals of a run that is built of mechanisms beside."""
        perturbed, mechanism = self.perturbed, self._mechanism(which, by)
        if all(self._forces[k] for k in which):
            first = perturbed.first_at
            at = perturbed.placed(mechanism, Pose(first.r, first.A), Rates(first.v, first.w))
        else:
            change = sum((x * self._changes[k] for k, x in zip(which, by.tolist(), strict=True)), start=np.zeros(()))
            at = perturbed.at(mechanism, np.broadcast_to(change, 6 * mechanism.nb))
        prepared = self.nominal.prepared(at)
        if which and prepared.reals.structure != self._structure:
            raise self._refused(which, "the equations have another structure nearby")
        return self._reals(prepared)

    @cached_property
    def _prepared_run(self) -> Any:
        """A run of its own, in which masses are changed; its tables, how bodies stand there, and which have inertia."""
        first = self.perturbed.first_at
        tables = first.tables._replace(body=first.tables.body.copy())
        prepared = self.nominal.prepared(replace(first, tables=tables))
        tables = prepared.run.problem.mechanism.bare.tables
        return prepared, tables, tables.body.copy(), with_inertia(bodies_of(tables))

    def _renewed(self, which: Sequence[int], by: Array) -> Array:
        """The same where masses and inertias alone change, worked out in place."""
        prepared, tables, body, kept = self._prepared_run
        body = body.copy()
        for k, x in zip(which, by.tolist(), strict=True):
            told = self._told[k]
            copies = np.abs(told.value - 1.0) < COPY
            body.reshape(-1)[told.at] += x * np.where(copies, 1.0, told.value)
        tables.body[:] = body
        if not np.array_equal(with_inertia(bodies_of(tables)), kept):
            return self._built(which, by)
        try:
            prepared.run.renew(bodies_of(tables))
        except (np.linalg.LinAlgError, LinkworkError):  # building says what is wrong with them
            return self._built(which, by)
        return self._reals(prepared)

    def _renews(self, bodies: Sequence[int]) -> bool:
        """Whether a run whose masses change in place has the very numbers of one that is built with them."""
        for group in ([k for k in bodies if self.starts[k].number.member == kind] for kind in OF_BODIES):
            if not group:
                continue
            try:
                built, renewed = (of(group, self.steps[group]) for of in (self._built, self._renewed))
            except LinkworkError:
                return False
            if not np.array_equal(built, renewed, equal_nan=True):
                return False
        return True
