"""How far a number is moved to see what follows from it: a hundredth of its size.

A number that may be of either sign counts as no smaller than a share of what it is added to: of a position that is
left over from rounding, 5e-17 m, a hundredth would vanish in sums, and the derivative with it. Entries of an inertia
are moved as far as the inertia stays one.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from linkwork.derivatives.described import Described
from linkwork.derivatives.stencil import spacing
from linkwork.errors import LinkworkError
from linkwork.run.starting import Start
from linkwork.solvers.admission import FLAT

GEOMETRY = ("position", "point", "centre_of_mass", "length")
DIRECTIONS = ("axis", "x", "rotation")
SPEEDS = {"velocity": "v", "angular_velocity": "w"}
LEFT_OVER = 2.0**-40  # of what numbers are added to: below it they are taken for zeros
BODIES = 1024  # whose inertias are looked at once
SMALL = 2.0**-7  # of it: no number that may be of either sign is taken for smaller


def spacing_of(number: Described, ready: Start) -> float:
    """How far apart places are at which the number is moved. ready : the mechanism's start."""
    if number.section == "bodies" and number.member == "inertia" and (size := _inertia_kept(number, ready)):
        return spacing(size)
    value, scale = abs(number.value), _scale(number, ready)
    usual = ready.compiled.length if _any_of(GEOMETRY, number) else 1.0  # of a zero
    if value <= LEFT_OVER * (scale or 1.0) and (value == 0.0 or _admitted(number, spacing(usual))):
        return spacing(usual)
    return spacing(max(value, SMALL * scale))


def _any_of(words: tuple[str, ...], number: Described) -> bool:
    return any(word in number.path for word in words)


def _scale(number: Described, ready: Start) -> float:
    """The size of what a number of either sign is added to; 0 where it is not known, or the number is positive."""
    at = ready.compiled
    if _any_of(GEOMETRY, number) and number.member != "length":
        return at.length
    if _any_of(DIRECTIONS, number):
        return 1.0
    for word, name in SPEEDS.items():
        if number.section == "bodies" and number.member == word:
            return float(np.max(np.abs(getattr(at, name)), initial=0.0))
    return 0.0


def _admitted(number: Described, h: float) -> bool:
    """Whether there is a mechanism with the number moved to both sides as far as any place; none has a mass below zero,
    whatever parameter gives it."""
    try:
        for by in (-4.0 * h, 4.0 * h):
            number.moved(by).lower()
    except LinkworkError:
        return False
    return True


def _inertia_kept(number: Described, ready: Start) -> float:
    """How far an entry can be moved, about, while the body has inertia about every axis; 0 where it has not, or the
    number is none of the entries."""
    _, body, _, *entry = number.path  # of three moments, or of a matrix
    i, j = (int(entry[0]), int(entry[-1])) if entry else (0, 0)
    least, unit = _least_moment(*ready.compiled.system.bodies.inertia[int(body)].ravel().tolist())
    if not entry or least <= FLAT:
        return 0.0
    size = least * unit[i][j]
    return min(size, abs(number.value)) if i == j else size


@lru_cache(maxsize=BODIES)
def _least_moment(*entries: float) -> tuple[float, list[list[float]]]:
    """The least eigenvalue of an inertia (9 entries) in units of its moments, and these units; 0 where one is none."""
    J = np.array(entries).reshape(3, 3)
    moments = np.diagonal(J)
    if not np.all(moments > 0.0):
        return 0.0, []
    unit = np.sqrt(np.outer(moments, moments))
    return float(np.linalg.eigvalsh(J / unit)[0]), unit.tolist()
