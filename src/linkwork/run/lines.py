"""Lines of packed tables, of parts of a flat mechanism that were lowered anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.couplings import PROGRAM
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import LoweredElement, LoweredLoad, Row
from linkwork.mechanism.relowering import Anew
from linkwork.remembered import with_fields
from linkwork.run.written import Path
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import couplings_of
from linkwork.system.operands import OperandPlaces, efforts_of, quantities_of, with_profiles
from linkwork.system.packed import ELEMENT_COLUMNS, LOAD_COLUMNS, ROW_COLUMNS

Array = NDArray[np.float64]
Formulas = list[tuple[int, Expression]]  # by the number of their program
GEOMETRY = "a_i", "b_i", "a_j", "s_i", "s_j", "n"
SPRINGS = (*GEOMETRY, "stiffness", "damping", "rest", "actuator", "numbers")
TABLES = (  # parts of a flat mechanism, the packed table of these, fields in its columns, and columns of the system
    ("rows", "row", (*GEOMETRY, "scalar", "f"), ROW_COLUMNS),
    ("loads", "load", ("point", "components"), LOAD_COLUMNS),
    ("elements", "element", SPRINGS, ELEMENT_COLUMNS),
)
FORMULAS = {"rows": "f", "loads": "components", "elements": "actuator"}  # fields that may be formulas of time
LOCATED = {  # fields that must be the same
    Row: ("kind", "name", "owner", "body_i", "body_j", "driver"),
    LoweredLoad: ("name", "body", "body_axes", "torque"),
    LoweredElement: ("law", "name", "body_i", "body_j"),
}
ONLY_FLOATS = {float}


class OtherPlacesError(Exception):
    """Parts stand in other places, or formulas have other operations."""


def line_of(before: Any, after: Any, fields: Sequence[str], line: Array) -> Array | None:
    """A line of a table, of a part with other numbers; the places of formulas of time, and of the number of a curve,
    stay as they are in `line`. None where the part is of another kind, or has a formula where it had a number."""
    if any(getattr(before, name) != getattr(after, name) for name in LOCATED[type(after)]):
        return None
    old, new = _flattened(before, fields), _flattened(after, fields)
    if getattr(after, "profiles", ()):
        new[ROW_COLUMNS["scalar"]] = old[ROW_COLUMNS["scalar"]] = float(line[ROW_COLUMNS["scalar"]])
    if set(map(type, (*old, *new))) == ONLY_FLOATS:
        return np.array(new)
    made = line.copy()
    for at, (one, other) in enumerate(zip(map(constant, old), map(constant, new), strict=True)):
        if (one is None) != (other is None):
            return None
        if other is not None:
            made[at] = other
    return made


def constant(f: Any) -> float | None:
    """A number, or that of a formula without time; None of one with it."""
    return f.constant if isinstance(f, Expression) else f


def _flattened(part: Any, fields: Sequence[str]) -> list[Any]:
    """What these fields hold, components one by one."""
    found: list[Any] = []
    for name in fields:
        value = getattr(part, name)
        if type(value) is tuple:
            found += value
        else:
            found.append(value)
    return found


def write_lines(known: CompiledMechanism, anew: Anew, arrays: dict[Path, Array], rows: set[int]) -> list[Any] | None:
    """Write tables of parts that were lowered anew into `arrays`, by place. Returns those that are others; None where
    they are of another structure. rows : which may be others."""
    try:
        changed, formulas = _lines(known, anew, arrays, rows)
        places = None
        if any(_changed(known, anew, name) for name in ("efforts", "couplings")):
            places, more = _state(known, anew, arrays)
            formulas += more
        _curves(known, anew, arrays)
        _programs(known, formulas, places, arrays)
    except OtherPlacesError:
        return None
    return changed


def _changed(known: CompiledMechanism, anew: Anew, part: str) -> list[int]:
    """Which of these parts are other objects. Raises OtherPlacesError where there are more or fewer."""
    before, after = getattr(known.lowered, part), getattr(anew, part)
    if len(before) != len(after):
        raise OtherPlacesError
    return [k for k, one in enumerate(after) if one is not before[k]]


def _lines(
    known: CompiledMechanism, anew: Anew, arrays: dict[Path, Array], rows: set[int]
) -> tuple[list[Any], Formulas]:
    """Rows, loads and elements: those that are others, and their formulas."""
    found, formulas = list[Any](), Formulas()
    for name, table, fields, columns in TABLES:
        before, after, packed = getattr(known.lowered, name), getattr(anew, name), getattr(known.tables, table)
        changed = _changed(known, anew, name)
        if not changed:
            continue
        if name == "rows" and not rows.issuperset(changed):
            raise OtherPlacesError
        arrays["tables", table] = made = packed.copy()
        programs = getattr(known.system, name).program.reshape(len(after), -1)
        for k in changed:
            line = line_of(before[k], after[k], fields, made[k])
            if line is None:
                raise OtherPlacesError
            several = _flattened(after[k], (FORMULAS[name],))
            varying = [(int(p), f) for p, f in zip(programs[k], several, strict=True) if constant(f) is None]
            formulas += varying
            if varying or line.tobytes() != made[k].tobytes():
                made[k] = line
                found.append(after[k])
        for column, at in columns.items():
            _put(arrays, ("system", name, column), made[:, at], getattr(getattr(known.system, name), column))
    return found, formulas


def _state(known: CompiledMechanism, anew: Anew, arrays: dict[Path, Array]) -> tuple[OperandPlaces, Formulas]:
    """Formulas of the state, and couplings: where their operands stand, and all their formulas."""
    system, couplings = known.system, known.couplings
    parts = {name: tuple(getattr(anew, name)) for name in ("rows", "efforts", "couplings", "tables")}
    flat = with_fields(known.lowered, **parts)
    places = OperandPlaces(flat)
    quantities = quantities_of(places.quantities, known.nb)
    _need_same(*([one.kind, one.body_i, one.body_j] for one in (quantities, system.quantities)))
    efforts = efforts_of(flat.efforts, places, system.efforts.program)
    _need_same((*efforts["efforts"], efforts["uses"]), (*system.efforts, system.uses))
    programs = couplings.about[:, PROGRAM]
    drives = [constant(one.f) for one in flat.couplings]
    if [p < 0 for p in programs.tolist()] != [f is not None for f in drives]:
        raise OtherPlacesError
    coupled = couplings_of(flat, places, programs, np.array([f or 0.0 for f in drives], dtype=float))
    _need_same((coupled.about, coupled.term_about), (couplings.about, couplings.term_about))
    for name in ("number", "term"):
        _put(arrays, ("coupled", name), getattr(coupled, name), getattr(couplings, name))
    for name in GEOMETRY:
        _put(arrays, ("system", "quantities", name), getattr(quantities, name), getattr(system.quantities, name))
    packed = np.concatenate([getattr(quantities, name) for name in GEOMETRY], axis=1)
    _put(arrays, ("tables", "quantity"), packed, known.tables.quantity)
    formulas = [(int(p), one.f) for p, one in zip(system.efforts.program, flat.efforts, strict=True)]
    some = zip(programs.tolist(), flat.couplings, strict=True)
    return places, [*formulas, *((p, one.f) for p, one in some if isinstance(one.f, Expression) and p >= 0)]


def _curves(known: CompiledMechanism, anew: Anew, arrays: dict[Path, Array]) -> None:
    """Tables and profiles."""
    if anew.tables is known.lowered.tables and not any(row.profiles for row in anew.rows):
        return
    curves, scalar = with_profiles(anew.tables, anew.rows)
    _need_same((curves.start, scalar), (known.system.curves.start, arrays.get(("system", "rows", "scalar"), scalar)))
    for place in (("tables", "curve"), ("system", "curves", "piece")):
        _put(arrays, place, curves.piece, known.system.curves.piece)


def _programs(
    known: CompiledMechanism, formulas: Formulas, places: OperandPlaces | None, arrays: dict[Path, Array]
) -> None:
    """Arguments of formulas, whose operations must be the same."""
    programs = known.system.programs
    args = programs.args.copy()
    for p, f in formulas:
        made, of = f.program(places), slice(programs.start[p], programs.start[p + 1])
        if made.ops != programs.ops[of].tolist():
            raise OtherPlacesError
        args[of] = made.args
    for place in (("tables", "program_args"), ("system", "programs", "args")):
        _put(arrays, place, args, programs.args)


def _put(arrays: dict[Path, Array], place: Path, made: Array, before: Array) -> None:
    """An array that is other than before."""
    made = np.ascontiguousarray(made)
    if made.tobytes() != before.tobytes():
        arrays[place] = made


def _need_same(some: Sequence[Any], others: Sequence[Any]) -> None:
    """Raise OtherPlacesError where arrays are others."""
    if not all(
        one.shape == other.shape and np.array_equal(one, other) for one, other in zip(some, others, strict=True)
    ):
        raise OtherPlacesError
