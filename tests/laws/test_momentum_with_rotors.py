"""RATTLE, SHAKE and their compositions keep momenta to rounding where balls carry rotors.

The rotor's energy J |w|^2 / 2 is that of the relative angular velocity w alone, which turns of the whole mechanism
leave as it is. So what it gives one body it takes from the other: of a floating pair the bodies' momenta together stay.
Against ground, turns about gravity's axis are left: there the bodies' momentum and the rotor's, J w, stay together.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw

ROTOR = {"inertia": 0.02, "ratio": 3.0}
J = ROTOR["inertia"] * ROTOR["ratio"] ** 2
METHODS = ("rattle", "shake", "rattle4", "rattle6")


def momenta(mech: lw.Mechanism, res: lw.Result) -> tuple[np.ndarray, np.ndarray]:
    """Linear and angular momentum of all bodies about the origin, (nt, 3)."""
    p, total = np.zeros((2, len(res.time), 3))
    for body in mech.bodies:
        A, w, r, v = (
            res.rotation(body.name),
            res.angular_velocity(body.name),
            res.position(body.name),
            res.velocity(body.name),
        )
        inertia = mech.lower().bodies[mech.bodies.index(body)].inertia
        p += body.mass * v
        total += np.einsum("tij,tj->ti", A, w @ inertia) + body.mass * np.cross(r, v)
    return p, total


def pair() -> lw.Mechanism:
    mech = lw.Mechanism("floating pair", gravity=(0, 0, 0))
    drift = {"velocity": [0.1, 0.2, -0.3]}
    mech.body("a", mass=1.0, inertia=[0.1, 0.2, 0.25], angular_velocity=[0.7, -1.1, 0.4], **drift)
    place = {"position": [0.6, 0, 0], "angular_velocity": [-0.5, 0.9, 1.3]}
    mech.body("b", mass=0.7, inertia=[0.15, 0.1, 0.2], **place, **drift)
    mech.joint("ball", "spherical", "a", "b", point=[0.3, 0.1, 0])
    mech.coupling("rotor", "rotor", joint="ball", **ROTOR)
    return lw.assemble(mech).mechanism


def top() -> lw.Mechanism:
    mech = lw.Mechanism("top", gravity=(0, 0, -9.81))
    spin = {"angular_velocity": [0.8, -0.5, 6.0], "rotation": {"axis": [1, 0, 0], "angle": 0.6}}
    mech.body("top", mass=1.2, inertia=[0.1, 0.2, 0.15], position=[0, -0.3 * np.sin(0.6), 0.3 * np.cos(0.6)], **spin)
    mech.joint("ball", "spherical", "ground", "top", point=[0, 0, 0])
    mech.coupling("rotor", "rotor", joint="ball", coordinate="rotation", **ROTOR)
    return lw.assemble(mech).mechanism


@pytest.mark.parametrize("formulation", ["lie-mixed", "lie-se3"])
@pytest.mark.parametrize("integrator", METHODS)
def test_a_floating_pair_keeps_both_momenta(formulation: str, integrator: str) -> None:
    mech = pair()
    res = lw.simulate(mech, 1.0, 1e-2, formulation, integrator)
    p, total = momenta(mech, res)
    assert np.abs(p - p[0]).max() < 1e-13
    assert np.abs(total - total[0]).max() < 1e-13
    turned = res.angular_velocity("a") - res.angular_velocity("a")[0]
    assert np.abs(turned).max() > 0.1  # there is something to keep


@pytest.mark.parametrize("formulation", ["lie-mixed", "lie-se3"])
@pytest.mark.parametrize("integrator", METHODS)
def test_a_top_keeps_its_momentum_about_gravity_with_the_rotors(formulation: str, integrator: str) -> None:
    mech = top()
    res = lw.simulate(mech, 1.0, 1e-2, formulation, integrator)
    _, total = momenta(mech, res)
    spin = np.einsum("tij,tj->ti", res.rotation("top"), res.angular_velocity("top"))
    kept = total + J * spin
    assert np.abs(kept[:, 2] - kept[0, 2]).max() < 2e-13
    assert np.ptp(kept[:, 0]) > 0.1
    assert np.ptp(total[:, 2]) > 1e-3  # the body alone does not


def test_a_method_without_the_law_shows_that_it_is_none_of_rounding() -> None:
    mech = pair()
    _, total = momenta(mech, lw.simulate(mech, 1.0, 1e-2, "lie-mixed", "stormer-verlet"))
    assert np.abs(total - total[0]).max() > 1e-7
