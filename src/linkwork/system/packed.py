"""The tables of a mechanism in few arrays, because every array passed to a compiled function costs a nanosecond.

`pack` makes them once; inside kernels `rows_of` and `system_of` give back the named tables of
`kernels.tables` as views, which the compiler resolves to plain offsets.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import (
    Bodies,
    Curves,
    Efforts,
    Floats,
    ForceElements,
    Ints,
    Loads,
    Programs,
    Quantities,
    Rows,
    System,
)

ROW_COLUMNS: dict[str, Any] = {
    "a_i": slice(0, 3), "b_i": slice(3, 6), "a_j": slice(6, 9), "s_i": slice(9, 12), "s_j": slice(12, 15),
    "n": slice(15, 18), "scalar": 18, "constant": 19,
}  # fmt: skip
LOAD_COLUMNS: dict[str, Any] = {"point": slice(0, 3), "constant": slice(3, 6)}
ELEMENT_COLUMNS: dict[str, Any] = {name: ROW_COLUMNS[name] for name in ("a_i", "b_i", "a_j", "s_i", "s_j", "n")} | {
    "stiffness": 18, "damping": 19, "rest": 20, "constant": 21, "numbers": slice(22, 26),
}  # fmt: skip
ACTUATOR = 21  # column of `Tables.element` that holds an actuator's constant part


class Tables(NamedTuple):
    """A packed System: the columns of each table side by side, whole numbers and floats apart."""

    body: Annotated[Floats, Shape("nb + 1", 10), "kg, kg m^2", "mass, inertia"]
    gravity: Annotated[Floats, Shape(3), "m/s^2", "global components"]
    row_int: Annotated[Ints, Shape("nc", 5), "kind, body_i, body_j, nonholonomic, program"]
    row: Annotated[Floats, Shape("nc", 20), "a_i b_i a_j s_i s_j n, scalar, constant"]
    program_start: Annotated[Ints, Shape("programs + 1"), "where each program begins in `program_ops`"]
    program_ops: Annotated[Ints, Shape("nops"), "operations of all formulas of time"]
    program_args: Annotated[Floats, Shape("nops"), "their arguments"]
    program_depth: Annotated[Ints, Shape(1), "deepest stack that any formula needs"]
    load_int: Annotated[Ints, Shape("n", 6), "body, body_axes, torque, program (3)"]
    load: Annotated[Floats, Shape("n", 6), "point, constant"]
    element_int: Annotated[Ints, Shape("n", 5), "law, body_i, body_j, program, memory"]
    element: Annotated[Floats, Shape("n", 26), "a_i b_i a_j s_i s_j n, stiffness damping rest constant, numbers (4)"]
    curve_start: Annotated[Ints, Shape("curves + 1"), "where the pieces of each table begin in `curve`"]
    curve: Annotated[Floats, Shape("pieces", 5), "where a piece begins, its coefficients"]
    quantity_int: Annotated[Ints, Shape("nq", 3), "kind, body_i, body_j"]
    quantity: Annotated[Floats, Shape("nq", 18), "a_i b_i a_j s_i s_j n"]
    effort_int: Annotated[Ints, Shape("ne", 4), "quantity, program, first use, number of uses"]
    uses: Annotated[Ints, Shape("uses"), "operands that efforts read"]


def _columns(*parts: np.ndarray) -> np.ndarray:
    """Columns side by side: 1-d parts become one column each."""
    return np.ascontiguousarray(np.concatenate([p[:, None] if p.ndim == 1 else p for p in parts], axis=1))


def pack(system: System) -> Tables:
    """The same tables in fewer arrays."""
    b, c, f = system.bodies, system.rows, system.programs
    p, m = system.loads, system.elements
    q, e = system.quantities, system.efforts
    return Tables(
        body=_columns(b.mass, b.inertia),
        gravity=np.ascontiguousarray(system.gravity, dtype=float),
        row_int=_columns(c.kind, c.body_i, c.body_j, c.nonholonomic, c.program),
        row=_columns(*(getattr(c, name) for name in ROW_COLUMNS)),
        program_start=f.start,
        program_ops=f.ops,
        program_args=f.args,
        program_depth=f.depth,
        load_int=_columns(p.body, p.body_axes, p.torque, p.program),
        load=_columns(p.point, p.constant),
        element_int=_columns(m.law, m.body_i, m.body_j, m.program, m.memory),
        element=_columns(m.a_i, m.b_i, m.a_j, m.s_i, m.s_j, m.n, m.stiffness, m.damping, m.rest, m.constant, m.numbers),
        curve_start=system.curves.start,
        curve=system.curves.piece,
        quantity_int=_columns(q.kind, q.body_i, q.body_j),
        quantity=_columns(q.a_i, q.b_i, q.a_j, q.s_i, q.s_j, q.n),
        effort_int=_columns(e.quantity, e.program, e.first, e.reads),
        uses=system.uses,
    )


@kernel
def rows_of(tables: Tables) -> Rows:
    """The constraint rows as named columns (views)."""
    n, x = tables.row_int, tables.row
    return Rows(
        n[:, 0],
        n[:, 1],
        n[:, 2],
        x[:, 0:3],
        x[:, 3:6],
        x[:, 6:9],
        x[:, 9:12],
        x[:, 12:15],
        x[:, 15:18],
        x[:, 18],
        n[:, 3],
        n[:, 4],
        x[:, 19],
        Curves(tables.curve_start, tables.curve),
    )


@kernel
def programs_of(tables: Tables) -> Programs:
    """The formulas of time, as `kernels.formula` reads them."""
    return Programs(tables.program_start, tables.program_ops, tables.program_args, tables.program_depth)


def bodies_of(tables: Tables) -> Bodies:
    """Masses and inertias as they stand in the tables (views)."""
    return Bodies(tables.body[:, 0], tables.body[:, 1:10])


@kernel
def system_of(tables: Tables) -> System:
    """The whole system as named tables (views)."""
    body = tables.body
    ln, lx = tables.load_int, tables.load
    tn, tx = tables.element_int, tables.element
    qn, qx, en = tables.quantity_int, tables.quantity, tables.effort_int
    return System(
        Bodies(body[:, 0], body[:, 1:10]),
        rows_of(tables),
        programs_of(tables),
        Loads(ln[:, 0], lx[:, 0:3], ln[:, 1], ln[:, 2], lx[:, 3:6], ln[:, 3:6]),
        ForceElements(
            tn[:, 0],
            tn[:, 1],
            tn[:, 2],
            tx[:, 0:3],
            tx[:, 3:6],
            tx[:, 6:9],
            tx[:, 9:12],
            tx[:, 12:15],
            tx[:, 15:18],
            tx[:, 18],
            tx[:, 19],
            tx[:, 20],
            tx[:, 21],
            tx[:, 22:26],
            tn[:, 3],
            tn[:, 4],
        ),
        tables.gravity,
        Curves(tables.curve_start, tables.curve),
        Quantities(
            qn[:, 0],
            qn[:, 1],
            qn[:, 2],
            qx[:, 0:3],
            qx[:, 3:6],
            qx[:, 6:9],
            qx[:, 9:12],
            qx[:, 12:15],
            qx[:, 15:18],
        ),
        Efforts(en[:, 0], en[:, 1], en[:, 2], en[:, 3]),
        tables.uses,
    )
