"""Continuous extensions: the solution inside a step, from the stages of that step."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.integrators.tableaux.exact import Row, Rows


@dataclass(frozen=True)
class Dense:
    """A continuous extension: at time t + theta h, 0 <= theta <= 1, the increment since t is h sum_i b_i(theta) k_i.

    b_i(theta) = sum_d weights[i][d] theta**(d + 1). At theta = 1 it meets the end of the step. On a Lie group the
    increment is an element of the algebra of this step, which the exponential takes to the group like a stage's.

    weights : (stages + extra stages, degree) one row per stage, extra stages last.
    order : the increment differs from the solution by O(h**(order + 1)), at every theta.
    a, c : extra stages that only the extension needs; the l-th one uses all stages before it,
        so that row l of `a` has stages + l entries. Evaluated in the same chart as the step's own stages.
    """

    weights: Rows
    order: int
    a: Rows = ()
    c: Row = ()


def cubic_hermite(b: Row, order: int, *, ends_new: bool) -> Dense:
    """The cubic polynomial with the states and slopes of both ends: order 3, or that of the method if it is less.

    b : (stages,) the weights of the method, whose order is `order`.
    ends_new : whether the last stage is evaluated at the new state; otherwise an extra stage is, whose accelerations
        the next step can take for its first stage.
    """
    weights = [[0 * x, 3 * x, -2 * x] for x in b]
    for d, x in enumerate((1, -2, 1)):
        weights[0][d] += x
    if not ends_new:
        weights.append([0, 0, 0])
    for d, x in enumerate((0, -1, 1)):
        weights[-1][d] += x
    extension = tuple(tuple(row) for row in weights)
    if ends_new:
        return Dense(extension, min(order, 3))
    return Dense(extension, min(order, 3), a=(tuple(b),), c=(1,))
