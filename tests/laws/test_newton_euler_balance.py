"""Newton and Euler for every body, from what a result offers: accelerations, reactions and places, applied forces.

    m a = forces + reactions,    A (J alpha + omega x J omega) = torques + reactions about the centre of mass

A reaction acts on the body that `reaction_place` names as it is reported, and on the other one in the opposite sense at
the same place; of a CD row at its own point there, and of a PFAFFIAN row with its own coefficients; these two know
a frame besides their bodies. So points off the centres, and elements whose second body is ground, have to be right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from oracles.newton_euler_dense import forces

import linkwork as lw
from linkwork.system import compile_mechanism

FORMULATION, INTEGRATOR = "lie-product", "rk4"
BALANCED = 1e-9  # of the largest force, or torque
GROUND_FIRST = ("knife-edge", "rolling-disc")


def left_over(mechanism: lw.Mechanism, result: lw.Result, k: int) -> float:
    """The largest force [N] or torque [N m] that is missing at sample k, relative to the largest there is."""
    lowered = mechanism.lower()
    at = lw.State.of(result, k).within(compile_mechanism(lowered))
    A, u = at.A.reshape(-1, 3, 3), np.hstack([at.v, at.w])
    left = forces(at, at.r, A, u, float(result.time[k])).reshape(-1, 6)  # torques in the body, less omega x J omega
    sizes = [1.0, np.abs(left).max()]
    for b, body in enumerate(lowered.bodies):
        left[b, :3] -= body.mass * result.acceleration(body.name)[k]
        left[b, 3:] -= body.inertia @ result.angular_acceleration(body.name)[k]
    for joint in lowered.joints:
        force, torque = (part[k] for part in result.reaction(joint.name))
        place = result.reaction_place(joint.name)
        r, A = pose(result, place.body, k)
        point = r + A @ place.point
        sizes += [np.abs(force).max(), np.abs(torque).max()]
        row = lowered.rows[joint.rows[0]] if joint.rows else None
        for b in {joint.body_i, joint.body_j} - {-1}:
            body = lowered.bodies[b].name
            centre, A = pose(result, body, k)
            if body == place.body:
                left[b] += np.r_[force, A.T @ (torque + np.cross(point - centre, force))]
            elif joint.type == "PFAFFIAN":
                g = (row.a_i, row.s_i) if b == row.body_i else (row.a_j, row.s_j)
                left[b] -= result["multiplier"][k, joint.rows[0]] * np.concatenate(g)
            elif joint.type == "CD":
                left[b] -= np.r_[force, np.cross(row.s_i if b == row.body_i else row.s_j, A.T @ force)]
            else:
                left[b] -= np.r_[force, A.T @ (torque + np.cross(point - centre, force))]
    return float(np.abs(left).max() / max(sizes))


def pose(result: lw.Result, body: str, k: int) -> tuple[Any, Any]:
    if body == "ground":
        return np.zeros(3), np.eye(3)
    return result.position(body)[k], result.rotation(body)[k]


def balance(mechanism: lw.Mechanism) -> float:
    result = lw.simulate(mechanism, 2e-3, 1e-3, FORMULATION, INTEGRATOR)
    return max(left_over(mechanism, result, k) for k in range(len(result.time)))


@pytest.mark.parametrize("seed", range(30))
def test_every_body_of_a_random_mechanism_is_in_balance(seed: int) -> None:
    assert balance(random_mechanism(seed)) < BALANCED


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_elements_with_ground_second_are_in_balance(seed: int) -> None:
    """Joints to ground and raw rows told the other way round, but for what drives joints or needs ground first."""
    document = random_mechanism(seed).to_dict()
    driven = {one["joint"] for one in document.get("drivers", ())}
    for one in document.get("joints", ()):
        if one["first"] == "ground" and one["type"] not in GROUND_FIRST and one["name"] not in driven:
            one["first"], one["second"] = one["second"], one["first"]
            one.update({a: one[b] for a, b in (("on_first", "on_second"), ("on_second", "on_first")) if b in one})
    swapped = {"body_i": "body_j", "a_i": "a_j", "s_i": "s_j", "g_i": "g_j"}
    for one in document.get("constraints", ()):
        if one["body_i"] == "ground" and one["type"] in ("DP1", "D", "PFAFFIAN"):
            both = swapped | {b: a for a, b in swapped.items()}
            values = {key: one.pop(key) for key in both if key in one}
            one.update({both[key]: value for key, value in values.items()})
    mechanism = lw.Mechanism.from_dict(document)
    lowered = lw.assemble(mechanism).mechanism
    assert balance(lowered) < BALANCED


@pytest.mark.parametrize(("kind", "place"), [
    ("knife-edge", {"on_second": {"point": [0.4, 0.3, -0.2], "axis": [0, 1, 0]}}),
    ("distance", {"on_first": {"point": [0, 0, 1]}, "on_second": {"point": [0.4, 0.3, -0.2]}}),
    ("spherical", {"on_first": {"point": [1.5, 0.3, 0.8]}, "on_second": {"point": [0.4, 0.3, -0.2]}}),
    ("point-in-plane", {
        "on_first": {"point": [0, 0, 0.8], "axis": [0, 0, 1]}, "on_second": {"point": [0.4, 0.3, -0.2]},
    }),
])  # fmt: skip
def test_a_reaction_off_the_centre_turns_the_body(kind: str, place: dict[str, Any]) -> None:
    """One joint and a body that tumbles: a reaction moved to the centre of mass is wrong by newton metres."""
    mechanism = lw.Mechanism("off the centre")
    mechanism.body(
        "body",
        mass=2.0,
        inertia=[0.3, 0.2, 0.4],
        position=[1.1, 0.0, 1.0],
        angular_velocity=[0.5, -1.0, 2.0],
    )
    mechanism.joint("joint", kind, "ground", "body", **place)
    mechanism.force("push", "force", body="body", components=[30.0, 40.0, 50.0], point=[-0.2, 0.1, 0.3])
    result = lw.simulate(mechanism, 2e-3, 1e-3, FORMULATION, INTEGRATOR)
    assert np.linalg.norm(result.reaction("joint").force[0]) > 1.0
    assert max(left_over(mechanism, result, k) for k in range(3)) < BALANCED
