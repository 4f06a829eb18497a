"""Calls with what they do not take: each is refused in words, with the cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit import handmade

import linkwork as lw
from linkwork.analysis.posed import poses_between
from linkwork.analysis.state import State
from linkwork.errors import UsageError


def sprung(springs: int) -> lw.Mechanism:
    """A door on a hinge with so many torsion springs."""
    m = lw.Mechanism("door")
    m.body("door", mass=1.0, inertia=[0.1, 0.1, 0.1], position=(0.5, 0, 0))
    m.joint("hinge", "revolute", "ground", "door", point=(0, 0, 0), axis=(0, 0, 1))
    for k in range(springs):
        m.force(f"spring {k}", "torsion", joint="hinge", stiffness=1.0)
    return m


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_state_with_the_angles_of_another_mechanism_is_refused(count: int) -> None:
    plain = State.start(sprung(2))
    angles = State(plain.position, plain.rotation, plain.velocity, plain.angular_velocity, 0.0, np.zeros(count))
    with pytest.raises(UsageError, match=f"{count} angles .* the mechanism 2") as caught:
        lw.accelerations(sprung(2), angles)
    assert "Leave counted_angles out" in str(caught.value)
    with pytest.raises(UsageError, match="another one"):
        lw.simulate(sprung(2), 0.01, 1e-3, state=angles)


def test_a_state_with_its_own_angles_is_taken() -> None:
    plain = State.start(sprung(2))
    given = State(plain.position, plain.rotation, plain.velocity, plain.angular_velocity, 0.0, np.full(2, 2 * np.pi))
    turned = lw.accelerations(sprung(2), given)
    assert turned.omegadot[0, 2] == pytest.approx(-4 * np.pi / (0.1 + 0.25), rel=1e-9)


@pytest.mark.parametrize("name", ["a.txt", "a", "a.nc", "a.html.bak"])
def test_pages_end_as_pages_do(name: str, tmp_path: Path) -> None:
    for what in (sprung(0), sprung(0).view()):
        write = what.view if isinstance(what, lw.Mechanism) else what.save
        with pytest.raises(UsageError, match="pages are not written as") as caught:
            write(tmp_path / name)
        assert "Use .html" in str(caught.value)
    assert not list(tmp_path.iterdir())
    assert sprung(0).view(tmp_path / "a.HTM").bodies == 1


@pytest.mark.parametrize(
    ("verb", "options", "takes"),
    [
        ("view", {"colour": "red"}, "most_frames"),
        ("view", {"what": 1}, "others"),
        ("picture", {"colour": "red"}, "dpi"),
        ("film", {"path": "a.gif", "rate": 3}, "fps"),
        ("to_csv", {"path": "a.csv", "digits": 3}, "force"),
    ],
)
def test_options_that_nothing_takes_are_refused_by_name(verb: str, options: dict[str, Any], takes: str) -> None:
    with pytest.raises(UsageError, match=f"Result.{verb} takes no") as caught:
        getattr(handmade.result(), verb)(**options)
    assert takes in str(caught.value)


def test_a_mechanism_refuses_them_as_well() -> None:
    with pytest.raises(UsageError, match=r"Mechanism.view takes no 'colour'"):
        sprung(0).view(colour="red")


@pytest.mark.parametrize("accuracy", [None, 1e-4])
def test_samples_are_told_by_samples(accuracy: float | None) -> None:
    with pytest.raises(UsageError, match=r"lw.Samples\(...\), not list"):
        lw.simulate(sprung(0), 0.1, 1e-2, samples=[0.05, 0.1], accuracy=accuracy)  # type: ignore[arg-type]  # said


@pytest.mark.parametrize("point", [(1.0, 2.0), "tip", (0.0, 0.0, np.nan), 3.0])
def test_a_point_is_three_numbers(point: Any) -> None:
    with pytest.raises(UsageError, match="point must be three finite numbers, m"):
        lw.jacobian(sprung(0), "door", point)


@pytest.mark.parametrize("what", [None, 3, b"planar_four_bar", ["planar_four_bar"]])
@pytest.mark.parametrize(
    ("verb", "wanted"),
    [
        (lw.load, "a file or the name of a shipped mechanism"), (lw.open_result, "the file of a result"),
        (lw.resume, "the file of a run"), (lw.load_study, "the file of a study"),
        (lw.open_sweep, "the file of a sweep"),
    ],
)  # fmt: skip
def test_what_names_no_file_is_refused(verb: Any, wanted: str, what: Any) -> None:
    with pytest.raises(UsageError, match=f"{wanted} is wanted, not {type(what).__name__}"):
        verb(what)


@pytest.mark.parametrize("given", [None, "planar_four_bar", 3, []])
@pytest.mark.parametrize(
    "verb",
    [
        lw.check, lw.assemble, lw.accelerations, lw.equilibrium, lw.equilibria, lw.linearise, lw.modes, lw.topology,
        lw.joint_coordinates, lw.mass_matrix, lw.start_state, lw.compile, lambda one: lw.inverse_dynamics(one, [0.0]),
        lambda one: lw.forward_kinematics(one, [0.0]), lambda one: lw.jacobian(one, "door"),
        lambda one: lw.counts_of(one, "canonical"), lambda one: lw.simulate(one, 0.1, 1e-2),
        lambda one: lw.kinematics(one, 0.1, 1e-2), lambda one: lw.compare(one, t_end=0.1),
        lambda one: lw.plan(one, 0.1, accuracy=1e-4), lambda one: lw.floquet(one, 1.0),
        lambda one: lw.sweep(one, {"door.mass": [1.0]}, t_end=0.1, step=1e-2), lambda one: lw.Simulator(one, 1e-2),
        lambda one: lw.control(one, [], 0.1, 1e-2), lambda one: lw.steady_motion(one, turning=(0.0, 0.0, 1.0)),
        lambda one: lw.sensitivities(one, 0.1, 1e-2, of="position", to="door.mass"),
    ],
)  # fmt: skip
def test_what_is_no_mechanism_is_refused_by_every_verb(verb: Any, given: Any) -> None:
    with pytest.raises(UsageError, match=f"a Mechanism is wanted, not {type(given).__name__}"):
        verb(given)


def test_inputs_are_told_by_name() -> None:
    simulator = lw.Simulator(sprung(0), 1e-2)
    given: Any = -1
    with pytest.raises(UsageError, match="inputs are told by name, not as int"):
        simulator.step(given)
    with pytest.raises(UsageError, match="inputs are told by name, not as int"):
        simulator.advance(0.1, given)


def test_what_is_no_result_is_not_verified() -> None:
    with pytest.raises(UsageError, match="a Result is wanted, not str"):
        lw.verify("run.nc")  # type: ignore[arg-type]  # that is what is refused


def test_coordinates_too_far_away_to_be_followed_are_refused_at_once() -> None:
    """Angles are counted on the way there, 0.3 rad at a time, which would take for ever."""
    with pytest.raises(
        UsageError, match=r"hinge.angle = 1e\+300 is too far from the described pose, 0: at most 300 away"
    ):
        lw.simulate(sprung(1), 0.1, 1e-2, state={"hinge": 1e300})
    turns = lw.start_state(sprung(1), {"hinge": 20.0}).counted_angles
    assert turns is not None
    assert turns[0] == pytest.approx(20.0)
    labels, sizes = ["hinge.angle", "slide.displacement"], np.array([0.3, 0.1])
    assert poses_between(labels, np.array([0.0, 0.0]), np.array([-299.9, 99.0]), sizes) == 1000
    with pytest.raises(UsageError, match=r"slide.displacement = 101 is too far .* at most 100 away"):
        poses_between(labels, np.array([0.0, 0.0]), np.array([0.0, 101.0]), sizes)
    assert poses_between([], np.zeros(0), np.zeros(0), np.zeros(0)) == 1
