"""Numbers of a description by name, how it is differentiated, starts that move, equilibria: nothing is compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.start import MovingStart
from linkwork.derivatives.stencil import SMOOTH, derivative, spacing
from linkwork.errors import UsageError
from linkwork.run.starting import prepare
from linkwork.system.dense import Pose, drives, row_parts

G = 9.81


def weight(stiffness: Any = "k") -> lw.Mechanism:
    """A weight that hangs on a spring and slides along z."""
    mech = lw.Mechanism("weight", gravity=(0.0, 0.0, -G))
    mech.parameter("k", 50.0)
    mech.body("block", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0))
    mech.joint("rail", "translational", "ground", "block", point=(0.0, 0.0, -1.0), axis=(0.0, 0.0, 1.0))
    mech.force(
        "coil", "spring", first="ground", second="block", point=(0.0, 0.0, 0.0), point2=(0.0, 0.0, -1.0),
        stiffness=stiffness, damping=3.0, length=1.0,
    )  # fmt: skip
    return mech


def loop() -> lw.Mechanism:
    """Two bars that meet, each on a pin of its own; given on each body, so that they have to be assembled."""
    mech = lw.Mechanism("loop")
    mech.body(
        "left", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.3, 0.0, 0.4), rotation={"axis": [0, 1, 0], "angle": -0.9}
    )
    mech.body("right", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.9, 0.0, 0.4))
    mech.joint("a", "revolute", "ground", "left", on_first={"point": [0, 0, 0], "axis": [0, 1, 0]},
               on_second={"point": [-0.5, 0, 0], "axis": [0, 1, 0]})  # fmt: skip
    mech.joint("b", "revolute", "ground", "right", on_first={"point": [1.2, 0, 0], "axis": [0, 1, 0]},
               on_second={"point": [0.5, 0, 0], "axis": [0, 1, 0]})  # fmt: skip
    mech.joint("c", "spherical", "left", "right", on_first={"point": [0.5, 0, 0]}, on_second={"point": [-0.5, 0, 0]})
    return mech


def test_numbers_are_found_by_name_and_moved() -> None:
    mech = weight()
    found = numbers_of(mech, ["block.mass", "block.position", "gravity[2]", "k", "coil.damping"])
    assert [one.name for one in found] == [
        "block.mass", "block.position[0]", "block.position[1]", "block.position[2]", "gravity[2]", "k", "coil.damping",
    ]  # fmt: skip
    assert [one.value for one in found] == [2.0, 0.0, 0.0, -1.0, -G, 50.0, 3.0]
    assert found[0].moved(0.5).element("block").mass == 2.5
    assert found[5].moved(1.0).lower().of_law("SPRING")[0].stiffness == 51.0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("block.mas", "block.mass"),
        ("blok.mass", "block.mass"),
        ("block.velocity", "left out"),
        ("coil.stiffness", "formula 'k'"),
        ("block.position[7]", "no number"),
        ("block.name", "name"),
    ],
)
def test_what_is_no_number_of_the_description_is_refused_by_name(name: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        list(numbers_of(weight(), name))
    assert words in str(refused.value)
    assert "weight" in str(refused.value)


def test_the_formula_is_exact_for_what_is_linear_and_to_rounding_for_what_is_smooth() -> None:
    for value in (0.013, 2.0, 7e4):
        h = spacing(value)
        linear, rough = derivative(lambda by, p=value: np.array([3.0 * (p + by)]), h)
        assert abs(linear[0] - 3.0) <= 1e-13
        assert rough <= SMOOTH
        inverse, rough = derivative(lambda by, p=value: np.array([1.0 / (p + by)]), h)
        assert abs(inverse[0] * value**2 + 1.0) <= 1e-12
        assert rough <= SMOOTH
    _, rough = derivative(lambda by: np.array([max(by, 0.0)]), spacing(1.0))
    assert rough > SMOOTH


def test_a_start_moves_with_the_rows_to_first_order() -> None:
    mech = loop()
    ready = prepare(mech, dynamics=True, accept_changes=True)
    start = MovingStart(numbers_of(mech, "c.on_first.point[0]")[0], ready, None)
    off = [float(np.max(np.abs(row_parts(at, at_pose(at), drives(at, 0.0)).phi))) for at in map(start.at, (1e-3, 1e-4))]
    assert 50.0 < off[0] / off[1] < 200.0, "the rows are met to first order"
    assert np.max(np.abs(start.change)) > 0.1


def at_pose(at: Any) -> Pose:
    return Pose(at.r, at.A)


def test_an_assembled_start_turns_as_the_described_one_does() -> None:
    """Both by the same angle about the same global axis, here beside one that assembly turns about."""
    mech = loop()
    mech.change("left", rotation={"axis": [0.3, 1.0, 0.2], "angle": -0.9})
    ready = prepare(mech, dynamics=True, accept_changes=True)
    start = MovingStart(numbers_of(mech, "left.rotation.angle")[0], ready, None)
    found = [mechanism.A[0].reshape(3, 3) for mechanism in (start.described(0.0), start.described(0.1))]
    now, said = (A[0].reshape(3, 3) for A in (ready.compiled.A, start.perturbed.said_pose(start.described(0.1)).A))
    axis = np.array([0.3, 1.0, 0.2]) / np.linalg.norm([0.3, 1.0, 0.2])
    assert np.max(np.abs(now - found[0])) > 0.05, "assembly has turned it"
    for before, after in ((found[0], found[1]), (now, said)):
        turn = after @ before.T
        assert np.allclose(turn @ axis, axis, atol=1e-13)
        assert np.trace(turn) == pytest.approx(1.0 + 2.0 * math.cos(0.1), abs=1e-13)


def test_a_start_that_moves_keeps_velocities_on_the_rows() -> None:
    """A bar that turns about a pin: the speed of its centre is left open, and is that of where the centre is."""
    mech = lw.Mechanism("bar")
    mech.body("bar", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0.0, 0.0), angular_velocity=(0.0, 2.0, 0.0))
    mech.joint("pin", "revolute", "ground", "bar", point=(0, 0, 0), axis=(0, 1, 0))
    start = MovingStart(numbers_of(mech, "bar.position[0]")[0], prepare(mech, dynamics=True), None)
    assert np.allclose(start.at(0.01).v[0], [0.0, 0.0, -2.0 * 0.51], atol=1e-14)


def test_a_hanging_weight_moves_as_the_closed_form_says() -> None:
    rest = lw.equilibrium(weight())
    found = lw.sensitivities(
        rest, of=["block.position", "eigenvalues", "rail.force"], to=["k", "block.mass", "gravity[2]"]
    )
    k, m, c = 50.0, 2.0, 3.0
    assert found["block.position"][2] == pytest.approx([m * G / k**2, -G / k, m / k], rel=1e-11)
    s = -c / (2 * m) + 1j * math.sqrt(k / m - (c / (2 * m)) ** 2)
    by_k, by_m = -1.0 / (2 * m * s + c), -(s**2) / (2 * m * s + c)
    assert abs(found["eigenvalues", "k"][0] - by_k) <= 1e-10 * abs(by_k)
    assert abs(found["eigenvalues", "block.mass"][0] - by_m) <= 1e-10 * abs(by_m)
    assert np.max(np.abs(found["rail.force"])) <= 1e-9


def test_what_has_no_derivative_is_refused() -> None:
    mech = lw.Mechanism("spin")
    mech.body("wheel", mass=1.0, inertia=(1.0, 1.0, 1.0))
    mech.joint("pin", "revolute", "ground", "wheel", point=(0, 0, 0), axis=(0, 0, 1))
    with pytest.raises(UsageError, match="brings back"):
        lw.sensitivities(lw.equilibrium(mech), of="position", to="wheel.mass")
    with pytest.raises(UsageError, match="no quantity"):
        lw.sensitivities(lw.equilibrium(weight()), of="block.place", to="k")


def test_the_stencil_takes_finer_steps_where_a_map_bends_sharply() -> None:
    """1 / x beside its pole, nearer than the usual spacing; an edge stays an edge however fine the steps are."""
    near = 0.02
    found, rough = derivative(lambda by: np.array([1.0 / (near + by)]), spacing(1.0))
    assert found[0] == pytest.approx(-1.0 / near**2, rel=1e-11)
    assert rough <= 1e-9
    _, rough = derivative(lambda by: np.array([abs(by - 1e-9)]), spacing(1.0))
    assert rough > SMOOTH


def test_eigenvalues_that_meet_nearby_have_derivatives_before() -> None:
    """A weight damped a little more than critically: with a spring that is 0.2 % stiffer it would oscillate."""
    (damping,) = numbers_of(weight(), "coil.damping")
    rest = lw.equilibrium(damping.moved(17.02))
    found = lw.sensitivities(rest, of="eigenvalues", to="k")
    root = math.sqrt(20.02**2 - 4.0 * 2.0 * 50.0)
    slow = int(np.argmax(found.values["eigenvalues"].real))
    by_k = np.array([-1.0, -1.0]) / root
    by_k[1 - slow] = 1.0 / root
    assert np.max(np.abs(found["eigenvalues", "k"] - by_k)) <= 1e-8 / root


def test_eigenvalues_that_change_places_nearby_keep_their_derivatives() -> None:
    """Two weights on springs, 50 and 50.5 N/m: within the reach of the formula the first becomes the quicker one."""
    one, other = weight().to_dict(), weight(50.5).to_dict()
    for kind in ("bodies", "joints", "forces"):
        one[kind] += [{**each, "name": f"other {each['name']}"} for each in other[kind]]
    for each in (one["joints"][1], one["forces"][1]):
        each["second"] = "other block"
    rest = lw.equilibrium(lw.Mechanism.from_dict(one))
    found = lw.sensitivities(rest, of="eigenvalues", to="k")["eigenvalues", "k"]
    m, c = 2.0, 3.0
    s = -c / (2 * m) + 1j * math.sqrt(50.0 / m - (c / (2 * m)) ** 2)
    assert sorted(np.abs(found)) == pytest.approx([0.0, 1.0 / abs(2 * m * s + c)], rel=1e-9, abs=1e-9)


def test_the_integral_over_a_run_is_the_trapezoidal_rule_and_the_end_is_the_last_sample() -> None:
    """By hand, on samples that are not evenly apart."""
    time, swing = np.array([0.0, 0.1, 0.4, 1.0]), np.array([2.0, -1.0, 3.0, 7.0])
    weights = lw.Integral("hinge.angle").weights(time)
    assert weights @ swing == pytest.approx(0.1 * 0.5 + 0.3 * 1.0 + 0.6 * 5.0)
    assert lw.Final("hinge.angle").weights(time) @ swing == 7.0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"of": 3}, "of must be the name of a quantity, a function, or several of these, not 3"),
        ({"of": {}}, "nothing to differentiate is named"),
        ({"of": ["position", "position"]}, "'position' is asked for twice"),
        ({"to": 3}, "to must be a list of names, not 3"),
        ({"to": {"k": 1.0}}, "to must be a list of names, not the mapping"),
        ({"t_end": 1.0}, "'t_end' is of a run: an equilibrium does not move in time"),
        ({"formulation": "rp"}, "'formulation' is of a run"),
        ({"tolerance": 1e-9}, "'tolerance' is of a run"),
    ],
)
def test_what_would_be_left_aside_or_is_no_name_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        lw.sensitivities(lw.equilibrium(weight()), **{"of": "position", "to": "k"} | asked)


@pytest.mark.parametrize("odd", ["", 0, [], np.zeros(3)])
def test_a_formulation_or_integrator_that_is_no_name_is_refused(odd: Any) -> None:
    for how in ({"formulation": odd}, {"integrator": odd}):
        with pytest.raises(UsageError, match=r"there is no|is named by a word"):
            lw.simulate(weight(), 0.1, 0.01, **how)


def test_a_stated_centre_is_left_where_what_is_not_stated_cannot_follow_it_on() -> None:
    """A rod about a hinge: turning takes its end along at first order alone. 1 m/m was told, where assembly moves
    half of it back, however short the way."""

    def rod(x: float) -> lw.Mechanism:
        mech = lw.Mechanism("rod")
        mech.body("rod", mass=1.2, inertia=[0.04, 0.05, 0.01], position=[x, 0, -0.3])
        mech.joint("hinge", "revolute", "ground", "rod", on_first={"point": [0, 0, 0], "axis": [0, 1, 0]},
                   on_second={"point": [0, 0, 0.3], "axis": [0, 1, 0]})  # fmt: skip
        return mech

    run: Any = (0.02, 5e-3, "lie-mixed", "rk4")
    found = lw.sensitivities(rod(0.0), *run, of=["position", "velocity"], to="rod.position.x")
    for by in (1e-3, 1e-7):
        ahead, behind = (lw.simulate(rod(x), *run, accept_changes=True) for x in (by, -by))
        for of in ("position", "velocity"):
            wanted = (ahead[of] - behind[of]) / (2 * by)
            np.testing.assert_allclose(found[of][..., 0], wanted, atol=1e-4)
    assert found["position"][0, 0, 0, 0] == pytest.approx(0.5, abs=0.01)
