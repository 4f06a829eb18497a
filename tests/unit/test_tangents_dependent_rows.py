"""Tangents of implicit runs with rows that depend on others: those of complex steps through the same map, multipliers
that share reactions included."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from unit.complex_runs import ComplexRun, keep_small, settle_newton

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.tangents_newton import NewtonTangents
from linkwork.integrators.implicit_kernels import ADVANCE
from linkwork.integrators.scheme import NEXT_Y
from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS
from linkwork.lanes.traced import shared_reactions

STEPS, SIZE = 4, 5e-2
ACROSS = (0.0, 3.0, -9.81)  # m/s^2: what pushes along the pins, rows share


def parallelogram() -> lw.Mechanism:
    """A bar on two parallel cranks, pins across a plane: three rows more than it needs."""
    mech, feet = lw.Mechanism("parallelogram", gravity=ACROSS), (0.0, 1.0)
    for k, x in enumerate(feet):
        moves: dict[str, Any] = {"angular_velocity": [0.0, 1.0, 0.0], "velocity": [0.5, 0.0, 0.0]}
        mech.body(f"crank {k}", mass=1.0 + k, inertia=[0.1, 0.1, 0.1], position=[x, 0.0, 0.5], **moves)
        mech.joint(f"foot {k}", "revolute", "ground", f"crank {k}", point=[x, 0.0, 0.0], axis=[0, 1, 0])
    mech.body("bar", mass=2.0, inertia=[0.2, 0.5, 0.4], position=[0.5, 0.0, 1.0], velocity=[1.0, 0.0, 0.0])
    for k, x in enumerate(feet):
        mech.joint(f"head {k}", "revolute", f"crank {k}", "bar", point=[x, 0.0, 1.0], axis=[0, 1, 0])
    return mech


def slider_crank() -> lw.Mechanism:
    """In a plane, its joints in space: three rows more than it needs."""
    crank, rod, angle, rate = 0.3, 0.8, 0.7, 2.0

    def turned(by: float) -> list[list[float]]:
        return [[math.cos(by), 0.0, math.sin(by)], [0.0, 1.0, 0.0], [-math.sin(by), 0.0, math.cos(by)]]

    pin = np.array([crank * math.cos(angle), 0.0, -crank * math.sin(angle)])
    wrist = np.array([pin[0] + math.sqrt(rod**2 - pin[2] ** 2), 0.0, 0.0])
    of_pin = np.cross([0.0, rate, 0.0], pin)
    along = wrist - pin
    of_rod = float(of_pin[2] / along[0])
    of_wrist = of_pin + np.cross([0.0, of_rod, 0.0], along)
    mech = lw.Mechanism("slider crank in a plane", gravity=ACROSS)
    places: list[tuple[str, float, Any, Any, float, float]] = [
        ("crank", 1.0, pin / 2, of_pin / 2, angle, rate),
        ("rod", 0.7, (pin + wrist) / 2, (of_pin + of_wrist) / 2, math.asin(pin[2] / rod), of_rod),
        ("slider", 1.5, wrist, of_wrist, 0.0, 0.0),
    ]
    for name, mass, at, v, by, w in places:
        moves: dict[str, Any] = {"velocity": v, "angular_velocity": [0.0, w, 0.0]}
        mech.body(name, mass=mass, inertia=[0.02, 0.04, 0.03], position=at, rotation=turned(by), **moves)
    mech.joint("pivot", "revolute", "ground", "crank", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("pin", "revolute", "crank", "rod", point=pin.tolist(), axis=[0, 1, 0])
    mech.joint("wrist", "revolute", "rod", "slider", point=wrist.tolist(), axis=[0, 1, 0])
    mech.joint("guide", "prismatic", "ground", "slider", point=[0, 0, 0], axis=[1, 0, 0])
    return mech


PARALLELOGRAM = (parallelogram, ["crank 1.mass", "foot 1.point[1]"])
CRANK = (slider_crank, ["rod.inertia[1]", "pivot.point[1]"])
Case = tuple[Callable[[], lw.Mechanism], list[str]]


def moving_of(case: Case, formulation: str, integrator: str, steps: int = STEPS) -> Moving:
    mech, sharp = case[0](), {"tolerance": 1e-11}
    return Moving(
        carried_out(mech, steps * SIZE, SIZE, formulation, integrator, None, sharp), numbers_of(mech, case[1])
    )


def recorded(moving: Moving) -> dict[str, Any]:
    prepared = moving.nominal.prepared(moving.nominal.ready.compiled, 0)
    return NewtonTangents(prepared, moving.starts).samples()


@pytest.mark.parametrize(
    ("case", "formulation", "integrator"),
    [
        (PARALLELOGRAM, "rA", "implicit-euler"),
        (CRANK, "rA", "generalized-alpha"),
    ],
)
def test_tangents_are_those_of_complex_steps(
    case: Case, formulation: str, integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving = moving_of(case, formulation, integrator)
    found = recorded(moving)
    result = moving.nominal.result
    assert np.array_equal(found["motion"][..., :3, 0], result["position"])
    assert np.array_equal(found["multiplier"][..., 0], result["multiplier"])
    assert moving.nominal.session.run.problem.dependence.found.sizes[1] > 2
    keep_small(monkeypatch)
    settle_newton(monkeypatch)
    for k, name in enumerate(case[1]):
        prepared = moving.nominal.prepared(moving.nominal.ready.compiled)
        run = ComplexRun(prepared, moving.starts[:, k])
        assert run.call(SOLVE_ACCELERATIONS) == 0
        assert not prepared.run.perturbed or run.call(PERTURB) == 0
        assert run.call(ADVANCE, STEPS) == (0, STEPS)
        for of in ("motion", "multiplier"):
            wanted = run.imaginary(getattr(prepared.block, of))[:STEPS]
            off, size = np.max(np.abs(found[of][1:, ..., 1 + k] - wanted)), np.max(np.abs(wanted))
            # generalized-alpha divides rounding of positions by h^2; what moves along the pins moves nothing else
            bound = 1e-11 if integrator == "generalized-alpha" else 1e-12
            assert off <= bound * max(size, 1.0), (of, name, off, size)


def test_what_is_kept_of_a_step() -> None:
    """Pivots are whole numbers where reals are kept; the first steps are predicted from what there is."""
    run = carried_out(slider_crank(), SIZE, SIZE, "rA", "generalized-alpha", None, {}).session.run
    shared = shared_reactions.SharedReactions(run)
    kept = int(run.problem.dependence.found.sizes[0])
    assert shared.sizes == (kept, len(run.problem.dependence.found.keep) - kept)
    rows = np.zeros((4, 21))
    rows[:, :kept] = np.array([17 - k for k in range(kept)], dtype=np.int64).view(float)
    found = shared.columns_of(rows, 0)
    assert found[:, :18].sum() == 4 * kept
    assert found[:, 17 - kept : 18].tolist() == [[0.0] + [1.0] * kept] * 4
    first, second, third, later = [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0]
    assert found[:, 18:].tolist() == [first, second, third, later]
    assert shared.columns_of(rows, 1)[:, 18:].tolist() == [second, third, later, later]
    run.run.scheme[NEXT_Y] = 0.0
    assert shared.columns_of(rows, 0)[:, 18:].tolist() == [first, second, [1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
