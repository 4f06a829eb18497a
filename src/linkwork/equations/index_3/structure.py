"""The sparsity of the iteration matrix, found once per mechanism, and where each block's entries go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from linkwork.equations.index_3.work import Layout
from linkwork.equations.jacobian_sparsity import (
    Mask,
    rotation_used,
    rotations_used,
    translation_used,
    translations_used,
)
from linkwork.kernels.rows.kinds import CONSTANT
from linkwork.kernels.sparse_lu import Factors, Pattern, factors, pattern
from linkwork.kernels.tables import NO_QUANTITIES, Ints, Quantities
from linkwork.problems.implicit import Matrix
from linkwork.remembered import remembered
from linkwork.system import CompiledMechanism

TANGENT = 48  # columns of Matrix.tangent: B, T_a, T_w and T_th, 3 x 4 each
LARGEST = 1_600_000  # bytes of a matrix and its pattern, kept for mechanisms with other numbers: some 150 bodies


@dataclass(frozen=True)
class Structure:
    """An iteration matrix ready to be filled, and its factors."""

    matrix: Matrix
    pattern: Pattern
    factors: Factors


class _Entries:
    """Collects (row, column) pairs and hands out their numbers; -1 stands for no entry."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.cols: list[int] = []

    def add(self, row: int, col: int) -> int:
        self.rows.append(row)
        self.cols.append(col)
        return len(self.rows) - 1


class _Pairs:
    """Coupled pairs of bodies, the diagonal ones first."""

    def __init__(self, nb: int) -> None:
        self.nb = nb
        self.index = {(b, b): b for b in range(nb)}

    def of(self, i: int, j: int) -> int:
        if i >= self.nb or j >= self.nb:
            return -1
        return self.index.setdefault((i, j), len(self.index))

    def four(self, i: int, j: int, present: bool) -> list[int]:
        return [self.of(i, i), self.of(i, j), self.of(j, i), self.of(j, j)] if present else [-1] * 4

    def between(self, q: Quantities, m: int, o: int) -> list[int]:
        """The bodies of quantity m with those of quantity o; none where that is an input."""
        if o >= len(q.kind):
            return [-1] * 4
        bodies = [(int(q.body_i[k]), int(q.body_j[k])) for k in (m, o)]
        return [self.of(i, j) for i in bodies[0] for j in bodies[1]]


def build_structure(
    mechanism: CompiledMechanism,
    layout: Layout,
    *,
    reaction_variation: bool,
    droppable: bool,
    room: int = 1,
    twisted: Sequence[bool] = (),
    tangent: int = TANGENT,
    solved: bool = True,
) -> Structure:
    """Find the sparsity of the iteration matrix of `layout` and order its elimination.

    reaction_variation : room for the first-order variation of the reactions (full Newton).
    droppable : room on the multipliers' diagonal, so that dependent rows can be taken out at any step.
    room : times the usual work space for the factors.
    twisted : bodies whose unknowns of translation turn with them, so that all of their six are coupled.
    tangent : numbers per body that pull the blocks back to the unknowns.
    solved : whether there are equations to solve; else blocks of pairs are wanted alone, and the matrix holds bodies
        one by one.
    """
    system = mechanism.system
    elements = system.elements.body_i, system.elements.body_j
    asked = reaction_variation, droppable, tuple(bool(each) for each in twisted), tangent
    q = system.quantities if len(system.efforts.quantity) else NO_QUANTITIES
    acted = tuple(int(m) for m in system.efforts.quantity)
    forces = elements, system.loads.body, q, acted, tuple(mechanism.uses)
    rows = mechanism.pattern_rows
    varies = (rows.nonholonomic == 1) & ~np.isin(rows.kind, CONSTANT)  # with the pose
    used = translations_used(rows), rotations_used(rows), varies
    matrix, found = _matrix((rows.body_i, rows.body_j), used, *forces, layout, *asked, solved)
    capacity = None if room == 1 else room * (4 * max(found.fill, len(found.indices)) + 64)
    return Structure(matrix, found, factors(found, capacity))


@partial(remembered, largest=LARGEST)
def _matrix(
    bodies: tuple[Ints, Ints],
    used: tuple[Mask, Mask, Mask],
    elements: tuple[Ints, Ints],
    loaded: Ints,
    q: Quantities,
    acted: tuple[int, ...],
    uses: tuple[tuple[int, int], ...],
    layout: Layout,
    reaction_variation: bool,
    droppable: bool,
    twisted: tuple[bool, ...],
    tangent: int,
    solved: bool,
) -> tuple[Matrix, Pattern]:
    """Of `build_structure`, by what it depends on: bodies : of rows; used : their entries for translation (rows, 2, 3)
    and rotation (rows, 2), and which rows vary; elements : their two bodies; loaded : bodies of loads;
    q, acted, uses : quantities, those that efforts act along, and what these read."""
    nb, nc, m = layout.nb, layout.nc, layout.size
    turning = [*twisted, *([False] * (nb + 1 - len(twisted)))]
    entries, pairs = _Entries(), _Pairs(nb)
    sides = [(int(i), int(j)) for i, j in zip(*bodies, strict=True)]
    translations, rotations, varies = (one.tolist() for one in used)
    row_pair = [pairs.four(i, j, reaction_variation) for i, j in sides]
    element_pair = [pairs.four(int(i), int(j), True) for i, j in zip(*elements, strict=True)]
    effort_pair = [pairs.four(int(q.body_i[m]), int(q.body_j[m]), True) for m in acted]
    use_pair = [pairs.between(q, m, use // 2) for m, use in uses]
    coupled = {p for four in row_pair + element_pair + effort_pair + use_pair for p in four if p >= 0}
    coupled.update(int(b) for b in loaded if b < nb)
    coupled.update(b for b in range(nb) if turning[b])

    if not solved:
        coupled = set()
    pair_pos = np.full((len(pairs.index), 7, 7), -1, dtype=np.int64)
    for (i, j), p in pairs.index.items():
        if i != j and p not in coupled:
            continue
        for r in range(3 + m):
            for c in range(3 + m):
                diagonal = i == j and ((r < 3 and r == c) or (r >= 3 and c >= 3))
                if p in coupled or diagonal:
                    pair_pos[p, r, c] = entries.add(i * layout.stride + r, j * layout.stride + c)
    G_pos = np.full((nc, 2, 7), -1, dtype=np.int64)
    GT_pos = np.full((nc, 2, 7), -1, dtype=np.int64)
    drop_pos = np.full(nc, -1, dtype=np.int64)
    for k, pair in enumerate(sides):
        row = layout.multipliers.start + k
        if droppable:
            drop_pos[k] = entries.add(row, row)
        for side, b in enumerate(pair):
            if b >= nb or (side == 1 and pair[0] == b):
                continue
            along = translations[k][side] + [rotations[k][side]] * m
            if varies[k] or (turning[b] and any(along[:3])):
                along = [True] * (3 + m)
            for c in range(3 + m):
                if along[c]:
                    col = b * layout.stride + c
                    G_pos[k, side, c] = entries.add(row, col)
                    GT_pos[k, side, c] = entries.add(col, row)
    norm_pos = np.full((nb, 2, 4), -1, dtype=np.int64)
    if layout.normalised:
        for b in range(nb):
            row = layout.normalisation.start + b
            for c in range(m):
                col = b * layout.stride + 3 + c
                norm_pos[b, 0, c] = entries.add(row, col)
                norm_pos[b, 1, c] = entries.add(col, row)
    found, where = pattern(np.array(entries.rows), np.array(entries.cols), layout.total)
    nnz = len(found.indices)

    def positions(numbers: Any) -> Any:
        numbers = np.asarray(numbers, dtype=np.int64)
        return np.where(numbers >= 0, np.asarray(where)[numbers], nnz) if len(where) else numbers

    matrix = Matrix(
        values=np.zeros(nnz + 1),
        flags=np.array([int(reaction_variation), m, layout.multipliers.start]),
        pair=np.array(list(pairs.index), dtype=np.int64).reshape(-1, 2),
        pair_pos=positions(pair_pos),
        G_pos=positions(G_pos),
        GT_pos=positions(GT_pos),
        norm_pos=positions(norm_pos),
        drop_pos=positions(drop_pos),
        row_pair=_fours(row_pair),
        element_pair=_fours(element_pair),
        effort_pair=_fours(effort_pair),
        use_pair=_fours(use_pair),
        blocks=np.zeros((len(pairs.index), 72)),
        tangent=np.zeros((nb + 1, tangent)),
        scratch=np.zeros((24, 12)),
        rate=np.zeros(12),
    )
    return matrix, found


def _fours(items: list[list[int]]) -> Ints:
    return np.array(items, dtype=np.int64).reshape(len(items), 4)


def build_kinematic_structure(mechanism: CompiledMechanism, layout: Layout, *, bordered: bool) -> Structure:
    """The matrix of a kinematics analysis: phi_q itself (square), or [D phi_q^T; phi_q 0] (bordered).

    The bordered one gives the least change that meets the rows, and dependent rows can be taken out of it. D is
    1 / length^2 of translations and 1 of rotations: a move of the typical length counts as much as a turn of 1 rad.
    """
    nb, nc, m = layout.nb, layout.nc, layout.size
    rows = mechanism.system.rows
    entries = _Entries()
    first = layout.multipliers.start if bordered else 0
    pair_pos = np.full((nb, 7, 7), -1, dtype=np.int64)
    G_pos = np.full((nc, 2, 7), -1, dtype=np.int64)
    GT_pos = np.full((nc, 2, 7), -1, dtype=np.int64)
    drop_pos = np.full(nc, -1, dtype=np.int64)
    norm_pos = np.full((nb, 2, 4), -1, dtype=np.int64)

    def both(row: int, col: int) -> tuple[int, int]:
        return entries.add(row, col), (entries.add(col, row) if bordered else -1)

    if bordered:
        for b in range(nb):
            for c in range(3 + m):
                pair_pos[b, c, c] = entries.add(b * layout.stride + c, b * layout.stride + c)
    for k in range(nc):
        if bordered:
            drop_pos[k] = entries.add(first + k, first + k)
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            if b < nb:
                used = translation_used(rows, k, side) + [rotation_used(rows, k, side)] * m
                for c in range(3 + m):
                    if used[c]:
                        G_pos[k, side, c], GT_pos[k, side, c] = both(first + k, b * layout.stride + c)
    if layout.normalised:
        for b in range(nb):
            for c in range(m):
                norm_pos[b, :, c] = both(first + nc + b, b * layout.stride + 3 + c)
    size = layout.total if bordered else nb * layout.stride
    found, where = pattern(np.array(entries.rows), np.array(entries.cols), size)
    nnz = len(found.indices)

    def positions(numbers: Any) -> Any:
        return np.where(numbers >= 0, np.asarray(where)[numbers], nnz) if len(where) else numbers

    nothing = np.zeros((0, 4), dtype=np.int64)
    pair_pos, values = positions(pair_pos), np.zeros(nnz + 1)
    if bordered:
        for c in range(3 + m):
            values[pair_pos[:, c, c]] = 1.0 / mechanism.length**2 if c < 3 else 1.0
    matrix = Matrix(
        values=values,
        flags=np.array([0, m, layout.multipliers.start]),
        pair=np.zeros((0, 2), dtype=np.int64),
        pair_pos=pair_pos,
        G_pos=positions(G_pos),
        GT_pos=positions(GT_pos),
        norm_pos=positions(norm_pos),
        drop_pos=positions(drop_pos),
        row_pair=nothing,
        element_pair=nothing,
        effort_pair=nothing,
        use_pair=nothing,
        blocks=np.zeros((0, 72)),
        tangent=np.zeros((nb + 1, TANGENT)),
        scratch=np.zeros((24, 12)),
        rate=np.zeros(12),
    )
    return Structure(matrix, found, factors(found))
