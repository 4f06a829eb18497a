"""The Butcher tableau of an explicit Runge-Kutta method, its error estimates and its continuous extension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.tableaux.dense import Dense, cubic_hermite
from linkwork.integrators.tableaux.exact import Row, Rows
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats


class TableauArrays(NamedTuple):
    """A tableau as contiguous arrays for compiled code: s stages, n extra stages, extension of degree d."""

    a: Annotated[Floats, Shape("s", "s"), "strictly lower triangular"]
    b: Annotated[Floats, Shape("s"), "weights"]
    c: Annotated[Floats, Shape("s"), "nodes"]
    e: Annotated[Floats, Shape("s"), "or (0,) where there is no error estimate"]
    e2: Annotated[Floats, Shape("s"), "or (0,) where there is no second one"]
    P: Annotated[Floats, Shape("s + n", "d"), "weights of the continuous extension"]
    a_extra: Annotated[Floats, Shape("n", "s + n"), "row l uses the first s + l entries"]
    c_extra: Annotated[Floats, Shape("n"), "nodes of the extra stages"]


@dataclass(frozen=True)
class Tableau:
    """An explicit Runge-Kutta method: k_i = f(t + c_i h, x + h sum_j a_ij k_j), then x + h sum_i b_i k_i.

    Numbers may be fractions, floats or integers; fractions stay exact until `arrays` rounds them once.

    name : what users write, and the name in the registry.
    title : the method's name in words.
    source : who published it, and when.
    order : the error of one step is O(h**(order + 1)).
    a : the rows of the tableau up to the diagonal: row i has i entries, the first none.
    b, c : (stages,) weights and nodes.
    e : (stages,) weights of the error estimate h sum_i e_i k_i, b less those of the embedded method; None without one.
    e2 : (stages,) weights of a second, coarser estimate, or None. How the two make one number is told at
        `linkwork.integrators.step_control.combined_norm`.
    error_order : the norm of the error estimate falls like h**(error_order + 1); for a pair, the order of the
        embedded method. The step-size controller takes its exponent from it. None without an estimate.
    dense : the continuous extension. Left out, it is the cubic Hermite polynomial.
    """

    name: str
    title: str
    source: str
    order: int
    a: Rows
    b: Row
    c: Row
    e: Row | None = None
    e2: Row | None = None
    error_order: int | None = None
    dense: Dense | None = None

    @property
    def stages(self) -> int:
        """How many stages a step has; with `fsal`, one fewer are new."""
        return len(self.b)

    @property
    def extra_stages(self) -> int:
        """How many further stages the continuous extension takes."""
        return len(self.extension.c)

    @property
    def fsal(self) -> bool:
        """Whether the last stage is evaluated at the new state, so that it serves the next step as its first.

        On a Lie group the accelerations found there serve the next step, while the slope in the algebra is
        formed anew: the chart has moved.
        """
        return self.stages > 1 and (*self.a[-1], 0) == tuple(self.b)

    @property
    def new_state(self) -> int | None:
        """The stage, extra ones counted on, that is evaluated at the new state; None if no stage is."""
        if self.fsal:
            return self.stages - 1
        extra = self.extension.a
        return self.stages if extra and tuple(extra[0]) == tuple(self.b) else None

    @property
    def extension(self) -> Dense:
        """The continuous extension: `dense`, or the cubic Hermite polynomial."""
        return self.dense or cubic_hermite(self.b, self.order, ends_new=self.fsal)

    def arrays(self) -> TableauArrays:
        """All numbers, rounded to double precision, as contiguous read-only arrays; empty ones for what there is not.

        All runs of the method share them.
        """
        return self._arrays

    @cached_property
    def _arrays(self) -> TableauArrays:
        s, dense = self.stages, self.extension
        made = TableauArrays(
            a=_filled(self.a, s),
            b=_floats(self.b),
            c=_floats(self.c),
            e=_floats(self.e or ()),
            e2=_floats(self.e2 or ()),
            P=_filled(dense.weights, len(dense.weights[0])),
            a_extra=_filled(dense.a, s + len(dense.a)),
            c_extra=_floats(dense.c),
        )
        for array in made:
            array.flags.writeable = False
        return made

    def describe(self) -> dict[str, Any]:
        """What the method is, as plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "order": self.order,
            "stages": self.stages,
            "fsal": self.fsal,
            "error_order": self.error_order,
            "dense_order": self.extension.order,
            "dense_extra_stages": len(self.extension.a),
        }


def _floats(row: Row) -> Floats:
    return np.array([float(x) for x in row], dtype=np.float64)


def _filled(rows: Rows, columns: int) -> Floats:
    """Rows of different lengths as one array, zeros to the right."""
    out = np.zeros((len(rows), columns))
    for i, row in enumerate(rows):
        out[i, : len(row)] = _floats(row)
    return out
