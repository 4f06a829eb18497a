"""Operations of one evaluation, counted by running a formulation's own entries on numbers that count.

The entries are those that runs call, as Python: what is counted is the source that is compiled, not a formula for it.
Where runs call one entry that does what several do, the several are counted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.contract import Formulation
from linkwork.kernels.counting import Counted
from linkwork.mechanism import Mechanism
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.explicit_context import WORK
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.problems.shapes import EXPLICIT
from linkwork.run.matching import formulation_of, pair_at_rest
from linkwork.run.starting import new_run, prepare, started
from linkwork.status import Status

PARTS = ("set_state", "apply", "factorise", "solve", "rhs")
WORDS = 4  # as in problems.addresses
AWAY = 1e-3  # how far psi is from zero: a stage within a step, not its start


@dataclass(frozen=True)
class Counts:
    """Operations. trigonometric : sines, cosines and the like; neither they nor roots are in `total`. fused : how many
    products an addition can take along, so that one instruction does both."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    roots: int = 0
    trigonometric: int = 0
    fused: int = 0

    @property
    def total(self) -> int:
        """Additions, subtractions, multiplications and divisions."""
        return self.additions + self.multiplications + self.divisions

    @property
    def instructions(self) -> int:
        """The same where products that are added take no instruction of their own."""
        return self.total - self.fused

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self.numbers, other.numbers, strict=True)))

    @property
    def numbers(self) -> tuple[int, ...]:
        """In the order of the fields."""
        return (self.additions, self.multiplications, self.divisions, self.roots, self.trigonometric, self.fused)

    def to_dict(self) -> dict[str, int]:
        """Plain data."""
        return {name: getattr(self, name) for name in (*Counts.__dataclass_fields__, "total", "instructions")}


@dataclass(frozen=True)
class Evaluation(Counts):
    """Of one evaluation of the slope at a stage within a step.

    parts : of each entry: 'set_state' (where everything is), 'apply' (springs and loads), 'factorise', 'solve', 'rhs'.
    recovery : apart from it, what a sample takes besides: accelerations, multipliers and motion of all bodies, where
        slopes do without them; zeros elsewhere.
    """

    parts: Mapping[str, Counts] | None = None
    recovery: Counts = Counts()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain: dict[str, Any] = super().to_dict()
        plain["parts"] = {name: one.to_dict() for name, one in (self.parts or {}).items()}
        return {**plain, "recovery": self.recovery.to_dict()}


def countable() -> tuple[str, ...]:
    """The formulations whose evaluations can be counted: those with a slope."""
    return tuple(name for name in FORMULATIONS if EXPLICIT in FORMULATIONS.load(name).shapes)


def counts_of(
    mechanism: Mechanism,
    formulation: str | Formulation,
    *,
    frames: str | None = None,
    weight: bool = True,
    options: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Operations of one evaluation of the slope of a mechanism, at its start.

    Parameters
    ----------
    mechanism : the mechanism; every body needs mass and inertia.
    formulation : one of `countable`.
    frames : ``screws`` or ``joints``, of the recursive formulations; what they take without, if left out.
    weight : with the mechanism's gravity, or without.
    options : further ones of the formulation, by name.

    Raises UsageError for a formulation without slope (implicit ones cost what Newton's method needs),
    unknown names and options, and what a run of the mechanism raises at its start.
    """
    chosen = formulation_of(formulation)
    if EXPLICIT not in chosen.shapes:
        raise UsageError(
            f"an evaluation of {chosen.name!r} cannot be counted: it has no slope, and a step costs what its Newton "
            "iterations need.",
            remedy=f"Countable: {', '.join(countable())}.",
        )
    chosen, method = pair_at_rest(chosen, "rk4", {"frames": frames, **(options or {})})
    if not weight:
        mechanism = Mechanism.from_dict({**mechanism.to_dict(), "gravity": (0.0, 0.0, 0.0)})
    compiled = prepare(mechanism, dynamics=True).compiled
    compiled.need_masses()
    run = started(compiled, partial(new_run, chosen, method, step=1e-3, t_end=1e-3))
    return count(run.problem)


def count(problem: ExplicitProblem) -> Evaluation:
    """Operations of one evaluation of a started problem, which is left as it is."""
    counter = counter_within_step(problem)
    parts = {name: counter.of(getattr(problem, name), name) for name in PARTS}
    total = Counts()
    for one in parts.values():
        total = total + one
    recovery = counter.of(problem.output)
    return Evaluation(**vars(total), parts=parts, recovery=recovery)


def counter_within_step(problem: ExplicitProblem) -> Counter:
    """A context for the entries of a started problem, a little way from the base."""
    counter = Counter(problem.context)
    work = counter.work()
    work.request.level[0], work.request.first_stage[0] = ACCELERATION_LEVEL, int(problem.remembers)
    for k in range(len(work.psi)):
        work.psi[k] = counter.number(AWAY * (1.0 + 0.1 * (k % 7)))
    return counter


class Counter:
    """Stands where an entry's context does: hands out copies of a problem's arrays, real numbers as `Counted`.

    `shape` is the table's, as kernels that count its arrays from the end ask for it.
    """

    def __init__(self, table: Any) -> None:
        self.table, self.shape = table, table.shape
        self.tally = [0] * len(fields(Counts))
        self.made: dict[int, Any] = {}

    def __getitem__(self, word: int) -> int:
        return int(self.table[word])

    def number(self, value: float) -> Counted:
        """A number that counts."""
        return Counted(value, self.tally)

    def array(self, k: int, dtype: str, ndim: int) -> Any:
        """Array number k; always the same object."""
        if k not in self.made:
            address, *extents = (int(word) for word in self.table[WORDS * k : WORDS * k + 1 + ndim])
            found = memory(address, tuple(extents), np.dtype(dtype))
            self.made[k] = self.counting(found) if found.dtype == np.float64 else found
        return self.made[k]

    def counting(self, numbers: Any) -> Any:
        """The same numbers as objects."""
        out = np.empty(numbers.shape, dtype=object)
        out.ravel()[:] = [self.number(float(value)) for value in numbers.ravel()]
        return out

    def work(self) -> Any:
        """The work space as entries see it."""
        return WORK(self)

    def of(self, entry: Any, part: str = "") -> Counts:
        """What an entry does. part : its name in PARTS. Raises UsageError where one that returns a Status fails."""
        before = tuple(self.tally)
        status = entry.__wrapped__(self)
        if part in ("set_state", "factorise", "rhs") and status != Status.OK:
            raise UsageError(f"the evaluation fails ({Status(status).name}); its operations mean nothing.")
        return Counts(*(now - then for now, then in zip(self.tally, before, strict=True)))


def memory(address: int, extents: tuple[int, ...], dtype: Any) -> Any:
    """A copy of the numbers there."""
    size = int(np.prod(extents))
    if size == 0:
        return np.zeros(extents, dtype)
    raw = (ctypes.c_char * (size * dtype.itemsize)).from_address(address)
    return np.frombuffer(raw, dtype).reshape(extents).copy()
