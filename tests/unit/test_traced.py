"""Steps that are recorded: what they come to, when they are left, and that the recorded numbers are what they say."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.lanes_case import STEPS, Held, Instances, Spot, alone, held, in_lanes, starts, swing
from unit.test_model_numbers import geared

import linkwork as lw
from linkwork.kernels.rows import angle
from linkwork.kernels.sincos import FAR
from linkwork.lanes.runner import address_of, recorded_batch
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.machine_code import text_of
from linkwork.lanes.traced.numbers import Graph, NotTracedError, Traced, selected
from linkwork.lanes.traced.selections import LOADED_BEFORE, largest, selections_recorded, smallest
from linkwork.lanes.traced.step import Recorder
from linkwork.studies.generated import chain

WEIGHT = tuple(Spot("tables.gravity", k) for k in range(3))


def recorded(one: Held, spots: tuple[Spot, ...], lanes: int = 4) -> TracedBatch:
    one.placed.restore(one.run)
    return TracedBatch(one.run, [address_of(one.arrays[spot.array], spot.at) for spot in spots], lanes)


def carried_out(batch: TracedBatch, values: np.ndarray) -> np.ndarray:
    """Motion of all samples, the instances last."""
    batch.alter(values)
    batch.begin(len(values))
    batch.find_slopes()
    first = batch.sample()
    _, block = batch.advance(STEPS)
    return np.concatenate([first["motion"], block["motion"]])


@pytest.mark.parametrize("formulation", ["canonical", "articulated-body"])
def test_a_recorded_run_is_what_compiled_kernels_come_to(formulation: str) -> None:
    one = held(chain(5), formulation)
    values = np.array([[0.0, 0.0, -9.81], [1.0, 0.0, -9.0], [0.0, 2.0, -3.0]])
    batch = recorded(one, WEIGHT)
    found = carried_out(batch, values)
    assert batch.strays == ()
    for k in range(3):
        assert np.allclose(found[..., k], alone(one, WEIGHT, values[k]), rtol=1e-13, atol=1e-13)
    assert np.abs(found[..., 0] - found[..., 1]).max() > 0.01


@pytest.mark.parametrize("formulation", ["canonical", "articulated-body", "lie-mixed", "range-space"])
def test_couplings_and_rotors_are_recorded(formulation: str) -> None:
    one = held(geared(), formulation)
    values = np.array([[0.0, 0.0, -9.81], [1.0, 0.0, -9.0], [0.0, 2.0, -3.0]])
    one.arrays["bare.gravity"].flags.writeable = True  # it is what kernels read beside couplings
    weight = tuple(Spot("bare.gravity", k) for k in range(3))
    batch = recorded(one, weight)
    found = carried_out(batch, values)
    assert batch.strays == ()
    for k in range(3):
        assert np.allclose(found[..., k], alone(one, weight, values[k]), rtol=1e-12, atol=1e-12)
    assert np.abs(found[..., 0] - found[..., 1]).max() > 0.01


@pytest.mark.parametrize("seed", [4, 6, 8, 10])
def test_random_trees_are_recorded(seed: int) -> None:
    one = held(random_mechanism(seed))
    values = one.arrays["tables.gravity"] * np.random.default_rng(seed).uniform(0.9, 1.1, (4, 3))
    batch = recorded(one, WEIGHT)
    found = carried_out(batch, values)
    assert batch.strays == ()
    for k in range(4):
        assert np.allclose(found[..., k], alone(one, WEIGHT, values[k]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_lanes_and_chunks_do_not_change_a_bit(lanes: int) -> None:
    spots, values = starts(2)
    whole = carried_out(recorded(swing(), spots, 4), values)
    batch = recorded(swing(), spots, lanes)
    assert np.array_equal(carried_out(batch, values), whole)
    batch.begin(2)
    batch.find_slopes()
    parts = [batch.advance(steps)[1] for steps in (5, 20, STEPS - 25)]
    assert np.array_equal(np.concatenate([part["motion"] for part in parts]), whole[1:])
    assert np.array_equal(np.concatenate([part["time"] for part in parts])[:, 0], [1e-3 * k for k in range(5, 61, 5)])


def test_what_is_recorded_does_not_show_where_arrays_lie() -> None:
    found, between = set(), []
    for k in range(5):
        between.append([np.zeros(17 * (k + 1) * j) for j in range(1, 400, 3)])
        del between[-1][k % 2 :: 2]  # leaves gaps of many sizes, which arrays of the next run fill
        one = held(chain(2))
        one.placed.restore(one.run)
        recorder = Recorder(one.run)
        weight = address_of(one.arrays["tables.gravity"], 0)
        found.add(text_of(recorder.recorded(frozenset([recorder.cells.cell(weight)])), 4))
    assert len(found) == 1


def test_whoever_branches_otherwise_is_marked() -> None:
    spots, values = starts(4)
    batch = recorded(swing(), spots)
    usual = carried_out(batch, values)
    values[1, 0] += 2.0 * FAR
    values[3, 1] = np.nan
    found = carried_out(batch, values)
    assert batch.strays == (1, 3)
    assert np.array_equal(found[..., [0, 2]], usual[..., [0, 2]])


def test_turns_of_a_torsion_spring_are_counted_in_each_lane() -> None:
    mech = lw.Mechanism("wheel")
    mech.body("disc", mass=1.0, inertia=[0.02, 0.02, 0.03], position=[0.0, 0, 0], angular_velocity=[0, 0, 300.0])
    mech.joint("axle", "revolute", "ground", "disc", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("spring", "torsion", joint="axle", stiffness=2.0, damping=0.1)
    one = held(mech)
    base = one.run.problem.solver.recursion.base
    spots = (Spot(next(name for name, array in one.arrays.items() if array is base), 2),)
    values = np.array([[300.0], [-300.0], [10.0], [120.0]])  # rad/s
    batch = recorded(one, spots)
    found = carried_out(batch, values)
    assert batch.strays == ()
    turned = []
    for k in range(4):
        wanted = alone(one, spots, values[k])
        assert np.allclose(found[..., k], wanted, rtol=1e-12, atol=1e-10)
        turned.append(np.abs(wanted[-1, 0, 17]) * STEPS * 1e-3 / (2 * math.pi))
    assert max(turned) > 2.0
    assert min(turned) < 0.5


def test_sweeps_take_recorded_code_where_the_run_keeps_its_path() -> None:
    spots, values = starts(3)
    room = in_lanes(swing(), spots, values)
    batch = recorded_batch(swing(), Instances(spots, values, STEPS))
    assert batch is not None
    assert np.array_equal(np.moveaxis(carried_out(batch, values), -1, 0), room.motion)


def test_what_cannot_be_recorded_is_refused() -> None:
    with pytest.raises(NotTracedError, match="projection"):
        recorded(held(chain(2), stabilisation="projection"), WEIGHT)
    graph = Graph()
    x = graph.input(0, 0.5)
    for what in (lambda: float(x), lambda: int(x), lambda: x**7):
        with pytest.raises(NotTracedError):
            what()


def test_recorded_numbers_leave_out_what_changes_nothing() -> None:
    graph = Graph()
    x, y = graph.input(0, 3.0), graph.input(1, -2.0)
    before = len(graph.nodes)
    assert (x + 0.0).node == x.node
    assert (1.0 * x).node == x.node
    assert (x - 0.0).node == x.node
    assert (x / 1.0).node == x.node
    assert 0.0 * x == 0.0
    assert len(graph.nodes) == before
    assert (x * y).node == (y * x).node
    minus = -x
    assert (-minus).node == x.node
    assert (x + (-y)).node == (x - y).node
    assert ((-x) * y).node == (-(x * y)).node


def test_constants_of_either_zero_are_two() -> None:
    graph = Graph()
    x = graph.input(0, 3.0)
    assert (0.0 / x) == 0.0
    assert x.graph.two("max", x, 0.0).node != x.graph.two("max", x, -0.0).node


def test_a_constant_is_no_node_of_that_number() -> None:
    graph = Graph()
    x = graph.input(0, 0.5)
    assert x.node == 0
    found = selected(abs(x) < 1.0, 0.0, x)
    assert isinstance(found, Traced)
    assert (found.value, graph.nodes[found.node][2:]) == (0.0, (0.0, 0))
    y = x * 7.0
    assert (x + y).node != (x + float(y.node)).node
    assert (x + y).value != (x + float(y.node)).value


def test_an_angle_whose_sine_is_a_constant_is_recorded() -> None:
    graph = Graph()
    with selections_recorded():
        found = vars(angle)["np"].arctan2(0.0, graph.input(0, -2.0))
    assert graph.nodes[found.node][0] == "atan2"
    assert found.value == np.arctan2(0.0, -2.0)
    assert vars(angle)["np"] is np


def test_selections_leave_no_guard_and_branches_do() -> None:
    graph = Graph()
    x, y = graph.input(0, 3.0), graph.input(1, -2.0)
    assert largest(x, y, 1.0).value == 3.0
    assert smallest(x, y).value == -2.0
    assert largest([1, 5, 2], key=lambda k: -k) == 1
    assert abs(y).value == 2.0
    assert graph.select(x < y, x, y).value == -2.0
    assert not graph.guards
    assert x > y
    assert len(graph.guards) == 1
    assert math.isclose(float(x.cos().value), math.cos(3.0), rel_tol=1e-15)
    assert math.isclose(float(x.sin().value), math.sin(3.0), rel_tol=1e-15)


def test_machine_code_does_what_was_recorded() -> None:
    """Every operation, for numbers other than those that were recorded; a guard for each branch."""
    import ctypes

    from linkwork.lanes.traced.machine_code import MachineCode, text_of
    from linkwork.lanes.traced.recording import Recording
    from linkwork.lanes.traced.step import Part, Recorded

    def work(x: Any, y: Any) -> list[Any]:
        guarded = (x + y if x > y else x - y) + (x if y > 0.0 else 2.0 * y)
        product = x * y
        conditions = (x > y, x < y, x >= y, x <= y, x == y, x != y, (x > y) | (y > 0.0), (x >= y) & (y < 0.0))
        return [
            *(x.graph.select(one, x, y) if isinstance(x, Traced) else x if one else y for one in conditions),
            x + y, x - y, product, x / y, -x, abs(y), (x * x).sqrt() if isinstance(x, Traced) else math.sqrt(x * x),
            largest(x, y), smallest(x, y),
            x.cos() if isinstance(x, Traced) else math.cos(x), x.sin() if isinstance(x, Traced) else math.sin(x),
            x.arctan2(y) if isinstance(x, Traced) else math.atan2(x, y),
            (0.1 * x).exp() if isinstance(x, Traced) else math.exp(0.1 * x),
            x.tan() if isinstance(x, Traced) else math.tan(x), np.floor(0.7 * y), guarded,
            2.0 * x + 1.0, 3.0 - x * y, product + x, x**3,
        ]  # fmt: skip

    graph = Graph()
    shown = work(graph.input(0, 3.0), graph.input(1, -2.0))
    nothing = Recording(Graph(), {})
    sample = Recording(graph, {}, tuple(one.node for one in shown))
    none = frozenset[int]()
    whole = Recorded(nothing, (nothing,), (none,), (Part(0, 0.0),), sample, np.zeros(2), (0, 1), none)
    code = MachineCode(text_of(whole, 4))
    given = np.array([[3.0, 1.5, 0.2, -4.0], [-2.0, 0.5, -0.7, -4.0]])
    room = np.zeros(8 * (len(shown) + 3))
    first = (-room.ctypes.data % 64) // 8
    cells, out = room[first : first + 8], room[first + 8 : first + 8 + 4 * len(shown)]
    cells[:] = given.reshape(-1)
    bad = code.sample(ctypes.c_void_p(cells.ctypes.data), ctypes.c_void_p(out.ctypes.data), 0.0, 0.0)
    # x > y held when it was recorded, and in all lanes but the last; y > 0 did not, as in all but the second
    assert bad == 0b1010
    for lane in range(4):
        wanted = np.array(work(*given[:, lane].tolist()))
        right = np.isclose(out.reshape(-1, 4)[:, lane], wanted, rtol=1e-14, atol=1e-15)
        assert np.count_nonzero(~right) == (lane in (1, 3)), "but for the sum that branches"


def test_what_copies_names_of_modules_is_loaded_before_records_are_made() -> None:
    """Another thread loaded it during one: its kernels had what is recorded in the place of NumPy for good."""
    source = Path(lw.__file__).parent
    copying = re.compile(r"^from linkwork.kernels.jit import .*\bexactly\b", re.MULTILINE)
    paths = [path for path in source.rglob("*.py") if copying.search(path.read_text(encoding="utf-8"))]
    names = {".".join(("linkwork", *path.relative_to(source).with_suffix("").parts)) for path in paths}
    assert names == {module.__name__ for module in LOADED_BEFORE}
