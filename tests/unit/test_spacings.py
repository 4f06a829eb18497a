"""How far numbers are moved: what is left over from rounding is no size to go by, nor is a tiny moment one in sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.start import MovingStart
from linkwork.derivatives.start_tangents import StartTangents
from linkwork.derivatives.stencil import derivative

STEP = {"t_end": 0.05, "step": 1e-2, "formulation": "canonical", "integrator": "rk4"}


def pendulum(z: float | str = 0.0, axis_z: float = 0.0, product: float = 0.0, **parameters: float) -> lw.Mechanism:
    """A rod that turns about two pins, of which a number is as small as rounding makes it."""
    mech = lw.Mechanism("pendulum")
    for name, value in parameters.items():
        mech.parameter(name, value)
    inertia = [[0.1, product, 0.0], [product, 0.2, 0.0], [0.0, 0.0, 0.25]]
    mech.body("rod", mass=1.0, inertia=inertia, position=[0.5, 0.0, z], angular_velocity=[0.0, 0.3, 0.0])
    mech.body("arm", mass=2.0, inertia=inertia, position=[1.5, 0.1, 0.2], angular_velocity=[0.0, 0.3, 0.0],
              velocity=[0.0, 0.0, -0.3])  # fmt: skip
    mech.joint("pin", "revolute", "ground", "rod", point=[0.0, 0.0, 0.0], axis=[0.0, 1.0, axis_z])
    mech.joint("elbow", "spherical", "rod", "arm", point=[1.0, 0.1, 0.1])
    return mech


def of_end(mech: lw.Mechanism, to: str) -> np.ndarray:
    return np.asarray(lw.sensitivities(mech, **STEP, of="position", to=to, accept_changes=True)["position"])


@pytest.mark.parametrize(
    ("name", "to"), [("z", "rod.position.z"), ("axis_z", "pin.axis.z"), ("product", "arm.inertia[0][1]")]
)
@pytest.mark.parametrize("left_over", [5.55e-17, -1e-22, 1e-13])
def test_what_rounding_leaves_has_the_derivative_of_a_zero(name: str, to: str, left_over: float) -> None:
    wanted, found = (of_end(pendulum(**{name: x}), to) for x in (0.0, left_over))  # type: ignore[arg-type]
    assert np.max(np.abs(wanted)) > 1e-4
    assert np.max(np.abs(found - wanted)) <= 1e-10 * np.max(np.abs(wanted))


def test_a_small_number_has_the_derivative_of_its_neighbours() -> None:
    wanted, found = (of_end(pendulum(x), "rod.position.z") for x in (0.0, 1e-9))
    assert np.max(np.abs(found - wanted)) <= 1e-8 * np.max(np.abs(wanted))


def test_a_parameter_too_small_for_sums_is_moved_as_far_as_there_are_mechanisms() -> None:
    wanted, found = (of_end(pendulum("p", p=x), "p") for x in (0.0, 1e-17))
    assert np.max(np.abs(found - wanted)) <= 1e-10 * np.max(np.abs(wanted))
    mech = pendulum(m=1e-14)
    mech.body("speck", mass="m", inertia=[1e-20, 1e-20, 1e-20], position=[0.0, 3.0, 0.0])
    mech.joint("hold", "spherical", "ground", "speck", point=[0.0, 3.1, 0.0])
    (number,) = numbers_of(mech, "m")
    nominal = carried_out(mech, 0.01, 1e-2, "canonical", "rk4", None, {"accept_changes": True})
    assert MovingStart(number, nominal.ready, None).h < 1e-15, "there is no mass below zero"


def chain(count: int, moment: float = 4e-5) -> lw.Mechanism:
    """Bars on pins, turning, whose inertias are thin: moments of less than products could be."""
    mech = lw.Mechanism("chain")
    for k in range(count):
        inertia = [[moment if k == count - 1 else 4e-5, 0.0, 0.0], [0.0, 2e-3, 1e-4], [0.0, 1e-4, 2e-3]]
        mech.body(f"bar {k}", mass=0.6, inertia=inertia, position=[0.2 * k + 0.1, 0, 0],
                  angular_velocity=[0.0, 0.5, 0.0], velocity=[0.0, 0.0, -0.5 * (0.2 * k + 0.1)])  # fmt: skip
        mech.joint(f"pin {k}", "revolute", f"bar {k - 1}" if k else "ground", f"bar {k}", point=[0.2 * k, 0, 0],
                   axis=[0.0, 1.0, 0.0])  # fmt: skip
    return mech


def start_of(mech: lw.Mechanism, to: list[str], formulation: str, method: str) -> StartTangents:
    nominal = carried_out(mech, 2e-3, 1e-3, formulation, method, None, {"accept_changes": True})
    moving = Moving(nominal, numbers_of(mech, to))
    return StartTangents(nominal, moving.moving_starts, moving.perturbed, [])


def dense(one: Any, size: int) -> np.ndarray:
    out = np.zeros(size)
    out[one.at] = one.value
    return out


@pytest.mark.parametrize(
    ("formulation", "method"),
    [("canonical", "rk4"), ("articulated-body", "rk4"), ("rA", "generalized-alpha"), ("lie-mixed", "generalized-alpha"),
     ("range-space", "rk4")],
)  # fmt: skip
def test_masses_and_inertias_move_what_building_moves(formulation: str, method: str) -> None:
    to = [f"bar {k}.{word}" for k in range(3) for word in ("mass", "inertia")]
    of = start_of(chain(3), to, formulation, method)
    for k, found in enumerate(of.found):
        h = float(of.steps[k])
        wanted, rough = derivative(lambda by, k=k: of.built([k], np.array([by])), h, of.perturbed.size)  # type: ignore[misc]
        assert rough <= 1e-8
        difference = np.max(np.abs(dense(found, len(wanted)) - wanted))
        assert difference <= 1e-8 * np.max(np.abs(wanted)), of.starts[k].number.name


@pytest.mark.parametrize(("formulation", "method"), [("canonical", "rk4"), ("lie-se3", "rk4")])
def test_all_entries_of_inertias_build_few_runs(formulation: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    prepared = Nominal.prepared
    monkeypatch.setattr(Nominal, "prepared", lambda *args: built.append(1) or prepared(*args))  # type: ignore[func-returns-value]
    for count in (4, 8):
        of = start_of(chain(count), [f"bar {k}.inertia" for k in range(count)], formulation, method)
        built.clear()
        assert len(of.found) == 6 * count
        assert len(built) <= 8


def test_a_tiny_moment_has_the_digits_of_a_large_one() -> None:
    """Momenta are straight in inertias, so that their derivatives do not depend on these."""
    to = ["bar 29.inertia[0][0]", "bar 29.inertia[0][1]"]
    small, large = (start_of(chain(30, moment), to, "canonical", "rk4").found for moment in (1e-9, 10.0))
    for one, other in zip(small, large, strict=True):
        size = 1 + int(max(one.at.max(), other.at.max()))
        a, b = dense(one, size), dense(other, size)
        assert np.max(np.abs(a - b)) <= 1e-12 * np.max(np.abs(b))
