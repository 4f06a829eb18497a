"""Energy changes by the work that is done, and by nothing else: every force, actuator and driver on random mechanisms.

Runs are accurate to 1e-9, so that what is left of the balance is the trapezoidal rule's error between samples, which
falls with the square of their distance. Power that is counted wrong, twice or not at all leaves more, and stays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.rotation import turn

INTERVALS = (0.02, 0.01, 0.005)  # s
SEEDS = (1, 2, 3)
SECOND = ("spherical", "universal", "cylindrical")


def direction(rng: np.random.Generator) -> np.ndarray:
    x = rng.normal(size=3)
    return x / np.linalg.norm(x)


def loaded(seed: int) -> lw.Mechanism:
    """Three bodies in a chain, the first driven; every kind of force, with constants and with formulas of time."""
    rng = np.random.default_rng(seed)

    def vector(size: float = 1.0) -> list[float]:
        return (size * rng.normal(size=3)).tolist()

    def wave(size: float) -> str:
        a, b = rng.uniform(0.5, 2.0, 2)
        return f"{size * a:.3f}*cos({b:.3f}*t + {a:.3f})"

    m = lw.Mechanism(f"loaded {seed}", gravity=vector(5.0))
    points = np.cumsum(rng.normal(size=(4, 3)) * 0.6, axis=0)
    for k, name in enumerate("abc"):
        turned = turn(direction(rng), float(rng.uniform(0, 3)))
        inertia = turned @ np.diag(rng.uniform(0.2, 0.3, 3)) @ turned.T
        m.body(
            name, mass=float(rng.uniform(0.5, 2.0)), inertia=(0.5 * (inertia + inertia.T)).tolist(),
            position=(0.5 * (points[k] + points[k + 1])).tolist(),
            rotation={"axis": direction(rng).tolist(), "angle": float(rng.uniform(-3, 3))},
        )  # fmt: skip
    m.joint("shoulder", "revolute", "ground", "a", point=points[0].tolist(), axis=direction(rng).tolist())
    kind, axis = SECOND[seed % 3], direction(rng)
    more: dict[str, Any] = {} if kind == "spherical" else {"axis": axis.tolist()}
    if kind == "universal":
        across = np.cross(axis, direction(rng))
        more["axis2"] = (across / np.linalg.norm(across)).tolist()
    m.joint("elbow", kind, "a", "b", point=points[1].tolist(), **more)
    m.joint("wrist", "revolute", "b", "c", point=points[2].tolist(), axis=direction(rng).tolist())
    m.driver("motor", "shoulder", "0.4*sin(1.3*t) + 0.2*t^2")
    m.force("push", "force", body="c", components=[wave(3.0) for _ in "xyz"], axes="global", point=vector(0.3))
    m.force("thrust", "force", body="b", components=vector(2.0), axes="body", point=vector(0.3))
    m.force("twist", "torque", body="b", components=[wave(1.0) for _ in "xyz"], axes="body")
    m.force("turn", "torque", body="c", components=vector(0.5), axes="global")
    m.force(
        "cylinder", "spring", first="ground", second="c", point=vector(), point2=points[3].tolist(), stiffness=30.0,
        damping=1.5, length=0.8, actuator=wave(4.0),
    )  # fmt: skip
    m.force("gear", "torsion", joint="wrist", stiffness=2.0, damping=0.3, angle=0.4, actuator=wave(1.0))
    m.force("spiral", "torsion", joint="shoulder", stiffness=1.5, damping=0.2, angle=-0.3, actuator=0.7)
    return m


@cache
def run(seed: int, interval: float) -> lw.Result:
    return lw.simulate(
        loaded(seed), 1.0, interval, "lie-product", "dop853", rtol=1e-10, atol=1e-12, stabilisation="projection"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_change_of_energy_is_the_integral_of_the_power(seed: int) -> None:
    left = []
    for interval in INTERVALS:
        balance = run(seed, interval).energy_balance()
        assert np.ptp(balance.work) > 0.1 * np.ptp(balance.kinetic)
        left.append(np.abs(balance.residual).max() / np.ptp(balance.kinetic))
    assert left[0] < 0.02
    order = np.log2(np.array(left[:-1]) / np.array(left[1:]))
    assert np.all(np.abs(order - 2.0) < 0.2), (order, left)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_digest_tells_the_largest_residual_of_the_balance(seed: int) -> None:
    result = run(seed, INTERVALS[0])
    residual = np.abs(result.energy_balance().residual)
    assert residual[-1] < residual.max()
    assert result.to_dict()["energy"]["largest_residual"] == residual.max()


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_of_driven_rows_count_as_violations(seed: int) -> None:
    """None in the motion itself; with all velocities enlarged by a tenth, a tenth of what the motor prescribes."""
    result = run(seed, INTERVALS[0])
    assert result["velocity_violation"].max() < 1e-8
    names = ("position", "rotation", "velocity", "angular_velocity")
    state = {name: result[name] * (1.1 if "velocity" in name else 1.0) for name in names}
    derived = result._derive.derive(
        ("velocity_violation",), result.time, *state.values(), None, None, result["multiplier"]
    )
    prescribed = 0.4 * 1.3 * np.cos(1.3 * result.time) + 0.4 * result.time
    assert np.allclose(derived["velocity_violation"], 0.1 * np.abs(prescribed), atol=1e-7)
