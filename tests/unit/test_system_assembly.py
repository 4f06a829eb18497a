from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError
from linkwork.system import CompiledMechanism, assembly, compile_mechanism, least_change
from linkwork.system.assembly import assemble
from linkwork.system.dense import Pose


def compiled(mechanism: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mechanism.lower())


def joined(kind: str, angle: float, **second: object) -> lw.Mechanism:
    """A body turned by `angle` from where its joint to ground wants it."""
    mechanism = lw.Mechanism("joined")
    mechanism.body("a", mass=1.0, inertia=[1, 1, 1], rotation={"axis": [1, 2, 3], "angle": angle})
    place = {"point": [1, 0, 0], "axis": [0, 0, 1], "x": [1, 0, 0]}
    mechanism.joint("j", kind, "ground", "a", on_first=place, on_second=place | {"point": [0, 0, 0]} | second)
    return mechanism


def nudged(mechanism: CompiledMechanism, size: float, seed: int = 0) -> CompiledMechanism:
    step = size * np.random.default_rng(seed).uniform(-1, 1, 6 * mechanism.nb)
    pose = Pose(mechanism.r, mechanism.A).moved(step)
    return mechanism.at(pose.r, pose.A, mechanism.v, mechanism.w)


@pytest.mark.parametrize("kind", ["fixed", "translational"])
@pytest.mark.parametrize("angle", [0.5, 1.6, 2.5, 3.1, np.pi])
def test_a_weld_is_never_assembled_half_round(kind: str, angle: float) -> None:
    found = assemble(compiled(joined(kind, angle)))
    np.testing.assert_allclose(found.pose.A[0].reshape(3, 3), np.eye(3), atol=1e-12)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "planar"])
@pytest.mark.parametrize("angle", [1.0, 2.0, 3.0])
def test_hinge_axes_are_brought_together_not_apart(kind: str, angle: float) -> None:
    found = assemble(compiled(joined(kind, angle)))
    np.testing.assert_allclose(found.pose.A[0].reshape(3, 3)[:, 2], [0, 0, 1], atol=1e-12)


def test_axes_given_opposite_on_purpose_stay_so() -> None:
    mechanism = compiled(joined("revolute", 0.0, axis=[0, 0, -1]))
    found = assemble(mechanism)
    assert found.turned[0] == 0.0
    assert found.pose.r[0] == pytest.approx([1, 0, 0], abs=1e-12)


def test_a_far_start_beyond_a_dead_centre_is_found() -> None:
    """The bar lies on the line to the rod's other end, where no small turn changes the rod's length."""
    mechanism = lw.Mechanism("aligned")
    mechanism.body("bar", mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
    mechanism.joint("pivot", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    mechanism.joint("rod", "distance", "ground", "bar", point=[5, 0, 0], point2=[2, 0, 0], length=4.0)
    found = assemble(compiled(mechanism))
    assert found.before == pytest.approx(7.0)
    assert found.after < 1e-12
    assert np.cos(found.turned[0]) == pytest.approx(0.65)  # (5 - 2 cos)^2 + (2 sin)^2 = 16


def test_what_cannot_be_met_is_named_with_its_amount() -> None:
    mechanism = lw.Mechanism("too short")
    mechanism.body("bar", mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
    mechanism.joint("pivot", "spherical", "ground", "bar", point=[0, 0, 0])
    mechanism.joint("rod", "distance", "ground", "bar", point=[5, 0, 0], point2=[2, 0, 0], length=1.0)
    with pytest.raises(AssemblyError, match=r"cannot be met together at t = 0 s; closest found: 'rod.lock\[0\]' \(\+"):
        assemble(compiled(mechanism))


def test_velocities_that_cannot_be_met_name_a_row() -> None:
    mechanism = lw.Mechanism("locked")
    mechanism.body("a", mass=1, inertia=[1, 1, 1])
    mechanism.joint("weld", "fixed", "ground", "a")
    mechanism.joint("hinge", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 0, 1])
    mechanism.driver("motor", "hinge", "2*t")
    with pytest.raises(AssemblyError, match="no velocities meet row"):
        assemble(compiled(mechanism))


def test_heavy_bodies_move_less_and_held_ones_not_at_all() -> None:
    mechanism = lw.Mechanism("pair")
    for k in range(2):
        mechanism.body(f"ball {k}", mass=1, inertia=[1, 1, 1], position=[2.0 * k, 0, 0])
    points = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    mechanism.joint("together", "spherical", "ball 0", "ball 1", **points)
    system = compiled(mechanism)
    for weights, moved in (([1, 1], [1, 1]), ([3, 1], [0.5, 1.5]), ([np.inf, 1], [0, 2])):
        found = assemble(system, weights=np.array(weights, dtype=float))
        np.testing.assert_allclose(found.moved, moved, atol=1e-12)


def test_velocities_change_least_or_not_at_all() -> None:
    mechanism = lw.Mechanism("bar")
    mechanism.body("bar", mass=1, inertia=[1, 1, 1], position=[1, 0, 0], velocity=[0.5, 0, 1.0])
    mechanism.joint("pivot", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    found = assemble(compiled(mechanism))
    v, w = found.rates.v[0], found.rates.w[0]
    np.testing.assert_allclose(v, np.cross(w, [1, 0, 0]), atol=1e-14)
    assert v[0] == pytest.approx(0.0, abs=1e-14)
    assert -1.0 < w[1] < 0.0
    kept = assemble(compiled(mechanism), keep_velocities=True)
    np.testing.assert_array_equal(kept.rates.v[0], [0.5, 0, 1.0])
    assert kept.velocity_after == kept.velocity_before > 0.1


def test_sparse_steps_are_the_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = nudged(compiled(lw.load("planar_four_bar")), 0.02)
    dense = assemble(mechanism)
    monkeypatch.setattr(least_change, "DENSE", 0)
    monkeypatch.setattr(assembly, "DENSE", 0)
    sparse = assemble(mechanism)
    np.testing.assert_allclose(sparse.pose.r, dense.pose.r, atol=1e-9)
    np.testing.assert_allclose(sparse.pose.A, dense.pose.A, atol=1e-9)
    np.testing.assert_allclose(sparse.rates.v, dense.rates.v, atol=1e-9)


def test_a_thousand_bodies_are_assembled() -> None:
    mechanism = lw.Mechanism("long chain")
    before = "ground"
    for k in range(1000):
        mechanism.body(f"b{k}", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[k + 0.5, 0, 0])
        mechanism.joint(f"j{k}", "revolute", before, f"b{k}", point=[k, 0, 0], axis=[0, 1, 0])
        before = f"b{k}"
    found = assemble(nudged(compiled(mechanism), 1e-2))
    assert found.before > 1e-3
    assert found.after < 1e-9
    assert found.velocity_after == 0.0


def test_drivers_are_taken_at_the_time_asked_for() -> None:
    mechanism = compiled(lw.load("planar_four_bar"))
    found = assemble(mechanism, 0.05)
    assert found.turned[0] == pytest.approx(2 * np.pi * 0.05, abs=1e-9)
