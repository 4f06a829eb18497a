"""Closed loops in recorded steps: pivots that tie, rows that depend on others, and how long a pivot is kept."""

from __future__ import annotations

import numpy as np
import pytest
from unit.lanes_case import Instances, Spot, held, in_lanes

import linkwork as lw
from linkwork.kernels import dense_qr, dependence
from linkwork.kernels.needed import needed, passed_over
from linkwork.lanes.runner import address_of, recorded_batch
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.numbers import Graph
from linkwork.lanes.traced.selections import SELECTIONS, selections_recorded

WEIGHT = tuple(Spot("tables.gravity", k) for k in range(3))
MANY = 1500  # steps, of 1 ms: the crank turns on


@pytest.mark.parametrize("formulation", ["articulated-body", "canonical"])
@pytest.mark.parametrize(
    "name",
    ["kissel2021_slider_crank", "kissel2021_four_link", "planar_four_bar", "muller2013_three_bar", "stewart_platform"],
)
def test_closed_loops_keep_to_the_recorded_path_and_agree_with_compiled_kernels(name: str, formulation: str) -> None:
    steps = {"stewart_platform": 100, "planar_four_bar": 300}.get(name, MANY)  # whose pivots change soon
    one = held(lw.load(name), formulation)
    one.placed.restore(one.run)
    batch = TracedBatch(one.run, [address_of(one.arrays[spot.array], spot.at) for spot in WEIGHT], 4)
    weight = np.asarray(one.arrays["tables.gravity"]).reshape(-1).copy()
    values = np.array([weight, 0.9 * weight + 0.3, 1.2 * weight - 0.2])
    batch.alter(values)
    batch.begin(3)
    batch.find_slopes()
    _, block = batch.advance(steps)
    assert batch.strays == ()
    for k in range(3):
        one.placed.restore(one.run)
        one.arrays["tables.gravity"].reshape(-1)[:] = values[k]
        assert one.run.initialise() == 0
        status, wanted = one.run.advance(steps)
        assert status == 0
        assert np.allclose(block["motion"][..., k], wanted["motion"], rtol=1e-9, atol=1e-9)
        size = np.abs(wanted["multiplier"]).max()
        assert np.allclose(block["multiplier"][..., k], wanted["multiplier"], rtol=1e-8, atol=1e-9 * size)
    one.placed.restore(one.run)


def test_sweeps_of_closed_loops_take_recorded_code() -> None:
    one = held(lw.load("planar_four_bar"))
    values = np.array([[0.0, 0.0, -9.81], [0.5, 0.0, -9.0], [0.0, 0.3, -3.0]])
    room = in_lanes(one, WEIGHT, values)
    assert np.all(room.status == 0)
    assert recorded_batch(one, Instances(WEIGHT, values, 60)) is not None


def test_work_that_may_be_left_out_is_done_and_leaves_no_guard() -> None:
    graph, recording = Graph(), SELECTIONS["needed"][1]
    x = graph.input(0, 0.0)
    assert recording(x != 0.0)
    assert not graph.guards
    assert not recording(0.0 != 0.0)
    assert needed(0.0 != 0.0) is False


@pytest.mark.parametrize(("size", "over"), [(0.99, True), (1.0, False)])
def test_pivots_of_plain_numbers_are_passed_over_below_the_limit(size: float, over: bool) -> None:
    recording = SELECTIONS["passed_over"][1]
    assert passed_over(size, 1.0, 0.0, 0.1) is over
    assert recording(size, 1.0, 0.0, 0.1) is over


@pytest.mark.parametrize(
    ("later", "limit", "least", "stays"),
    [(0.11, 1.0, 0.0, True), (0.09, 1.0, 0.0, False), (0.21, 1.0, 0.2, True), (0.19, 1.0, 0.2, False)],
)
def test_a_recorded_pivot_is_kept_as_long_as_it_is_good_enough(
    later: float, limit: float, least: float, stays: bool
) -> None:
    graph, recording = Graph(), SELECTIONS["passed_over"][1]
    x = graph.input(0, 1.0)
    assert not recording(x, limit, least, 0.1)
    ((node, held_true),) = graph.guards.items()
    operation, one, bound = graph.nodes[node]
    assert (operation, one, held_true) == (">=", x.node, True)
    assert (later >= bound) is stays


def test_another_pivot_that_grows_leaves_no_guard() -> None:
    graph, recording = Graph(), SELECTIONS["passed_over"][1]
    assert recording(graph.input(0, 0.2), 1.0, 0.0, 0.1)
    assert not graph.guards


@pytest.mark.parametrize(("square", "order"), [(0.11, [0, 1]), (0.09, [1, 0])])
def test_compiled_kernels_take_rows_as_before(square: float, order: list[int]) -> None:
    f = dense_qr.row_factors(2, 2)
    f.A[:] = [[np.sqrt(square), 0.0], [0.0, 1.0]]
    assert dense_qr.factor_rows(f, 2, 2, np.ones(2, dtype=np.int64), 1e-9, -1) == 2
    assert list(f.order) == order


def test_selections_are_put_back() -> None:
    before = dense_qr.needed, dense_qr.signed, dense_qr.passed_over, dependence.needed
    with selections_recorded():
        assert dense_qr.needed is SELECTIONS["needed"][1]
        assert dependence.passed_over is SELECTIONS["passed_over"][1]
    assert (dense_qr.needed, dense_qr.signed, dense_qr.passed_over, dependence.needed) == before
