"""Derivatives of short runs of every shipped mechanism, by numbers of different kinds, with every pair of formulation
and method: tangents against complex steps through the very same map, the adjoint against tangents, values bit by bit.

LINKWORK_SHIPPED_TANGENTS=all takes every pair, =turns every formulation with one of its methods, another one with the
next mechanism; a figure for each case is printed (`-rP`). Otherwise few mechanisms are taken with a pair of each kind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from agreement.derivatives import EXPLICIT, adaptive_samples, compared
from unit.complex_runs import keep_signs, keep_small

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.errors import LinkworkError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.run.matching import fitting

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
METHODS = ("rk4", "dop853", "generalized-alpha", "implicit-euler")
ALL = [(name, method) for name in FORMULATIONS for method in METHODS if method in fitting(name)]
FEW = [("canonical", "rk4"), ("lie-mixed", "dop853"), ("rA", "generalized-alpha"), ("rp", "implicit-euler")]
WHICH = os.environ.get("LINKWORK_SHIPPED_TANGENTS", "few")

# Name -> steps of explicit and of implicit methods [s], how many, numbers.
CASES: dict[str, tuple[float, float, int, list[str]]] = {
    "cam": (
        5e-4, 5e-3, 3,
        ["pace", "follower.mass", "cam.inertia[2]", "valve spring.stiffness", "valve spring.free", "motor.damping",
         "gravity[1]"],
    ),
    "cart_pole": (
        1e-2, 5e-2, 3,
        ["k_angle", "limit", "push", "pole.mass", "pole.inertia[1]", "gravity[2]", "hinge.on_second.point[2]",
         "cart.velocity[0]"],
    ),
    "dumitriu2015_double_pendulum": (
        1e-2, 2e-2, 3,
        ["bar 1.mass", "bar 1.shape.size[0]", "H1.on_first.point[0]", "gravity[0]", "bar 2.angular_velocity[2]"],
    ),
    "gyroscope": (
        1e-3, 5e-3, 3,
        ["top.mass", "top.shape.radius", "ball.on_second.point[2]", "gravity[2]", "top.angular_velocity[2]"],
    ),
    "kissel2021_double_pendulum": (
        1e-2, 5e-2, 3,
        ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]", "bar 2.angular_velocity[0]", "bar 2.position[2]"],
    ),
    "kissel2021_four_link": (
        1e-2, 2e-2, 3,
        ["gravity[2]", "link 2.mass", "link 2.inertia[0]", "link ball.on_first.point[1]", "link 3 pivot.point[0]"],
    ),
    "kissel2021_single_pendulum": (
        1e-2, 5e-2, 3, ["gravity[2]", "bar.shape.size[0]", "bar.shape.density", "pivot.point[2]"],
    ),
    "kissel2021_slider_crank": (
        1e-2, 2e-2, 3,
        ["gravity[2]", "connecting rod.mass", "connecting rod.inertia[0]", "crank pin.on_first.point[1]",
         "rod end.s_i[0]", "rod end.f"],
    ),
    "muller2013_floating_pair": (
        1e-2, 2e-2, 3,
        ["gravity[2]", "body 1.shape.size[0]", "ball.on_first.point[1]", "body 1.angular_velocity[2]",
         "body 2.velocity[1]"],
    ),
    "muller2013_heavy_top": (
        2e-3, 1e-2, 3,
        ["gravity[2]", "top.shape.size[0]", "pivot.on_second.point[0]", "top.angular_velocity[1]"],
    ),
    "muller2013_spherical_double_pendulum": (
        2e-3, 1e-2, 3,
        ["gravity[2]", "body 1.shape.size[1]", "joint 2.on_first.point[0]", "body 2.angular_velocity[0]"],
    ),
    "muller2013_three_bar": (
        2e-3, 1e-2, 3,
        ["gravity[2]", "body 1.shape.size[1]", "joint 2.on_first.point[0]", "joint 3.on_first.point[0]",
         "body 2.angular_velocity[0]"],
    ),
    "planar_four_bar": (
        1e-2, 2e-2, 3,
        ["gravity[2]", "coupler.shape.density", "rocker.shape.size[1]", "crank pin.on_first.point[0]",
         "rocker pivot.point[0]"],
    ),
    "rolling_disc": (
        1e-2, 2e-2, 3, ["gravity[2]", "disc.mass", "disc.shape.radius", "disc.angular_velocity[2]"],
    ),
    "spatial_slider_crank_spring": (
        1e-2, 5e-2, 3,
        ["gravity[2]", "slider.mass", "connecting rod.inertia[1]", "spring.stiffness", "spring.damping",
         "spring.length", "crank pin.on_first.point[1]", "crank.angular_velocity[0]"],
    ),
    "suspension": (
        2e-3, 2e-2, 3,
        ["k", "bump", "tyre", "car.mass", "coil.length", "lower ball.point[1]", "track rod.point2[1]", "gravity[2]"],
    ),
    "stewart_platform": (
        1e-2, 5e-2, 1, ["platform.mass", "actuator 1.stiffness", "gravity[2]"],
    ),
    "stewart_platform_actuated": (
        1e-2, 5e-2, 1, ["platform.inertia[0]", "actuator 2.damping", "actuator 3.length"],
    ),
}  # fmt: skip
BEGIN = {"cam": 0.17}  # s: where the follower is being lifted, as it is not at the start
NO_DERIVATIVE = {
    ("cam", "rotation-matrix"): "cam.inertia[2]",  # of a flat body's second moments one is zero
    **{  # these leave gravity out where there is none
        (name, formulation): "gravity[2]"
        for name in ("muller2013_floating_pair", "muller2013_heavy_top")
        for formulation in ("articulated-body", "canonical")
    },
}
SEEN = ("cam", "kissel2021_slider_crank", "suspension")
FEW_MECHANISMS = ["cam", "cart_pole"]

# rows of solvers are picked, and powers raised, by whole numbers that stand among real ones
COMPLEX = r"ignore:Casting complex:numpy.exceptions.ComplexWarning:linkwork\."
pytestmark = [pytest.mark.filterwarnings(COMPLEX + room) for room in ("solvers", r"kernels\.\w*formula")]


def bound(formulation: str, method: str, name: str = "") -> float:
    """generalized-alpha divides rounding of positions by h^2, and in its perturbed start by a fraction of h; penalty
    multiplies rounding by its factors; a motor of the cam drives by the difference of two speeds. Kissel's slider crank
    with implicit Euler has been seen at 2.1e-12, the suspension at 1.9e-12, loops of articulated-body at 3e-12."""
    if formulation == "penalty":
        return 1e-9
    if method == "generalized-alpha":
        return 2e-11
    return 5e-12 if name in SEEN or formulation == "articulated-body" else 1e-12


def test_every_shipped_mechanism_has_its_case() -> None:
    """A new one has to be entered."""
    assert sorted(CASES) == sorted(path.stem for path in MECHANISMS.glob("*.yaml"))


def cases() -> Iterator[tuple[str, str, str]]:
    """Mechanism, formulation and method."""
    for m, name in enumerate(CASES):
        pairs = ALL if WHICH == "all" else FEW if name in FEW_MECHANISMS else []
        if WHICH == "turns":
            methods = [(one, [method for other, method in ALL if other == one]) for one in FORMULATIONS]
            pairs = [(one, some[(m + k) % len(some)]) for k, (one, some) in enumerate(methods)]
        yield from ((name, *pair) for pair in pairs)


@pytest.mark.parametrize(("name", "formulation", "method"), list(cases()))
def test_derivatives(name: str, formulation: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    explicit, implicit, steps, to = CASES[name]
    h = explicit if method in EXPLICIT else implicit
    mech = lw.load(MECHANISMS / f"{name}.yaml")
    state = None
    if name in BEGIN:
        state = State.of(lw.simulate(mech, BEGIN[name], 5e-4, "canonical", "rk4"), -1)
    end = steps * h + BEGIN.get(name, 0.0)
    if (none := NO_DERIVATIVE.get((name, formulation))) is not None:
        with pytest.raises(UsageError, match=re.escape(f"no derivative with respect to {none!r}")):
            lw.sensitivities(mech, end, h, formulation, method, of="position", to=none, state=state)
        to = [one for one in to if one != none]
    try:
        lw.simulate(mech, end, h, formulation, method, state=state)
    except LinkworkError as refused:
        pytest.skip(f"no run: {refused}")
    found = compared(mech, to, formulation, method, h, steps, monkeypatch, state)
    print(f"CASE {name} {formulation} {method} {found}")  # noqa: T201  # with -rP
    assert found.same_values
    assert (found.adjoint is None) == (" is not implemented: " in found.refused)
    most = bound(formulation, method, name)
    assert found.tangents <= most, found.worst_kind
    assert found.by_duals <= most
    assert found.adjoint is None or found.adjoint <= most


@pytest.mark.parametrize(
    ("formulation", "method"),
    [("canonical", "dp54"), ("lie-mixed", "dp54"), ("rotation-matrix", "ts54"), ("canonical", "dop853")],
)
def test_steps_that_find_their_own_size(formulation: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the estimate of the error and the control of the step, with samples between."""
    mech = lw.load(MECHANISMS / "spatial_slider_crank_spring.yaml")
    nominal = carried_out(mech, 0.05, 1e-2, formulation, method, None, {"rtol": 1e-6})
    moving = Moving(nominal, numbers_of(mech, ["slider.mass", "spring.stiffness"]))
    found = moving.samples
    keep_small(monkeypatch)
    keep_signs(monkeypatch)
    for k in range(2):
        wanted = adaptive_samples(nominal.prepared(nominal.ready.compiled), moving.starts[:, k])
        for of, exact in wanted.items():
            off = np.max(np.abs(found[of][1:, ..., 1 + k] - exact))
            assert off <= 1e-11 * np.max(np.abs(exact))


@pytest.mark.parametrize("name", [one for one in INTEGRATORS if one.startswith(("radau", "implicit-m", "st", "rat"))])
def test_methods_that_carry_no_derivatives_say_so(name: str) -> None:
    mech = lw.load(MECHANISMS / "kissel2021_double_pendulum.yaml")
    with pytest.raises(UsageError, match=f"not carried along by {name}"):
        lw.sensitivities(mech, 0.02, 1e-2, "lie-mixed", name, of="position", to="gravity[2]")


def test_generalized_alpha_carries_them_in_steps_of_one_size_alone() -> None:
    mech = lw.load(MECHANISMS / "kissel2021_double_pendulum.yaml")
    with pytest.raises(UsageError, match=r"not carried along by generalized-alpha with rtol.*Leave rtol and atol out"):
        lw.sensitivities(mech, 0.02, 1e-2, "rA", "generalized-alpha", of="position", to="gravity[2]", rtol=1e-6)
