"""Frequencies of closed loops beside Exudyn's constrained linearisation, which leaves the reactions' own stiffness out:
without weight and with springs at their free lengths there is none."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import linkwork as lw

exudyn = pytest.importorskip("exudyn", reason="Exudyn comes with linkwork's extra `bench`")

ALONG_Y = {"axis": [0.0, 1.0, 0.0]}
Points = tuple[str, str, list[float]]


def rod(mech: lw.Mechanism, name: str, start: list[float], end: list[float], mass: float) -> None:
    """A slender rod, its x axis along it."""
    a, b = np.array(start), np.array(end)
    x = (b - a) / np.linalg.norm(b - a)
    y = np.cross([0.0, 0.0, 1.0], x) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    y /= np.linalg.norm(y)
    about = mass * float(np.linalg.norm(b - a)) ** 2 / 12.0
    rotation = np.column_stack([x, y, np.cross(x, y)])
    mech.body(
        name,
        mass=mass,
        inertia=[0.01 * about, about, about],
        position=((a + b) / 2).tolist(),
        rotation=rotation.tolist(),
    )


def spring(mech: lw.Mechanism, first: str, second: str, point: list[float], point2: list[float], k: float) -> None:
    """A spring at its free length between two global points."""
    length = float(np.linalg.norm(np.subtract(point2, point)))
    mech.force(
        f"{first} {second}",
        "spring",
        first=first,
        second=second,
        point=point,
        point2=point2,
        stiffness=k,
        length=length,
    )


def four_bar() -> lw.Mechanism:
    mech = lw.Mechanism("four-bar", gravity=(0, 0, 0))
    a, b, c, d = [0.0, 0.0, 0.0], [0.1, 0.0, 0.3], [0.6, 0.0, 0.5], [0.7, 0.0, 0.0]
    for name, start, end, mass in (("crank", a, b, 1.0), ("coupler", b, c, 2.0), ("rocker", c, d, 1.5)):
        rod(mech, name, start, end, mass)
    mech.joint("A", "revolute", "ground", "crank", point=a, **ALONG_Y)
    mech.joint("B", "revolute", "crank", "coupler", point=b, **ALONG_Y)
    mech.joint("C", "spherical", "coupler", "rocker", point=c)
    mech.joint("D", "revolute", "ground", "rocker", point=d, **ALONG_Y)
    spring(mech, "ground", "coupler", [0.3, 0.0, 1.0], [0.35, 0.0, 0.4], 800.0)
    return mech


def five_bar() -> lw.Mechanism:
    mech = lw.Mechanism("five-bar", gravity=(0, 0, 0))
    a, b, c, d, e = [0.0, 0.0, 0.0], [-0.2, 0.0, 0.4], [0.2, 0.0, 0.8], [0.7, 0.0, 0.4], [0.5, 0.0, 0.0]
    for name, start, end, mass in (("1", a, b, 1.0), ("2", b, c, 0.7), ("3", c, d, 0.9), ("4", d, e, 1.2)):
        rod(mech, name, start, end, mass)
    mech.joint("A", "revolute", "ground", "1", point=a, **ALONG_Y)
    mech.joint("B", "revolute", "1", "2", point=b, **ALONG_Y)
    mech.joint("C", "spherical", "2", "3", point=c)
    mech.joint("D", "revolute", "3", "4", point=d, **ALONG_Y)
    mech.joint("E", "revolute", "ground", "4", point=e, **ALONG_Y)
    spring(mech, "ground", "1", [-0.6, 0.0, 0.2], [-0.1, 0.0, 0.2], 500.0)
    spring(mech, "2", "4", [0.0, 0.0, 0.6], [0.6, 0.0, 0.2], 300.0)
    return mech


def spatial_loop() -> lw.Mechanism:
    """A crank, a rod on two ball joints and a rocker about another axis: the rod may spin about itself."""
    mech = lw.Mechanism("spatial", gravity=(0, 0, 0))
    a, b, c, d = [0.0, 0.0, 0.0], [0.0, 0.2, 0.1], [0.5, 0.4, 0.4], [0.5, 0.0, 0.4]
    for name, start, end, mass in (("crank", a, b, 1.0), ("rod", b, c, 0.8), ("rocker", c, d, 1.5)):
        rod(mech, name, start, end, mass)
    mech.joint("A", "revolute", "ground", "crank", point=a, axis=[1.0, 0.0, 0.0])
    mech.joint("B", "spherical", "crank", "rod", point=b)
    mech.joint("C", "spherical", "rod", "rocker", point=c)
    mech.joint("D", "revolute", "ground", "rocker", point=d, axis=[0.0, 0.0, 1.0])
    spring(mech, "ground", "rocker", [0.9, 0.3, 0.4], [0.5, 0.3, 0.4], 600.0)
    spring(mech, "crank", "rocker", [0.0, 0.1, 0.05], [0.5, 0.2, 0.4], 200.0)
    return mech


def theirs(mech: lw.Mechanism) -> np.ndarray:
    """Angular frequencies by Exudyn, rad/s: rotation vectors, constraints projected out by singular values."""
    import exudyn.utilities as eu

    exudyn.config.printToConsole = False
    system = exudyn.SystemContainer().AddSystem()
    bodies = {"ground": system.CreateGround()}
    lowered = mech.lower()
    for body in lowered.bodies:
        bodies[body.name] = system.CreateRigidBody(
            inertia=eu.RigidBodyInertia(
                mass=body.mass, inertiaTensor=np.array(body.inertia).reshape(3, 3), com=[0, 0, 0]
            ),
            referencePosition=list(body.position),
            referenceRotationMatrix=np.array(body.rotation).reshape(3, 3),
            nodeType=exudyn.NodeType.RotationRotationVector,
        )
    for joint in mech.joints:
        pair = [bodies[joint.first], bodies[joint.second]]
        if joint.type == "spherical":
            system.CreateSphericalJoint(itemNumbers=pair, position=list(joint.point))
        else:
            system.CreateRevoluteJoint(
                itemNumbers=pair, position=list(joint.point), axis=list(joint.axis), useGlobalFrame=True
            )
    for one in mech.forces:
        ends = []
        for name, point in ((one.first, one.point), (one.second, one.point2)):
            at = next((b for b in lowered.bodies if b.name == name), None)
            local = (
                np.array(point)
                if at is None
                else np.array(at.rotation).reshape(3, 3).T @ (np.array(point) - at.position)
            )
            ends.append(system.AddMarker(eu.MarkerBodyPosition(bodyNumber=bodies[name], localPosition=list(local))))
        system.AddObject(
            eu.SpringDamper(markerNumbers=ends, referenceLength=one.length, stiffness=one.stiffness, damping=0.0)
        )
    system.Assemble()
    values, _ = system.ComputeODE2Eigenvalues()
    return np.sort(np.sqrt(np.abs(values)))


@pytest.mark.parametrize("made", [four_bar, five_bar, spatial_loop])
def test_frequencies_of_loops_are_exudyns(made: Callable[[], lw.Mechanism]) -> None:
    mech = made()
    ours = 2.0 * math.pi * np.sort(lw.modes(mech).frequencies)
    wanted = theirs(mech)
    moving = ours[ours > 1e-2]  # a spin that nothing resists has a frequency of zero in both
    assert len(moving) == np.sum(wanted > 1e-2) > 0
    np.testing.assert_allclose(wanted[-len(moving) :], moving, rtol=2e-6)  # its derivatives are differences
