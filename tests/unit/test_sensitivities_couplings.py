"""Derivatives of runs with rigid couplings and rotors, closing rows or a border: closed form, complex steps."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from agreement.test_tangents import worst
from oracles.coupled import geared_arm, wheels

import linkwork as lw
from linkwork.derivatives import traced
from linkwork.derivatives.adjoint_newton import NewtonAdjoint
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out

WAYS = pytest.mark.parametrize("formulation", ["articulated-body", "canonical", "lie-mixed"])
TO = ["a.inertia[2]", "b.inertia[2]", "motor.inertia", "mesh.ratio", "drive.components[2]"]
NUMBERS = ["mesh.ratio", "follow.polynomial[1]", "rotor.inertia", "slider.mass"]


def geared() -> lw.Mechanism:
    mech = wheels(0.5, 0.3)
    mech.coupling("mesh", "gear", joint="ja", joint2="jb", ratio=-2.0)
    mech.coupling("motor", "rotor", joint="ja", inertia=0.1)
    mech.force("drive", "torque", body="a", components=[0, 0, 2.0])
    return mech


@WAYS
@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_wheels_in_mesh(formulation: str, mode: str) -> None:
    """Angle T t^2 / 2 I of the first, with I = I_a + I_m + I_b / ratio^2: steps of rk4 are exact."""
    found = lw.sensitivities(
        geared(), 0.4, 5e-2, formulation, "rk4", of={"angle": lw.Final("ja.angle")}, to=TO, mode=mode
    )
    inertia, half = 0.5 + 0.1 + 0.3 / 4.0, 0.5 * 0.4**2
    along = -2.0 * half / inertia**2
    wanted = [along, along / 4.0, along, along * -2.0 * 0.3 / (-2.0) ** 3, half / inertia]
    np.testing.assert_allclose(found["angle"], wanted, rtol=1e-11)


@WAYS
def test_a_rack_whose_start_moves(formulation: str) -> None:
    """The offset of rack and pinion moves the start; differences of runs."""
    mech = lw.Mechanism("rack")
    turns: dict[str, Any] = {"angular_velocity": [0, 1.0, 0], "velocity": [-0.3, 0, 0]}
    mech.body("pinion", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, -0.3], **turns)
    mech.body("rack", mass=1.5, inertia=[0.2, 0.2, 0.2], position=[1, 0, -0.4])
    mech.joint("axle", "revolute", "ground", "pinion", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("guide", "prismatic", "ground", "rack", point=[1, 0, 0], axis=[1, 0, 0])
    mech.coupling("teeth", "rack-and-pinion", rack="guide", pinion="axle", radius=0.4, offset=0.0)
    to, how = ["teeth.radius", "teeth.offset"], {"accept_changes": True}
    found = lw.sensitivities(mech, 0.2, 2e-2, formulation, "rk4", of=["position", "multiplier"], to=to, **how)
    for number in numbers_of(mech, to):
        above, below = (lw.simulate(number.moved(by), 0.2, 2e-2, formulation, "rk4", **how) for by in (1e-4, -1e-4))
        for name in found.of:
            near = (above[name] - below[name]) / 2e-4
            assert np.max(np.abs(found[name, number.name] - near)) <= 1e-6 * np.max(np.abs(near))


@pytest.mark.filterwarnings(r"ignore:Casting complex:numpy.exceptions.ComplexWarning:linkwork\.solvers")
@pytest.mark.parametrize(
    ("formulation", "method", "bound"),
    [
        ("lie-mixed", "rk4", 1e-13),
        ("rA", "generalized-alpha", 1e-11),  # rounding of positions, divided by h^2
    ],
)
def test_tangents_are_complex_steps(
    formulation: str, method: str, bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert worst(geared_arm(), NUMBERS, formulation, method, monkeypatch) <= bound


@pytest.mark.parametrize(("formulation", "method"), [("lie-mixed", "rk4"), ("rA", "generalized-alpha")])
def test_the_adjoint_is_the_tangent(formulation: str, method: str) -> None:
    """Random functions of all samples, multipliers of the coupling included."""
    found, wanted = adjoint_and_tangent(geared(), TO, formulation, method)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def adjoint_and_tangent(mech: lw.Mechanism, to: list[str], formulation: str, method: str) -> tuple[Any, Any]:
    """(2, numbers) derivatives of two random functions of all samples, by recorded steps both ways."""
    nominal = carried_out(mech, 0.2, 0.05, formulation, method, None, {})
    moving = Moving(nominal, numbers_of(nominal.mechanism, to))
    samples = moving.samples
    kind = TracedAdjoint if method == "rk4" else NewtonAdjoint
    assert moving.way == "recorded steps"
    prepare = partial(nominal.prepared, nominal.ready.compiled)
    starts = np.where(prepare().reals.once[:, None], moving.starts, 0.0)
    run, random = kind(prepare, np.any(starts != 0.0, axis=1)), np.random.default_rng(5)
    seeds = {name: random.normal(size=(2, *samples[name].shape[:-1])) for name in samples if name != "time"}
    found = run.gradients(seeds)[:, run.cell_of] @ starts
    wanted = sum(
        of.reshape(2, -1) @ samples[name][..., 1:].reshape(-1, len(to)) for name, of in seeds.items() if of.size
    )
    return found, wanted


def train(many: int) -> lw.Mechanism:
    """Wheels in a row, each geared to the next, the first turning; nothing accelerates them."""
    mech, ratio = lw.Mechanism("gear train"), -1.5
    for k in range(many):
        x, rate = 0.5 * k, ratio**-k
        how: dict[str, Any] = {"angular_velocity": [0, 0, rate], "velocity": [-0.1 * rate, 0.2 * rate, 0]}
        mech.body(f"w{k}", mass=1.0 + 0.2 * k, inertia=[0.1, 0.12, 0.2 + 0.03 * k], position=[x + 0.2, 0.1, 0], **how)
        mech.joint(f"j{k}", "revolute", "ground", f"w{k}", point=[x, 0, 0], axis=[0, 0, 1])
    for k in range(1, many):
        mech.coupling(f"mesh {k}", "gear", joint=f"j{k - 1}", joint2=f"j{k}", ratio=ratio)
    return mech


def test_a_train_of_four_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adjoint is the tangent for couplings of more bodies than three. Accelerations at the start are rounding."""
    monkeypatch.setattr(traced, "FEW", 4)
    to = ["w0.mass", "w3.inertia[2]", "mesh 2.ratio"]
    found, wanted = adjoint_and_tangent(train(4), to, "lie-mixed", "implicit-euler")
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))
