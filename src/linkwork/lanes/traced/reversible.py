"""What the reverse of a run needs of its record, kept in a process and, of long steps, on disk.

A file is found by the code that was recorded, by whole numbers and by which cells move before the run. It holds for a
run as records in a process do (`kept_records`): where all numbers that were taken for constants are the same to the
last bit, and nothing else is likely to move than was an input. Where kernels have passed over pivots as values said,
without a guard (`selections`), all numbers have to be the same.

What files hold, and when: `reverse_files`.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels import kept_files
from linkwork.lanes.traced import engine
from linkwork.lanes.traced.derivatives import smooth_moves
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse_files import UNREADABLE, About, Arrays, files_of, sorted_ints
from linkwork.lanes.traced.shapes_code import ShapesCode
from linkwork.lanes.traced.shapes_layout import Layout, laid_out, state_of
from linkwork.lanes.traced.step import Recorded, Recorder

Ints = NDArray[np.int64]
NAME = "linkwork.lanes.reversible"  # of files on disk


@dataclass
class Reversible:
    """A recorded run to be taken backwards.

    given : cells that move before it. carried : those that start, step and sample read, in order. inputs : those that
    are not taken for constants. one : whether a step is one function. operations : of the record. recorded : the record
    itself; None where all else was read from disk. about : what it is kept under, None if it is not. layouts : of its
    pieces, by functions at once. made : code that was made of it.
    """

    given: frozenset[int]
    carried: tuple[int, ...]
    inputs: frozenset[int]
    one: bool
    operations: int
    recorded: Recorded | None
    about: About | None = None
    layouts: dict[int, Layout] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, recorded: Recorded, given: frozenset[int], about: About | None) -> Reversible:
        """What was recorded now."""
        operations = sum(len(graph.nodes) for graph in {id(one.graph): one.graph for one in _parts(recorded)}.values())
        return cls(given, recorded.carried, recorded.inputs, len(recorded.step) == 1, operations, recorded, about)

    @cached_property
    def moves(self) -> tuple[frozenset[int], frozenset[int]]:
        """Cells that move in the start, and later on. Raises NotTracedError where there are no derivatives."""
        return smooth_moves(self._record, self.given)

    @cached_property
    def state(self) -> Ints:
        """Places among the cells carried of those that a step changes and reads before it writes them."""
        return state_of(self._record)

    @property
    def _record(self) -> Recorded:
        if self.recorded is None:
            raise NotTracedError("a record that is not here")
        return self.recorded

    def in_pieces(self, lanes: int, again: Callable[[], Recorded]) -> ShapesCode:
        """Its code, backwards for so many functions at once. again : makes the record, if it is not here."""
        layout = self.layouts.get(lanes)
        found = engine.engine_kept(layout.code) if layout else None
        if layout is None or found is None:
            self.need_record(again)
            layout, text = laid_out(self._record, lanes, *self.moves)
            found, self.layouts[lanes] = engine.engine_of(text), layout
            if self.about and len(text) >= engine.LEAST:
                self.about.save(NAME, self._packed())
        return ShapesCode(layout, found)

    def need_record(self, again: Callable[[], Recorded]) -> Recorded:
        """The record, made again where it is not here. Raises NotTracedError where it is another one then."""
        if self.recorded is None:
            recorded = again()
            if recorded.carried != self.carried or not np.array_equal(state_of(recorded), self.state):
                raise NotTracedError("steps that are recorded otherwise")
            self.recorded = recorded
        return self.recorded

    def _packed(self) -> Arrays:
        _, later = self.moves
        arrays: Arrays = {
            "carried": np.array(self.carried, dtype=np.int64),
            "inputs": sorted_ints(self.inputs),
            "later": sorted_ints(later),
            "operations": np.array(self.operations),
        }
        for lanes, layout in self.layouts.items():
            arrays |= {f"{lanes} {name}": array for name, array in layout.arrays().items()}
        return arrays

    @classmethod
    def read(cls, arrays: Arrays, recorder: Recorder, given: frozenset[int], likely: Set[int]) -> Reversible | None:
        """What a file holds, None where it does not hold the reverse of this run."""
        cells = len(recorder.cells.values)
        try:
            carried, inputs, later = (arrays[name] for name in ("carried", "inputs", "later"))
            several = tuple(carried.tolist()), frozenset(inputs.tolist())
            about = About.of(recorder, given, several[1], bool(arrays["chosen"]))
            made = cls(given, *several, False, int(arrays["operations"]), None, about)
            here = arrays["about"].tobytes().decode() == about.words
        except UNREADABLE:
            return None
        for lanes in {int(name.split()[0]) for name in arrays if name[:1].isdigit()}:
            layout = Layout.read({name.removeprefix(f"{lanes} "): array for name, array in arrays.items()})
            if layout is None or layout.lanes != lanes or layout.cells != len(made.carried):
                return None
            made.layouts[lanes], made.state = layout, layout.state
        within = all(bool(np.all((one >= 0) & (one < cells))) for one in (carried, later))
        if not (here and made.layouts and within and np.all(np.diff(carried) > 0) and likely <= made.inputs):
            return None
        made.moves = given, frozenset(later.tolist())
        return made


def reversible(recorder: Recorder, given: frozenset[int], likely: frozenset[int]) -> Reversible:
    """The reverse of a run that is placed. given : cells that differ between instances. likely : that are known to
    follow from these. Raises NotTracedError."""
    if recorder.instead:  # which rows are solved for instead is what a run's search says, without a guard
        return Reversible.of(recorder.anew(given, likely), given, None)

    def make() -> tuple[Reversible, tuple[Recording, ...], frozenset[int]]:
        recorded = recorder.anew(given, likely)
        about = About.of(recorder, given, recorded.inputs, any(one.graph.chosen for one in _parts(recorded)))
        return Reversible.of(recorded, given, about), _parts(recorded), recorded.inputs

    def load() -> tuple[Reversible, Set[int], int] | None:
        for file, arrays in files_of(NAME, recorder, given):
            found = Reversible.read(arrays, recorder, given, likely)
            if found is not None:
                kept_files.used(file)
                return found, found.inputs, found.operations
        return None

    return RECORDS.of(recorder, ("reverse", type(recorder.run), recorder.most, given), given, make, load)


def _parts(recorded: Recorded) -> tuple[Recording, ...]:
    return recorded.start, *recorded.functions, recorded.sample
