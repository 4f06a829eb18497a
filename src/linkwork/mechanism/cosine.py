"""A driver that prescribes the cosine of an angle runs as that angle.

a_i . a_j = c cos(u(t)) between bodies held on a common axis [Kissel 2021, section 5] says nothing about the
angle's rate where the cosine is one: the row vanishes twice a turn. The angle row it stands for never does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from operator import is_
from typing import Any

import numpy as np

from linkwork.kernels.vec3 import cross
from linkwork.mechanism.angles import angle_and_rate, rate_is_stated, wrapped
from linkwork.mechanism.elements import Array
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Row
from linkwork.mechanism.markers import Poses, triple, unit

CLOSE = 1e-6  # for directions printed with few digits, and for angles that decide a branch
Pair = tuple[int, int]


def as_angle_rows(rows: Sequence[Row], poses: Poses) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The rows with every cosine driver replaced that can be, and a note about each."""
    by_pair: dict[Pair, list[Row]] | None = None
    made, notes = list(rows), []
    for k, row in enumerate(rows):
        if row.kind != "DP1" or isinstance(row.f, float):
            continue
        if by_pair is None:
            by_pair = _perpendicular_pairs(rows)
        found = _replace(row, by_pair[_pair(row)], poses)
        if found is not None:
            made[k] = found[0]
            notes.append(found[1])
    return tuple(made), tuple(notes)


def with_other_points(
    known: Sequence[Row], angles: tuple[tuple[Row, ...], tuple[str, ...]], rows: Sequence[Row]
) -> tuple[tuple[Row, ...], tuple[str, ...]] | None:
    """`as_angle_rows` of rows between bodies that stand as before, from what it found (`angles`) of as many known ones;
    None where rows that decide it are others: perpendicular ones between bodies whose cosine is driven."""
    found, notes = angles
    if all(map(is_, known, rows)):
        return angles
    made, driven = list(found), {_pair(row) for row in known if row.kind == "DP1" and not isinstance(row.f, float)}
    for k, (old, new) in enumerate(zip(known, rows, strict=True)):
        if new is old:
            continue
        decides = "DP1" in (old.kind, new.kind) and not (isinstance(new.f, float) and _pair(new) not in driven)
        if found[k] is not old or _pair(new) != _pair(old) or (decides and not _same(old, new)):
            return None
        made[k] = new
    return tuple(made), notes


def _same(one: Row, other: Row) -> bool:
    """Whether two rows are the same, signs of zeros included, and prescribe no formula."""
    return isinstance(one.f, float) and one == other and repr(one) == repr(other)


def _pair(row: Row) -> Pair:
    return (min(row.body_i, row.body_j), max(row.body_i, row.body_j))


def _perpendicular_pairs(rows: Sequence[Row]) -> dict[Pair, list[Row]]:
    """The DP1 rows that keep two vectors perpendicular, by pair of bodies."""
    pairs: dict[Pair, list[Row]] = defaultdict(list)
    for row in rows:
        if row.kind == "DP1" and isinstance(row.f, float) and row.f == 0.0 and not row.driver:
            pairs[_pair(row)].append(row)
    return pairs


def _replace(row: Row, locked: list[Row], poses: Poses) -> tuple[Row, str] | None:
    """The angle row that a cosine driver stands for and the note about it, or None where it stands for none."""
    assert isinstance(row.f, Expression)
    a_i, a_j = np.array(row.a_i), np.array(row.a_j)
    form = row.f.as_cosine()
    size = math.hypot(*a_i) * math.hypot(*a_j)
    if form is None or abs(form[0] - size) > CLOSE * size:
        return None
    a_i, a_j = unit(a_i), unit(a_j)
    for n_i, n_j in _common_axes(row, locked):
        if abs(n_i @ a_i) < CLOSE and abs(n_j @ a_j) < CLOSE:
            angle = _angle_row(row, n_i, n_j, a_i, a_j)
            f, why = _branch(angle, form[1], poses)
            axis = ", ".join(f"{round(x, 6) + 0.0:g}" for x in poses.world(row.body_i, angle.n))
            note = (
                f"constraint {row.name!r} prescribes a cosine, which loses rank at 0 and pi; it runs as an angle about "
                f"the bodies' common axis, ({axis}) at the start, that follows {f} ({why})"
            )
            return angle._replace(f=f), note
    return None


def _common_axes(row: Row, locked: list[Row]) -> list[tuple[Array, Array]]:
    """Axes (unit, on body i and on body j) that perpendicular rows between the two bodies hold parallel.

    One vector of a body that is perpendicular to two directions of the other is that plane's normal.
    """
    pairs = [(x.a_i, x.a_j) if x.body_i == row.body_i else (x.a_j, x.a_i) for x in locked]
    on_i = [(unit(p), unit(q)) for p, q in pairs]
    on_j = [(q, p) for p, q in on_i]
    axes = list(_normals(on_i))
    axes += [(p, q) for q, p in _normals(on_j)]
    return axes


def _normals(pairs: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
    """(p, n) for each vector p perpendicular to two directions of the other body, n their plane's normal."""
    found: list[tuple[Array, Array]] = []
    for k, (p, q) in enumerate(pairs):
        for p2, q2 in pairs[k + 1 :]:
            n = np.array(cross(q.tolist(), q2.tolist()))
            if math.hypot(*cross(p.tolist(), p2.tolist())) < CLOSE and math.hypot(*n) > 1e-3:
                found.append((p, unit(n)))
    return found


def _angle_row(row: Row, n_i: Array, n_j: Array, a_i: Array, a_j: Array) -> Row:
    """The row as an ANGLE row about n_i; its vectors made exactly perpendicular to the axis."""
    a_i, a_j = unit(a_i - (a_i @ n_i) * n_i), unit(a_j - (a_j @ n_j) * n_j)
    return row._replace(
        kind="ANGLE", a_i=triple(a_i), b_i=triple(np.cross(n_i, a_i)), a_j=triple(a_j), n=triple(n_i), driver=True
    )


def _branch(row: Row, u: Expression, poses: Poses) -> tuple[Any, str]:
    """The angle of the row's start pose that has the cosine of u: +-u + 2 pi k, and what decided the sign."""
    theta, rate = angle_and_rate(row, poses)
    u0, u1, _ = (float(x) for x in u.jet(0.0))
    plus, minus = abs(wrapped(theta - u0)), abs(wrapped(theta + u0))
    if abs(plus - minus) > CLOSE:
        sign, why = (1.0 if plus < minus else -1.0), "as the start pose has it"
    elif abs(u1) > CLOSE and abs(rate) > CLOSE and rate_is_stated(row, poses):
        sign, why = math.copysign(1.0, u1 * rate), "the start velocity decides the sense"
    else:
        sign, why = 1.0, "neither the start pose nor the start velocity decides the sense, so it is taken as written"
    f = u if sign > 0.0 else -u
    revolutions = round((theta - sign * u0) / (2.0 * math.pi))
    return (f + 2.0 * math.pi * revolutions if revolutions else f), why
