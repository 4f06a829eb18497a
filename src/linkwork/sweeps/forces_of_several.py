"""What a force element did in many runs that differ in numbers, worked out at once to the bits of each by itself.

Where the numbers of a run stand in the tables of the mechanism with this element alone (`quantities.forces`), and in
those of what reads its formulas, where these know the state, a few trials show, as with whatever else is derived
(`sweeps.copies`). They are written there run by run, and compiled code applies the element to the recorded motion; what
it tells of that is worked out of all runs together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from linkwork.equations.derived import ElementForces
from linkwork.equations.sensing import Sensing
from linkwork.header import Array
from linkwork.mechanism.lowered import Lowered
from linkwork.quantities.components import Motion
from linkwork.quantities.efforts import Effort, efforts_in, sensing_of
from linkwork.quantities.forces import SPHERICAL, Moved, alone, elements_of, power, told, told_by_formula
from linkwork.quantities.formulas import BODY
from linkwork.run.span import Span
from linkwork.sweeps.copies import Copy, copies_of_rows
from linkwork.system import CompiledMechanism
from linkwork.system.packed import ELEMENT_COLUMNS

WIDTH = ELEMENT_COLUMNS["numbers"].stop
GEOMETRY = ELEMENT_COLUMNS["n"].stop  # columns of an element's line that say where it acts
PARTS = ("position", "rotation", "velocity", "angular_velocity")
TRIED = 2  # samples that are asked in both ways, where they are compared
READ = "read: "  # what places of numbers in formulas begin with
Evaluated = dict[str, Callable[[], Array]]


class Element:
    """An element of one mechanism by itself: what applies it, and what reads its formulas, where these know the state.

    arrays : in which its numbers stand, by place.
    """

    def __init__(self, lowered: Lowered, name: str) -> None:
        self.efforts = [one for one in lowered.efforts if one.name == name]
        self.forces = ElementForces(alone(lowered, name))
        self.sensing: Sensing | None = sensing_of(lowered, self.efforts) if self.efforts else None
        self.arrays = dict(self.forces.arrays)
        if self.sensing is not None:
            self.arrays |= {READ + name: array for name, array in self.sensing.arrays.items()}


class ForcesOfSeveral:
    """Curves of one element. copies : which numbers of a run stand where. Several threads may ask."""

    def __init__(self, span: Span, name: str, copies: Sequence[Copy], free: Sequence[Element] = ()) -> None:
        self.lowered, self.name, self.copies = span.ready.compiled.lowered, name, copies
        self.element = elements_of(self.lowered)[name]
        self.described = next(one for one in span.mechanism.forces if one.name == name)
        self.bodies = tuple(span.ready.compiled.body_names)
        self._free = list(free)

    def curves(self, rows: Array, time: Array, motion: Array) -> Evaluated:
        """What works out (n, nt, ...) of each, by name. rows (n, spots) : what stands in a placed run's spots; motion
        (n, nt, 24 nb)."""
        try:
            element = self._free.pop()
        except IndexError:
            element = Element(self.lowered, self.name)
        whole = motion.reshape(len(motion), len(time), len(self.bodies), -1)
        parts = [whole[..., slice(*BODY[name])] for name in PARTS]
        start = np.zeros(element.forces.mechanism.angles)
        flat = [(element.arrays[one.array].reshape(-1), one.at, one.spot) for one in self.copies]

        def write(k: int) -> None:
            for array, at, spot in flat:
                array[at] = rows[k, spot]

        applied = element.forces.of_each(time, *parts, counted_angles=start, begin=write)
        efforts: list[Effort] = []
        if element.sensing is not None:
            efforts = efforts_in(element.sensing.read_each(time, *parts, begin=write), len(element.efforts))
        self._free.append(element)
        moved = Moved(self.bodies, time, motions(whole), start)
        found = told(moved, self.described, self.element, applied)
        if found is None:
            found = told_by_formula(moved, self.described, element.efforts, efforts, applied)
        return {n: curve for n, (_, curve) in found.items()} | {"power": partial(power, moved, applied)}


def motions(whole: Array) -> Callable[[int], Motion]:
    """How bodies moved in several runs, by number, -1 for ground; whole : (n, nt, nb, 24)."""
    over = whole.shape[:2]

    @cache
    def of(k: int) -> Motion:
        if k < 0:
            rest = np.zeros((*over, 3))
            return Motion(rest, np.broadcast_to(np.eye(3), (*over, 3, 3)), rest, rest, rest, rest)
        r, A, v, w, a, alpha = (
            whole[..., k, slice(*BODY[name])] for name in (*PARTS, "acceleration", "angular_acceleration")
        )
        return Motion(r, A.reshape(*over, 3, 3), v, w, a, alpha)

    return of


def forces_of_several(span: Span, name: str, some: Sequence[CompiledMechanism], rows: Array) -> ForcesOfSeveral | None:
    """What works out an element's curves; None where numbers go elsewhere than into lines and formulas of it that only
    say how much it exerts, and of spherical springs by formula. some : the mechanism with a few other numbers; rows :
    what a placed run's spots hold with these."""
    each = [Element(one.lowered, name) for one in some]
    copies = copies_of_rows([one.arrays for one in each], rows)
    if copies is None or any(one.array == "element" and one.at % WIDTH < GEOMETRY for one in copies):
        return None
    made, start = ForcesOfSeveral(span, name, copies), span.ready.compiled
    first, *_ = each
    if made.described.type == SPHERICAL and any(not one.law for one in first.efforts):
        return None
    at_start = np.concatenate([start.r, start.A, start.v, start.w, np.zeros((start.nb + 1, 6))], axis=1)[:-1]
    time = np.arange(TRIED) * span.call.step
    for one, row in zip(each, rows, strict=True):
        motion = np.tile(at_start.ravel(), (1, TRIED, 1))
        found = made.curves(row[None], time, motion)
        expected = ForcesOfSeveral(span, name, (), [one]).curves(row[None], time, motion)
        if any(found[n]().tobytes() != curve().tobytes() for n, curve in expected.items()):
            return None
    return made
