"""Starts of mechanisms with other lengths and axes, and numbers of bodies, forces and gravity beside them: of tables
that are there, written into, instead of new ones.

Where a number is a copy of one of the description, or of what a formula of it comes to (`run.copied`), it is written
there, and neither checks, nor lowering, nor compiled tables are asked for again. Which numbers these are is found once
for a set of names, by a few mechanisms that are lowered as usual, and whose tables must be the same bit by bit. Where
more becomes of it (points and axes in global coordinates, springs), the elements that it stands in are checked and
lowered by themselves (`run.elements_anew`), and written: formulas, too, where their operations stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import SMALLEST
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.relowering import KINDS, WITH_BODIES
from linkwork.mechanism.variants import variant
from linkwork.run.bodies_anew import write_bodies
from linkwork.run.copied import AsGiven, copies_of, described_number, trials
from linkwork.run.elements_anew import ElementsAnew
from linkwork.run.lines import write_lines
from linkwork.run.points import POINTS, of_each_point
from linkwork.run.row_codes import RowCodes
from linkwork.run.starting import Start, agreed, compiled_kin, flat, tables_of_kin
from linkwork.run.worked import Values
from linkwork.run.written import (
    ARRAYS,
    FORMULA,
    WHOLE,
    OtherStructureError,
    Path,
    Remake,
    Written,
    differing,
    number_at,
    put,
    remaker,
    said_of,
    tables_in,
    with_arrays,
)
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.alignment import apart, misaligned_at
from linkwork.system.dense import Pose
from linkwork.system.extent import Reach, lengths_of

Array = NDArray[np.float64]
Told = Sequence[Mapping[str, float]]  # numbers by name, of the mechanism and of some others
Others = Sequence[tuple[Mapping[str, float], CompiledMechanism]]
LARGEST = 1e100  # beyond it descriptions are refused
COPIED = (*POINTS, "scalar", "f")  # of rows
OF_BODIES = "mass", "inertia"
ANEW = "rows", "joints", "loads", "elements", "efforts", "couplings", "tables"  # of flat mechanisms, lowered anew
LOWERED_TO = {  # parts of tables and of the system that elements are lowered to; of flat mechanisms those, too
    "tables": ("row", "load", "element", "program_args", "quantity", "curve"),
    "system": ("rows", "loads", "elements", "programs", "quantities", "curves"),
    "coupled": ("number", "term"),
}


class Lengths:
    """Lengths of a mechanism by name, axes, and numbers of bodies and forces beside them, and where they go. Several
    threads may use it.

    known : the tables that all share, from which others are made. anew : what lowers elements anew, where copies do not
    do. changes : which numbers of the flat mechanism are which spots, as a tree of places and fields. spots : the same
    of arrays: (place, spot) by array. values : what stands in the spots. needed : spots of different numbers, and the
    signs that these must keep, 0 where any will do. says_more : whether there may be something to say of other numbers,
    which preparing finds. other_inertias : whether inertias are among them. kinds : of runs (`run.placing`), as whoever
    makes these has found, by `pattern`.
    """

    known: CompiledMechanism
    changes: dict[str, dict[int, Any]]
    spots: dict[Path, list[tuple[int, int]]]
    values: Values
    needed: list[tuple[int, float]]

    def __init__(self, mech: Mechanism, names: tuple[str, ...], how: tuple[bool, bool]) -> None:
        """how : accept_drivers, accept_changes. Raises OtherStructureError where these are not such numbers alone."""
        self.mechanism, self.names, self.how = mech, names, how
        some, self.known = other_lengths(mech, names)
        if mech.driver_mismatches(self.known.lowered) and not how[0]:
            raise OtherStructureError
        told = [{name: described_number(mech, name) or 0.0 for name in names}, *(trial for trial, _ in some)]
        paths = list(dict.fromkeys(path for _, one in some for path in differing(self.known, one)))
        try:
            elements = self._found(KINDS, told, paths, some)
        except OtherStructureError:
            elements = self._found(WITH_BODIES, told, paths, some)
        lowered, moved = self.known.lowered, [path[1] for path in paths if path[0] == "rows"]
        owners = {getattr(mech, kind)[k].name for kind, k in elements.spots}
        every = range(len(lowered.rows)) if elements.bodies else ()
        self.rows = {*moved, *every, *(k for k, row in enumerate(lowered.rows) if row.owner in owners)}
        roots = {path[0] for path in paths}
        acts = elements.acts or not roots.isdisjoint(("bodies", "gravity", "loads", "elements", "efforts"))
        driven = (row.driver and (how[0] or k in self.rows) for k, row in enumerate(lowered.rows))
        self.says_more = acts or any(driven)
        self.other_inertias = any(path[0] == "bodies" and "inertia" in path for path in paths)
        known = self.known
        self.tables, self.shared = tables_in(known), known.other()  # of which nothing is asked
        self.remakers = [(name, remaker(getattr(lowered, name), one)) for name, one in self.changes.items()]
        others = {*self.changes, *(("notes",) if self.says_more else ())}
        self.parts = {name: part for name, part in vars(lowered).items() if name not in others}
        self.fields = self._fields()
        points = [(side, k) for k, one in self.changes.get("rows", {}).items() for side in POINTS if side in one]
        moving = None if self.anew else [(POINTS.index(side), k) for side, k in points]
        self.reach = Reach(known.system, known.r, known.A, sorted(self.rows), moving)
        if not self.anew:
            written = [self.chosen[spot] for spot in range(len(paths))]
            self.reach.sides = of_each_point(self.reach.sides, known.system.rows, self.spots, written)
        self.notes = dict.fromkeys(lowered.notes)
        self.misaligned = misaligned_at(known, Pose(known.r, known.A))
        self.codes = kept(mech, "row codes", RowCodes)
        self.kinds: dict[bytes, bytes] = {}
        self._need_their_bits(some)

    def _found(self, kinds: Sequence[str], told: Told, paths: Sequence[Path], some: Others) -> ElementsAnew:
        """Find what is copied, and what elements of these kinds are lowered anew; these. Raises OtherStructureError."""
        elements, self.anew = ElementsAnew(self.mechanism, self.names, kinds), None
        if not (paths or elements.spots):
            raise OtherStructureError
        acts = elements.acts or any(path[0] in ("loads", "elements") for path in paths)
        if acts or not self._are_copies(told, paths, some) or elements.within - self.seen:
            self.anew = elements
            others = [path for path in paths if not of_elements(path, kinds)]
            if not self._are_copies(told, others, some) or elements.elsewhere - self.seen:
                raise OtherStructureError
        return elements

    def _fields(self) -> list[tuple[str, Remake]]:
        """What makes fields of compiled mechanisms again where nothing is lowered anew."""
        trees = dict[str, dict[Any, Any]]()
        for (root, *within), spots in self.spots.items():
            for at, spot in spots:
                put(trees.setdefault("couplings" if root == "coupled" else root, {}), (*within, at), spot)
        return [(name, remaker(getattr(self.known, name), one, name == "system")) for name, one in trees.items()]

    def _are_copies(self, told: Told, paths: Sequence[Path], some: Others) -> bool:
        """Whether all that these paths lead to are copies, which are then known."""
        flats = [self.known, *(one for _, one in some)]
        if any(not may_be_copied(self.known, path) for path in paths):
            return False
        seen = [[number_at(one, path) for one in flats] for path in paths]
        chosen, self.values = copies_of(self.mechanism, self.names, told, seen)
        self.chosen, self.seen = chosen, set(chosen.values())
        if len(chosen) < len(paths):
            return False
        self.changes, self.spots = {}, {}
        for spot, path in enumerate(paths):
            if path[0] in ARRAYS:
                self.spots.setdefault(path[:-1], []).append((path[-1], spot))
            else:
                put(self.changes, path, spot)
        any_sign = [path[0] not in ("rows", "bodies") or path[2] in POINTS for path in paths]
        signs = np.where(any_sign, 0.0, np.copysign(1.0, [one[0] for one in seen])).tolist()
        self.needed = list({(chosen[k], sign): (k, sign) for k, sign in enumerate(signs)}.values())
        return True

    def _need_their_bits(self, some: Iterable[tuple[dict[str, float], CompiledMechanism]]) -> None:
        """Raise OtherStructureError where these mechanisms, made as usual, are others."""
        for trial, wanted in some:
            made = self.compiled(trial)
            if made is None or said_of(made) != said_of(wanted):
                raise OtherStructureError

    def compiled(self, given: Mapping[str, float]) -> CompiledMechanism | None:
        """Tables of the mechanism with these numbers; None where they are to be made as usual."""
        numbers = self.numbers(given)
        if numbers is None:
            return None
        known, arrays = self.known, dict[Path, Array]()
        if self.anew is None:
            return self.made(numbers, self.lowered(given, numbers))
        makers: dict[str, Any] = {name: partial(remake, numbers) for name, remake in self.remakers}
        if self.says_more:
            makers["notes"] = partial(self._notes, given)
        start = dict[str, Any]()
        anew = self.anew.lowered(known.lowered, given, self.how[0])
        changed = None if anew is None else write_lines(known, anew, arrays, self.rows)
        if anew is None or changed is None:
            return None
        aligned = any(getattr(one, "kind", "") == "DP1" for one in changed)
        makers |= {name: partial(tuple, getattr(anew, name)) for name in ANEW}
        if known.lowered.sensors:
            makers |= {name: partial(tuple, getattr(anew, name)) for name in ("sensors", "base")}
        if self.anew.bodies:
            written, makers["bodies"] = write_bodies(known, anew.bodies, arrays), partial(tuple, anew.bodies)
            if written is None:
                return None
            start = written
        tables = self.tables
        for place, spots in self.spots.items():
            arrays[place] = array = tables[place].copy()
            flattened = array.reshape(-1)
            for at, spot in spots:
                flattened[at] = numbers[spot]
        for place, array in arrays.items():
            if place[0] == "system":
                array.flags.writeable = False
        fields = with_arrays(known, arrays)
        system = fields.get("system", known.system)
        elsewhere = not start.keys().isdisjoint(("r", "A"))
        pose = start.get("r", known.r), start.get("A", known.A)
        length, extent = lengths_of(system, *pose) if elsewhere else self.reach.of(system)
        made = self.shared.other(
            lowered=Written.of(known.lowered, makers),
            length=length,
            extent=extent,
            row_code=self.codes.code,
            **fields,
            **start,
        )
        if not (aligned or elsewhere):
            made.answers["misaligned"] = self.misaligned  # axes and poses are the same
        return made

    def made(self, numbers: list[float], lowered: Lowered, **there: Any) -> CompiledMechanism:
        """Tables where nothing is lowered anew. there : parts that have these numbers already."""
        fields: dict[str, Any] = {name: remake(numbers) for name, remake in self.fields if name not in there}
        fields |= there
        length, extent = self.reach.of(fields.get("system", self.known.system))
        return self.shared.other(length=length, extent=extent, lowered=lowered, row_code=self.codes.code, **fields)

    def lowered(self, given: Mapping[str, float], numbers: list[float]) -> Lowered:
        """The flat mechanism where nothing is lowered anew; its parts are made when they are asked for."""
        makers: dict[str, Any] = {name: partial(remake, numbers) for name, remake in self.remakers}
        if self.says_more:
            makers["notes"] = partial(self._notes, given)
        return Written.like(self.parts, makers)

    @cached_property
    def in_place(self) -> bool:
        """Whether all that becomes of these numbers are copies in tables, which may be written where a run has them."""
        if self.anew is not None or self.misaligned or self.other_inertias or len(self.known.couplings.about):
            return False
        return {root for root, *_ in self.spots} <= {"tables", "system"}

    @property
    def messages(self) -> list[str]:
        """What preparing says of the description; nothing where that may hang on numbers."""
        return [] if self.says_more else [*self.notes]

    @cached_property
    def wins(self) -> bool:
        """Whether a start may differ from what is stated."""
        accept_drivers, accept_changes = self.how
        return accept_changes or (accept_drivers and any(row.driver for row in self.known.lowered.rows))

    def numbers(self, given: Mapping[str, float]) -> list[float] | None:
        """What the spots hold; None where these are no such numbers."""
        if isinstance(self.values, AsGiven):
            numbers = self.values.of(given)
        else:
            found, good = self.values(np.array([[given[name] for name in self.names]]))
            numbers = found[0].tolist() if good[0] else None
        if numbers is None or not all(_may_stand(numbers[k], sign) for k, sign in self.needed):
            return None
        return numbers if max(map(abs, given.values())) < LARGEST else None

    def _notes(self, given: Mapping[str, float]) -> tuple[str, ...]:
        """What lowering as usual says."""
        return flat(variant(self.mechanism, given)).notes

    def pattern(self, compiled: CompiledMechanism) -> bytes:
        """Which numbers of elements that are lowered anew are zero; copied ones are where they were."""
        if self.anew is None:
            return b""
        tables, coupled = compiled.tables, compiled.couplings
        some = [getattr(tables, name) for name in (*LOWERED_TO["tables"], "body")]
        return b"|".join([(one != 0.0).tobytes() for one in (*some, coupled.number, coupled.term)])

    def start(self, given: Mapping[str, float]) -> Start | None:
        """`run.starting.prepare` of the mechanism with these numbers; None where that is to be asked. Where it may have
        more to say (`says_more`), what it says of the description is left out."""
        compiled = self.compiled(given)
        if compiled is None:
            return None
        try:
            aligned = self.anew is None and not self.misaligned  # axes and poses are the same
            compiled, assembled = self.codes.assembled(compiled, aligned=aligned)
            messages = self.messages
            if not aligned:
                messages += apart(compiled, assembled.start)
            return agreed(self.mechanism, compiled, assembled, messages, True, *self.how)
        except LinkworkError:  # preparing it tells why
            return None


def _may_stand(number: float, sign: float) -> bool:
    return SMALLEST <= abs(number) < LARGEST and number * sign >= 0.0  # what is smaller, or none, decides more


def of_elements(path: Path, kinds: Sequence[str]) -> bool:
    """Whether a path leads to what elements of these kinds are lowered to."""
    root, *rest = path
    first = rest[0] if rest else ""
    if root == "bodies" or (root, first) in (("tables", "body"), ("system", "bodies")):
        return "bodies" in kinds
    return first in LOWERED_TO[root] if root in LOWERED_TO else root in (*ANEW, "curves", "sensors")


def may_be_copied(known: CompiledMechanism, path: Path) -> bool:
    """Whether a number may be written where nothing else is looked at."""
    root, *rest = path
    if root in ("sensors", *WHOLE.values()) or rest[-1] == FORMULA:
        return False
    if root == "rows":
        return not known.lowered.rows[rest[0]].driver and rest[1] in COPIED
    return (root != "bodies" or rest[1] in OF_BODIES) and "curves" not in rest  # poses decide more


def other_lengths(
    mech: Mechanism, names: tuple[str, ...]
) -> tuple[list[tuple[dict[str, float], CompiledMechanism]], CompiledMechanism]:
    """A few mechanisms with other such numbers, lowered as usual, with the numbers; and the tables that all share.

    Raises OtherStructureError where one is refused, or shares nothing."""
    knowns: list[CompiledMechanism | None] = []

    def made(trial: Mapping[str, float]) -> CompiledMechanism:
        other = variant(mech, trial)
        lowered = flat(other)
        knowns.append(tables_of_kin(other) if other._kept.kin is mech else None)
        return compiled_kin(other, lowered) or compile_mechanism(lowered)

    try:
        found = list(trials(mech, names, made))
    except LinkworkError:
        raise OtherStructureError from None
    if not knowns or (known := knowns[0]) is None or not all(one is known for one in knowns):
        raise OtherStructureError
    return found, known


def lengths(mech: Mechanism, names: tuple[str, ...], how: tuple[bool, bool]) -> Lengths | None:
    """Where these numbers go; None where more than lengths hangs on them."""
    try:
        return Lengths(mech, names, how)
    except OtherStructureError:
        return None
