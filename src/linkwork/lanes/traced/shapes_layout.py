"""A long recorded run cut into pieces of few shapes and laid out: its code, and arrays that lead it to its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, NamedTuple, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.engine import stamp
from linkwork.lanes.traced.machine_code import declarations
from linkwork.lanes.traced.shape_text import WIDE, Columns, ShapeReverse, ShapeText, literals
from linkwork.lanes.traced.shapes import CELL, Shapes
from linkwork.lanes.traced.shapes_linked import SEQUENCES, Calls, Cut, Linked, Places, Touched
from linkwork.lanes.traced.shapes_loops import loops
from linkwork.lanes.traced.step import Recorded

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]


class Layout(NamedTuple):
    """Where code of a run in pieces finds its numbers: places are those of one room (`shapes_linked`).

    lanes : functions at once. cells, room : how many cells are carried, and places there are. code : stamp of the text.
    pieces : that the recordings are cut into. times, shares : place of the first time within a step, and how far in the
    step each is. constants : at their places. kinds, sequence : of each piece that is called, its shape and which calls
    it belongs to. words, tables : of a row of each shape's table, and all rows, those of a shape in the order of calls.
    written, sources, moves : cells that a step writes, what they hold at its end, and whether it moves; began likewise
    of the start. shown, first_shown : what samples hold, behind a step and behind the start. state : see `state_of`.
    """

    lanes: int
    cells: int
    room: int
    pieces: int
    times: int
    code: str
    shares: Array
    constants_at: Ints
    constants: Array
    kinds: Ints
    sequence: Ints
    words: Ints
    tables: Ints
    written: Ints
    sources: Ints
    moves: Marks
    began: Ints
    began_from: Ints
    began_moves: Marks
    shown: Ints
    first_shown: Ints
    shown_moves: Marks
    state: Ints

    @property
    def sound(self) -> bool:
        """Whether all of it leads to where it should: of a layout that was read."""
        rows = np.bincount(self.kinds[self.kinds >= 0], minlength=len(self.words))
        alike = (
            (self.kinds, self.sequence),
            (self.constants_at, self.constants),
            (self.written, self.sources, self.moves),
            (self.began, self.began_from, self.began_moves),
            (self.shown, self.first_shown, self.shown_moves),
        )
        within = {
            len(self.words): (self.kinds,),
            len(SEQUENCES): (self.sequence,),
            self.cells: (self.written, self.began, self.state),
            self.room: (self.constants_at, self.sources, self.began_from, self.shown, self.first_shown),
            self.room + 1: (self.tables,),  # a piece that leaves nothing may begin behind all places
        }
        return (
            self.lanes > 0
            and self.cells + 2 + len(self.constants) <= self.times
            and self.times + len(self.shares) <= self.room
            and all(len(one) == len(some[0]) for some in alike for one in some)
            and all(bool(np.all((one >= 0) & (one < most))) for most, several in within.items() for one in several)
            and len(rows) == len(self.words)
            and int(rows @ self.words) == len(self.tables)
        )

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[Any]]) -> Layout | None:
        """Of arrays by name (`arrays`); None where something is missing, or not `sound`."""
        try:
            made = cls(**told_fields(cls, arrays))
        except (KeyError, ValueError):
            return None
        return made if made.sound else None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays by name."""
        return as_arrays(self)


def as_arrays(layout: Any) -> dict[str, NDArray[Any]]:
    """Fields of a named tuple as arrays by name."""
    told = {name: value.encode() if isinstance(value, str) else value for name, value in layout._asdict().items()}
    return {
        name: np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
        for name, value in told.items()
    }


def told_fields(kind: Any, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Fields of such a named tuple, but those that are tuples themselves. Raises KeyError, and ValueError for arrays of
    other kinds."""
    plain = {name: of for name, of in get_type_hints(kind).items() if get_origin(of) is not tuple}
    return {name: _as_told(of, arrays[name]) for name, of in plain.items()}


def _as_told(kind: Any, array: NDArray[Any]) -> Any:
    """A field of this kind. Raises ValueError."""
    if kind is str:
        return array.tobytes().decode()
    if kind is int:
        return int(array.item())
    if array.ndim != 1 or array.dtype != kind.__args__[1].__args__[0]:
        raise ValueError
    return array


def laid_out(recorded: Recorded, lanes: int, first: Set[int], later: Set[int]) -> tuple[Layout, str]:
    """The layout of a run that goes backwards for so many functions at once, and the text of its code. first, later :
    cells that move at the start, and from then on."""
    shapes, places = Shapes(), Places(recorded.carried)
    start, sample = recorded.start, recorded.sample
    began = frozenset(start.found) & frozenset(recorded.carried)
    several = [
        *((one, _left(one, left, places), later) for one, left in zip(recorded.functions, recorded.left, strict=True)),
        (sample, list(enumerate(sample.samples)), later),
        (start, _left(start, began, places), first),
    ]
    pieces = [shapes.cut(one, [key for _, key in asked], moving) for one, asked, moving in several]
    for one in pieces:
        one.give_places()
    cut = [Cut.of(one, asked, places) for one, (_, asked, _) in zip(pieces, several, strict=True)]
    linked, every = Linked(recorded, cut, places), list(shapes.by_key.values())
    columns, kinds = [Columns(shape, linked.rows(shape)) for shape in every], linked.kinds(every)
    functions, _ = functions_of(lanes, linked, columns, kinds, places.constants)
    text = "\n".join((*functions, loops(lanes, len(sample.samples))))
    begins = cut[-1]
    called = next(one for one in linked.calls if one.sequence == "start")
    began_at = np.array(sorted(begins.left), dtype=np.int64)
    layout = Layout(
        lanes=lanes,
        cells=len(recorded.carried),
        room=linked.size,
        pieces=sum(len(one.pieces) for one in pieces),
        times=linked.times,
        code=stamp(text),
        shares=np.array(linked.shares, dtype=float),
        **numbers_of(linked, columns, kinds, places),
        written=linked.cells,
        sources=linked.sources,
        moves=linked.moves,
        began=began_at,
        began_from=called.found_at(np.array([begins.left[k] for k in began_at.tolist()], dtype=np.int64)),
        began_moves=np.array([begins.moves[k] for k in began_at.tolist()], dtype=bool),
        shown=linked.shown,
        first_shown=linked.first_shown,
        shown_moves=linked.shown_moves,
        state=state_of(recorded),
    )
    return layout, text


def numbers_of(linked: Calls, columns: list[Columns], kinds: Ints, places: Places) -> dict[str, Any]:
    """What layouts have in common: constants and where they stand, and of all pieces their shapes and tables."""
    return {
        "constants_at": np.array(list(places.constants), dtype=np.int64),
        "constants": np.array(list(places.constants.values()), dtype=float),
        "kinds": kinds,
        "sequence": linked.sequence.astype(np.int64),
        "words": np.array([one.tables.shape[1] for one in columns], dtype=np.int64),
        "tables": np.concatenate([one.tables.ravel() for one in columns]).astype(np.int64),
    }


def functions_of(
    lanes: int, linked: Calls, columns: list[Columns], kinds: Ints, constants: dict[int, float]
) -> tuple[list[str], Marks]:
    """Functions of all shapes, forward and backwards, with what they call; and which hand adjoints on."""
    forward, backward = list[str](), dict[int, ShapeReverse]()
    for k, one in enumerate(columns):
        literal = literals(one.shape, one, constants)
        forward.append(ShapeText(one.shape, one, literal).forward(f"shape{k}"))
        backward[k] = ShapeReverse(one.shape, one, literal, lanes)
    touched = Touched(linked, {k: np.flatnonzero(kinds == k) for k in backward}, backward)
    back = [one.back(f"back{k}", touched.first[k], touched.cleared[k]) for k, one in backward.items()]
    called = dict.fromkeys(line for width in (1, WIDE, lanes) for line in declarations(width))
    return [*forward, *back, *called], np.array([bool(one.left) for one in backward.values()])


def state_of(recorded: Recorded) -> Ints:
    """Places among the cells carried of those that a step changes and reads before it writes them."""
    needed, written = set[int](), set[int]()
    for part in recorded.step:
        one, left = recorded.functions[part.function], recorded.left[part.function]
        needed |= one.cells_read(one.found[k] for k in left) - written
        written |= left
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    return np.array(sorted(places[k] for k in needed & written), dtype=np.int64)


def _left(recording: Any, cells: Set[int], places: Places) -> list[tuple[int, Any]]:
    """The places of cells that a recording leaves something in, and what."""
    return [(places[CELL, cell], recording.found[cell]) for cell in sorted(cells)]
