"""Rows of converged steps that are kept while the run itself is carried out: the same derivatives, bit by bit, as of a
run that is taken again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import moving, run_tape
from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.sensitivities import Sensitivities
from linkwork.derivatives.tangents_newton import NewtonTangents
from linkwork.errors import ConvergenceError
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import NotTracedError

PENDULUM, CRANK = "kissel2021_double_pendulum", "spatial_slider_crank_spring"
TO = {PENDULUM: ["bar 1.shape.size[0]", "elbow.point[1]", "gravity[2]"], CRANK: ["crank.mass", "spring.stiffness"]}
OF = {PENDULUM: "bar 2.acceleration", CRANK: "slider.position"}
WAYS = [
    (PENDULUM, "rA", "generalized-alpha"),
    (CRANK, "rA", "implicit-euler"),
    (CRANK, "lie-mixed", "generalized-alpha"),
]


@pytest.fixture(autouse=True)
def short_runs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tape, "LEAST", 10)
    RECORDS.forget()


def found(name: str, formulation: str, integrator: str, mode: str = "tangent", **more: Any) -> Sensitivities:
    of: Any = OF[name] if mode == "tangent" else {"end": lw.Final(OF[name]), "over": lw.Integral("kinetic_energy")}
    how: dict[str, Any] = {"of": of, "to": TO[name], "mode": mode, "digits": False, "every": 3, **more}
    return lw.sensitivities(lw.load(name), 0.1, 1e-3, formulation, integrator, **how)


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("every", [1, 3])
def test_derivatives_have_the_bits_of_a_run_that_is_taken_again(
    way: tuple[str, str, str], mode: str, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(moving, "worth", lambda run: False)
        wanted = found(*way, mode, every=every)
    monkeypatch.setattr(ConvergedSteps, "go_on", lambda *_: 1 / 0)
    kept = found(*way, mode, every=every)
    assert kept.way == wanted.way == "recorded steps"
    for name, array in wanted.derivatives.items():
        np.testing.assert_array_equal(kept.derivatives[name], array)
    run = lw.simulate(lw.load(way[0]), 0.1, 1e-3, *way[1:], every=every)
    for name in ("time", "position", "rotation", "velocity", "acceleration", "multiplier", "iterations"):
        np.testing.assert_array_equal(kept.result[name], run[name], err_msg=name)
    assert kept.result.info["iterations"] == run.info["iterations"]


@pytest.mark.parametrize("way", WAYS[:2])
@pytest.mark.parametrize("every", [1, 7])
def test_long_runs_are_reversed_part_by_part(
    way: tuple[str, str, str], every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts are begun again from what was kept on the way; the last one's rows are still there."""
    wanted, taken = found(*way, "adjoint", every=every), list[int]()
    keep, usual, row = run_tape.RunTape._keep, run_tape.RunTape.__init__, list[int]()

    def small(self: run_tape.RunTape, *how: Any) -> None:
        usual(self, *how)
        row.append(self.rows.shape[1])

    with monkeypatch.context() as patched:
        patched.setattr(run_tape.RunTape, "__init__", small)
        found(*way, "adjoint", every=every)
    monkeypatch.setattr(run_tape, "LARGEST", 33 * row[0])  # 32 steps
    monkeypatch.setattr(ConvergedSteps, "go_on", lambda *_: 1 / 0)
    monkeypatch.setattr("linkwork.run.chunks.Chunks.next", lambda chunks, left: min(left, 42))

    def counted(self: run_tape.RunTape, rows: Any, steps: int) -> Any:
        taken.append(steps)
        return keep(self, rows, steps)

    monkeypatch.setattr(run_tape.RunTape, "_keep", counted)
    kept = found(*way, "adjoint", every=every)
    assert taken == [4, 32, 6, 26, 16, 16, 32, 32, 4]  # the shortest first
    for name, array in wanted.derivatives.items():
        np.testing.assert_array_equal(kept.derivatives[name], array)
    run = lw.simulate(lw.load(way[0]), 0.1, 1e-3, *way[1:], every=every)
    for name in ("time", "position", "multiplier", "iterations"):
        np.testing.assert_array_equal(kept.result[name], run[name], err_msg=name)


def test_rows_go_on_from_chunk_to_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = found(*WAYS[0])
    monkeypatch.setattr("linkwork.run.chunks.Chunks.next", lambda chunks, left: min(left, 7))
    monkeypatch.setattr(ConvergedSteps, "go_on", lambda *_: 1 / 0)
    np.testing.assert_array_equal(found(*WAYS[0])[OF[PENDULUM]], wanted[OF[PENDULUM]])


def test_a_run_that_fails_says_so_as_ever() -> None:
    told = []
    for run in (lw.simulate, found_of_a_stiff_step):
        with pytest.raises(ConvergenceError) as error:
            run(lw.load(PENDULUM), 40.0, 1.0, "rA", "implicit-euler", max_iterations=3)
        told.append(str(error.value))
    assert told[0] == told[1]


def found_of_a_stiff_step(mech: lw.Mechanism, *how: Any, **more: Any) -> Any:
    return lw.sensitivities(mech, *how, of=OF[PENDULUM], to=TO[PENDULUM], **more)


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_a_record_of_another_run_is_made_again(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, usual, asked = found(*WAYS[0], mode), run_tape.RunTape.holds, []

    def strays(tape: run_tape.RunTape, moves: Any) -> bool:
        asked.append(len(RECORDS))
        if len(asked) == 1:
            raise NotTracedError("another course of the run,")
        return usual(tape, moves)

    monkeypatch.setattr(run_tape.RunTape, "holds", strays)
    again = found(*WAYS[0], mode)
    assert asked
    for name, array in wanted.derivatives.items():
        np.testing.assert_array_equal(again.derivatives[name], array)


def test_runs_whose_rows_would_be_many_or_few_are_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made, usual = [], NewtonTangents.__init__

    def told(self: NewtonTangents, prepared: Any, tangents: Any, tape: Any = None) -> None:
        made.append(tape)
        usual(self, prepared, tangents, tape)

    monkeypatch.setattr(NewtonTangents, "__init__", told)
    found(*WAYS[0])
    monkeypatch.setattr(run_tape, "LARGEST", 1000)
    found(*WAYS[0])
    monkeypatch.setattr(run_tape, "LEAST", 1000)
    found(*WAYS[0])
    assert [tape is not None for tape in made] == [True, False, False]
