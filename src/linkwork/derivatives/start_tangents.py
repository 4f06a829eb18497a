"""How all that a run begins from moves with many numbers, where most of these touch one element.

First the tables, the described start, and the rows at poses of interest, of mechanisms beside the run's (`grouped`):
from the rows follows how the start pose moves, by one factorisation for all numbers. Then what compiled code works
on. Masses and inertias are in many of these at once, down a tree; these are worked out anew from tables in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Shared, Sparse
from linkwork.derivatives.renewed_masses import OF_BODIES, RenewedMasses
from linkwork.derivatives.spacings import SPEEDS
from linkwork.derivatives.start import MovingStart, Perturbed
from linkwork.derivatives.start_in_parts import in_parts
from linkwork.derivatives.start_velocities import Motion, StartVelocities
from linkwork.derivatives.stencil import SMOOTH, derivative
from linkwork.derivatives.wider import WiderRowsError, same_zeros, wider
from linkwork.errors import UsageError
from linkwork.garbage_collection import uncollected
from linkwork.one_thread import one_blas_thread
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import position_rows
from linkwork.system.dense import Pose, Rates

if TYPE_CHECKING:
    from linkwork.derivatives.nominal import Nominal
    from linkwork.derivatives.tangent_run import Prepared

Array = NDArray[np.float64]
OF_FORCES = ("load", "element")  # tables that neither rows nor the start depend on
FEW_NUMBERS = 7  # that are found one by one, or together where they share nothing


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
        run: Any = nominal.session.run
        self.velocities = StartVelocities(perturbed)
        self._held = not hasattr(run, "tolerances") or run.tolerances is None  # `hold`
        self.disjoint: list[list[int]] = []  # numbers that touch different places of tables, rows and described start

    @cached_property
    @one_blas_thread()
    @uncollected
    def found(self) -> list[Sparse]:
        """Of each number: which of the reals of a prepared run move with it, and by how much."""
        every, still = range(len(self.starts)), self._still
        bodies = [
            k
            for k in every
            if still[k]
            and self.starts[k].number.section == "bodies"
            and self.starts[k].number.member in OF_BODIES
            and self._within(k, ("body",))
        ]
        found = self._found_at_once()
        found |= RenewedMasses(self, [k for k in bodies if k not in found]).derivatives
        moving = [k for k in every if k not in found and not (still[k] and self._within(k, OF_FORCES))]
        found |= in_parts(self, moving) if len(moving) > FEW_NUMBERS else {}
        rest = [k for k in every if k not in found]
        found |= self._shared(self.built).derivatives(rest) if rest else {}
        for k, one in found.items():
            if not one.rough <= SMOOTH and not self._held:
                self._need_speeds_smooth(k)
            if not one.rough <= SMOOTH and self.starts[k].number.member in SPEEDS and self.motions[k] is None:
                found[k] = self._forbidden_velocity(k)
            self.starts[k].need_smooth(found[k].rough)
        return [found[k] for k in every]

    def _found_at_once(self) -> dict[int, Sparse]:
        """The derivatives by numbers that touch different places of tables and leave the start where it is, where these
        touch different places of all reals, too, in straight lines: of the very mechanisms that tables were seen in."""
        found = dict[int, Sparse]()
        for group in self.disjoint:
            if len(group) > FEW_NUMBERS and all(self._still[k] for k in group):
                found |= self._shared(self.built).straight(group) or {}
        return found

    def _forbidden_velocity(self, k: int) -> Sparse:
        """By a stated velocity that the rows forbid: of the starts beside, where all that is stated gives way with it
        (`system.stated.SHARE`), by a millionth at once, which no derivative counts."""
        dense, rough = derivative(lambda by: self.built([k], np.array([by])), float(self.steps[k]), self.perturbed.size)
        at = np.flatnonzero(dense)
        return Sparse(at, dense[at], rough)

    def _need_speeds_smooth(self, k: int) -> None:
        """Raise UsageError where it is the largest speed at the start alone that has a corner."""
        self._held = True
        held = self._shared(self.built).alone(k).rough
        self._held = False
        if held <= SMOOTH:
            raise self.starts[k].refused(
                "steps of their own size are measured by the largest speed at the start, which has a corner there",
                "Take steps of one size (leave rtol and atol out), or a start that moves.",
            )

    def reals(self, prepared: Prepared) -> Array:
        """What compiled code works on."""
        self.hold(prepared)
        return np.asarray(prepared.reals.values)

    def hold(self, prepared: Prepared) -> None:
        """Where steps have one size, what errors would be measured by enters nothing and is held: weights, and the
        largest of all speeds at the start, which has a corner where nothing moves; so is what ends iterations."""
        run = prepared.run.run
        if self._held and hasattr(run, "size"):
            run.size[:] = run.weight[:] = 1.0
        self.nominal.held(prepared.run)

    def _shared(self, grouped: Callable[[Sequence[int], Array], Array]) -> Shared:
        base = grouped([], np.zeros(0))
        return Shared(grouped, self.steps, self.families, parts=[(slice(0, len(base)), self.perturbed.size)])

    # what the description makes of the numbers

    @cached_property
    def _told(self) -> dict[int, Sparse]:
        """Of tables, described start and rows."""
        rows, rates = self._rows, slice(*self._span("rates"))
        base = self._described([], np.zeros(0))
        least = np.zeros(len(base))
        of_rows = self.perturbed.row_sizes[position_rows(self.nominal.ready.compiled)]
        least[rows], least[rates] = np.tile(of_rows, 1 + len(self.reached)), self.velocities.sizes
        sizes = [float(np.max(least[part], initial=0.0)) for part in (rates, rows)]
        parts = [(slice(0, rates.start), 0.0), *zip((rates, rows), sizes, strict=True)]
        summed = self.perturbed.largest_position
        shared = Shared(self._described, self.steps, self.families, least, parts, summed=summed)
        found = shared.derivatives(range(len(self.starts)))
        self.disjoint = [*shared.disjoint, *([k] for k in found if not any(k in group for group in shared.disjoint))]
        return found

    @cached_property
    def _layout(self) -> list[tuple[str, int, int]]:
        """Name, first place and size of each part of `_described`."""
        out, first = [], 0
        for name, array in self._arrays(self.mechanism([], np.zeros(0))):
            out.append((name, first, array.size))
            first += array.size
        return out

    @cached_property
    def _rows(self) -> slice:
        _, first, size = self._layout[-1]
        return slice(first, first + size)

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int]]:
        """First and last place of each part of `_described`."""
        out: dict[str, tuple[int, int]] = {}
        for name, first, size in self._layout:
            out[name] = out.get(name, (first, 0))[0], first + size
        return out

    def _span(self, name: str) -> tuple[int, int]:
        return self._spans[name]

    def _of(self, k: int, name: str) -> Array:
        """The derivative of a part of `_described` by a number."""
        (first, last), moving = self._span(name), self.in_part(k, name)
        found = np.zeros(last - first)
        found[moving.at] = moving.value
        return found

    def in_part(self, k: int, name: str) -> Sparse:
        """The same, at its places that move."""
        (first, last), told = self._span(name), self._told[k]
        of = (told.at >= first) & (told.at < last)
        return Sparse(told.at[of] - first, told.value[of], told.rough)

    def _touches(self, k: int, name: str) -> bool:
        """Whether a part of `_described` moves with a number."""
        return k in self._touching[name]

    @cached_property
    def _touching(self) -> dict[str, frozenset[int]]:
        """The numbers that each part of `_described` moves with."""
        every = [self._told[k].at for k in range(len(self.starts))]
        owner, at = np.repeat(np.arange(len(every)), [len(one) for one in every]), np.concatenate(every)
        spans = self._spans.items()
        return {name: frozenset(owner[(at >= first) & (at < last)].tolist()) for name, (first, last) in spans}

    def tables(self, k: int) -> NDArray[np.intp]:
        """Places of tables that a number touches."""
        told, (first, last) = self._told[k].at, self._span("start")
        found: NDArray[np.intp] = told[((told < first) | (told >= last)) & (told < self._span("rates")[0])]
        return found

    def _within(self, k: int, names: Sequence[str]) -> bool:
        """Whether a number touches these tables alone."""
        spans = list(map(self._span, names))
        return all(any(first <= place < last for first, last in spans) for place in self.tables(k).tolist())

    def mechanism(self, which: Sequence[int], by: Array) -> CompiledMechanism:
        """Beside this one, with some numbers moved."""
        return self.perturbed.described([self.starts[k].number for k in which], by.tolist())

    def _arrays(self, mechanism: CompiledMechanism) -> list[tuple[str, Array]]:
        perturbed = self.perturbed
        start = (perturbed.time, perturbed.said_pose(mechanism))
        return [
            *((name, x) for name, x in mechanism.tables._asdict().items() if x.dtype == np.float64),
            *(("coupling", x) for x in mechanism.couplings if x.dtype == np.float64),
            *(("start", x) for x in (mechanism.r, mechanism.A, mechanism.v, mechanism.w)),
            ("operands", mechanism.operands()),
            ("rates", self.velocities.residuals(mechanism, self.velocities.pose)),
            ("rows", perturbed.rows(mechanism, [start, *self.reached])),
        ]

    def _described(self, which: Sequence[int], by: Array) -> Array:
        arrays = self._arrays(self.mechanism(which, by))
        if which and [(name, x.size) for name, x in arrays] != [(name, size) for name, _, size in self._layout]:
            raise self._refused(which, "the equations have another structure nearby")
        return np.concatenate([x.ravel() for _, x in arrays])

    def _refused(self, which: Sequence[int], why: str) -> UsageError:
        return self.starts[which[0]].refused(why)

    @cached_property
    def _changes(self) -> list[Array]:
        """By each number, what the rows add to the start pose."""
        return [self._change(k) for k in range(len(self.starts))]

    def _change(self, k: int) -> Array:
        start = self.starts[k]
        start.need_smooth(self._told[k].rough)
        if not self._touches(k, "rows"):
            return np.zeros(6 * self.nominal.ready.compiled.nb)
        every = np.split(self._of(k, "rows"), 1 + len(self.reached))
        if self.reached:
            start.need_followed(np.concatenate(every[1:]), self.reached)
        return start.followed(every[0])

    @cached_property
    def motions(self) -> list[Motion | None]:
        """Of the start, by each number; None where it is found by building alone."""
        of, every = self.velocities, range(len(self.starts))
        poses = [self._changes[k] + self._said(k) for k in every]
        return [self._motion(*one) for one in zip(every, poses, of.changes(poses, self.families), strict=True)]

    @cached_property
    def _still(self) -> list[bool]:
        """Whether the start stays where it is, by each number."""
        return [motion is not None and motion.still for motion in self.motions]

    def _said(self, k: int) -> Array:
        """How the start pose moves as described."""
        nb, now, first = self.nominal.ready.compiled.nb, self.velocities.pose.A, self.perturbed.first.A
        if not self._touches(k, "start"):
            return np.zeros(6 * nb)
        r, A, *_ = np.split(self._of(k, "start"), np.cumsum([3, 9, 3]) * (nb + 1))
        if not A.any():
            return np.hstack([r.reshape(-1, 3)[:nb], np.zeros((nb, 3))]).ravel()
        new, old, now = (x.reshape(-1, 3, 3)[:nb] for x in (A, first, now))
        turned = np.swapaxes(now, 1, 2) @ new @ np.swapaxes(old, 1, 2) @ now
        turned = 0.5 * (turned - np.swapaxes(turned, 1, 2))[:, (2, 0, 1), (1, 2, 0)]
        return np.hstack([r.reshape(-1, 3)[:nb], turned]).ravel()

    def _motion(self, k: int, pose: Array, along: Sparse) -> Motion | None:
        if not (len(along.at) or self._touches(k, "start") or self._touches(k, "rates")):
            return Motion(pose, np.zeros(6 * self.nominal.ready.compiled.nb))
        *_, v, w = np.split(self._of(k, "start"), np.cumsum([3, 9, 3]) * len(self.perturbed.first.r))
        described = np.hstack([v.reshape(-1, 3), w.reshape(-1, 3)])[:-1].ravel()
        change = self._of(k, "rates")
        change[along.at] += along.value
        u = self.velocities.followed(described, change, self.starts[k].size) if along.rough <= SMOOTH else None
        return None if u is None else Motion(pose, u)

    # what compiled code works on

    @cached_property
    def _structure(self) -> Any:
        return self.nominal.prepared(self.nominal.ready.compiled).reals.structure

    def built(self, which: Sequence[int], by: Array) -> Array:
        """The reals of a run that is built of mechanisms beside."""
        perturbed, mechanism = self.perturbed, self.mechanism(which, by)
        if all(self._still[k] for k in which):
            first = perturbed.first_at
            at = perturbed.placed(mechanism, Pose(first.r, first.A), Rates(first.v, first.w))
        else:
            change = sum((x * self._changes[k] for k, x in zip(which, by.tolist(), strict=True)), start=np.zeros(()))
            at = perturbed.at(mechanism, np.broadcast_to(change, 6 * mechanism.nb))
        return self.built_at(at, which)

    def built_at(self, at: CompiledMechanism, which: Sequence[int]) -> Array:
        """The reals of a run that is built there, with some numbers moved."""
        prepared = self.nominal.prepared(at)
        if which and prepared.reals.structure != self._structure:
            self._need_same_rows(at)
            raise self._refused(which, "the equations have another structure nearby")
        return self.reals(prepared)

    def _need_same_rows(self, at: CompiledMechanism) -> None:
        """Raise WiderRowsError where rows beside have entries that the run has no places for."""
        now = self.nominal.ready.compiled.pattern_rows
        alone = (self.mechanism([k], self.steps[[k]]).system.rows for k in range(len(self.starts)))
        found = wider(now, (at.system.rows, *alone))
        if not same_zeros(found, now):
            error = WiderRowsError("rows have other entries beside a number.")
            error.rows = found
            raise error

    def run_alone(self) -> Prepared:
        """The run at its start, with memory that no other run reads, tables included."""
        return self.nominal.prepared(apart(self.perturbed.first_at))

    @cached_property
    def sizes(self) -> list[int]:
        """Of the arrays that the reals stand in, in turn."""
        shapes, _ = self._structure
        return [int(np.prod(shape)) for shape in shapes]


def apart(mechanism: CompiledMechanism) -> CompiledMechanism:
    """The same with arrays of its own; its elements, which nobody writes into, are the same."""
    return deepcopy(mechanism, {id(mechanism.lowered): mechanism.lowered})
