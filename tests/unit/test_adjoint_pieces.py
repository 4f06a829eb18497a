"""Adjoints of implicit runs by pieces of few shapes: those of straight-line code, of chains and of closed loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import adjoint_pieces, run_tape, steps_in_pieces
from linkwork.derivatives.adjoint_newton import ReversedSteps
from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.sensitivities import Sensitivities
from linkwork.errors import UsageError
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.newton_shapes_code import NewtonShapesCode
from linkwork.lanes.traced.tangent_steps import TangentRecorder

TO = ["bar 0.mass", "bar 1.inertia[0]", "coil 1.stiffness", "coil 0.length", "bar 0.velocity.x", "gravity.z"]
POSES = {"position": lw.Final("position"), "velocity": lw.Integral(lambda res: res["velocity"].sum(axis=(1, 2)))}
WITH_REACTIONS = {**POSES, "multiplier": lw.Integral(lambda res: res["multiplier"][:, ::3].sum(axis=1))}
ALL, NONE = 1, 10**9  # least unknowns of runs that go by pieces


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    RECORDS.forget()
    yield
    RECORDS.forget()


def chain(bodies: int = 3, mass: float = 0.8) -> lw.Mechanism:
    """Bars on springs, hinged in several directions, the first on a slider."""
    mech = lw.Mechanism("chain on springs")
    for k in range(bodies):
        moves = {"velocity": [0.2, 0.0, 0.0]} if k == 0 else {}
        inertia, position = [0.02, 0.03, 0.01], [0.3 * k + 0.15, 0.0, 0.0]
        mech.body(f"bar {k}", mass=mass if k == 0 else 0.8, inertia=inertia, position=position, **moves)
        at, before = [0.3 * k, 0.0, 0.0], "ground" if k == 0 else f"bar {k - 1}"
        kind, axis = ("prismatic", [1, 0, 0]) if k == 0 else ("revolute", [0, 1, 0] if k % 2 else [0, 0.6, 0.8])
        mech.joint(f"joint {k}", kind, before, f"bar {k}", point=at, axis=axis)
        ends = {"on_first": {"point": [0.3 * k, 0.1, 0.4]}, "on_second": {"point": [0.05, 0.01, 0.02]}}
        mech.force(
            f"coil {k}", "spring", first="ground", second=f"bar {k}", stiffness=60.0, damping=0.4, length=0.3, **ends
        )
    return mech


def ladder(rungs: int, kind: str) -> lw.Mechanism:
    """Two rails of hinged bars, and rungs between them: a closed loop with each."""
    mech = lw.Mechanism("ladder")
    axis: dict[str, Any] = {} if kind == "spherical" else {"axis": [0, 1, 0]}
    for k in range(rungs):
        for rail, x in (("left", 0.0), ("right", 0.3)):
            mech.body(f"{rail} {k}", mass=0.5, inertia=[2e-3, 2e-3, 1e-3], position=[x, 0, -0.2 * k - 0.1])
            before = "ground" if k == 0 else f"{rail} {k - 1}"
            mech.joint(f"{rail} hinge {k}", "revolute", before, f"{rail} {k}", point=[x, 0, -0.2 * k], axis=[0, 1, 0])
        mech.body(f"rung {k}", mass=0.3, inertia=[1e-3, 2e-3, 2e-3], position=[0.15, 0, -0.2 * k - 0.12])
        for rail, x in (("left", 0.0), ("right", 0.3)):
            mech.joint(f"{rail} end {k}", kind, f"{rail} {k}", f"rung {k}", point=[x, 0, -0.2 * k - 0.12], **axis)
        ends = {"on_first": {"point": [0.5, 0.1, -0.2 * k]}, "on_second": {"point": [0.05, 0.0, 0.02]}}
        mech.force(f"coil {k}", "spring", first="ground", second=f"rung {k}", stiffness=40.0, length=0.2, **ends)
    return mech


def adjoint(
    patch: pytest.MonkeyPatch, least: int, mech: lw.Mechanism, *way: str, of: Any = WITH_REACTIONS, **more: Any
) -> Sensitivities:
    patch.setattr(steps_in_pieces, "LEAST", least)
    how: dict[str, Any] = {"t_end": 0.1, "step": 0.01, "every": 2, "to": TO, "digits": False, **more}
    t_end, step = how.pop("t_end"), how.pop("step")
    return lw.sensitivities(mech, t_end, step, *way, of=of, mode="adjoint", **how)


def need_same(found: Sensitivities, wanted: Sensitivities, apart: float = 2e-13) -> None:
    assert found.way == wanted.way == "recorded steps"
    for name, array in wanted.derivatives.items():
        assert np.max(np.abs(found.derivatives[name] - array)) <= apart * np.max(np.abs(array)), name


@pytest.mark.parametrize(
    "way",
    [
        ("rA", "generalized-alpha"),
        ("rA", "implicit-euler"),
        ("lie-mixed", "generalized-alpha"),
        ("rp", "generalized-alpha"),
    ],
)
def test_pieces_come_to_what_straight_line_code_does(way: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    lw.simulate(chain(), 0.1, 0.01, *way)  # kernels are compiled now
    taken = list[NewtonShapesCode]()
    backward = NewtonShapesCode.backward
    monkeypatch.setattr(NewtonShapesCode, "backward", lambda self, *how: taken.append(self) or backward(self, *how))
    with monkeypatch.context() as patched:
        patched.setattr("linkwork.problems.linear.refactor", lambda *_: 1 / 0)  # no factor is recorded
        found = adjoint(monkeypatch, ALL, chain(), *way)
    assert [one.lanes for one in taken] == [4, 4, 4]  # 11 numbers, four at once
    need_same(found, adjoint(monkeypatch, NONE, chain(), *way))
    run = lw.simulate(chain(), 0.1, 0.01, *way, every=2)
    for name in ("time", "position", "velocity", "acceleration", "multiplier"):
        np.testing.assert_array_equal(found.result[name], run[name])


def test_parts_rows_of_the_run_itself_and_later_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    way, of = ("rA", "generalized-alpha"), {"end": lw.Final(lambda res: res["position"][:, -1, 2])}
    wanted = adjoint(monkeypatch, ALL, chain(), *way, of=of)
    monkeypatch.setattr(TangentRecorder, "record", lambda *_: 1 / 0)  # nothing is recorded again
    short = ReversedSteps.__init__
    with monkeypatch.context() as patched:
        patched.setattr(
            ReversedSteps, "__init__", lambda self, steps, moving, part, tape: short(self, steps, moving, 3, tape)
        )
        np.testing.assert_array_equal(adjoint(monkeypatch, ALL, chain(), *way, of=of)["end"], wanted["end"])
    with monkeypatch.context() as patched:
        patched.setattr(run_tape, "LEAST", 1)
        patched.setattr(ConvergedSteps, "go_on", lambda *_: 1 / 0)
        np.testing.assert_array_equal(adjoint(monkeypatch, ALL, chain(), *way, of=of)["end"], wanted["end"])
    heavier = adjoint(monkeypatch, ALL, chain(mass=0.9), *way, of=of)  # what is differentiated by is no constant
    monkeypatch.undo()
    RECORDS.forget()
    need_same(heavier, adjoint(monkeypatch, NONE, chain(mass=0.9), *way, of=of))


def test_samples_of_index_1_equations(monkeypatch: pytest.MonkeyPatch) -> None:
    how: dict[str, Any] = {"t_end": 6e-5, "step": 1e-5}
    found = adjoint(monkeypatch, ALL, chain(2), "rA", "implicit-euler", to=TO[:2], **how)
    need_same(found, adjoint(monkeypatch, NONE, chain(2), "rA", "implicit-euler", to=TO[:2], **how), 1e-12)


@pytest.mark.parametrize("kind", ["spherical", "revolute"])
def test_closed_loops(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hinges alone leave rows that depend on others: searched sparsely, as those of large mechanisms."""
    monkeypatch.setattr("linkwork.problems.dependent.LARGEST_DENSE", 1)
    mech, to = ladder(2, kind), ["left 0.mass", "rung 1.mass", "coil 0.stiffness"]
    found = adjoint(monkeypatch, ALL, mech, "rA", "generalized-alpha", of=POSES, to=to)
    need_same(found, adjoint(monkeypatch, NONE, mech, "rA", "generalized-alpha", of=POSES, to=to))
    if kind == "revolute":
        with pytest.raises(UsageError, match="searched sparsely"):
            adjoint(monkeypatch, ALL, mech, "rA", "generalized-alpha", to=to)


def test_corrections_that_do_not_settle_are_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjoint_pieces.NewtonShapesCode, "backward", lambda *_: 1)
    with pytest.raises(UsageError, match="do not settle"):
        adjoint(monkeypatch, ALL, chain(2), "rA", "implicit-euler", of={"end": lw.Final("bar 1.position.z")})


def test_a_start_that_comes_to_something_else_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    start = NewtonShapesCode.start
    monkeypatch.setattr(NewtonShapesCode, "start", lambda self, first, t: (0, 1.01 * start(self, first, t)[1]))
    with pytest.raises(UsageError, match="another course of the start"):
        adjoint(monkeypatch, ALL, chain(2), "rA", "implicit-euler", of={"end": lw.Final("bar 1.position.z")})


def test_a_chunk_without_a_sample_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of many bodies are carried out in chunks that may be shorter than from sample to sample."""
    monkeypatch.setattr(run_tape, "LEAST", 1)
    monkeypatch.setattr("linkwork.run.chunks.Chunks.next", lambda chunks, left: min(left, 3))
    found = adjoint(
        monkeypatch, NONE, chain(2), "rA", "implicit-euler", of={"end": lw.Final("bar 1.position.z")}, every=10
    )
    assert np.isfinite(found["end"]).all()
    assert np.any(found["end"] != 0.0)


def test_w_begins_with_its_differences_at_the_steps_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a smooth run all of them are used, and each is much smaller than the one before: one correction is left."""
    kept = list[Any]()
    backward = NewtonShapesCode.backward

    def watched(self: NewtonShapesCode, tape: Any, bar: Any, *how: Any) -> int:
        left = backward(self, tape, bar, *how)
        n, room = len(self.layout.corrections), len(self._all)
        kept.append((bar[room:-1, 0].copy(), bar[-1].view(np.int64)[0], n))
        return left

    monkeypatch.setattr(NewtonShapesCode, "backward", watched)
    how: dict[str, Any] = {"t_end": 0.05, "step": 1e-3, "every": 50, "of": {"end": lw.Final("bar 2.position.z")}}
    way = ("rA", "generalized-alpha")
    found = adjoint(monkeypatch, ALL, chain(), *way, **how)
    (rest, known, n), *others = kept
    assert not others
    w, differences = rest[:n], rest[n:].reshape(n, -1)
    assert known == differences.shape[1] == 6
    np.testing.assert_array_equal(differences[:, 0], w)
    sizes = np.max(np.abs(differences), axis=0)
    assert np.all(sizes[1:4] < 0.2 * sizes[:3])
    assert sizes[5] < 1e-4 * sizes[0]
    need_same(found, adjoint(monkeypatch, NONE, chain(), *way, **how))


def test_w_that_begins_no_better_than_nothing_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of each fourth step that change their sign are no polynomial."""
    known = list[int]()
    backward = NewtonShapesCode.backward

    def watched(self: NewtonShapesCode, tape: Any, bar: Any, *how: Any) -> int:
        left = backward(self, tape, bar, *how)
        known.append(int(bar[-1].view(np.int64)[0]))
        return left

    monkeypatch.setattr(NewtonShapesCode, "backward", watched)
    sides = {"end": lw.Integral(lambda res: res["position"][:, 1, 2] * np.cos(np.pi * res.time / 4e-3) * 1e6)}
    how: dict[str, Any] = {"t_end": 0.045, "step": 1e-3, "every": 4, "of": sides, "to": TO[:3]}
    found = adjoint(monkeypatch, ALL, chain(), "rA", "generalized-alpha", **how)
    assert known
    assert known[-1] < 6
    need_same(found, adjoint(monkeypatch, NONE, chain(), "rA", "generalized-alpha", **how))
