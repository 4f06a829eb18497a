"""Elements of a mechanism lowered anew with other numbers, all else being what it was: joints, constraints and forces;
and bodies, with all that hangs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from linkwork.kernels.force_laws.laws import NUMBER
from linkwork.mechanism.document import one_element
from linkwork.mechanism.elements import with_parameters
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import LoweredBody, LoweredElement, LoweredJoint, LoweredLoad, LoweredSensor, Row
from linkwork.mechanism.lowering_of_joints import Lowering
from linkwork.mechanism.mismatch import disagreeing

KINDS = "joints", "constraints", "forces"  # whose numbers may be others
WITH_BODIES = (*KINDS, "bodies")
SAME = "efforts", "couplings"


class Anew(NamedTuple):
    """Parts of a flat mechanism; the very same objects where nothing has changed about them."""

    rows: Sequence[Row]  # but those of couplings
    joints: Sequence[LoweredJoint]
    loads: Sequence[LoweredLoad]
    elements: Sequence[LoweredElement]
    bodies: Sequence[LoweredBody]
    sensors: Sequence[LoweredSensor]
    base: Sequence[Expression]


def lowered_anew(known: Lowering, data: Mapping[tuple[str, int], Any], parameters: dict[str, float]) -> Anew | None:
    """These parts of a mechanism with other elements of `WITH_BODIES`, given as plain data by kind and place, and
    checked. None where something makes no sense, where drivers, formulas of forces, couplings or notes about rows
    change with them, or where a driver and the start disagree.

    known : the mechanism. parameters : that formulas in the data name."""
    try:
        with with_parameters(parameters):
            elements = {place: one_element(place[0], one) for place, one in data.items()}
    except ValidationError:
        return None
    work = Lowering(known.mechanism._with_checked(elements, parameters), known)
    work.attempt_all()
    for name in work.mechanism.sensors:
        work.sensor(name)
    if work.errors or any(_differ(getattr(work, name), getattr(known, name)) for name in SAME):
        return None
    (rows, notes), (before, said) = work.angle_rows(), known.angle_rows()
    if notes != said or len(rows) != len(before):
        return None
    driven = [
        (new, old) for new, old in zip(rows, before, strict=True) if new is not old and (new.driver or old.driver)
    ]
    if any(_differ([new], [old]) for new, old in driven):
        return None
    rows = tuple(old if old.driver else new for new, old in zip(rows, before, strict=True))
    bodies = work.poses.bodies
    moved = [row for row in rows if row.driver and not work.moved.isdisjoint((row.body_i, row.body_j))]
    if moved and disagreeing(work.mechanism, moved, bodies):
        return None
    base = work.base(work.mechanism.forces) if work.sensors else ()
    springs = sorted(work.elements, key=lambda one: NUMBER[one.law])
    return Anew(rows, work.joints, work.loads, springs, bodies, work.sensors, base)


def _differ(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether elements are others, signs of zeros included."""
    return len(some) != len(others) or any(
        a is not b and (a != b or repr(a) != repr(b)) for a, b in zip(some, others, strict=True)
    )
