"""Runs of a compiled model in one call: results are their own, however many runs follow, in whichever thread."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError, StartStateError
from linkwork.integrators.contract import Run
from linkwork.mechanism.variants import variant
from linkwork.run.later import LaterResult
from linkwork.run.lengths import Lengths
from linkwork.run.row_codes import SEVERAL

SPAN = 0.01, 1e-3
PIN = "crank pin.on_first.point.y"
OTHERS = [{}, {"crank.mass": 0.9}, {PIN: 0.0805}, {PIN: 0.0795, "slider.mass": 1.2}]
METHODS = [
    ("rA", None),
    ("canonical", "rk4"),
    ("articulated-body", None),
    ("rp", "implicit-euler"),
    ("augmented", None),
]


def same(one: lw.Result, other: lw.Result) -> None:
    assert one.variables == other.variables
    for name in one.variables:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
        assert one[name].dtype == other[name].dtype
    left_out = {"wall_time", "run_seconds", "processor_seconds"}
    assert {k: v for k, v in one.info.items() if k not in left_out} == {
        k: v for k, v in other.info.items() if k not in left_out
    }
    assert (one.success, one.message, one.messages) == (other.success, other.message, other.messages)


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_results_are_those_of_simulate_after_many_other_runs(formulation: str, integrator: str | None) -> None:
    crank, how = lw.load("kissel2021_slider_crank"), {"formulation": formulation, "integrator": integrator}
    model = lw.compile(crank, **how, accept_changes=True)
    kept = [(given, model.run(*SPAN, parameters=given)) for _ in range(25) for given in OTHERS]
    read = [one["position"].copy() for _, one in kept[:20]]  # the rest is not looked at before the runs that follow
    for k in range(100):
        model.run(*SPAN, parameters={"crank.mass": 1.0 + 0.01 * k} if k % 2 else {PIN: 0.08 + 1e-5 * k})
    assert all(isinstance(one, LaterResult) and one.unfinished for _, one in kept)
    for position, (_, one) in zip(read, kept, strict=False):
        np.testing.assert_array_equal(one["position"], position)
    for k, given in enumerate(OTHERS):
        wanted = lw.simulate(variant(crank, given), *SPAN, **how, accept_changes=True)
        for _, one in kept[k::40]:
            same(one, wanted)


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_lengths_are_written_where_a_run_has_them(
    formulation: str, integrator: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    crank, how = lw.load("kissel2021_slider_crank"), {"formulation": formulation, "integrator": integrator}
    model = lw.compile(crank, **how, accept_changes=True)
    for k in range(SEVERAL + 2):
        model.run(*SPAN, parameters={PIN: 0.08 + 1e-5 * k})
    with monkeypatch.context() as patched:
        patched.setattr(Lengths, "start", None)  # no tables of their own
        found = [model.run(*SPAN, parameters={PIN: 0.08 + 1e-4 * k}) for k in range(4)]
        model.run(*SPAN, parameters={PIN: 0.0791})
    others = model.run(*SPAN, parameters={"crank pin.on_second.point.y": -0.151})  # of other names, in the same memory
    found += [model.run(*SPAN, parameters={PIN: 0.08 + 1e-4 * k}) for k in range(4)]
    same(
        others, lw.simulate(variant(crank, {"crank pin.on_second.point.y": -0.151}), *SPAN, **how, accept_changes=True)
    )
    for k, one in enumerate(found):
        same(one, lw.simulate(variant(crank, {PIN: 0.08 + 1e-4 * (k % 4)}), *SPAN, **how, accept_changes=True))


def test_lengths_that_move_what_is_stated_are_refused_as_before() -> None:
    crank = lw.load("kissel2021_slider_crank")
    model, refused = lw.compile(crank, "rA"), set()
    for _ in range(SEVERAL + 4):
        with pytest.raises(StartStateError) as error:
            model.run(*SPAN, parameters={PIN: 0.0805})
        refused.add(str(error.value))
    assert len(refused) == 1


@pytest.mark.parametrize("mass", [-0.12, -1e-200, 1e-200, 1e200])
def test_masses_that_a_description_refuses_are_not_written(mass: float) -> None:
    crank = lw.load("kissel2021_slider_crank")
    model = lw.compile(crank, "rA")
    model.run(*SPAN, parameters={"crank.mass": 0.13})
    with pytest.raises(ModelError) as wanted:
        variant(crank, {"crank.mass": mass})
    with pytest.raises(ModelError) as error:
        model.run(*SPAN, parameters={"crank.mass": mass})
    assert str(error.value) == str(wanted.value)


def test_two_threads_run_one_model() -> None:
    crank = lw.load("kissel2021_slider_crank")
    model = lw.compile(crank, "rA", accept_changes=True)
    wanted = [model.run(*SPAN, parameters=given)["multiplier"].copy() for given in OTHERS]

    def some(first: int) -> list[tuple[int, lw.Result]]:
        order = [(first + k) % len(OTHERS) for k in range(60)]
        return [(k, model.run(*SPAN, parameters=OTHERS[k])) for k in order]

    with ThreadPoolExecutor(2) as pool:
        for k, one in [pair for found in pool.map(some, (0, 1)) for pair in found]:
            np.testing.assert_array_equal(one["multiplier"], wanted[k])


@pytest.mark.parametrize("every", [1, 3, 7, 40])
@pytest.mark.parametrize("formulation", ["rA", "canonical"])
def test_one_call_records_what_calls_of_a_few_steps_do(
    every: int, formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crank = lw.load("kissel2021_slider_crank")
    model = lw.compile(crank, formulation, every=every)
    at_once = model.run(0.03, 1e-3)
    model.set_up(0.03, 1e-3).chunk.steps = 4
    same(at_once, model.run(0.03, 1e-3))
    monkeypatch.setattr(Run, "in_one_call", lambda self: None)  # a run of another package
    same(at_once, lw.compile(crank, formulation, every=every).run(0.03, 1e-3))


def test_starts_of_large_numbers_are_finite(monkeypatch: pytest.MonkeyPatch) -> None:
    held = lw.compile(lw.load("kissel2021_slider_crank"), "rA").set_up(*SPAN).borrow()
    z = held.again().problem.work.z
    for call in (held.one_call, None):
        monkeypatch.setattr(held, "one_call", call)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for value, finite in ((1e300, True), (np.inf, False), (-np.inf, False), (np.nan, False)):
                z[:] = value  # squares of the first are beyond all numbers
                assert held.finite == finite
