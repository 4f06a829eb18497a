"""Couplings of all types, rotors, bushings, motors, joint and ball springs, constant-velocity joints, cam pairs
and drivers on any coordinate: all formulations give the same accelerations and reactions on random mechanisms that have
them, and the same motions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from mechanism_generator import mechanism_with_elements
from mechanism_generator_couplings import mechanism_with_couplings, mechanism_with_rotors
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.formulations import FORMULATIONS

AGREED = {"penalty": 1e-8}
SEEDS = range(24)
OF_COUPLINGS = range(100, 116)  # seeds of the other generators
OF_ROTORS = range(200, 220)
FIELDS = ("rddot", "omegadot", "constraint_forces")
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
RUNS: list[dict[str, Any]] = [
    {"formulation": "augmented", "integrator": "ts54", **TIGHT, "stabilisation": "projection"},
    {"formulation": "joint-rates", "integrator": "dop853", **TIGHT},
    {"formulation": "null-space", "integrator": "dop853", **TIGHT, "stabilisation": "projection"},
    {"formulation": "articulated-body", "integrator": "dop853", **TIGHT, "stabilisation": "projection"},
    {"formulation": "canonical", "integrator": "dop853", **TIGHT},
    {"formulation": "rA", "integrator": "radau5", **TIGHT},
    {"formulation": "lie-se3", "integrator": "radau5", **TIGHT},
]
SPAN = 0.2


@cache
def mechanism(seed: int) -> lw.Mechanism:
    if seed in OF_ROTORS:
        return mechanism_with_rotors(seed)
    return mechanism_with_couplings(seed) if seed in OF_COUPLINGS else mechanism_with_elements(seed)


@cache
def wanted(seed: int) -> Any:
    return lw.accelerations(mechanism(seed), formulation="augmented")


def couples(mech: lw.Mechanism) -> bool:
    """Whether rows couple coordinates."""
    return any(one.type != "rotor" for one in mech.couplings)


def test_the_generator_makes_every_kind() -> None:
    kinds = {type(one).__name__ for seed in SEEDS for one in (*mechanism(seed).forces, *mechanism(seed).couplings)}
    assert {"Bushing", "JointSpring", "Motor", "Coupling", "PointForce", "Gear", "Mimic", "Rotor"} <= kinds
    joints = {joint.type for seed in SEEDS for joint in mechanism(seed).joints}
    assert {"constant-velocity", "screw", "universal", "spherical"} <= joints
    assert sum(bool(mechanism(seed).drivers) for seed in SEEDS) > 8
    assert 4 < sum(couples(mechanism(seed)) for seed in SEEDS) < 20


def test_the_other_generator_makes_every_coupling() -> None:
    made = [mechanism(seed) for seed in OF_COUPLINGS]
    couplings = {one.type for mech in made for one in mech.couplings}
    assert {"belt", "rack-and-pinion", "cable", "differential", "cam", "point-on-curve", "rotor"} <= couplings
    assert any(one.type == "rotor" and one.coordinate == "rotation" for mech in made for one in mech.couplings)  # type: ignore[attr-defined]
    assert any(joint.type == "cam-pair" for mech in made for joint in mech.joints)
    assert any(force.type == "spherical-spring" for mech in made for force in mech.forces)


def test_the_last_generator_makes_rotors_everywhere() -> None:
    made = [mechanism(seed) for seed in OF_ROTORS]
    kinds: dict[str, int] = {}
    for mech in made:
        joints = {joint.name: joint for joint in mech.joints}
        closing = {joint.name for joint in mech.joints[len(mech.bodies) :]}
        driven = {(one.joint, one.coordinate) for one in mech.drivers}
        for one in mech.couplings:
            where = joints[one.joint].type  # type: ignore[attr-defined]
            places = [where, "ball"] if one.coordinate == "rotation" else [where]  # type: ignore[attr-defined]
            places += ["closing"] * (one.joint in closing)  # type: ignore[attr-defined]
            places += ["driven"] * ((one.joint, one.coordinate) in driven)  # type: ignore[attr-defined]
            for place in places:
                kinds[place] = kinds.get(place, 0) + 1
    wanted = {
        "universal",
        "planar",
        "cylindrical",
        "spherical",
        "free",
        "screw",
        "revolute",
        "ball",
        "closing",
        "driven",
    }
    assert wanted == set(kinds)
    assert min(kinds.values()) > 2
    assert sum(one.type == "spherical-spring" for mech in made for one in mech.forces) > 5


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_accelerations_and_reactions_agree(formulation: str) -> None:
    for seed in (*SEEDS, *OF_COUPLINGS, *OF_ROTORS):
        found = lw.accelerations(mechanism(seed), formulation=formulation)
        for name in FIELDS:
            want = np.asarray(getattr(wanted(seed), name))
            agreed = AGREED.get(formulation, 1e-9) * max(1.0, float(np.linalg.norm(want)))
            assert_allclose(getattr(found, name), want, atol=agreed, err_msg=f"{formulation} {seed} {name}")


@pytest.mark.parametrize("seed", [*range(8), *OF_ROTORS[:4]])
def test_motions_agree_and_the_work_of_every_element_is_accounted_for(seed: int) -> None:
    mech = mechanism(seed)
    runs = [lw.simulate(mech, SPAN, SPAN / 1600, **how) for how in RUNS]
    first = runs[0]
    exchanged = np.ptp(first["kinetic_energy"]) + np.ptp(first["potential_energy"]) + 1.0
    for how, run in zip(RUNS, runs, strict=True):
        for name in ("position", "rotation"):
            assert_allclose(run[name], first[name], atol=1e-7, err_msg=f"{seed} {how}")
        balance = run.energy_balance()
        assert balance.work is not None
        assert np.abs(balance.residual).max() < 1e-4 * exchanged, how  # work by the trapezoidal rule
