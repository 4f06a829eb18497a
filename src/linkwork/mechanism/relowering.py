"""Joints, constraints and forces of a mechanism lowered anew with other numbers, all else being what it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from linkwork.kernels.force_laws.laws import NUMBER
from linkwork.mechanism.document import one_element
from linkwork.mechanism.elements import with_parameters
from linkwork.mechanism.lowered import LoweredElement, LoweredJoint, LoweredLoad, Row
from linkwork.mechanism.lowering_of_joints import Lowering

KINDS = "joints", "constraints", "forces"  # whose numbers may be others
SAME = "efforts", "couplings"


class Anew(NamedTuple):
    """Parts of a flat mechanism; the very same objects where nothing has changed about them."""

    rows: Sequence[Row]  # but those of couplings
    joints: Sequence[LoweredJoint]
    loads: Sequence[LoweredLoad]
    elements: Sequence[LoweredElement]


def lowered_anew(known: Lowering, data: Mapping[tuple[str, int], Any], parameters: dict[str, float]) -> Anew | None:
    """These parts of a mechanism with other elements of `KINDS`, given as plain data by kind and place, and checked.
    None where something makes no sense, or where drivers, formulas of forces, couplings or notes change with them.

    known : the mechanism. parameters : that formulas in the data name."""
    try:
        with with_parameters(parameters):
            elements = {place: one_element(place[0], one) for place, one in data.items()}
    except ValidationError:
        return None
    work = Lowering(known.mechanism._with_checked(elements, parameters), known)
    work.attempt_all()
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
    return Anew(rows, work.joints, work.loads, sorted(work.elements, key=lambda one: NUMBER[one.law]))


def _differ(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether elements are others, signs of zeros included."""
    return len(some) != len(others) or any(
        a is not b and (a != b or repr(a) != repr(b)) for a, b in zip(some, others, strict=True)
    )
