"""Which record of an explicit method's run stands where in the table that its compiled code receives.

What the method itself brings, a tableau or the solver of its equations, comes last. Samples have a table of their own,
the entries' last argument.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from linkwork.integrators.evaluation import Block, Entries, Run
from linkwork.integrators.fixed_point import Solver
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Ints
from linkwork.problems.layout import Argument, address_table, slots

# the table that the problem's entries receive; what an integrator calls of them; the run; what the method brings
CONTEXT, ENTRIES, RUN, TABLEAU = slots(Annotated[Ints, Shape("words")], Entries, Run, TableauArrays)
(SOLVER,) = slots(Solver, after=RUN)
STEPS = Argument(1, "count")
(SAMPLES,) = slots(Block, table=2)
_tableaux: dict[int, tuple[TableauArrays, np.ndarray]] = {}  # which live as long as their methods, for good
_NONE = Block(np.zeros(0), np.zeros((0, 0, 24)), np.zeros((0, 0)), np.zeros((0, 0, 0)))
NO_SAMPLES = address_table(_NONE)  # room for none, of calls that record nothing


def table_of(context: np.ndarray, entries: Entries, run: Run, method: tuple[Any, ...]) -> np.ndarray:
    """The table for these, which must outlive it. method : what the method brings."""
    rest = _words_of(method) if isinstance(method, TableauArrays) else address_table((method,))
    return np.concatenate((address_table((context, entries, run)), rest))


def _words_of(tableau: TableauArrays) -> np.ndarray:
    """The part of the table that is a tableau, whose arrays all runs of a method share."""
    if id(tableau) not in _tableaux:
        _tableaux[id(tableau)] = tableau, address_table((tableau,))
    return _tableaux[id(tableau)][1]
