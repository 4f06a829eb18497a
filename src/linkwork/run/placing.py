"""A built run that is placed at other starts: of the same elements with other numbers, without being built again.

Whatever a problem holds of a mechanism's numbers is written into its arrays by the code that built it
(`Run.set_start`), and tables are copied to where compiled code reads them. What decides which arrays there are (kinds
of rows, which numbers are zero, which bodies have inertia) must be as it was; elsewhere a run is built. That nothing is
forgotten is looked at before a run is placed for the first time: every array of it, and of one that is built, bit by
bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.integrators.contract import Run
from linkwork.kernels.compiling import purpose
from linkwork.kernels.so3 import exp_so3
from linkwork.run.held import Held, numbers_in
from linkwork.run.points import written_points
from linkwork.run.snapshot import ADDRESSES, arrays_in, numbers_of
from linkwork.run.starting import Start, need_agreement, new_run
from linkwork.solvers.admission import with_inertia
from linkwork.status import Status
from linkwork.system import CompiledMechanism

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.kernels.tables import System
    from linkwork.run.lengths import Lengths
    from linkwork.run.simulate import Call

Array = NDArray[np.float64]
LARGEST, MOST = 4_000_000, 12  # bytes of a run, and runs, that are kept
SHARES = 0.11, 0.07  # of the mechanism's length, rad and per second: how far the start of a trial is from the described


class Placed:
    """A run of a call, with room for dependent rows or without, that can be started elsewhere.

    compiled : of arrays of its own, which compiled code is handed.
    """

    def __init__(self, call: Call, compiled: CompiledMechanism, droppable: bool) -> None:
        self.call, self.droppable, self.duration = call, droppable, call.duration
        run = _new(call, compiled, droppable)
        self.tables, self.couplings = compiled.tables, compiled.couplings
        written = *self.tables, *self.couplings  # some problems have these among their arrays
        self.held, self.attributes = Held(run, tables=False, without=written), dict(vars(run))
        self.names = {*self.attributes, *ADDRESSES}
        self.system: System | None = None  # of the mechanism whose numbers are written, with these numbers
        self.copied: CompiledMechanism | None = None  # whose numbers stand in these
        self.written: Lengths | None = None  # or of whose mechanism, with numbers in these spots
        self.spots: list[tuple[Any, int, int]] = []
        self.length = self.tolerance = 0.0  # of a mechanism, and of poses then
        self.kind = kind_of(compiled)

    @property
    def run(self) -> Run[Any]:
        """The run, where it was started last."""
        return self.held.run

    def at(self, compiled: CompiledMechanism) -> Run[Any] | None:
        """The run at the start of a mechanism of the same kind with other numbers, not begun; None where it has to be
        built."""
        last, self.copied, self.written = self.copied, compiled, None
        for name, mine in (("tables", self.tables), ("couplings", self.couplings)):
            theirs, before = getattr(compiled, name), None if last is None else getattr(last, name)
            if theirs is before:
                continue
            for one, other, known in zip(mine, theirs, before or mine, strict=True):
                if other is not known and one.dtype.kind == "f":
                    one[...] = other
        return self.begun(compiled.other(tables=self.tables, couplings=self.couplings))

    def write(self, known: Lengths, numbers: list[float]) -> None:
        """Write numbers that are copies into the tables."""
        if self.written is not known:
            for one, other in zip(self.tables, known.known.tables, strict=True):
                if one.dtype.kind == "f":
                    one[...] = other
            places = [(name, some) for (root, name, *_), some in known.spots.items() if root == "tables"]
            memory = [(numbers_in(getattr(self.tables, name)), some) for name, some in places]
            self.system, points = written_points(known.known.system, known.spots) or (None, [])
            memory += points
            self.spots = [(array, at, spot) for array, some in memory for at, spot in some]
            self.written, self.copied = known, None
        for memory, at, spot in self.spots:
            memory[at] = numbers[spot]

    def begun(self, compiled: CompiledMechanism) -> Run[Any] | None:
        """The run at the start of a mechanism that has this one's tables; None where it has to be built."""
        run = self.held.run
        attributes = vars(run)
        if not attributes.keys() <= self.names:
            for name in attributes.keys() - self.names:
                del attributes[name]
        attributes.update(self.attributes)
        self.held.placed.restore(run)
        try:
            if compiled.length != self.length:
                self.tolerance = self.call.integrator.pose_tolerance(compiled.length, self.call.step)
                self.length = compiled.length
            return run if run.set_start(compiled, self.tolerance) else None
        except (np.linalg.LinAlgError, LinkworkError):  # building tells why
            return None

    def is_true(self, compiled: CompiledMechanism) -> bool:
        """Whether placing the run there gives all arrays and numbers that building gives."""
        copied = compiled.other(**{name: _copy(getattr(compiled, name)) for name in ("tables", "couplings")})
        run = self.at(copied)
        return run is not None and same(run, _new(self.call, copied, self.droppable))


class Places:
    """Runs that are built and may be placed, of one call or of such that differ in their start alone.

    Several threads may use them."""

    def __init__(self) -> None:
        self._free: list[Placed] = []
        self._known: tuple[CompiledMechanism, bytes, bytes] | None = None

    def kind(self, compiled: CompiledMechanism) -> bytes:
        """`kind_of` the mechanism, found once for the same tables at different states."""
        known = self._known
        names = "tables", "couplings", "system"
        if known is not None and all(getattr(known[0], name) is getattr(compiled, name) for name in names):
            return known[1]
        inertias = None
        if known is not None and known[0].system.bodies is compiled.system.bodies:
            inertias = known[2]
        inertias = inertias or inertias_of(compiled)
        found = kind_of(compiled, inertias)
        self._known = compiled, found, inertias
        return found

    def free(self, duration: float, kind: bytes, droppable: bool = False) -> Placed | None:
        """One of this kind that nobody uses, if there is one."""
        for k, one in enumerate(self._free):
            if one.droppable == droppable and one.duration == duration and one.kind == kind:
                try:
                    found = self._free.pop(k)
                except IndexError:
                    break
                if found is one:
                    return one
                self._free.append(found)
        return None

    def borrow(self, call: Call, compiled: CompiledMechanism, droppable: bool, kind: bytes | None = None) -> Placed:
        """One that nobody else uses, of the kind of this mechanism. Raises what building raises.

        kind : of the mechanism, where it is known."""
        found = self.free(call.duration, kind or self.kind(compiled), droppable)
        if found is not None:
            return found
        copied = compiled.other(**{name: _copy(getattr(compiled, name)) for name in ("tables", "couplings")})
        return Placed(call, copied, droppable)

    def hand_back(self, *some: Placed) -> None:
        """Hand these back; those that were used long ago are given up."""
        for one in some:
            if one.held.size <= LARGEST:
                self._free.insert(0, one)
        del self._free[MOST:]

    def started(self, call: Call, ready: Start, state: State | None, kind: bytes | None = None) -> Placed | None:
        """What holds a run of this call, from a state, at consistent accelerations, which its rows agree upon; to be
        handed back when it is over. None where it has to be built. kind : of the mechanism, where it is known."""
        compiled, began = ready.compiled, 0.0 if state is None else state.time
        try:
            if len(compiled.couplings.about):
                call.formulation.admit_couplings(compiled)
            call.formulation.admit(compiled.bare)
            for droppable in (False, True):
                placed = self.borrow(call, compiled, droppable, kind)
                run = placed.at(compiled)
                if run is None:
                    return None
                run.begin_at(began, None if state is None else state.counted_angles)
                if run.initialise() == Status.OK and placed.held.finite:
                    need_agreement(compiled, run, began)
                    return placed
                self.hand_back(placed)
        except LinkworkError:  # building tells why
            pass
        return None

    def are_true(self, call: Call, some: Iterable[CompiledMechanism]) -> bool:
        """Whether placing gives all that building gives, of runs of these mechanisms; and there are any."""
        many = 0
        for compiled in some:
            for droppable in (False, True):
                try:
                    placed = self.borrow(call, compiled, droppable)
                except LinkworkError:
                    if droppable:
                        continue  # no rows of such a mechanism may depend on others
                    return False
                true = placed.is_true(compiled)
                self.hand_back(placed)
                if not true:
                    return False
                many += 1
        return many > 0


def trial_states(compiled: CompiledMechanism) -> Iterable[CompiledMechanism]:
    """The mechanism at other states, which need not meet its rows."""
    rng = np.random.default_rng(1)
    nb = compiled.nb
    for share in SHARES:
        r, A, v, w = (array.copy() for array in (compiled.r, compiled.A, compiled.v, compiled.w))
        for array, size in ((r, share * compiled.length), (v, share * compiled.length), (w, share)):
            array[:nb] += size * rng.uniform(-1.0, 1.0, (nb, 3))
        for b in range(nb):
            turn = np.array(exp_so3(tuple(share * rng.uniform(-1.0, 1.0, 3)))).reshape(3, 3)
            A[b] = (A[b].reshape(3, 3) @ turn).ravel()
        yield compiled.at(r, A, v, w)


def same(one: Run[Any], other: Run[Any]) -> bool:
    """Whether two runs that are not begun have the same arrays and numbers, bit for bit."""
    sides = []
    for run in (one, other):
        things = {"run": run, "problem": run.problem}
        sides.append((arrays_in(things, frozen=True), [numbers_of(thing) for thing in things.values()], run.remarks))
    (arrays, numbers, remarks), (others, theirs, said) = sides
    return (
        numbers == theirs
        and remarks == said
        and arrays.keys() == others.keys()
        and all(
            array.shape == others[name].shape and array.tobytes() == others[name].tobytes()
            for name, array in arrays.items()
        )
    )


def _new(call: Call, compiled: CompiledMechanism, droppable: bool) -> Run[Any]:
    with purpose(call.label):
        return new_run(
            call.formulation, call.integrator, compiled, step=call.step, t_end=call.duration, every=call.samples.every,
            droppable=droppable,
        )  # fmt: skip


def _copy(record: Any) -> Any:
    return type(record)._make([array.copy() for array in record])


def inertias_of(compiled: CompiledMechanism) -> bytes:
    """Which bodies have inertia about all axes."""
    return np.asarray(with_inertia(compiled.system.bodies)).tobytes()


def kind_of(compiled: CompiledMechanism, inertias: bytes | None = None) -> bytes:
    """What decides which arrays a problem has: extents, whole numbers, curves, which numbers are zero, which bodies
    have inertia about all axes (`inertias_of`)."""
    tables, couplings = compiled.tables, compiled.couplings
    found = [np.array([compiled.nb, compiled.nc, len(couplings.about)]).tobytes(), tables.curve.tobytes()]
    found += [(one if one.dtype.kind != "f" else one != 0.0).tobytes() for one in (*tables, *couplings)]
    found.append(inertias or inertias_of(compiled))
    return b"|".join(found)
