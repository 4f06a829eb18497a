"""Records: one declaration gives the tuple, its arrays, its place in a table of addresses, and a page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import (
    Columns,
    EntryCall,
    Length,
    Shape,
    arrays_in,
    extent_of,
    fields_of,
    is_record,
    letter_of,
    new_record,
    room_of,
    said,
)
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry, entry
from linkwork.problems.layout import Argument, address_table, slots

ROOT = Path(__file__).parents[2]


class Inner(NamedTuple):
    q: Annotated[Floats, Shape("n"), "m", "coordinates"]


class State(NamedTuple):
    many: Annotated[int, Length("pose")]
    pose: Annotated[Floats, Shape("nb + 1", 6), "m", "all of these:"]
    place: Annotated[Floats, Columns("pose", 3), "m", "the first three"]
    turn: Annotated[Floats, Columns("pose"), "rad", "the fourth"]
    kinds: Annotated[Ints, Shape("2 nb"), "of bodies"]
    inner: Inner
    step: Annotated[Floats, Shape(1, 2), "s", "all of these:"]
    time: Annotated[Floats, Columns("step"), "s", "now"]
    size: Annotated[Floats, Columns("step"), "s", "of a step"]


class Calls(NamedTuple):
    one: EntryCall


class Silent(NamedTuple):
    q: Floats


@kernel
def move(state: Any, other: Any, last: Any, by: Any) -> int:
    """Writes through columns; reads a length, a record within, numbers of one row."""
    state.pose[1, 2] += by
    state.turn[0] += state.place[1, 2]
    state.kinds[0] += state.many
    other.q[0] = last.q[0] + state.inner.q.shape[0]
    state.size[0] = state.time[0] + 0.5
    return int(state.many)


@kernel
def look(state: Any, count: Any, out: Any) -> tuple[int, int]:
    """Writes into a table of its own."""
    out.q[0] = count + state.size[0]
    return count, state.kinds[0]


STATE, OTHER = slots(State, Inner)
(LAST,) = slots(Inner, last=True)
(OUT,) = slots(Inner, table=2)
MOVE = entry(move, STATE, OTHER, LAST, 2.0)
MOVE_BACK = entry(move, STATE, OTHER, LAST, -2.0)
LOOK = direct_entry(look, STATE, Argument(1, "count"), OUT, returns=2)


def made() -> tuple[State, Inner, Any]:
    state, other = new_record(State, nb=2, n=4), new_record(Inner, n=1)
    state.time[0] = 3.0
    return state, other, address_table((state, other))


def test_arrays_are_made_from_the_declaration() -> None:
    state = new_record(State, complex, nb=2, n=4)
    assert state.pose.shape == (3, 6)
    assert state.pose.dtype == complex
    assert state.kinds.dtype == np.int64
    assert state.many == 3
    state.turn[1] = 7.0
    assert state.pose[1, 3] == 7.0
    state.size[0] = 2.0
    assert_array_equal(state.step, [[0.0, 2.0]])
    given = np.ones(5)
    assert new_record(Inner, given={"q": given}).q is given
    with pytest.raises(KeyError, match="nb"):
        new_record(State, n=4)
    with pytest.raises(TypeError, match="no array"):
        new_record(Calls)


@pytest.mark.parametrize(
    ("extent", "wanted"), [(3, 3), ("nb + 1", 6), ("12 nb", 60), ("2 * d", 4), ("n n - nb", 4), ("nb", 5), ("3", 3)]
)
def test_extents_are_sums_of_products(extent: Any, wanted: int) -> None:
    assert extent_of(extent, {"nb": 5, "d": 2, "n": 3}) == wanted


@pytest.mark.parametrize("extent", ["nb / 2", "__import__('os')", "nb +", "", "(nb)", "nb.real"])
def test_other_extents_are_refused(extent: str) -> None:
    with pytest.raises(ValueError, match="is no extent"):
        extent_of(extent, {"nb": 5})


def test_what_does_not_say_what_it_is_is_no_record() -> None:
    assert is_record(State)
    assert not is_record(Silent)
    with pytest.raises(TypeError, match=r"Silent\.q does not say what it is"):
        fields_of(Silent)

    class Narrow(NamedTuple):
        pose: Annotated[Floats, Shape("n", 3)]
        first: Annotated[Floats, Columns("pose", 4)]

    Narrow.__annotations__ = {"pose": Annotated[Floats, Shape("n", 3)], "first": Annotated[Floats, Columns("pose", 4)]}
    with pytest.raises(ValueError, match="pose of 3 columns has no 4"):
        fields_of(Narrow)


def test_what_stands_in_a_table() -> None:
    state, _, _ = made()
    assert [array is whole for array, whole in zip(arrays_in(state), (state.pose, state.kinds), strict=False)] == [1, 1]
    assert len(arrays_in(state)) == room_of(State) == 4
    assert (STATE.first, OTHER.first, LAST.first) == (0, 4, -1)
    assert "m" not in said(Inner).replace("Inner", "").replace("tests", "").replace(__name__, "")


def test_an_entry_does_the_same_in_python_and_compiled() -> None:
    from oracles.calling import caller

    state, other, table = made()
    assert MOVE(table) == 3
    again, too, second = made()
    assert caller()(MOVE, second) == 3
    for one, two in zip((*arrays_in(state), other.q), (*arrays_in(again), too.q), strict=True):
        assert_array_equal(one, two)
    assert state.turn[0] == 2.0
    assert (state.size[0], other.q[0]) == (3.5, 4.0)
    assert caller()(MOVE_BACK, second) == 3
    assert again.pose[1, 2] == 0.0
    out = new_record(Inner, n=1)
    assert LOOK(table, 5, address_table((out,))) == LOOK.__wrapped__(table, 5, address_table((out,))) == (5, 3)
    assert out.q[0] == 8.5


def test_entries_are_found_by_module_and_name() -> None:
    assert (MOVE.module, MOVE.name) == (__name__, "MOVE")
    assert MOVE_BACK.name == "MOVE_BACK"
    assert MOVE.compiled.cache.key != MOVE_BACK.compiled.cache.key


def test_numba_is_not_imported_where_entries_are_declared() -> None:
    code = (
        "import sys; import linkwork.equations.index_3.rotation_matrix, linkwork.problems.linear, "
        "linkwork.integrators.dense_output_kernels, linkwork.integrators.symmetric_kernels, "
        "linkwork.integrators.start, "
        "linkwork.analysis.kinematics_kernels; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_page_is_current() -> None:
    """docs/state.md is what docs/make_state.py makes of the records as they are."""
    code = "import make_state as made; raise SystemExit(made.page() != made.PAGE.read_text())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "docs", timeout=120)
    assert done.returncode == 0, "run python docs/make_state.py"


def test_letters_of_array_types_as_old_and_new_numpy_writes_them() -> None:
    """NDArray is the alias itself since NumPy 2.5, and what it stands for before."""
    number = TypeVar("number", bound=np.generic)
    alias = TypeAliasType("alias", np.ndarray[Any, np.dtype[number]], type_params=(number,))
    assert [letter_of(NDArray[np.int32]), letter_of(np.ndarray[Any, np.dtype[np.uint32]])] == ["h", "u"]
    assert letter_of(alias[np.float64]) == "f"
