"""Energies, power, reactions and violations of states made by hand. The kernels run as Python: nothing is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.equations.derived import ADD_FORCES, DERIVE, MechanismDeriver
from linkwork.header import DERIVED
from linkwork.system import compile_mechanism

G = 9.81
M, J = 2.0, np.array([0.1, 0.2, 0.3])
R, V, W = np.array([1.0, 2.0, 3.0]), np.array([1.0, -2.0, 0.5]), np.array([0.3, -0.4, 0.5])


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deriver calls the kernels themselves instead of what is compiled of them."""
    for entry in (DERIVE, ADD_FORCES):
        monkeypatch.setattr(f"linkwork.equations.derived.{entry.name}", entry.__wrapped__)


def body(**state: Any) -> lw.Mechanism:
    mechanism = lw.Mechanism("one", gravity=(0, 0, -G))
    mechanism.body("one", mass=M, inertia=J.tolist(), **state)
    return mechanism


def turn(axis: int, angle: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (k for k in range(3) if k != axis)
    A = np.eye(3)
    A[i, i], A[j, j], A[i, j], A[j, i] = c, c, -s, s
    return A if axis != 1 else A.T


def derived(
    mechanism: lw.Mechanism, r: Any = R, A: Any = None, v: Any = V, w: Any = W, lam: Any = None, t: float = 0.0
) -> dict[str, Any]:
    """What is derived of one sample of one body, or of several where these are lists."""
    compiled = compile_mechanism(mechanism.lower())
    shape = (1, compiled.nb)
    arrays = [np.broadcast_to(np.array(x, dtype=float), (*shape, 3)) for x in (r, v, w)]
    rotation = np.broadcast_to(np.eye(3) if A is None else np.array(A, dtype=float), (*shape, 3, 3))
    multiplier = np.zeros((1, compiled.nc)) if lam is None else np.array([lam], dtype=float)
    found = MechanismDeriver(compiled).derive(
        tuple(DERIVED), np.array([t]), arrays[0], rotation, arrays[1], arrays[2], None, None, multiplier
    )
    return {name: values[0] for name, values in found.items()}


def test_energies_of_a_free_body() -> None:
    found = derived(body(), A=turn(0, 0.7))
    assert found["kinetic_energy"] == pytest.approx(0.5 * M * V @ V + 0.5 * W @ (J * W))
    assert found["potential_energy"] == pytest.approx(M * G * 3.0)
    assert found["power"] == 0.0


def test_masses_of_several_bodies_add_up() -> None:
    mechanism = body()
    mechanism.body("other", mass=5.0, inertia=[1.0, 1.0, 1.0])
    found = derived(mechanism, r=[R, [0, 0, -1.0]], v=[V, [0, 3.0, 0]], w=[W, [0, 0, 2.0]])
    assert found["potential_energy"] == pytest.approx(G * (M * 3.0 - 5.0))
    assert found["kinetic_energy"] == pytest.approx(0.5 * M * V @ V + 0.5 * W @ (J * W) + 22.5 + 2.0)


def test_power_of_a_force_is_that_of_the_point_it_acts_on() -> None:
    A, point, F = turn(2, 0.6), np.array([0.2, -0.1, 0.4]), np.array([3.0, 1.0, -2.0])
    speed = V + A @ np.cross(W, point)
    mechanism = body()
    mechanism.force("push", "force", body="one", components=F.tolist(), point=point.tolist())
    assert derived(mechanism, A=A)["power"] == pytest.approx(F @ speed)
    mechanism.change("push", axes="body")
    assert derived(mechanism, A=A)["power"] == pytest.approx((A @ F) @ speed)


def test_power_of_a_torque_is_that_of_turning() -> None:
    A, T = turn(0, 0.9), np.array([3.0, 1.0, -2.0])
    mechanism = body()
    mechanism.force("twist", "torque", body="one", components=["3*cos(t)", 1.0, -2.0])
    found = derived(mechanism, A=A, t=1.1)
    now = np.array([T[0] * np.cos(1.1), *T[1:]])
    axes = mechanism.element("twist").axes
    assert found["power"] == pytest.approx((now if axes == "body" else A.T @ now) @ W)


@pytest.mark.parametrize("actuator", ["7*t", 14.0])
def test_a_spring_stores_what_its_stretch_is_worth_and_its_damper_takes(actuator: Any) -> None:
    k, c, free, pull = 50.0, 3.0, 1.5, 7.0
    mechanism = body(position=[0.0, 0.0, 1.0])
    mechanism.force(
        "coil", "spring", first="ground", second="one", on_first={"point": [0, 0, 0]}, on_second={"point": [0, 0, 0]},
        stiffness=k, damping=c, length=free, actuator=actuator,
    )  # fmt: skip
    length = np.sqrt(R @ R)
    rate = R @ V / length
    found = derived(mechanism, t=2.0)
    assert found["potential_energy"] == pytest.approx(M * G * 3.0 + 0.5 * k * (length - free) ** 2)
    assert found["power"] == pytest.approx(-(c * rate + 2.0 * pull) * rate)


@pytest.mark.parametrize("actuator", ["5*t", 15.0])
def test_a_torsion_stores_what_its_turn_is_worth_and_its_damper_takes(actuator: Any) -> None:
    k, c, rest, drive, turned = 40.0, 2.0, 0.2, 5.0, 0.9
    mechanism = body()
    mechanism.force(
        "wire", "torsion", first="ground", second="one", axis=[0, 0, 1], stiffness=k, damping=c, angle=rest,
        actuator=actuator,
    )  # fmt: skip
    found = derived(mechanism, A=turn(2, turned), w=[0.0, 0.0, 0.7], t=3.0)
    assert found["potential_energy"] == pytest.approx(M * G * 3.0 + 0.5 * k * (turned - rest) ** 2)
    assert found["power"] == pytest.approx(-(c * 0.7 + 3.0 * drive) * 0.7)


# rows -------------------------------------------------------------------------------------------------------


def held(first: str, second: str, point: Any = (0.5, 0.0, 0.0)) -> lw.Mechanism:
    """A ball at a point of a body that starts at the origin, and of ground."""
    mechanism = body()
    mechanism.joint("ball", "spherical", first, second, point=list(point))
    return mechanism


@pytest.mark.parametrize(("first", "second", "sign"), [("ground", "one", -1.0), ("one", "ground", -1.0)])
def test_a_balls_reaction_is_its_multipliers_and_turns_nothing_about_its_point(
    first: str, second: str, sign: float
) -> None:
    """Rows c . (P_j - P_i): what they exert on the second body is minus lambda, at its own point there."""
    lam = np.array([3.0, -5.0, 7.0])
    found = derived(held(first, second), r=[0.0, 0.0, 0.0], A=turn(1, 0.4), lam=lam)
    assert_allclose(found["reaction_force"], [sign * lam], rtol=1e-14)
    assert_allclose(found["reaction_torque"], np.zeros((1, 3)), atol=1e-13)


def test_a_blades_reaction_is_across_it_at_its_own_point() -> None:
    """Off the centre of mass: a . (v + A (w x s)) = 0 gives the body -lambda a at s, and no torque about s."""
    A, across, s = turn(2, 0.8), np.array([0.0, 1.0, 0.0]), np.array([0.3, 0.0, 0.2])
    mechanism = body()
    mechanism.joint("blade", "knife-edge", "ground", "one", on_second={"point": s.tolist(), "axis": across.tolist()})
    found = derived(mechanism, A=A, lam=[4.0])
    assert_allclose(found["reaction_force"], [-4.0 * (A @ across)], atol=1e-14)
    assert_allclose(found["reaction_torque"], np.zeros((1, 3)), atol=1e-13)


def test_violations_are_the_largest_whatever_their_sign() -> None:
    """The ball's point is off by (0.1, -0.3, 0.2) m, and moves with (1, -2, 0.5) m/s."""
    found = derived(held("ground", "one"), r=[0.1, -0.3, 0.2], w=[0.0, 0.0, 0.0])
    assert found["position_violation"] == pytest.approx(0.3)
    assert found["velocity_violation"] == pytest.approx(2.0)
    found = derived(held("ground", "one"), r=[0.0, 0.0, 0.0], v=[0.0, 0.0, 0.0], w=[0.0, 0.0, 3.0])
    assert found["position_violation"] == 0.0
    assert found["velocity_violation"] == pytest.approx(1.5)  # 3 rad/s at 0.5 m


def test_a_drivers_rate_is_no_violation_and_its_power_is_what_it_gives() -> None:
    mechanism = body()
    mechanism.joint("hinge", "revolute", "ground", "one", point=[0, 0, 0], axis=[0, 0, 1])
    mechanism.driver("motor", "hinge", "4*t")
    rows = mechanism.lower().rows
    lam = [6.0 if row.driver else 0.0 for row in rows]
    found = derived(mechanism, r=[0, 0, 0], v=[0, 0, 0], w=[0, 0, 4.0], lam=lam)
    assert found["velocity_violation"] == pytest.approx(0.0, abs=1e-14)
    assert abs(found["power"]) == pytest.approx(24.0)
    motor = [joint.name for joint in mechanism.lower().joints].index("motor")
    assert found["power"] == pytest.approx(found["reaction_torque"][motor] @ [0.0, 0.0, 4.0])
    late = derived(mechanism, r=[0, 0, 0], v=[0, 0, 0], w=[0, 0, 3.0])
    assert late["velocity_violation"] == pytest.approx(1.0)


def test_what_cannot_be_had_is_left_out() -> None:
    compiled = compile_mechanism(held("ground", "one").lower())
    deriver = MechanismDeriver(compiled)
    still = (np.zeros(1), np.zeros((1, 1, 3)), np.eye(3)[None, None])
    found = deriver.derive(tuple(DERIVED), *still, None, None, None, None, None)
    assert set(found) == {"potential_energy", "position_violation"}
