"""Tangents of recorded steps: those of dual numbers, values bit by bit those without, and what is left to others."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from unit.operations import OPERATIONS

import linkwork as lw
from linkwork.derivatives import tangents_traced
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.tangents_traced import TracedTangents
from linkwork.derivatives.traced import addresses_of
from linkwork.kernels.so3 import exp_so3, log_so3
from linkwork.lanes.traced.batch import TracedBatch
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.forward import ForwardText
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.machine_code import Text, declarations
from linkwork.lanes.traced.numbers import Graph, NotTracedError, key_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.lanes.traced.step import Recorder
from linkwork.studies.generated import chain

PENDULUM, CRANK = "kissel2021_double_pendulum", "spatial_slider_crank_spring"
ELEVEN = ["gravity", "bar 1.shape.size", "pivot.point", "bar 2.angular_velocity[0]", "bar 2.shape.size[1]"]
RUNS: list[Any] = [
    (PENDULUM, ELEVEN[:1], "canonical", "rk4", {}),
    (PENDULUM, ELEVEN, "canonical", "dop853", {"every": 3}),
    (PENDULUM, ["gravity[2]"], "articulated-body", "rk4", {}),
    (CRANK, ["slider.mass", "spring.stiffness", "connecting rod.inertia", "gravity"], "canonical", "rk4", {}),
    (CRANK, ["spring.on_first.point", "connecting rod.mass"], "articulated-body", "rk4", {"every": 5}),
    ("chain", ["bar 1.mass", "bar 7.mass", "gravity"], "canonical", "rk4", {}),
]


def moving_of(name: str, to: list[str], formulation: str, integrator: str, options: dict[str, Any]) -> Moving:
    mech = chain(7) if name == "chain" else lw.load(name)
    nominal = carried_out(mech, 0.15, 1e-2, formulation, integrator, None, options)
    return Moving(nominal, numbers_of(mech, to))


def recorded(moving: Moving) -> TracedTangents:
    return TracedTangents(moving.nominal.prepared(moving.nominal.ready.compiled, 0), moving.starts)


@pytest.mark.parametrize(("name", "to", "formulation", "integrator", "options"), RUNS)
def test_tangents_are_those_of_dual_numbers(
    name: str, to: list[str], formulation: str, integrator: str, options: dict[str, Any]
) -> None:
    moving = moving_of(name, to, formulation, integrator, options)
    found, wanted = recorded(moving).samples(), moving.dual_samples()
    assert found.keys() == wanted.keys()
    for of in ("motion", "multiplier", "extra", "time"):
        assert found[of].shape == wanted[of].shape
        for k in range(1 + moving.starts.shape[1]):
            size = np.max(np.abs(wanted[of][..., k]), initial=0.0)
            assert np.max(np.abs(found[of][..., k] - wanted[of][..., k]), initial=0.0) <= 2e-12 * size, (of, k)
    assert np.max(np.abs(found["motion"][..., 1:])) > 1e-3


@pytest.mark.parametrize("which", [0, 3, 5])
def test_values_are_those_without_tangents_bit_by_bit(which: int) -> None:
    moving = moving_of(*RUNS[which])
    prepared = moving.nominal.prepared(moving.nominal.ready.compiled, 0)
    of = Recorder(prepared.run).cells
    addresses = [x for x in addresses_of(prepared, np.any(moving.starts != 0.0, axis=1)) if of.cell(x) >= 0]
    batch = TracedBatch(prepared.run, addresses)
    batch.alter(np.zeros((0, len(addresses))))
    batch._begin[:] = batch._base[:, None]
    batch.begin(1)
    batch.find_slopes()
    first = batch.sample()["motion"]
    plain = np.concatenate([first, batch.advance(prepared.run.total)[1]["motion"]])
    assert batch.strays == ()
    # the same memory: cells are numbered by addresses, and which of two products a sum takes along goes by these
    assert np.array_equal(TracedTangents(prepared, moving.starts).samples()["motion"][..., 0], plain[..., 0])


def forward_by_code(f: Any, at: list[float]) -> tuple[float, np.ndarray]:
    """The value of f, and its derivatives by machine code along (1, 0), (0, 1), (1, 1), (2, -1), twice."""
    graph = Graph()
    out = f(*(graph.input(k, x) for k, x in enumerate(at)))
    recording = Recording(graph, {2: key_of(out)})
    places = {0: 0, 1: 1, 2: 2}
    moving = [frozenset(places), frozenset(places)]
    text = ForwardText(recording, 4, places, moving).function("f", {2: key_of(out)}, (), recording.live([key_of(out)]))
    engine = engine_of("\n".join([text, *declarations(4)]))
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, ctypes.c_double, ctypes.c_double)
    raw = np.zeros(3 * 3 * 4 + 8)
    cells = raw[(-raw.__array_interface__["data"][0] % 64) // 8 :][:36].reshape(3, 3, 4)
    cells[:2, 0] = np.array(at)[:, None]
    cells[0, 1:], cells[1, 1:] = [1.0, 0.0, 1.0, 2.0], [0.0, 1.0, 1.0, -1.0]
    kind(engine.get_function_address("f"))(cells.ctypes.data, 0, 0.0, 0.0)
    assert np.array_equal(cells[2, 1], cells[2, 2])
    return float(cells[2, 0, 0]), cells[2, 1].copy()


@pytest.mark.parametrize(("f", "by"), OPERATIONS)
def test_each_operation_forwards(f: Any, by: Any) -> None:
    _, found = forward_by_code(f, [0.7, 1.9])
    dx, dy = by(0.7, 1.9)
    assert np.max(np.abs(found - [dx, dy, dx + dy, 2.0 * dx - dy])) <= 5e-15 * max(abs(dx), abs(dy))


def test_rotation_vectors_of_recorded_rotations_have_no_branches() -> None:
    """Four rotations at once: near zero, beyond the series, beyond 120 degrees, each of them near another axis."""
    vectors = [(1e-3, 2e-3, -1e-3), (0.3, -0.9, 0.2), (0.1, 2.8, -0.3), (-2.9, 0.2, 0.4)]
    rotations = np.array([exp_so3(w) for w in vectors])
    graph = Graph()
    with selections_recorded():
        out = log_so3(tuple(graph.input(k, x) for k, x in enumerate(rotations[0].tolist())))
    assert graph.guards == {} or all(value is False for value in graph.guards.values())
    recording = Recording(graph, {}, tuple(map(key_of, out)))
    text = Text(recording, 4, {k: k for k in range(9)})
    function = text.function("rotation_vector", {}, recording.samples, recording.live(recording.samples))
    engine = engine_of("\n".join([function, *declarations(4)]))
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 2, ctypes.c_double, ctypes.c_double)
    raw = np.zeros(12 * 4 + 8)
    both = raw[(-raw.__array_interface__["data"][0] % 64) // 8 :][:48].reshape(12, 4)
    both[:9] = rotations.T
    strayed = kind(engine.get_function_address("rotation_vector"))(both.ctypes.data, both[9:].ctypes.data, 0.0, 0.0)
    assert strayed == 0
    assert np.max(np.abs(both[9:].T - vectors)) <= 1e-14


def test_a_course_that_is_left_goes_to_dual_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = moving_of(*RUNS[0])
    run = recorded(moving)
    run._base[:] = np.nan
    with pytest.raises(NotTracedError, match="another course"):
        run.samples()
    taken: list[int] = []

    def left(self: TracedTangents) -> Any:
        taken.append(1)
        raise NotTracedError("another course of the run")

    monkeypatch.setattr(tangents_traced.TracedTangents, "samples", left)
    RECORDS.forget()  # one that was kept would be made anew once
    assert np.array_equal(moving.samples["motion"], moving.dual_samples()["motion"])
    assert taken == [1]
