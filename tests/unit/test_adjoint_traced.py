"""Reverses of recorded steps: equal to the tangents, operation by operation, and what they leave to others."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np
import pytest
from unit.operations import OPERATIONS

import linkwork as lw
from linkwork.derivatives import traced
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.kernels.sincos import FAR
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.machine_code import declarations, engine_of
from linkwork.lanes.traced.numbers import Graph, NotTracedError, key_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.reverse_code import ReverseCode

PENDULUM = "kissel2021_double_pendulum"
TO = ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]"]
SAMPLED = ("motion", "multiplier", "extra")


def moving_of(formulation: str, integrator: str, **options: Any) -> Moving:
    mech = lw.load(PENDULUM)
    return Moving(carried_out(mech, 0.1, 1e-2, formulation, integrator, None, options), numbers_of(mech, TO))


@pytest.mark.parametrize(
    ("formulation", "integrator", "every", "part", "many"),
    [
        ("canonical", "rk4", 1, None, 1),
        ("canonical", "rk4", 1, 1, 3),
        ("canonical", "rk4", 5, 3, 5),
        ("canonical", "dop853", 2, 4, 2),
        ("articulated-body", "rk4", 1, 10, 1),
    ],
)
def test_the_adjoint_is_the_tangent(formulation: str, integrator: str, every: int, part: int | None, many: int) -> None:
    moving = moving_of(formulation, integrator, every=every)
    nominal, of_all = moving.nominal, moving.samples
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), np.any(moving.starts != 0.0, axis=1), part)
    told = run.samples()
    assert np.array_equal(told["motion"][..., :3], nominal.result["position"])
    assert len(told["time"]) == 1 + 10 // every
    rng = np.random.default_rng(many)
    seeds = {name: rng.normal(size=(many, *of_all[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    wanted = sum(
        np.tensordot(seeds[name].reshape(many, -1), of_all[name][..., 1:].reshape(-1, len(TO)), 1) for name in SAMPLED
    )
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def parts_of(run: TracedAdjoint) -> int:
    return len(run.recorded.step)


def test_a_step_in_several_parts() -> None:
    """Seven bodies: increments, slopes and the end of a step are functions of their own."""
    from linkwork.studies.generated import chain

    mech = chain(7)
    nominal = carried_out(mech, 0.02, 1e-2, "canonical", "rk4", None, {})
    moving = Moving(nominal, numbers_of(mech, ["bar 1.mass", "bar 7.mass", "gravity[0]"]))
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), np.any(moving.starts != 0.0, axis=1), 1)
    assert parts_of(run) == 8
    rng = np.random.default_rng(7)
    seeds = {name: rng.normal(size=(1, *moving.samples[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[0, run.cell_of] @ moving.starts
    wanted = sum(np.tensordot(seeds[name][0], moving.samples[name][..., 1:], seeds[name][0].ndim) for name in SAMPLED)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def reversed_by_code(f: Any, at: list[float], lanes: int) -> np.ndarray:
    """(lanes, n) the derivatives of f times 1, 2, ... by machine code."""
    graph = Graph()
    out = f(*(graph.input(k, x) for k, x in enumerate(at)))
    recording = Recording(graph, {0: key_of(out)})
    text = ReverseText(recording, {k: k for k in range(len(at))}, lanes)
    wide = f"<{lanes} x double>"
    more = [] if lanes == 1 else [f"declare {wide} @llvm.fmuladd.v{lanes}f64({wide}, {wide}, {wide})"]
    engine = engine_of("\n".join([text.backward("back", {0: key_of(out)}, ()), *declarations(1), *more]))
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_double)
    cells, bars = np.array(at), np.zeros((len(at), lanes))
    bars[0] = 1.0 + np.arange(lanes)
    kind(engine.get_function_address("back"))(cells.ctypes.data, bars.ctypes.data, 0, 0.0, 0.0)
    return bars.T


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize(
    ("f", "by"),
    OPERATIONS,
)
def test_each_operation_backwards(f: Any, by: Any, lanes: int) -> None:
    x, y = 0.7, 1.9
    found, wanted = reversed_by_code(f, [x, y], lanes), np.array(by(x, y))
    for k in range(lanes):
        assert np.max(np.abs(found[k] - (1 + k) * wanted)) <= 2e-15 * (1 + k) * np.max(np.abs(wanted))
    assert FAR > 9.0


def test_what_hangs_on_equality_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from linkwork.lanes.traced.derivatives import need_smooth

    def recorded(branch: Any) -> Any:
        graph = Graph()
        assert branch(graph.input(0, 2.0)) in (True, False)
        one = Recording(graph, {})
        return SimpleNamespace(start=one, sample=Recording(Graph(), {}), functions=())

    need_smooth(recorded(lambda x: bool(x > 1.0)), {0})
    need_smooth(recorded(lambda x: bool(x == 1.0)), {0})
    need_smooth(recorded(lambda x: bool(x - x == 0.0)), {0})  # whether x is finite
    need_smooth(recorded(lambda x: bool(x == 2.0)), {1})  # it does not move
    for branch in (lambda x: bool(x == 2.0), lambda x: bool(x != 2.0), lambda x: bool((x > 1.0) & (x == 2.0))):
        with pytest.raises(NotTracedError, match="equality"):
            need_smooth(recorded(branch), {0})


def test_long_runs_take_it_and_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    how: dict[str, Any] = {"t_end": 0.1, "step": 1e-2, "formulation": "canonical", "integrator": "rk4"}
    how |= {"of": {"place": lw.Final("bar 2.position"), "force": lw.Integral("pivot.force")}, "to": TO}
    how["mode"] = "adjoint"
    monkeypatch.setattr(traced, "FEW", 1)
    few = lw.sensitivities(lw.load(PENDULUM), **how)
    taken: list[TracedAdjoint] = []

    class Told(TracedAdjoint):
        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            taken.append(self)

    monkeypatch.setattr("linkwork.derivatives.adjoint.TracedAdjoint", Told)
    assert not taken
    monkeypatch.setattr(traced, "WORTH", 40)  # evaluations: ten steps of four stages
    many = lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 1
    for name in how["of"]:
        assert np.max(np.abs(many[name] - few[name])) <= 1e-12 * np.max(np.abs(few[name]))
    monkeypatch.setattr(traced, "WORTH", 41)
    lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 1
    monkeypatch.setattr(traced, "FEW", 2)  # bodies
    lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 2


def of_crank(formulation: str) -> Moving:
    nominal = carried_out(lw.load("spatial_slider_crank_spring"), 0.1, 1e-2, formulation, "rk4", None, {})
    return Moving(
        nominal, numbers_of(nominal.mechanism, ["slider.mass", "spring.stiffness", "spring.on_first.point[0]"])
    )


@pytest.mark.parametrize("formulation", ["canonical", "articulated-body"])
def test_the_adjoint_of_a_closed_loop(formulation: str) -> None:
    moving = of_crank(formulation)
    nominal, of_all = moving.nominal, moving.dual_samples()
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), np.any(moving.starts != 0.0, axis=1), 3)
    rng = np.random.default_rng(5)
    seeds = {name: rng.normal(size=(2, *of_all[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    wanted = sum(np.tensordot(seeds[n].reshape(2, -1), of_all[n][..., 1:].reshape(-1, 3), 1) for n in SAMPLED)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def test_a_loop_whose_course_hangs_on_equality_is_left_to_others() -> None:
    moving = of_crank("null-space")
    nominal = moving.nominal
    with pytest.raises(NotTracedError, match="hangs on equality"):
        TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), np.any(moving.starts != 0.0, axis=1))


def test_a_course_that_is_left_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = moving_of("canonical", "rk4")
    nominal, moves = moving.nominal, np.any(moving.starts != 0.0, axis=1)
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves)
    told = run.samples()
    run.first[:] = np.nan
    with pytest.raises(NotTracedError, match="another course"):
        run.gradients({name: np.zeros((1, *told[name].shape)) for name in SAMPLED})


def leaves_its_course(run: TracedAdjoint, code: ReverseCode) -> bool:
    try:
        run._forwards(code, aligned(run.size))
    except NotTracedError as error:
        return "another course" in str(error)
    return False


def test_another_branch_is_another_course_though_all_numbers_are_finite() -> None:
    """A crank that begins half a radian on: pivots would be others, and what recorded ones come to is finite."""
    moving = of_crank("articulated-body")
    nominal, moves = moving.nominal, np.any(moving.starts != 0.0, axis=1)
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves)
    run.samples()
    code, first, left = ReverseCode(run.recorded, 1), run.first.copy(), 0
    for k in range(len(first)):
        run.first[:] = first
        run.first[k] += 0.5
        left += leaves_its_course(run, code)
    assert left >= 1, "by the angle of the crank"
