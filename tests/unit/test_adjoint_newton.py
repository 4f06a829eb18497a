"""The adjoint of implicit methods by converged steps: equal to the tangents, through parts that are taken again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.adjoint_newton import NewtonAdjoint
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.sensitivities import MODES
from linkwork.errors import UsageError
from linkwork.lanes.traced import newton_reverse
from linkwork.lanes.traced.derivatives import cells_left
from linkwork.lanes.traced.numbers import Graph, NotTracedError, key_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.selections import kinks_selected
from linkwork.lanes.traced.tangents import adjoints_before, tangents_left

PENDULUM, CRANK = "kissel2021_double_pendulum", "spatial_slider_crank_spring"
TO = {
    PENDULUM: ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]", "bar 2.angular_velocity[0]"],
    CRANK: ["slider.mass", "spring.stiffness", "connecting rod.inertia[1]", "crank.angular_velocity[0]"],
}
SAMPLED = ("motion", "multiplier")


def moving_of(name: str, formulation: str, integrator: str, h: float, steps: int, every: int) -> Moving:
    mech = lw.load(name)
    nominal = carried_out(mech, steps * h, h, formulation, integrator, None, {"every": every})
    return Moving(nominal, numbers_of(mech, TO[name]))


def reverse_of(moving: Moving, part: int | None = None) -> NewtonAdjoint:
    nominal = moving.nominal
    once = nominal.prepared(nominal.ready.compiled).reals.once
    return NewtonAdjoint(
        partial(nominal.prepared, nominal.ready.compiled), once & np.any(moving.starts != 0.0, axis=1), part
    )


def both(moving: Moving, run: NewtonAdjoint, many: int, seed: int = 1) -> tuple[Any, Any]:
    """The derivatives of random functions of all samples, by the adjoint and by the tangents."""
    rng, of_all = np.random.default_rng(seed), moving.samples
    seeds: Mapping[str, Any] = {name: rng.normal(size=(many, *of_all[name].shape[:-1])) for name in SAMPLED}
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    numbers = len(moving.moving_starts)
    wanted = sum(
        np.tensordot(seeds[name].reshape(many, -1), of_all[name][..., 1:].reshape(-1, numbers), 1) for name in SAMPLED
    )
    return found, wanted


@pytest.mark.parametrize(
    ("name", "formulation", "integrator", "h", "every", "part", "many"),
    [
        (PENDULUM, "rA", "generalized-alpha", 5e-2, 1, None, 1),
        (PENDULUM, "rA", "generalized-alpha", 5e-2, 3, 4, 5),
        (CRANK, "rA", "implicit-euler", 2e-2, 1, 1, 2),
        (CRANK, "lie-mixed", "generalized-alpha", 2e-2, 2, 5, 1),
        (CRANK, "rp", "implicit-euler", 2e-2, 1, None, 1),
        (PENDULUM, "rA", "generalized-alpha", 1e-4, 1, 5, 2),  # samples of index-1 equations from here on
        (CRANK, "rA", "implicit-euler", 1e-5, 2, None, 5),
        (PENDULUM, "lie-se3", "generalized-alpha", 1e-4, 3, None, 1),
    ],
)
def test_the_adjoint_is_the_tangent(
    name: str, formulation: str, integrator: str, h: float, every: int, part: int | None, many: int
) -> None:
    """Functions of all samples, accelerations and multipliers included; the tangents are carried by recorded steps."""
    moving = moving_of(name, formulation, integrator, h, 12, every)
    run = reverse_of(moving, part)
    assert np.array_equal(moving.nominal.block["motion"][..., :3], moving.nominal.result["position"])
    found, wanted = both(moving, run, many)
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))
    assert moving.way == "recorded steps"


def test_quantities_of_a_run() -> None:
    """A number at the end, one over the run, and values that are those of the run."""
    of = {"force": lw.Final("crank pin.force"), "energy": lw.Integral("kinetic_energy")}
    how: dict[str, Any] = {"of": of, "to": TO[CRANK][:3]}
    tangent, adjoint = (
        lw.sensitivities(lw.load(CRANK), 0.2, 2e-2, "rA", "generalized-alpha", mode=mode, **how)
        for mode in ("tangent", "adjoint")
    )
    for name in of:
        assert np.array_equal(tangent.values[name], adjoint.values[name])
        size = np.max(np.abs(tangent[name]), axis=0)
        assert np.all(np.abs(adjoint[name] - tangent[name]) <= 2e-11 * size), name


@pytest.mark.parametrize("integrator", ["implicit-euler", "generalized-alpha"])
def test_a_cam_by_a_table(integrator: str) -> None:
    """A coupling's multiplier, which the norm of Newton's corrections leaves out, alone and beside others; the table is
    followed from piece to piece, by a third of a turn."""
    of = {"contact": lw.Final(lambda res: res["multiplier"][:, -1]), "lift": lw.Final("guide.displacement")}
    how: dict[str, Any] = {"of": of, "to": ["valve spring.stiffness", "pace"]}
    tangent, adjoint = (
        lw.sensitivities(lw.load("cam"), 0.2, 1e-3, "rA", integrator, mode=mode, **how)
        for mode in ("tangent", "adjoint")
    )
    assert tangent.way == adjoint.way == "recorded steps"
    assert np.ptp(adjoint.result.joint("shaft")["angle"]) > 2.0
    for name in of:
        size = np.abs(tangent[name])
        assert np.all(size > 1e-9), name
        assert np.all(np.abs(adjoint[name] - tangent[name]) <= 1e-10 * size), name


def test_a_velocity_that_moves_is_counted_once() -> None:
    """It stands in the arrays of the formulation and in those of the method, which are one memory."""
    mech = lw.Mechanism("a wheel")
    mech.body("wheel", mass=2.0, inertia=[0.3, 0.5, 0.4], angular_velocity=[0.0, 2.0, 0.0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 1, 0])
    how: dict[str, Any] = {"to": "wheel.angular_velocity[1]", "of": {"turned": lw.Final("axle.angle")}}
    found = lw.sensitivities(mech, 0.1, 1e-2, "rA", "implicit-euler", mode="adjoint", **how)
    assert found["turned"][0] == pytest.approx(0.1, rel=1e-11)
    nominal = carried_out(mech, 0.1, 1e-2, "augmented", "rk4", None, {})
    reals = nominal.prepared(nominal.ready.compiled).reals
    places = [array.__array_interface__["data"][0] + 8 * k for array in reals.arrays for k in range(array.size)]
    assert 0 < len(set(places)) < len(places)
    assert sorted(np.array(places)[reals.once].tolist()) == sorted(set(places))


def three_cranks() -> lw.Mechanism:
    """A plate on three parallel cranks: pins across a plane, and a crank more than it needs."""
    mech = lw.Mechanism("three cranks")
    for name, x in (("left", 0.0), ("middle", 1.0), ("right", 2.0)):
        moves: dict[str, Any] = {"angular_velocity": [0.0, 1.0, 0.0], "velocity": [0.5, 0.0, 0.0]}
        mech.body(name, mass=1.0, inertia=[0.1, 0.1, 0.1], position=[x, 0.0, 0.5], **moves)
        mech.joint(f"{name} foot", "revolute", "ground", name, point=[x, 0.0, 0.0], axis=[0, 1, 0])
    mech.body("plate", mass=2.0, inertia=[0.2, 0.5, 0.4], position=[1.0, 0.0, 1.0], velocity=[1.0, 0.0, 0.0])
    for name, x in (("left", 0.0), ("middle", 1.0), ("right", 2.0)):
        mech.joint(f"{name} head", "revolute", name, "plate", point=[x, 0.0, 1.0], axis=[0, 1, 0])
    return mech


def test_dependent_rows() -> None:
    """Reactions that they share, too. Tangents are those of dual numbers, in which the matrix moves: where iterations
    end at a tolerance, the two ways differ by what that leaves to correct."""
    to = ["left.mass", "gravity[2]", "plate.mass"]
    of = {name: lw.Final(f"plate.{name}") for name in ("position", "velocity", "acceleration")}
    of |= {"force": lw.Final("left foot.force"), "multipliers": lw.Final("multiplier")}
    how: dict[str, Any] = {"of": of, "to": to, "position_tolerance": 1e-15}
    tangent, adjoint = (
        lw.sensitivities(three_cranks(), 0.2, 2e-2, "rA", "implicit-euler", mode=mode, **how)
        for mode in ("tangent", "adjoint")
    )
    for name in of:
        size = np.max(np.abs(tangent[name]), axis=tuple(range(tangent[name].ndim - 1)))
        assert np.all(size > 1e-4)
        assert np.all(np.abs(adjoint[name] - tangent[name]) <= 2e-11 * size), name


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_a_number_that_jams_is_refused(mode: str) -> None:
    """One of three parallel cranks becomes longer; moved along its pin it may be."""
    how: dict[str, Any] = {"of": lw.Final("plate.position"), "mode": mode}
    for integrator, formulation in (("implicit-euler", "rA"), ("rk4", "augmented")):
        with pytest.raises(UsageError, match="it jams"):
            lw.sensitivities(three_cranks(), 0.2, 2e-2, formulation, integrator, to="left head.point[2]", **how)
    along = lw.sensitivities(three_cranks(), 0.2, 2e-2, "rA", "implicit-euler", to="left head.point[1]", **how)
    (derivative,) = along.derivatives.values()
    assert np.max(np.abs(derivative)) < 1e-12


def test_a_mass_that_is_among_the_least() -> None:
    """The norm that ends Newton's iterations has the least mass in it, which has a corner where several are alike."""
    how: dict[str, Any] = {"formulation": "rA", "integrator": "generalized-alpha", "mode": "adjoint"}
    found = lw.sensitivities(three_cranks(), 0.2, 2e-2, of=lw.Final("plate.position"), to="left.mass", **how)
    by = 1e-3
    ends = [
        lw.simulate(number.moved(x), 0.2, 2e-2, "rA", "generalized-alpha").position("plate")[-1]
        for number in numbers_of(three_cranks(), "left.mass")
        for x in (by, -by)
    ]
    near = (ends[0] - ends[1]) / (2.0 * by)
    (derivative,) = found.derivatives.values()
    assert np.max(np.abs(derivative[:, 0] - near)) <= 1e-5 * np.max(np.abs(near))


def test_new_coordinates_on_the_way_are_refused_with_a_cure() -> None:
    """Euler angles near a singular position are counted from another rotation: steps that do so are not recorded."""
    how: dict[str, Any] = {"of": lw.Final("position"), "to": "gravity[2]", "mode": "adjoint", "digits": False}
    with pytest.raises(UsageError, match=r"new coordinates of bodies on the way \(\d+ times.*rA has none"):
        lw.sensitivities(lw.load("kissel2021_slider_crank"), 0.3, 1e-3, "re", "implicit-euler", **how)


def test_corrections_that_do_not_settle_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newton_reverse, "MOST", 1)
    moving = moving_of(CRANK, "rA", "implicit-euler", 2e-2, 4, 1)
    with pytest.raises(NotTracedError, match="another course"):
        both(moving, reverse_of(moving), 1)


def test_the_start_backwards() -> None:
    """What is recorded once, followed in Python: adjoints times tangents before are those behind."""
    graph = Graph()
    x, y, z = (graph.input(k, value) for k, value in enumerate((0.7, 1.9, -0.4)))
    u = np.sqrt(x * x + y) / (2.0 - abs(z)) - np.sin(x) * np.cos(z)
    v = x - np.exp(z) * np.tan(y) + np.arctan2(y, x)
    recording = Recording(graph, {0: key_of(u), 3: key_of(v)})
    rng = np.random.default_rng(3)
    given = {k: rng.normal(size=4) for k in range(3)}
    behind = given | tangents_left(recording, given)
    left = {k: rng.normal(size=2) for k in range(4)}
    before = adjoints_before(recording, left, set(given))
    wanted = sum(np.outer(left[k], behind[k]) for k in left)
    found = sum(np.outer(before[k], given[k]) for k in given)
    assert cells_left(recording, {2}) == {0, 3}
    assert np.max(np.abs(found - wanted)) <= 1e-14 * np.max(np.abs(wanted))


def cart_on_a_rail(force: str) -> lw.Mechanism:
    """It turns round after 0.2 s."""
    mech = lw.Mechanism("cart")
    mech.body("cart", mass=1.0, inertia=[0.1, 0.1, 0.1], velocity=[-0.2, 0, 0], position=[0.1, 0, 0])
    mech.joint("rail", "prismatic", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("drag", "force", body="cart", components=[force, 0, 0])
    return mech


SPEED, PLACE = "velocity('cart', 'x')", "position('cart', 'x')"
ENDS: dict[str, Any] = {"of": {"end": lw.Final("cart.position"), "speed": lw.Final("cart.velocity")}, "digits": False}


@pytest.mark.parametrize("integrator", ["generalized-alpha", "implicit-euler"])
@pytest.mark.parametrize(
    "force",
    [
        f"1 - 0.5*abs({SPEED})",
        f"1 - 2*max({SPEED}, 0.05)",
        f"1 - 2*min({SPEED}, 0.05)",
        f"if({SPEED} > 0.05, 1 - 3*{SPEED}, 1 + 2*{PLACE})",
    ],
)
def test_formulas_change_sides_on_the_way(force: str, integrator: str) -> None:
    """Beside tangents of recorded steps, those of dual numbers, and differences of runs."""
    mech, to = cart_on_a_rail(force), ["cart.mass", "cart.position[0]"]
    run: Any = (0.4, 0.02, "rA", integrator)
    adjoint = lw.sensitivities(mech, *run, to=to, mode="adjoint", **ENDS)
    dual = lw.sensitivities(mech, *run, to=to, **ENDS)
    with kinks_selected():
        recorded = lw.sensitivities(mech, *run, to=to, **ENDS)
    assert (adjoint.way, recorded.way) == ("recorded steps", "recorded steps")
    assert dual.way.startswith("dual numbers")
    for name in ("end", "speed"):
        size = np.max(np.abs(recorded[name]))
        assert np.max(np.abs(adjoint[name] - recorded[name])) <= 1e-12 * size
        assert np.max(np.abs(adjoint[name] - dual[name])) <= 1e-9 * size
    (mass,) = numbers_of(mech, "cart.mass")
    right, left = (lw.simulate(mass.moved(by), *run, tolerance=1e-13).position("cart")[-1] for by in (1e-5, -1e-5))
    assert np.max(np.abs(adjoint["end"][:, 0] - (right - left) / 2e-5)) <= 1e-6


def test_a_side_without_a_slope_is_told() -> None:
    """Of one side alone there are derivatives; over the corner the reverse asks the other one, too."""
    mech = cart_on_a_rail(f"1 - if({SPEED} > 0, sqrt({SPEED}), 0)")
    run: Any = (0.02, "rA", "generalized-alpha")
    adjoint, along = (lw.sensitivities(mech, 0.1, *run, to="cart.mass", mode=mode, **ENDS) for mode in MODES[::-1])
    np.testing.assert_allclose(adjoint["end"], along["end"], rtol=1e-9, atol=1e-14)
    with pytest.raises(UsageError, match=r"abs, min, max or if of a formula change sides.*both sides recorded, an inf"):
        lw.sensitivities(mech, 0.4, *run, to="cart.mass", mode="adjoint", **ENDS)
