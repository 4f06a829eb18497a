"""In what measure a placed run's corrections are taken: sizes of rows and weights of unknowns of another start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.integrators.implicit_table import RUN
from linkwork.integrators.newton import Run
from linkwork.kernels.compiling import purpose
from linkwork.kernels.jit import exact_kernel
from linkwork.kernels.tables import Floats
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import Argument

if TYPE_CHECKING:
    from linkwork.system import CompiledMechanism

LENGTH, MASS, BY_WEIGHTS, NUMBERS = 0, 1, 2, 3  # places of numbers, and how many; squares of rows (4, nc) follow


@exact_kernel
def set_measures(run: Run, given: Floats) -> int:
    """`stopping.sizes_of_rows` and the weights that `ImplicitRun` begins with, in the bits that NumPy gives them.

    given : the mechanism's length [m], its heaviest mass [kg], whether there are weights, `CompiledMechanism.squares`.
    Writes row_size, and weight where there are weights."""
    nc, first, unknowns = run.row_size.shape[0], run.first_multiplier[0], run.weight.shape[0]
    about, weights = 1.0 / given[LENGTH], given[BY_WEIGHTS] != 0.0
    squared, mass = about * about, given[MASS] if given[MASS] > 0.0 else 1.0
    for k in range(nc):
        moved, turned = given[NUMBERS + k], given[NUMBERS + nc + k]
        moved, turned = moved + given[NUMBERS + 2 * nc + k], turned + given[NUMBERS + 3 * nc + k]
        run.row_size[k] = np.sqrt(turned * squared + moved)
        if weights:
            run.weight[first + k] = run.row_size[k] / mass
    if weights:
        stride = first // (run.motion.shape[0] - 1)
        for k in range(first):
            if k % stride > 2:
                run.weight[k] = given[LENGTH]
        for k in range(first + nc, unknowns):
            run.weight[k] = 0.0
    return 0


SET_MEASURES = direct_entry(set_measures, RUN, Argument(1, "floats"))


def measures_of(table: Any, nc: int, by_weights: bool) -> Callable[[CompiledMechanism], None]:
    """What sets measures of the run in this table (`implicit_table`), of nc rows, by a mechanism that has squares."""
    given = np.zeros(NUMBERS + 4 * nc)
    given[BY_WEIGHTS], squares = by_weights, given[NUMBERS:].reshape(4, nc)
    with purpose("starts with other numbers"):
        call = SET_MEASURES.code.bound(table, given)

    def measure(mechanism: CompiledMechanism) -> None:
        squares[:] = mechanism.squares
        given[LENGTH], given[MASS] = mechanism.length, max(mechanism.system.bodies.mass.tolist())
        call()

    return measure
