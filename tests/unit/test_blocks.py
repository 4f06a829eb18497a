"""Blocks say what arrays there really are in the tables of entries."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from reading import reading

import linkwork as lw
from linkwork.analysis.counts import memory
from linkwork.formulations import FORMULATIONS
from linkwork.kernels.jit import compiled
from linkwork.kernels.records import Columns, Shape, arrays_in, fields_of
from linkwork.kernels.tables import Floats
from linkwork.problems.entry import Entry
from linkwork.problems.layout import Slot, address_table, slots
from linkwork.run.matching import fitting, pair
from linkwork.run.starting import new_run, prepare, started

WORDS = 4  # per array in a table
BASES = ("qr", "svd", "partition", "graph")
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "null-space": [{"basis": basis} for basis in BASES],
    "rotation-matrix": [
        {},
        *({"elimination": e, "matrix": m} for e in ("two-step", "one-shot") for m in ("sparse", "dense")),
        {"multipliers": "step"},
    ],
}
CASES = [
    (name, integrator, own)
    for name in FORMULATIONS
    for integrator in ("rk4", "generalized-alpha")
    if integrator in fitting(name)
    for own in OPTIONS.get(name, [{}])
]


class View:
    """A table as Python code of entries reads it. Every array must have as many extents as it is asked for."""

    def __init__(self, table: Any) -> None:
        self.table, self.shape, self.asked = table, table.shape, set[int]()

    def __getitem__(self, word: int) -> int:
        return int(self.table[word])

    def array(self, k: int, dtype: str, ndim: int) -> Any:
        address, *extents = (int(word) for word in self.table[WORDS * k : WORDS * (k + 1)])
        assert not any(extents[ndim:]), f"array {k} has more than {ndim} dimensions"
        self.asked.add(k)
        return memory(address, tuple(extents[:ndim]), np.dtype(dtype))


def readers_of(problem: Any) -> list[Any]:
    """All that the problem's entries read records with, each place in the table once."""
    found: dict[int, Any] = {}
    for entry in (getattr(problem, name) for name in vars(problem)):
        if isinstance(entry, Entry):
            found |= {part.first: part for part in entry.parts if isinstance(part, Slot)}
        elif hasattr(entry, "__wrapped__"):
            module = vars(sys.modules[entry.__wrapped__.__module__]).values()
            found |= {each.first: each for each in module if hasattr(each, "block")}
    return list(found.values())


@pytest.mark.parametrize(
    ("formulation", "integrator", "own"), CASES, ids=lambda x: "-".join(x.values()) if isinstance(x, dict) else x
)
def test_blocks_are_what_the_table_holds(formulation: str, integrator: str, own: dict[str, Any]) -> None:
    mechanism = lw.load("muller2013_three_bar")
    chosen, method = pair(formulation, integrator)
    compiled = prepare(mechanism, dynamics=True).compiled
    chosen = chosen.with_options(**own)
    run = started(compiled, partial(new_run, chosen, method, step=1e-3, t_end=1e-3, droppable=True))
    readers, view = readers_of(run.problem), View(run.problem.context)
    assert len(readers) >= 3
    for reader in readers:
        found = reader(view)
        record = reader.record if isinstance(reader, Slot) else reader.block.of
        assert isinstance(found, np.ndarray) or type(found) is record
    rooms = sum((reader if isinstance(reader, Slot) else reader.block).room for reader in readers)
    assert len(view.asked) == rooms, "blocks overlap"
    assert rooms <= len(run.problem.context) // WORDS


def assert_same(found: Any, wanted: Any) -> None:
    """The same arrays, those of records within as well."""
    for name, one, other in zip(wanted._fields, found, wanted, strict=True):
        if hasattr(other, "_fields"):
            assert_same(one, other)
        else:
            np.testing.assert_array_equal(one, other, strict=other is not None, err_msg=name)


RUNS = [("lie-mixed", "rk4"), ("canonical", "ts54"), ("lie-mixed", "implicit-midpoint"), ("rA", "generalized-alpha")]


@pytest.mark.parametrize(("formulation", "integrator"), RUNS)
def test_tables_of_runs_hold_what_their_blocks_say(formulation: str, integrator: str) -> None:
    from linkwork.integrators import explicit_table, implicit_table

    chosen, method = pair(formulation, integrator)
    compiled = prepare(lw.load("muller2013_three_bar"), dynamics=True).compiled
    run = started(compiled, partial(new_run, chosen, method, step=1e-3, t_end=1e-3))
    explicit = hasattr(run, "arrays")
    table: Any = explicit_table if explicit else implicit_table
    view, entries = View(run._table), run._entries()
    assert run._table[WORDS * table.CONTEXT.first] == run.problem.context.ctypes.data
    assert list(table.ENTRIES(view)) == [entry.address for entry in entries]
    held = [(table.RUN(view), run.run)]
    if explicit:
        held = [(table.RUN(view)._replace(stencil=None), run.run._replace(stencil=None))]
        held.append((table.RUN(view).stencil, run.run.stencil))
        held.append(((table.SOLVER if "midpoint" in integrator else table.TABLEAU)(view), run.arrays))
    count = 1 + len(entries) + len(arrays_in(run.run)) + (len(arrays_in(run.arrays)) if explicit else 0)
    for found, wanted in held:
        assert_same(found, wanted)
    assert len(run._table) == WORDS * count
    samples = run._room(3)
    again = table.SAMPLES(View(table.address_table((samples,))))
    assert [array.shape for array in again] == [array.shape for array in samples]


class Parts(NamedTuple):
    whole: Annotated[Floats, Shape("n", 7), "all of these:"]
    first: Annotated[Floats, Columns("whole", 3), "three"]
    one: Annotated[Floats, Columns("whole"), "one"]
    rest: Annotated[Floats, Columns("whole", 2), "two"]
    next: Annotated[Floats, Shape("m"), "another array"]


class TooMany(NamedTuple):
    whole: Annotated[Floats, Shape("n", 7), "all of these:"]
    first: Annotated[Floats, Columns("whole", 4), "four"]
    rest: Annotated[Floats, Columns("whole", 4), "four"]


def test_columns_of_one_array() -> None:
    (slot,) = slots(Parts)
    read = reading(slot)
    whole, after = np.arange(28.0).reshape(4, 7), np.array([5.0])
    values = Parts(whole, whole[:, :3], whole[:, 3], whole[:, 4:6], after)
    assert [array.shape for array in arrays_in(values)] == [(4, 7), (1,)]
    table = address_table([values])
    found = slot(View(table))
    for name, value in values._asdict().items():
        np.testing.assert_array_equal(getattr(found, name), value, strict=True)

    def write(context: Any, k: Any) -> float:
        parts = read(context)[0]
        parts.first[k, 2] += 100.0
        parts.one[k] += 200.0
        parts.rest[k, 1] += 300.0
        return float(parts.next[0] + parts.first.shape[1] + parts.one.shape[0] + parts.rest.shape[1])

    assert compiled(write)(table, 2) == 5.0 + 3 + 4 + 2
    np.testing.assert_array_equal(whole[2], [14.0, 15.0, 116.0, 217.0, 18.0, 319.0, 20.0])
    with pytest.raises(ValueError, match="7 columns has no 8"):
        fields_of(TooMany)


class Good(NamedTuple):
    first: Annotated[Floats, Shape("n"), "numbers"]
    second: Annotated[Floats, Shape("m", 5), "five columns"]


class Bad(NamedTuple):
    first: Annotated[Floats, Shape("n"), "numbers"]
    second: Annotated[Floats, Shape("m", 6), "six columns"]


class Silent(NamedTuple):
    first: Annotated[Floats, Shape("n"), "numbers"]
    second: Any


def test_a_wrong_number_of_columns_and_a_field_that_says_nothing_are_told() -> None:
    (before,) = slots(Annotated[Floats, Shape("n")])
    view = View(address_table([np.zeros(3), np.zeros(3), np.zeros((2, 5))]))
    assert slots(Good, after=before)[0](view).second.shape == (2, 5)
    assert slots(Good, last=True)[0](view).second.shape == (2, 5)
    with pytest.raises(ValueError, match=r"5 columns where Bad\.second says 6"):
        slots(Bad, after=before)[0](view)
    with pytest.raises(TypeError, match=r"Silent\.second does not say what it is"):
        fields_of(Silent)
