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
from linkwork.system.dense import drives, row_parts

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


def at_pose(at: Any) -> Any:
    from linkwork.system.dense import Pose

    return Pose(at.r, at.A)


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
