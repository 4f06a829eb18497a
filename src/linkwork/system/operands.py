"""What formulas of the state read, by number: quantities found in their trees, inputs, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.quantities.kinds import NUMBER
from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.tables import Curves, Efforts, Ints, Quantities
from linkwork.mechanism.expressions import Expression, nodes_of
from linkwork.mechanism.lowered import Lowered, LoweredEffort, LoweredTable, Operand, Quantity, Row

if TYPE_CHECKING:
    pass


class OperandPlaces:
    """Where operands stand: value and rate of every quantity, each once, then inputs; and the numbers of tables."""

    def __init__(self, lowered: Lowered) -> None:
        self.quantities: dict[Quantity, int] = {}
        for effort in lowered.efforts:
            self.quantities.setdefault(effort.quantity, len(self.quantities))
        for effort in lowered.efforts:
            for operand in operands_of(effort.f):
                if operand.quantity is not None:
                    self.quantities.setdefault(operand.quantity, len(self.quantities))
        for coupling in lowered.couplings:
            for term in coupling.terms:
                self.quantities.setdefault(term.quantity, len(self.quantities))
        self._inputs = {one.name: k for k, one in enumerate(lowered.inputs)}
        self._tables = {one.name: k for k, one in enumerate(lowered.tables)}

    def operand(self, about: Operand) -> int:
        """The place of an operand."""
        if about.quantity is None:
            return 2 * len(self.quantities) + self._inputs[about.input]
        return 2 * self.quantities[about.quantity] + int(about.rate)

    def curve(self, name: str) -> int:
        """The number of a table."""
        return self._tables[name]


def operands_of(f: Expression) -> list[Operand]:
    """The operands of a resolved formula, each once."""
    return list(dict.fromkeys(node.about for node in nodes_of(f.root) if node.name == "operand"))


def efforts_of(efforts: Sequence[LoweredEffort], places: OperandPlaces, program: Ints) -> dict[str, Any]:
    """Tables `efforts` and `uses`."""
    uses = [[places.operand(operand) for operand in operands_of(effort.f)] for effort in efforts]
    count = np.array([len(some) for some in uses], dtype=np.int64)
    table = Efforts(
        quantity=np.array([places.quantities[effort.quantity] for effort in efforts], dtype=np.int64),
        program=program,
        first=np.cumsum(count) - count,
        reads=count,
    )
    return {"efforts": table, "uses": np.array([use for some in uses for use in some], dtype=np.int64)}


def quantities_of(quantities: Sequence[Quantity] | dict[Quantity, int], nb: int) -> Quantities:
    """Their columns; nb is ground."""
    items = list(quantities)

    def column(name: str) -> NDArray[np.float64]:
        return np.array([getattr(item, name) for item in items], dtype=float).reshape(len(items), 3)

    def bodies(name: str) -> Ints:
        return np.array([getattr(item, name) % (nb + 1) for item in items], dtype=np.int64)

    kind = np.array([NUMBER[item.kind] for item in items], dtype=np.int64)
    return Quantities(kind, bodies("body_i"), bodies("body_j"), **{name: column(name) for name in VECTORS})


def with_profiles(tables: Sequence[LoweredTable], rows: Sequence[Row]) -> tuple[Curves, NDArray[np.float64]]:
    """Pieces of all tables, then of the profiles of rows, each once; and the column `scalar` of the rows."""
    curves, first = list(tables), dict[tuple[LoweredTable, ...], int]()
    scalar = np.array([row.scalar for row in rows], dtype=float)
    for k, row in enumerate(rows):
        if row.profiles:
            if row.profiles not in first:
                first[row.profiles] = len(curves)
                curves += row.profiles
            scalar[k] = first[row.profiles]
    start = np.cumsum([0, *(len(table.pieces) for table in curves)]).astype(np.int64)
    pieces = [piece for table in curves for piece in table.pieces]
    return Curves(start, np.array(pieces, dtype=float).reshape(len(pieces), 5)), scalar
