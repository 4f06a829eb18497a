"""What MJCF and URDF cannot hold is refused by name, and what is written can be read: names, mass, rolling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.joint_examples import mechanism as example

import linkwork as lw
from linkwork.errors import UnsupportedElementError
from linkwork.io.formats import save
from linkwork.mechanism.account import REFUSED
from linkwork.mechanism.joints import JOINTS


def arm(name: str = "arm", **body: object) -> lw.Mechanism:
    """One body on a hinge, off its axis."""
    mech = lw.Mechanism("one arm")
    mech.body(name, **{"mass": 1, "inertia": [0.1, 0.2, 0.25], "position": [0.5, 0, 0], **body})
    mech.joint("hinge", "revolute", "ground", name, point=[0, 0, 0], axis=[0, 1, 0])
    return mech


def flat(seed: int) -> lw.Mechanism:
    """A plate, A + B = C, whose body axes are not its own."""
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.1, 1.0, 2)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    J = Q @ np.diag([a, b, a + b]) @ Q.T
    return arm(inertia=(0.5 * (J + J.T)).tolist())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mass": 0}, "has inertia and a mass of 0 kg"),
        ({"mass": 0, "inertia": [0, 0, 0]}, "moves without mass"),
        ({"inertia": [0.1, 0.1, 0.5]}, r"A \+ B < C"),
        ({"inertia": [0, 0.1, 0.1]}, "a moment of inertia of 0"),
    ],
)
def test_mass_and_inertia_that_mujoco_does_not_compile_are_refused(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    with pytest.raises(UnsupportedElementError, match=f"body 'arm': .*{said}"):
        save(arm(**change), tmp_path / "arm.xml")
    assert not (tmp_path / "arm.xml").exists()


def test_inertia_without_mass_in_a_chain_is_not_dropped(tmp_path: Path) -> None:
    mech = arm("rotor", mass=0, position=[0, 0, 0])
    mech.body("load", mass=1, inertia=[0.1, 0.1, 0.1])
    mech.joint("pin", "revolute", "rotor", "load", point=[0, 0, 0], axis=[0, 0, 1])
    with pytest.raises(UnsupportedElementError, match="rotor"):
        save(mech, tmp_path / "arm.xml")


def test_mass_that_is_fixed_to_a_body_without_is_enough(tmp_path: Path) -> None:
    mech = arm("frame", mass=0, inertia=[0, 0, 0])
    for k, name in enumerate(("left", "right")):
        mech.body(name, mass=1 + k, inertia=[0.1, 0.1, 0.1], position=[1, k, 0])
        mech.joint(f"{name} seam", "fixed", "frame", name)
    read = lw.load(save(mech, tmp_path / "arm.xml"))
    expected, found = lw.accelerations(mech), lw.accelerations(read)
    assert np.abs(found.acceleration("right") - expected.acceleration("right")).max() < 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_flat_bodies_survive_the_rounding_of_their_moments(tmp_path: Path, seed: int) -> None:
    mech = flat(seed)
    read = lw.load(save(mech, tmp_path / "plate.xml"))
    difference = np.array(read.element("arm").inertia) - np.array(mech.element("arm").inertia)
    assert np.abs(difference).max() < 1e-13


def test_a_knife_edge_is_no_pair_of_slides(tmp_path: Path) -> None:
    mech = lw.Mechanism("skate")
    mech.body("skate", mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    mech.joint("blade", "knife-edge", "ground", "skate", point=[0, 0, 0], axis=[0, 1, 0])
    with pytest.raises(UnsupportedElementError, match="'blade': MJCF has no knife-edge"):
        save(mech, tmp_path / "skate.xml")


@pytest.mark.parametrize("ending", [".urdf", ".xml"])
def test_names_that_the_writer_needs_itself(tmp_path: Path, ending: str) -> None:
    mech = lw.Mechanism("names")
    for name in ("world", "cross 1", "cross between"):
        mech.body(name, mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    mech.joint("cross", "universal", "ground", "world", point=[0, 0, 0], axis=[0, 1, 0], axis2=[0, 0, 1])
    mech.joint("cross 2", "revolute", "world", "cross 1", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("loop axis", "revolute", "cross 1", "cross between", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("loop", "revolute", "ground", "cross between", point=[0, 0, 0], axis=[0, 1, 0])
    mech.sensor("height", "position('world', 'z')")
    file = save(mech, tmp_path / f"names{ending}")
    assert "sensor 'height': not written" in mech.written.text()
    expected, found = lw.accelerations(mech), lw.accelerations(lw.load(file))
    called = "world (2)" if ending == ".xml" else "world"
    assert np.abs(found.acceleration(called) - expected.acceleration("world")).max() < 1e-10


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
@pytest.mark.parametrize("kind", JOINTS)
def test_every_kind_of_joint_is_written_or_refused_by_name(kind: str, suffix: str, tmp_path: Path) -> None:
    """A rod whose length was that of the start ended the writer of MJCF with an assertion."""
    document = example(kind, np.random.default_rng(4)).to_dict()
    for body in document["bodies"]:
        body |= {"mass": 1.5, "inertia": [0.1, 0.2, 0.25]}
    mech = lw.Mechanism.from_dict(document)
    path = tmp_path / f"pair{suffix}"
    save(mech, path, on_unsupported="report")
    refused = mech.written.of(REFUSED)
    assert all(
        one.element.startswith("joint 'joint'") and f"has no {mech.joints[0].type}" in one.how for one in refused
    )
    assert {"b"} <= {body.name for body in lw.load(path, on_unsupported="report").bodies}
