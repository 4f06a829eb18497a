"""Elements of a mechanism lowered anew with other numbers, all else being what it was: joints, constraints, drivers,
forces and couplings; and bodies, with all that hangs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any, NamedTuple

from pydantic import ValidationError

from linkwork.kernels.force_laws.laws import NUMBER
from linkwork.mechanism.document import one_element
from linkwork.mechanism.elements import with_parameters
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import (
    Lowered,
    LoweredBody,
    LoweredCoupling,
    LoweredEffort,
    LoweredElement,
    LoweredJoint,
    LoweredLoad,
    LoweredSensor,
    LoweredTable,
    Row,
)
from linkwork.mechanism.lowering_of_joints import Lowering, row_of
from linkwork.mechanism.mismatch import disagreeing
from linkwork.mechanism.tables import with_tables

KINDS = "joints", "constraints", "drivers", "forces", "couplings"  # whose numbers may be others
WITH_BODIES = (*KINDS, "bodies")


class Anew(NamedTuple):
    """Parts of a flat mechanism, by the names that they have there; the very same objects where nothing has changed
    about them."""

    rows: Sequence[Row]
    joints: Sequence[LoweredJoint]
    loads: Sequence[LoweredLoad]
    elements: Sequence[LoweredElement]
    efforts: Sequence[LoweredEffort]
    couplings: Sequence[LoweredCoupling]
    tables: Sequence[LoweredTable]
    bodies: Sequence[LoweredBody]
    sensors: Sequence[LoweredSensor]
    base: Sequence[Expression]


def lowered_anew(
    known: Lowering,
    flat: Lowered,
    data: Mapping[tuple[str, int], Any],
    parameters: dict[str, float],
    drivers_win: bool = False,
) -> Anew | None:
    """These parts of a mechanism with other elements of `WITH_BODIES`, given as plain data by kind and place, and
    checked. None where something makes no sense, where other rows run as angles, or where a driver and the start
    disagree.

    known, flat : the mechanism. parameters : that formulas in the data name. drivers_win : over a start that they
    disagree with."""
    try:
        with with_parameters(parameters):
            elements = {place: one_element(place[0], one) for place, one in data.items()}
            mechanism = known.mechanism._with_checked(elements, parameters)
    except ValidationError:
        return None
    if mechanism is None:
        return None
    work = Lowering(mechanism, known)
    work.attempt_all()
    for name in work.mechanism.sensors:
        work.sensor(name)
    if work.errors:
        return None
    (found, notes), (before, said) = work.angle_rows(), known.angle_rows()
    if len(notes) != len(said) or len(found) != len(before):
        return None
    rows = [_same_or(new, old) if old.driver else new for new, old in zip(found, before, strict=True)]
    bodies = work.poses.bodies
    moved = [
        row
        for row, old in zip(rows, before, strict=True)
        if row.driver and (row is not old or not work.moved.isdisjoint((row.body_i, row.body_j)))
    ]
    if moved and not drivers_win and disagreeing(work.mechanism, moved, bodies):
        return None
    base = work.base(work.mechanism.forces) if work.sensors else ()
    springs = sorted(work.elements, key=lambda one: NUMBER[one.law])
    couplings, tables, coupled = flat.couplings, flat.tables, flat.rows[len(rows) :]
    alike = len(work.couplings) == len(known.couplings) and mechanism.tables is known.mechanism.tables
    if not (alike and all(map(is_, work.couplings, known.couplings))):
        couplings, tables = with_tables(work.couplings, work.mechanism.tables)
        made = [row_of(one) for one in couplings if one.rigid]
        coupled = tuple(map(_same_or, made, coupled)) if len(made) == len(coupled) else tuple(made)
    return Anew(
        (*rows, *coupled), work.joints, work.loads, springs, work.efforts, couplings, tables, bodies, work.sensors, base
    )


def _same_or(new: Any, old: Any) -> Any:
    """The old one where the new one is no other, signs of zeros included."""
    return old if new is old or (new == old and repr(new) == repr(old)) else new
