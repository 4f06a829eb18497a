"""Reverses of recorded steps: equal to the tangents, operation by operation, and what they leave to others."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np
import pytest
from unit.operations import OPERATIONS

import linkwork as lw
from linkwork.derivatives import adjoint_traced, states_tape, traced
from linkwork.derivatives.adjoint_traced import TracedAdjoint, that_follow
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.memory_tape import MemoryTape
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.kernels.sincos import FAR
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import declarations
from linkwork.lanes.traced.numbers import Graph, NotTracedError, key_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse import ReverseText
from linkwork.lanes.traced.shapes_code import ShapesCode
from linkwork.studies.generated import chain

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


def bars_on_springs(count: int) -> lw.Mechanism:
    mech = lw.Mechanism.from_dict(chain(count).to_dict())
    place = {one["name"]: np.array(one["position"]) for one in mech.to_dict()["bodies"]} | {"ground": np.zeros(3)}
    for k in range(count):
        first, second = "ground" if k == 0 else f"bar {k}", f"bar {k + 1}"
        ends = {"point": list(place[first] + [0, 0.05, 0.02]), "point2": list(place[second] + [0, 0.04, -0.03])}
        mech.force(
            f"spring {k + 1}", "spring", first=first, second=second, **ends, stiffness=20, damping=0.3, length=0.2
        )
    return mech


def test_steps_of_many_bodies_go_by_pieces_of_few_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five functions, four at once, and parts of three steps, two and a last one."""
    mech, to = bars_on_springs(7), ["bar 3.mass", "bar 7.inertia[1]", "spring 6.stiffness", "gravity[0]"]
    moving = Moving(carried_out(mech, 0.08, 1e-2, "canonical", "rk4", None, {"every": 2}), numbers_of(mech, to))
    nominal, moves, kept = moving.nominal, np.any(moving.starts != 0.0, axis=1), list[ShapesCode]()

    def code(*about: Any) -> ShapesCode:
        kept.append(ShapesCode(*about))
        return kept[-1]

    monkeypatch.setattr("linkwork.lanes.traced.reversible.ShapesCode", code)
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves, 3, nominal.alone)
    rng, of_all = np.random.default_rng(7), moving.samples
    seeds = {name: rng.normal(size=(5, *of_all[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    wanted = sum(np.tensordot(seeds[n].reshape(5, -1), of_all[n][..., 1:].reshape(-1, len(to)), 1) for n in SAMPLED)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))
    assert len(run.recorded.step) == 8
    assert 3 * len(kept[0].layout.words) < 2 * kept[0].layout.pieces
    assert kept[0].kept == 6 * 7, "coordinates, momenta, and what the method keeps of both"


def test_what_follows_from_numbers_is_seen_in_memory_of_its_own() -> None:
    moving = moving_of("canonical", "rk4")
    nominal, moves = moving.nominal, np.any(moving.starts != 0.0, axis=1)
    before = nominal.prepared(nominal.ready.compiled, 0).reals.values
    seen = that_follow(nominal.alone, moves)
    assert np.array_equal(nominal.prepared(nominal.ready.compiled, 0).reals.values, before, equal_nan=True)
    plain, looked = (
        TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves, None, alone)
        for alone in (None, nominal.alone)
    )
    assert seen
    assert plain.recorded.carried == looked.recorded.carried
    assert plain.recorded.functions[0].found == looked.recorded.functions[0].found


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
        def __init__(self, *about: Any, **further: Any) -> None:
            super().__init__(*about, **further)
            taken.append(self)

    monkeypatch.setattr("linkwork.derivatives.moving.TracedAdjoint", Told)
    assert not taken
    monkeypatch.setattr(traced, "WORTH", 40)  # evaluations: ten steps of four stages
    many = lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 1
    for name in how["of"]:
        assert np.max(np.abs(many[name] - few[name])) <= 1e-12 * np.max(np.abs(few[name]))
    monkeypatch.setattr(traced, "WORTH", 41)
    lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 1
    monkeypatch.setattr(traced, "MANY", 2)  # bodies
    monkeypatch.setattr(traced, "WORTH_OF_MANY", 40)
    lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 2
    monkeypatch.setattr(traced, "WORTH_OF_MANY", 41)
    monkeypatch.setattr(traced, "FEW", 2)
    lw.sensitivities(lw.load(PENDULUM), **how)
    assert len(taken) == 3


@pytest.mark.parametrize(("rows", "places", "parts"), [(10**6, 1, 1), (1, 2**22, 3), (1, 10**4, 2)])
def test_states_are_kept_while_the_run_is_carried_out(
    monkeypatch: pytest.MonkeyPatch, rows: int, places: int, parts: int
) -> None:
    """Before each step, or at distances, from which four go on at once; what comes of it is the tangent, and the run
    has the bits of `simulate`."""
    monkeypatch.setattr(traced, "WORTH", 40)
    monkeypatch.setattr(states_tape, "LARGEST", rows)
    monkeypatch.setattr(states_tape, "PLACES", places)
    monkeypatch.setattr(adjoint_traced, "SHORT", 40)
    begun: list[int] = []
    at_once: list[int] = []
    forwards, several = TracedAdjoint._forwards, ShapesCode.advance_several

    def onwards(self: ShapesCode, tape: Any, cells: Any, steps: int, *where: Any) -> int:
        at_once.append(steps)
        return several(self, tape, cells, steps, *where)

    monkeypatch.setattr(ShapesCode, "advance_several", onwards)

    def told(self: TracedAdjoint, code: Any) -> Any:
        found = forwards(self, code)
        begun.append(len(found[0]))
        return found

    monkeypatch.setattr(TracedAdjoint, "_forwards", told)
    mech, to = bars_on_springs(7), ["bar 3.mass", "spring 6.stiffness", "bar 4.position[2]", "gravity[0]"]
    run: tuple[Any, ...] = (mech, 0.2, 5e-3, "canonical", "rk4")
    of = {"end": lw.Final("bar 7.position"), "work": lw.Integral("kinetic_energy")}
    tangent = lw.sensitivities(*run, of=of, to=to, every=4)
    assert not begun
    adjoint = lw.sensitivities(*run, of=of, to=to, every=4, mode="adjoint")
    assert begun == [parts]
    assert len(at_once) == (parts if parts > 1 else 0)
    assert adjoint.way == "recorded steps"
    for name in of:
        assert np.max(np.abs(adjoint[name] - tangent[name])) <= 1e-10 * np.max(np.abs(tangent[name]))
    for name in ("position", "velocity", "multiplier"):
        assert np.array_equal(adjoint.result[name], lw.simulate(*run, every=4)[name])


@pytest.mark.parametrize("rows", [10**6, 1])
def test_states_that_recorded_steps_do_not_come_to_are_not_taken(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(traced, "WORTH", 40)
    monkeypatch.setattr(states_tape, "LARGEST", rows)
    monkeypatch.setattr(adjoint_traced, "SHORT", 40)
    run: tuple[Any, ...] = (bars_on_springs(7), 0.2, 5e-3, "canonical", "rk4")
    how: dict[str, Any] = {"of": lw.Final("bar 7.position"), "to": ["bar 3.mass", "gravity[0]"], "mode": "adjoint"}
    found = lw.sensitivities(*run, **how)
    back, taken = states_tape.StatesTape.advance, list[int]()

    def off(self: states_tape.StatesTape, steps: int) -> Any:
        out = back(self, steps)
        for kept in [*self.begins[1:], *(() if self.rows is None else self.rows[1:])]:
            kept *= 1.0 + 1e-4 * len(taken)
            taken.append(1)
        return out

    monkeypatch.setattr(states_tape.StatesTape, "advance", off)
    other = lw.sensitivities(*run, **how)
    assert taken
    assert np.max(np.abs(other["final bar 7.position"] - found["final bar 7.position"])) <= 1e-10 * np.max(
        np.abs(found["final bar 7.position"])
    )


def of_crank(formulation: str) -> Moving:
    mech = lw.load("spatial_slider_crank_spring")
    numbers = numbers_of(mech, ["slider.mass", "spring.stiffness", "spring.on_first.point[0]"])
    return Moving(carried_out(mech, 0.1, 1e-2, formulation, "rk4", None, {}, numbers), numbers)


@pytest.mark.parametrize("formulation", ["canonical", "articulated-body", "null-space", "cut-joint"])
def test_the_adjoint_of_a_closed_loop(formulation: str) -> None:
    moving = of_crank(formulation)
    nominal, of_all = moving.nominal, moving.dual_samples()
    prepare, moves = partial(nominal.prepared, nominal.ready.compiled), np.any(moving.starts != 0.0, axis=1)
    run = TracedAdjoint(prepare, moves, 3, tape=nominal.tape if isinstance(nominal.tape, MemoryTape) else None)
    rng = np.random.default_rng(5)
    seeds = {name: rng.normal(size=(2, *of_all[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    wanted = sum(np.tensordot(seeds[n].reshape(2, -1), of_all[n][..., 1:].reshape(-1, 3), 1) for n in SAMPLED)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def test_a_course_that_is_left_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = moving_of("canonical", "rk4")
    nominal, moves = moving.nominal, np.any(moving.starts != 0.0, axis=1)
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves)
    told = run.samples()
    run.first[:] = np.nan
    with pytest.raises(NotTracedError, match="another course"):
        run.gradients({name: np.zeros((1, *told[name].shape)) for name in SAMPLED})


def leaves_its_course(run: TracedAdjoint, code: Any) -> bool:
    try:
        run._forwards(code)
    except NotTracedError as error:
        return "another course" in str(error)
    return False


def test_another_branch_is_another_course_though_all_numbers_are_finite() -> None:
    """A crank that begins half a radian on: pivots would be others, and what recorded ones come to is finite."""
    moving = of_crank("articulated-body")
    nominal, moves = moving.nominal, np.any(moving.starts != 0.0, axis=1)
    run = TracedAdjoint(partial(nominal.prepared, nominal.ready.compiled), moves)
    run.samples()
    first, left = run.first.copy(), 0
    with run.code(1) as code:
        for k in range(len(first)):
            run.first[:] = first
            run.first[k] += 0.5
            left += leaves_its_course(run, code)
    assert left >= 1, "by the angle of the crank"
