"""Calls with what they do not take: each is refused in words, with the cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit import handmade

import linkwork as lw
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
