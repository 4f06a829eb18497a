"""From a flat mechanism to tables: the only place where names become indices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import MissingMassError
from linkwork.kernels.couplings import NO_COUPLINGS, Couplings
from linkwork.kernels.force_laws import laws
from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.rows.kinds import NUMBER, VELOCITY_LEVEL
from linkwork.kernels.tables import Bodies, ForceElements, Loads, Rows, System
from linkwork.mechanism.expressions import Expression, build_programs
from linkwork.mechanism.lowered import Lowered
from linkwork.remembered import with_fields
from linkwork.system.couplings import couplings_of
from linkwork.system.extent import lengths_of
from linkwork.system.operands import OperandPlaces, efforts_of, quantities_of, with_profiles
from linkwork.system.packed import ROW_COLUMNS, Tables, pack

Array = NDArray[np.float64]
SHARED = "bodies", "loads", "elements", "efforts", "couplings"  # parts of a flat mechanism besides its rows
T = TypeVar("T")


class BoundRows(Protocol):
    """`RowEvaluation.evaluate` of arrays that stay where they are; called, with what follows it and `measure`, as one
    call of machine code."""

    def __call__(self) -> None: ...

    def evaluate(self) -> None:
        """Rows alone."""

    def measure(self) -> None:
        """Look where `angles` are measured now."""

    def angles(self) -> list[float]:
        """Those of `RowEvaluation.angles` where it was looked last [rad]."""

    def search(
        self, prescribed: Array, period: Array, off: Array, status: tuple[Any, int, int], around: tuple[Any, Any]
    ) -> Callable[[], None] | None:
        """All of a search as one call, if it can be: the angles, how far `off` they are from what is prescribed, the
        call itself, as long as the whole number in `status[0]` is `status[1]`; and `around` it what goes before, and
        what follows if it is `status[2]` then: calls of machine code, and arrays with what is written into them."""


class BoundRates(Protocol):
    """`RowEvaluation.bound_rates`. call : of machine code alone, once `waves` are taken of what drives the rows."""

    call: tuple[int, Sequence[int]]

    def __call__(self) -> None: ...

    def waves(self) -> None:
        """Take them."""


class RowEvaluation(Protocol):
    """`kernels.rows.table.evaluate_rows` of rows of one structure, with the bits of plain Python and in less time.

    angles : numbers of the rows whose measured angles it knows, too."""

    angles: list[int]

    def fits(self, rows: Rows) -> bool:
        """Whether these rows are of its structure."""

    def bound(self, *arrays: Array, then: tuple[int, Sequence[int]]) -> BoundRows | None:
        """`evaluate` of these arrays (the table, r, A, drive, and what it writes), which stay where they are, if it
        can be called so. then : a function of machine code that follows, and its arguments."""

    def bound_rates(self, *arrays: Array) -> BoundRates | None:
        """What writes nu of rows for which it is more than f', of arrays that stay where they are (the table, r, A,
        drive, nu), if there are any and it is known of all."""

    def evaluate(self, rows: Rows, table: Array, r: Array, A: Array, drive: Array, *out: Array) -> None:
        """Write phi (nc,) and G_i, G_j (nc, 6). table : `Tables.row` of these rows."""


@dataclass(frozen=True)
class CompiledMechanism:
    """A mechanism as kernels read it, with the names that reports need."""

    lowered: Lowered
    system: System
    tables: Tables
    r: Array  # (nb + 1, 3) start positions, ground last
    A: Array  # (nb + 1, 9) start rotations
    v: Array  # (nb + 1, 3) start velocities, global
    w: Array  # (nb + 1, 3) start angular velocities, body components
    length: float  # a length typical of the mechanism [m], scales tolerances; longer where it is far from the origin
    extent: float  # how large it is [m], wherever it is: errors of poses are shares of it
    counted_angles: Array | None = None  # (angles,) at the start, with turns [rad]; near zero if not known
    couplings: Couplings = NO_COUPLINGS  # the rigid ones are the last rows, in their order; then come rotors
    squares: Array | None = None  # (4, nc) where known: of rows' parts at the start, translation and rotation of body
    # i, then of body j; 0 of ground; not to be written into
    row_code: RowEvaluation | None = None  # where rows of such mechanisms were asked for often
    widened: Rows | None = None  # of a run beside others: rows with entries wherever one of these has some

    @property
    def nb(self) -> int:
        """Number of bodies, ground not counted."""
        return len(self.r) - 1

    @property
    def nc(self) -> int:
        """Number of constraint rows."""
        return len(self.system.rows.kind)

    @property
    def pattern_rows(self) -> Rows:
        """Rows by whose zeros sparsity is found."""
        return self.system.rows if self.widened is None else self.widened

    @property
    def body_names(self) -> list[str]:
        """Names of the bodies in order."""
        return [body.name for body in self.lowered.bodies]

    @property
    def row_names(self) -> list[str]:
        """Names of the constraint rows in order."""
        return [row.name for row in self.lowered.rows]

    @property
    def joint_names(self) -> list[str]:
        """Names of the elements that carry a reaction, in order."""
        return [joint.name for joint in self.lowered.joints]

    @property
    def forced(self) -> bool:
        """Whether forces other than weight act."""
        s = self.system
        return bool(len(s.loads.body) + len(s.elements.law) + len(s.efforts.quantity))

    @property
    def angles(self) -> int:
        """How many angles are counted with their turns: of elements about an axis, and a place for each quantity."""
        return int(np.count_nonzero(self.system.elements.memory >= 0)) + len(self.system.quantities.kind)

    @property
    def uses(self) -> list[tuple[int, int]]:
        """(quantity of an effort, operand that its formula reads), effort by effort."""
        e = self.system.efforts
        return [
            (int(e.quantity[k]), int(use))
            for k in range(len(e.quantity))
            for use in self.system.uses[e.first[k] : e.first[k] + e.reads[k]]
        ]

    @property
    def rigid(self) -> int:
        """How many rigid couplings there are: the last rows, whose parts stand in `couplings` alone."""
        return int(np.count_nonzero(self.couplings.about[:, 3] >= 0))

    @property
    def bare(self) -> CompiledMechanism:
        """Without couplings and their rows, all else under its number: what formulations make their problems of."""
        return self.without_couplings if len(self.couplings.about) else self

    @cached_property
    def without_couplings(self) -> CompiledMechanism:
        """The same where there are couplings."""
        n, rows = self.nc - self.rigid, self.system.rows
        few = rows._replace(**{name: column[:n] for name, column in rows.columns().items()})
        tables = self.tables._replace(row=self.tables.row[:n], row_int=self.tables.row_int[:n])  # parts, not copies
        system, lowered = self.system._replace(rows=few), self.lowered.without_couplings()
        return replace(self, lowered=lowered, system=system, tables=tables, couplings=NO_COUPLINGS)

    @cached_property
    def answers(self) -> dict[Hashable, Any]:
        """What was found out about this very mechanism at this very state, by question; not to be written into."""
        return {}

    def once(self, question: Hashable, find: Callable[[], T]) -> T:
        """What `find` finds out about the mechanism at its state, found once."""
        if question not in self.answers:
            self.answers[question] = find()
        found: T = self.answers[question]
        return found

    def operands(self) -> Array:
        """(2 nq + ni,) numbers that formulas of the state read, not measured yet; inputs have their values."""
        measured = np.zeros(2 * len(self.system.quantities.kind))
        return np.concatenate([measured, np.array([one.default for one in self.lowered.inputs], dtype=float)])

    def at(self, r: Array, A: Array, v: Array, w: Array) -> CompiledMechanism:
        """The same mechanism at another start state."""
        return self.other(r=r, A=A, v=v, w=w, squares=None)

    def other(self, **fields: Any) -> CompiledMechanism:
        """The same with other fields."""
        return with_fields(self, **fields)

    def need_masses(self) -> None:
        """Raise MissingMassError, naming the bodies, unless every body has mass and inertia."""
        missing = [b.name for b in self.lowered.bodies if b.mass is None or b.inertia is None]
        if missing:
            names = ", ".join(repr(name) for name in missing)
            raise MissingMassError(
                f"dynamics needs mass and inertia of every body; missing for {names}.",
                element=f"mechanism {self.lowered.name!r}",
                remedy="Give mass and inertia (or a shape with density) for these bodies, or run kinematics.",
            )


class _ProgramList:
    """Collects formulas; constants stay numbers."""

    def __init__(self) -> None:
        self.expressions: list[Expression] = []

    def add(self, f: Expression | float) -> tuple[int, float]:
        """(program index or -1, constant part) of a formula or number."""
        if not isinstance(f, Expression):
            return -1, float(f)
        if f.constant is not None:
            return -1, float(f.constant)
        return self.number(f), 0.0

    def number(self, f: Expression) -> int:
        """The program of a formula, be it a constant."""
        self.expressions.append(f)
        return len(self.expressions) - 1


def _vectors(items: Sequence[Any], name: str) -> Array:
    return np.array([getattr(item, name) for item in items], dtype=float).reshape(len(items), 3)


def _stacked(items: Sequence[Any], width: int) -> Array:
    return np.array(items, dtype=float).reshape(len(items), width)


def _numbers(items: Sequence[Any], name: str) -> Array:
    return np.array([getattr(item, name) for item in items], dtype=float)


def _integers(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def compile_mechanism(lowered: Lowered) -> CompiledMechanism:
    """Tables of a flat mechanism. Missing masses become zero here; dynamics asks `need_masses` first."""
    nb = len(lowered.bodies)
    programs = _ProgramList()

    def body(index: int) -> int:
        return nb if index < 0 else index

    def bodies_of(items: Sequence[Any], name: str) -> NDArray[np.int64]:
        return _integers([body(getattr(item, name)) for item in items])

    def formulas(values: Sequence[Expression | float]) -> tuple[NDArray[np.int64], Array]:
        pairs = [programs.add(value) for value in values]
        return _integers([p for p, _ in pairs]), np.array([c for _, c in pairs], dtype=float)

    places = OperandPlaces(lowered)
    rows = lowered.rows
    kinds = [NUMBER[row.kind] for row in rows]
    row_program, row_constant = formulas([row.f for row in rows])
    loads, elements = lowered.loads, lowered.elements
    load_program, load_constant = formulas([c for load in loads for c in load.components])
    element_program, element_constant = formulas([one.actuator for one in elements])
    counts = np.array([laws.law_of(one.law).has_counted_angle for one in elements], dtype=bool)
    effort_program = _integers([programs.number(effort.f) for effort in lowered.efforts])
    efforts = efforts_of(lowered.efforts, places, effort_program)
    coupling_program, coupling_constant = formulas([coupling.f for coupling in lowered.couplings])
    couplings = couplings_of(lowered, places, coupling_program, coupling_constant)

    mass = np.zeros(nb + 1)
    inertia = np.zeros((nb + 1, 9))
    r, v, w = np.zeros((nb + 1, 3)), np.zeros((nb + 1, 3)), np.zeros((nb + 1, 3))
    A = np.zeros((nb + 1, 9))
    A[nb, ::4] = 1.0
    mass[:nb] = [item.mass or 0.0 for item in lowered.bodies]
    unknown = np.zeros((3, 3))
    inertia[:nb] = _stacked([unknown if b.inertia is None else b.inertia for b in lowered.bodies], 9)
    A[:nb] = _stacked([item.rotation for item in lowered.bodies], 9)
    r[:nb], v[:nb] = _vectors(lowered.bodies, "position"), _vectors(lowered.bodies, "velocity")
    w[:nb] = _vectors(lowered.bodies, "angular_velocity")

    curves, scalar = with_profiles(lowered.tables, rows)
    system = System(
        bodies=Bodies(mass, inertia),
        rows=Rows(
            kind=_integers(kinds),
            body_i=bodies_of(rows, "body_i"),
            body_j=bodies_of(rows, "body_j"),
            **{name: _vectors(rows, name) for name in VECTORS},
            scalar=scalar,
            nonholonomic=_integers([kind in VELOCITY_LEVEL for kind in kinds]),
            program=row_program,
            constant=row_constant,
            curves=curves,
        ),
        programs=build_programs(programs.expressions, places),
        loads=Loads(
            body=bodies_of(loads, "body"),
            point=_vectors(loads, "point"),
            body_axes=_integers([load.body_axes for load in loads]),
            torque=_integers([load.torque for load in loads]),
            constant=load_constant.reshape(len(loads), 3),
            program=load_program.reshape(len(loads), 3),
        ),
        elements=ForceElements(
            law=_integers([laws.NUMBER[one.law] for one in elements]),
            body_i=bodies_of(elements, "body_i"),
            body_j=bodies_of(elements, "body_j"),
            **{name: _vectors(elements, name) for name in VECTORS},
            stiffness=_numbers(elements, "stiffness"),
            damping=_numbers(elements, "damping"),
            rest=_numbers(elements, "rest"),
            constant=element_constant,
            numbers=_stacked([one.numbers for one in elements], 4),
            program=element_program,
            memory=np.where(counts, np.cumsum(counts) - 1, -1),
        ),
        gravity=np.array(lowered.gravity, dtype=float),
        curves=curves,
        quantities=quantities_of(places.quantities, nb),
        **efforts,
    )
    return CompiledMechanism(lowered, system, pack(system), r, A, v, w, *lengths_of(system, r, A), couplings=couplings)


def compile_kin(lowered: Lowered, known: CompiledMechanism) -> CompiledMechanism | None:
    """`compile_mechanism` of a flat mechanism that shares all but numbers of some rows with a known one: only these are
    written; None where it shares less."""
    before = known.lowered
    pairs = [(getattr(lowered, name), getattr(before, name)) for name in SHARED]
    same = [len(mine) == len(theirs) and all(map(is_, mine, theirs)) for mine, theirs in pairs]
    if not (all(same) and lowered.inputs == before.inputs and lowered.tables == before.tables):
        return None
    if len(lowered.rows) != len(before.rows):
        return None
    changed = [k for k, (row, old) in enumerate(zip(lowered.rows, before.rows, strict=True)) if row is not old]
    table, system = known.tables.row.copy(), known.system
    for k in changed:
        row, old = lowered.rows[k], before.rows[k]
        about = (row.kind, row.body_i, row.body_j) == (old.kind, old.body_i, old.body_j)
        if not about or row.profiles or old.profiles or not isinstance(row.f, float) or not isinstance(old.f, float):
            return None
        table[k] = (*row.a_i, *row.b_i, *row.a_j, *row.s_i, *row.s_j, *row.n, row.scalar, row.f)
    columns: dict[str, Any] = {name: np.ascontiguousarray(table[:, part]) for name, part in ROW_COLUMNS.items()}
    gravity = np.array(lowered.gravity, dtype=float)
    rows = system.rows._replace(**columns)
    tables = known.tables._replace(row=table, gravity=gravity)
    system = system._replace(rows=rows, gravity=gravity)
    length, extent = lengths_of(system, known.r, known.A)
    return replace(known, lowered=lowered, system=system, tables=tables, length=length, extent=extent)
