"""Functions in joint coordinates beside the oracle of trees and Pinocchio: places, Jacobians, mass matrix, efforts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from oracles import trees, trees_momenta
from oracles.trees_dynamics import dynamics
from oracles.trees_motion import State, motion

import linkwork as lw
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, started
from linkwork.system import compile_mechanism

SEEDS = range(8)
SAME = 1e-11


def apart(found: Any, wanted: Any) -> float:
    wanted = np.asarray(wanted)
    return float(np.linalg.norm(np.asarray(found) - wanted) / max(1.0, float(np.linalg.norm(wanted))))


def given(seed: int, count: int = 12, **changes: Any) -> tuple[trees.Tree, State, lw.Mechanism, Any]:
    tree, state = trees.random_tree(seed, count=count, kinds=trees.SCREWS)
    tree = trees.Tree([replace(link, **changes) for link in tree.links], tree.gravity)
    return tree, state, trees.mechanism(tree, state), trees.linkwork_state(tree, state)


def grounded(seed: int) -> tuple[trees.Tree, State, lw.Mechanism, Any]:
    """Balls for floating bodies, and joints told parent first: linkwork's tree has the same roots then."""
    tree, _, _, _ = given(seed, swapped=False)
    tree = trees.Tree([replace(x, kind="spherical" if x.kind == "free" else x.kind) for x in tree.links], tree.gravity)
    state = trees.random_state(tree, np.random.default_rng(seed))
    return tree, state, trees.mechanism(tree, state), trees.linkwork_state(tree, state)


def jacobians(tree: trees.Tree, state: State, mechanism: lw.Mechanism, there: Any) -> tuple[Any, Any]:
    """linkwork's and the oracle's, of all centres of mass, one below the other, angular velocities in the bodies."""
    centres = {body.name: body.centre_of_mass for body in mechanism.bodies}
    names = [trees.name(k) for k in range(len(tree.links))]
    ours = [lw.jacobian(mechanism, name, centres[name], there) for name in names]
    A = motion(tree, state).A
    theirs = [np.vstack([J[:3], A[k].T @ J[3:]]) for k, J in enumerate(trees_momenta.jacobians(tree, state))]
    return np.vstack(ours), np.vstack(theirs)


def between(ours: Any, theirs: Any) -> Any:
    """B with v of linkwork = B v of the oracle."""
    return np.linalg.lstsq(ours, theirs, rcond=None)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_are_back_where_they_were(seed: int) -> None:
    _, _, mechanism, there = given(seed, 30)
    found = lw.joint_coordinates(mechanism, there)
    back = lw.forward_kinematics(mechanism, found.values, found.rates)
    for what in ("position", "rotation", "velocity", "angular_velocity"):
        assert apart(getattr(back, what), getattr(there, what)) < SAME, what
    named = lw.forward_kinematics(
        mechanism, dict(zip(found.names, found.values, strict=True)), dict(zip(found.names, found.rates, strict=True))
    )
    np.testing.assert_array_equal(named.position, back.position)


@pytest.mark.parametrize("seed", SEEDS)
def test_coordinates_of_simple_joints_are_the_oracles(seed: int) -> None:
    tree, state, mechanism, there = given(seed, swapped=False)
    found = lw.joint_coordinates(mechanism, there)
    rates = dict(zip(found.names, found.rates, strict=True))
    for k, link in enumerate(tree.links):
        joint = trees.joint_name(k)
        if link.kind in ("revolute", "cylindrical"):
            assert np.cos(found[f"{joint}.angle"] - state.q[k][0]) == pytest.approx(1.0, abs=1e-14)
            assert rates[f"{joint}.angle"] == pytest.approx(state.v[k][0], abs=SAME)
        if link.kind in ("translational", "cylindrical"):
            assert found[f"{joint}.displacement"] == pytest.approx(state.q[k][-1], abs=SAME)
            assert rates[f"{joint}.displacement"] == pytest.approx(state.v[k][-1], abs=SAME)


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobians_span_the_same_motions_and_give_the_velocities(seed: int) -> None:
    tree, state, mechanism, there = given(seed)
    ours, theirs = jacobians(tree, state, mechanism, there)
    B = between(ours, theirs)
    assert apart(ours @ B, theirs) < SAME
    assert np.linalg.cond(B) < 1e6
    velocities = np.hstack([there.velocity, there.angular_velocity]).ravel()
    assert apart(ours @ lw.joint_coordinates(mechanism, there).rates, velocities) < SAME


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_a_jacobian_of_a_point_is_its_velocity(seed: int) -> None:
    tree, _, mechanism, there = given(seed)
    last, point = len(tree.links) - 1, np.array([0.3, -0.2, 0.5])
    J = lw.jacobian(mechanism, trees.name(last), point, there)
    A, w = there.rotation[last], there.angular_velocity[last]
    arm = point - mechanism.element(trees.name(last)).centre_of_mass
    wanted = np.concatenate([there.velocity[last] + A @ np.cross(w, arm), w])
    assert apart(J @ lw.joint_coordinates(mechanism, there).rates, wanted) < SAME


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrices_agree(seed: int) -> None:
    tree, state, mechanism, there = given(seed)
    B = between(*jacobians(tree, state, mechanism, there))
    M = lw.mass_matrix(mechanism, there)
    np.testing.assert_allclose(M, M.T, atol=1e-13 * np.abs(M).max())
    assert apart(B.T @ M @ B, trees_momenta.mass_matrix(tree, state)) < SAME


@pytest.mark.parametrize("seed", SEEDS)
def test_efforts_are_pinocchios(seed: int) -> None:
    """Joints told parent first: then rates differ by a constant matrix from the oracle's."""
    pytest.importorskip("pinocchio")
    from oracles import trees_pinocchio

    tree, state, mechanism, there = grounded(seed)
    B = between(*jacobians(tree, state, mechanism, there))
    rng = np.random.default_rng(seed)
    second = [rng.normal(size=len(v)) for v in state.v]
    wanted = trees_pinocchio.inverse_dynamics(trees_pinocchio.model_of(tree), state, second)
    found = lw.inverse_dynamics(mechanism, B @ np.concatenate(second), there)
    assert apart(B.T @ found, wanted) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_free_motion_needs_no_efforts(seed: int) -> None:
    """And efforts are the mass matrix times what accelerations are more than free ones."""
    tree, state, mechanism, there = grounded(seed)
    B = between(*jacobians(tree, state, mechanism, there))
    free = B @ np.concatenate(dynamics(tree, state).qdd)
    M = lw.mass_matrix(mechanism, there)
    assert np.linalg.norm(lw.inverse_dynamics(mechanism, free, there)) < SAME * np.linalg.norm(M @ free)
    more = np.random.default_rng(seed).normal(size=len(free))
    assert apart(lw.inverse_dynamics(mechanism, free + more, there), M @ more) < SAME


# momenta -------------------------------------------------------------------------------------------------------------


def hamiltonian_slopes(mechanism: lw.Mechanism, there: Any, **own: Any) -> tuple[Any, Any, Any]:
    """Rates, rates of the momenta, and momenta of `canonical` at a state, in the joints' own sense."""
    chosen, method = pair(lw.Canonical(**own), None)
    compiled = there.within(compile_mechanism(mechanism.lower()))
    run = started(compiled, partial(new_run, chosen, method, step=1.0, t_end=1.0))
    work, tree = run.problem.work, run.problem.solver.tree
    d = tree.dofs
    return (
        work.psi_rate[:d] * tree.sense,
        work.psi_rate[d:] * tree.sense,
        run.problem.solver.recursion.joint_momentum * tree.sense,
    )


@pytest.mark.parametrize("frames", ["screws", "joints"])
@pytest.mark.parametrize("seed", SEEDS)
def test_momenta_and_their_rates_are_those_of_the_mass_matrix(seed: int, frames: str) -> None:
    """qdot = M^-1 p, and pdot = d/dt (M v) along the motion, by a difference of 40 digits [Naudet 2003]."""
    tree, state, mechanism, there = grounded(seed)
    B = between(*jacobians(tree, state, mechanism, there))
    rates, momentum_rates, momenta = hamiltonian_slopes(mechanism, there, frames=frames)
    assert apart(np.linalg.solve(B, rates), np.concatenate(list(state.v))) < SAME
    assert apart(B.T @ momenta, trees_momenta.momenta(tree, state)) < SAME
    assert apart(B.T @ momentum_rates, trees_momenta.momenta_rates(tree, state)) < SAME


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_momenta_of_results_are_the_mass_matrix_times_rates(seed: int) -> None:
    _, _, mechanism, there = given(seed)
    result = lw.simulate(mechanism, 4e-3, 1e-3, "canonical")
    for k in (0, -1):
        M = lw.mass_matrix(mechanism, type(there).of(result, k))
        assert apart(M @ result["joint_rate"][k], result["joint_momentum"][k]) < SAME
