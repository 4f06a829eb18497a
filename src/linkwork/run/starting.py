"""Before any run: compile the mechanism, confront drivers with the start state, assemble, say what was done, and
find the accelerations to start with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import duration, step_count
from linkwork.errors import DriverError, SingularPositionError, StartStateError, UsageError
from linkwork.garbage_collection import uncollected
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import ALL_STATED, Lowered
from linkwork.mechanism.lowering_of_joints import lowered_kin
from linkwork.mechanism.plausible import hasty
from linkwork.one_thread import one_blas_thread
from linkwork.remembered import filled, freeze, fresh, with_fields
from linkwork.run.moved_bodies import moved
from linkwork.status import REMEDY, Status
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.alignment import apart
from linkwork.system.altered import Altered, altered, summary
from linkwork.system.assembled import Assembled
from linkwork.system.assembly import assemble
from linkwork.system.compiled import compile_kin
from linkwork.system.contradictions import contradictory_accelerations
from linkwork.system.formula_values import formula_without_value

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.formulations.contract import Formulation
    from linkwork.integrators.contract import Block, Integrator, Run

FORMULA = (
    "Start elsewhere (state=...), or change the formula so that it has a value here: a divisor or a root that is zero "
    "at the start, a logarithm of zero."
)
MOST, FEW = 4, 12  # stated values, and rows, named in one message
MORE_ROOM, MOST_ROOM = 4, 256  # times the room tried before, and at most the one first guessed, for the factors


@dataclass(frozen=True)
class Start:
    """A compiled mechanism at a consistent start, and what had to be said on the way; it is put into words when asked.

    described : the mechanism at the start before assembly. notes : what was said of the description. how : options of
    `altered`.
    """

    compiled: CompiledMechanism
    assembled: Assembled
    described: CompiledMechanism
    notes: tuple[str, ...]
    how: Mapping[str, bool]

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """All that had to be said."""
        made: tuple[str, ...] = ()
        if not self.assembled.stands:
            against = altered(self.described, self.assembled, **self.how)
            made = (*map(str, against), *moved(self.described, self.assembled))
        speeds = zip(self.described.body_names, *self.assembled.rates, strict=False)  # ground is the last
        fast = (note for name, v, w in speeds if (note := hasty(name, v, w)))
        return (*self.notes, *made, *fast)

    @property
    def changes(self) -> dict[str, Any]:
        """What assembly changed at most, `system.altered.summary`."""
        return {} if self.assembled.stands else summary(self.described, self.assembled)

    def again(self) -> Start:
        """The same with tables and arrays of its own, which compiled code is handed; what is shared is read-only."""
        old = self.compiled
        copied = {name: fresh(getattr(old, name)) for name in ("tables", "couplings", "r", "A", "v", "w")}
        return with_fields(self, compiled=old.other(**copied), assembled=fresh(self.assembled))


def prepare(
    mechanism: Mechanism,
    *,
    dynamics: bool,
    accept_drivers: bool = False,
    accept_changes: bool = False,
    state: State | None = None,
) -> Start:
    """Compile and assemble.

    state : to start from instead of the described one; all of it counts as stated.

    dynamics : start velocities matter; in kinematics drivers determine them, and only positions must agree.
    accept_drivers : let a driver that disagrees with the start state win (the change is reported) instead of
        refusing it.
    accept_changes : let assembly change what the description states (reported) instead of refusing it.
    Raises ModelError, DriverError, AssemblyError, StartStateError; UsageError if it is no Mechanism.
    """
    return shared_start(mechanism, state, dynamics, accept_drivers, accept_changes).again()


def shared_start(mechanism: Mechanism, state: State | None, *how: bool) -> Start:
    """`prepare`, with arrays that are kept with the mechanism: for who copies them, and hands them to nobody.

    how : dynamics, accept_drivers, accept_changes.
    """
    need_mechanism(mechanism)
    if state is not None:
        return _from_state(mechanism, state, *how)
    return kept(mechanism, ("start", *how), lambda: _described(mechanism, *how))


@uncollected
@one_blas_thread()
def _described(mechanism: Mechanism, dynamics: bool, accept_drivers: bool, accept_changes: bool) -> Start:
    """`prepare` from the described start."""
    lowered = flat(mechanism)
    messages = list(dict.fromkeys(lowered.notes))
    for mismatch in mechanism.driver_mismatches(lowered):
        serious = mismatch.value_differs or (dynamics and mismatch.rate_differs)
        if serious and not accept_drivers:
            raise DriverError(
                f"{mismatch}.",
                file=mechanism.file,
                remedy="Correct the driver or the start state, or let the driver win (accept_drivers).",
            )
        messages.append(str(mismatch))
    compiled = compiled_kin(mechanism, lowered) or compile_mechanism(lowered)
    freeze(compiled.system)
    if mechanism._kept.kin is None:
        assembled = assemble(compiled)
    else:  # one of several with other numbers
        from linkwork.run import row_codes

        compiled, assembled = row_codes.assembled(mechanism, compiled)
    messages += apart(compiled, assembled.start)
    return agreed(mechanism, compiled, assembled, messages, dynamics, accept_drivers, accept_changes)


def tables_of_kin(mechanism: Mechanism) -> CompiledMechanism | None:
    """Tables of what a mechanism shares most elements with; None where there is no such."""
    kin, known = mechanism._kept.kin, lowered_kin(mechanism)
    if kin is None or known is None or not known.bodies:
        return None
    return kept(kin, "compiled kin", lambda: compile_mechanism(known))


def compiled_kin(mechanism: Mechanism, lowered: Lowered) -> CompiledMechanism | None:
    """Tables of the flat mechanism that are for the most part those of its kin; None where it shares less with one."""
    known = tables_of_kin(mechanism)
    return None if known is None else compile_kin(lowered, known)


@uncollected
def _from_state(mechanism: Mechanism, state: State, *how: bool) -> Start:
    """`prepare` from another state than the described one, with tables that are kept with the mechanism.

    how : dynamics, accept_drivers, accept_changes.
    """
    from linkwork.equations.stated_start import StatedStarts

    starts = kept(mechanism, "stated starts", lambda: StatedStarts(all_stated(mechanism)))
    compiled, messages = state.within(starts.described), list(starts.notes)
    assembled = starts.assembled(compiled, state.time)
    if assembled is None:
        with one_blas_thread():
            assembled = assemble(compiled, state.time)
        messages += apart(compiled, assembled.start)  # where compiled code knows a start, no axes are far from aligned
    return agreed(mechanism, compiled, assembled, messages, *how, computed=state.computed)


def agreed(
    mechanism: Mechanism,
    compiled: CompiledMechanism,
    assembled: Assembled,
    messages: list[str],
    dynamics: bool,
    accept_drivers: bool,
    accept_changes: bool,
    *,
    computed: bool = False,
) -> Start:
    """The start with what assembly changed. Raises StartStateError where it may not."""
    at_start, how = compiled, {"velocities": dynamics, "computed": computed}
    if not assembled.stands:
        wins = accept_changes or (accept_drivers and any(row.driver for row in compiled.lowered.rows))
        if not wins and (against := altered(compiled, assembled, **how)):
            raise StartStateError(
                f"{in_words(against)}.",
                file=mechanism.file,
                element=f"mechanism {mechanism.name!r}",
                remedy="Correct what is stated, leave out what is not known (it is then found), or let assembly change "
                "it (accept_changes).",
            )
        (r, A), (v, w) = assembled.pose, assembled.rates
        at_start = compiled.other(r=r, A=A, v=v, w=w, squares=assembled.squares)
    elif assembled.squares is not None:
        at_start = compiled.other(squares=assembled.squares)
    return filled(Start, compiled=at_start, assembled=assembled, described=compiled, notes=tuple(messages), how=how)


def stated(lowered: Lowered) -> Lowered:
    """The same with every part of its start state stated."""
    return replace(lowered, bodies=tuple(replace(body, stated=ALL_STATED) for body in lowered.bodies))


def all_stated(mechanism: Mechanism) -> CompiledMechanism:
    """The compiled mechanism with every part of its start state stated."""
    return compile_mechanism(stated(flat(mechanism)))


def flat(mechanism: Mechanism) -> Lowered:
    """Every element by number, found once. Raises ModelError, also where there are no bodies."""
    lowered = kept(mechanism, "flat", mechanism.lower)
    lowered.need_bodies()
    return lowered


def in_words(changes: list[Altered]) -> str:
    """The first few stated values that cannot stay."""
    text = "; ".join(str(one) for one in changes[:MOST])
    return text if len(changes) <= MOST else f"{text}; and {len(changes) - MOST} more"


@uncollected
def new_run(
    formulation: Formulation,
    integrator: Integrator[Any],
    compiled: CompiledMechanism,
    *,
    step: float,
    t_end: float,
    every: int = 1,
    droppable: bool = False,
    room: int = 1,
) -> Run[Any]:
    """A run of the integrator on the formulation's problem, not yet at consistent accelerations.

    droppable : with room for dependent rows. room : times the usual work space for the factors.
    """
    tolerance = integrator.pose_tolerance(compiled.length, step)
    problem = formulation.problem(
        compiled, shape=integrator.shape, droppable=droppable, pose_tolerance=tolerance, room=room
    )
    run = integrator.new_run(problem, step=step, t_end=t_end, every=every)
    run.room = room
    return run


def started(
    compiled: CompiledMechanism,
    new: Callable[..., Run[Any]],
    *,
    time: float = 0.0,
    counted_angles: NDArray[np.float64] | None = None,
    refusal: Callable[[CompiledMechanism], str | None] | None = None,
    placed: Callable[[Run[Any]], None] | None = None,
    adrift: bool = False,
) -> Run[Any]:
    """A run at consistent accelerations; with room for dependent rows if they turn out to be dependent.

    new : new(compiled, droppable=...) makes the run, as `new_run` does. time : at which it starts [s].
    counted_angles : with their turns [rad]; counted from within half a turn without them.
    refusal : the formulation's: says why, where the accelerations are not determined.
    placed : called with each run that is tried, before anything is solved. adrift : the pose may miss the rows by more
        than rounding, where rows that depend on others look independent to a solver: room for them is made at once.
    Raises SingularPositionError if they are not, or if rows ask for different ones.
    """
    for droppable in (True,) if adrift else (False, True):
        status, room = Status.OUT_OF_SPACE, 1
        while status == Status.OUT_OF_SPACE and room <= MOST_ROOM:
            run = new(compiled, droppable=droppable, **({} if room == 1 else {"room": room}))
            run.begin_at(time, counted_angles)
            if placed is not None:
                placed(run)
            status = run.initialise()
            room *= MORE_ROOM
        if status == Status.OK and finite(run.sample()):
            need_agreement(compiled, run, time)
            return run
    nb, work = compiled.nb, run.problem.work
    placed_at = np.hstack([part[:nb] for part in (compiled.r, compiled.A, compiled.v, compiled.w)])
    why = formula_without_value(compiled, work.operands, time, (time, placed_at), work.counted_angles.real)
    by_formula = bool(why)
    if not why and refusal is not None:
        why = (refusal(compiled) or "").rpartition(" [")[0]
    raise SingularPositionError(
        f"the accelerations at t = {time:g} s are not determined" + (f": {why}." if why else "."),
        element=f"mechanism {compiled.lowered.name!r}",
        remedy=FORMULA if by_formula else REMEDY[Status.SINGULAR],
    )


def finite(sample: Block) -> bool:
    """Whether all that a run records where it stands is."""
    for found in sample.values():
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            return False
    return True


def need_agreement(compiled: CompiledMechanism, run: Run[Any], time: float) -> None:
    """Raise SingularPositionError where rows depend on others and ask for accelerations that theirs are not."""
    if not run.problem.droppable and getattr(getattr(run.problem, "solver", None), "shares", None) is None:
        return  # no rows that depend on others
    from linkwork.problems.implicit import ACC, ALPHA

    motion = run.sample()["motion"][0]
    found = np.hstack([motion[:, ACC : ACC + 3], motion[:, ALPHA : ALPHA + 3]])
    names = contradictory_accelerations(compiled, time, found)
    if names:
        few = ", ".join(f"'{name}'" for name in names[:FEW]) + (" and others" if len(names) > FEW else "")
        raise SingularPositionError(
            f"rows {few} depend on each other at t = {time:g} s and ask for different accelerations: none "
            "meets them all.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="The state is on no motion of the mechanism. Start beside this singular position, with velocities "
            "along one of its branches, or take out one of the rows.",
        )


def span(mech: Mechanism, t_end: float | None, step: float | None) -> tuple[float, float]:
    """t_end and step in seconds, from the mechanism's own `run` hints where they are not given. Raises UsageError if it
    has none, and for what is no length of time."""
    hints = getattr(mech, "run", None)
    found = []
    for name, value in (("t_end", t_end), ("step", step)):
        value = value if value is not None else getattr(hints, name, None)
        if value is None:
            raise UsageError(f"{name} is not given, and the mechanism has no hint for it.")
        found.append(duration(name, value))
    return found[0], found[1]


def whole_steps(t_end: float, step: float) -> tuple[int, list[str]]:
    """How many steps reach t_end, and a message if the last one passes it. Raises UsageError for odd numbers."""
    t_end, step = duration("t_end", t_end), duration("step", step)
    steps = step_count(t_end, step)
    if abs(steps - t_end / step) > 1e-6:
        return steps, [f"t_end {t_end:g} s is not a whole number of steps: the run ends at {steps * step:g} s"]
    return steps, []
