"""Recursive formulations beside Pinocchio, MuJoCo, an oracle in 40 digits, and linkwork's own absolute coordinates.

LINKWORK_TREES=200 takes 200 random trees of up to 60 bodies instead of a few.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, partial
from typing import Any

import mpmath
import numpy as np
import pytest
from oracles import chains, trees, trees_momenta
from oracles.trees_dynamics import Solved, dynamics
from oracles.trees_motion import Moved, State

import linkwork as lw
from benchmarks.evaluate import evaluations
from linkwork.formulations.recursive.initial_state import momenta_from_twists
from linkwork.formulations.recursive.problem import EXTENDED_FROM
from linkwork.formulations.recursive.velocities import twists_from_rates
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, started
from linkwork.system import compile_mechanism
from linkwork.system.links import coordinates_at
from linkwork.system.links.linktree import FIRST_ANGLE

SEEDS = range(int(os.environ.get("LINKWORK_TREES", "12")))
RECURSIVE = ["articulated-body", "canonical"]
ABSOLUTE = "range-space"
PEERS = 1e-11  # norm-wise, relative
OWN = 1e-9
LONG = 1e-10  # of 1,000 bodies, relative to the reference


def both(moved: Any) -> np.ndarray:
    """Accelerations of all bodies side by side."""
    return np.hstack([np.asarray(moved.a, dtype=float), np.asarray(moved.alpha, dtype=float)])


def of_linkwork(found: Any) -> np.ndarray:
    return np.hstack([found.rddot, found.omegadot])


def apart(found: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.linalg.norm(found - wanted) / max(1.0, float(np.linalg.norm(wanted))))


@cache
def random_tree(seed: int, kinds: tuple[str, ...] = trees.JOINTED) -> tuple[trees.Tree, State, Solved]:
    tree, state = trees.random_tree(seed, kinds=kinds)
    return tree, state, dynamics(tree, state)


def pinocchio(tree: trees.Tree, state: State) -> Moved:
    pytest.importorskip("pinocchio")
    from oracles.trees_pinocchio import model_of

    return model_of(tree).motion(state)


def mujoco(tree: trees.Tree, state: State) -> Moved:
    pytest.importorskip("pinocchio")  # its numbering is shared
    pytest.importorskip("mujoco")
    from oracles.trees_mujoco import model_of

    return model_of(tree).motion(state)


# the oracles themselves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_in_40_digits_and_both_peers_agree(seed: int) -> None:
    """The oracle in doubles, which sums in global components, loses more where a limb is long."""
    tree, state, own = random_tree(seed)
    with mpmath.workdps(40):
        many = dynamics(tree, state.exact())
    assert apart(both(pinocchio(tree, state)), both(many.moved)) < PEERS
    assert apart(both(mujoco(tree, state)), both(many.moved)) < PEERS
    assert apart(both(own.moved), both(many.moved)) < OWN / 10
    forces = np.hstack([np.asarray(x, dtype=float) for x in (many.force, many.torque)])
    assert apart(np.hstack([own.force, own.torque]), forces) < OWN / 10


def test_the_stored_reference_is_what_40_digits_give() -> None:
    """A shorter chain is made anew. The oracle in doubles, which sums in global components, keeps nine digits."""
    tree, state = chains.chain(12, 1.0)
    assert apart(np.concatenate(dynamics(tree, state).qdd), chains.exact(tree, state)["qdd"]) < 1e-12
    for name in chains.STORED:
        tree, state, wanted = chains.stored(name)
        found = dynamics(tree, state)
        assert apart(both(found.moved), np.hstack([wanted["a"], wanted["alpha"]])) < 1e-9


# accelerations and reactions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("formulation", RECURSIVE)
def test_accelerations_of_trees_agree_with_both_peers(formulation: str, seed: int) -> None:
    tree, state, _ = random_tree(seed)
    found = lw.accelerations(trees.mechanism(tree, state), trees.linkwork_state(tree, state), formulation)
    assert apart(of_linkwork(found), both(pinocchio(tree, state))) < PEERS
    assert apart(of_linkwork(found), both(mujoco(tree, state))) < PEERS


@pytest.mark.parametrize("seed", range(1000, 1000 + len(SEEDS) // 3))
@pytest.mark.parametrize("formulation", [*RECURSIVE, ABSOLUTE])
def test_screws_too(formulation: str, seed: int) -> None:
    """MuJoCo has none."""
    tree, state, own = random_tree(seed, trees.SCREWS)
    found = lw.accelerations(trees.mechanism(tree, state), trees.linkwork_state(tree, state), formulation)
    limit = OWN if formulation == ABSOLUTE else PEERS
    assert apart(of_linkwork(found), both(pinocchio(tree, state))) < limit
    assert apart(of_linkwork(found), both(own.moved)) < limit


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("formulation", [*RECURSIVE, ABSOLUTE])
def test_accelerations_and_reactions_agree_with_the_oracle(formulation: str, seed: int) -> None:
    tree, state, own = random_tree(seed)
    found = lw.accelerations(trees.mechanism(tree, state), trees.linkwork_state(tree, state), formulation)
    assert apart(of_linkwork(found), both(own.moved)) < OWN
    size = max(1.0, float(np.abs(own.force).max()), float(np.abs(own.torque).max()))
    wanted = trees.linkwork_reactions(tree, own.moved, own.force, own.torque)
    assert set(found.reactions) == set(wanted)
    for joint, (force, torque) in wanted.items():
        assert np.linalg.norm(found.reactions[joint].force - force) < OWN * size, joint
        assert np.linalg.norm(found.reactions[joint].torque - torque) < OWN * size, joint


@pytest.mark.parametrize("seed", SEEDS[:4])
@pytest.mark.parametrize("formulation", RECURSIVE)
def test_constraint_forces_and_multipliers_are_those_of_absolute_coordinates(formulation: str, seed: int) -> None:
    tree, state, _ = random_tree(seed)
    mechanism, there = trees.mechanism(tree, state), trees.linkwork_state(tree, state)
    found, wanted = (lw.accelerations(mechanism, there, name) for name in (formulation, ABSOLUTE))
    assert apart(of_linkwork(found), of_linkwork(wanted)) < OWN
    assert apart(found.constraint_forces, wanted.constraint_forces) < OWN
    assert apart(found.multipliers, wanted.multipliers) < OWN


@pytest.mark.parametrize("name", chains.STORED)
@pytest.mark.parametrize("formulation", RECURSIVE)
def test_a_chain_of_a_thousand_keeps_ten_digits(formulation: str, name: str) -> None:
    tree, state, wanted = chains.stored(name)
    found = lw.accelerations(trees.mechanism(tree, state), trees.linkwork_state(tree, state), formulation)
    reference = np.hstack([wanted["a"], wanted["alpha"]])
    assert float(np.linalg.norm(of_linkwork(found) - reference) / np.linalg.norm(reference)) < LONG


def test_a_chain_of_a_thousand_keeps_them_where_forces_act() -> None:
    """Beside articulated bodies, whose rates are no momenta's."""
    tree, state, _ = chains.stored("hanging")
    rng = np.random.default_rng(0)
    pulled = [replace(link, force=rng.uniform(-1.0, 1.0, 3), torque=rng.uniform(-0.1, 0.1, 3)) for link in tree.links]
    tree = replace(tree, links=pulled)
    mechanism, there = trees.mechanism(tree, state), trees.linkwork_state(tree, state)
    found, wanted, free = (
        of_linkwork(lw.accelerations(*which)) for which in (
            (mechanism, there, "canonical"), (mechanism, there, "articulated-body"),
            (trees.mechanism(chains.stored("hanging")[0], state), there, "articulated-body"),
        )
    )  # fmt: skip
    assert apart(free, wanted) > 1e-3
    assert apart(found, wanted) < LONG


def test_samples_of_a_thousand_have_the_rates_that_momenta_of_doubles_have_lost() -> None:
    """Half a unit in a momentum's last place is a part in 1e8 of the hanging chain's rates."""
    tree, state, _ = chains.stored("hanging")
    run = canonical_run(trees.mechanism(tree, state), trees.linkwork_state(tree, state))
    recursion = run.problem.solver.recursion
    given = rates_of(run)

    def off() -> float:
        return float(np.linalg.norm(recursion.joint_rate - given) / np.linalg.norm(given))

    assert evaluations()(run._table, 1) == 0
    assert 1e-10 < off() < 1e-6
    momenta = recursion.joint_momentum.copy()
    assert evaluations()(run._table, 0) == 0
    assert off() < 1e-13
    np.testing.assert_array_equal(recursion.joint_momentum, momenta)


@pytest.mark.parametrize("seed", range(3))
def test_momenta_at_the_start_have_twice_the_digits(seed: int) -> None:
    """Beside the same recursions on numbers of 60 digits."""
    tree, state = trees.random_tree(seed, count=40)
    nothing = [replace(link, force=np.zeros(3), torque=np.zeros(3)) for link in tree.links]
    tree = replace(tree, links=nothing)  # but weight
    run = canonical_run(trees.mechanism(tree, state), trees.linkwork_state(tree, state))
    recursion, links = run.problem.solver.recursion, run.problem.solver.tree.links
    d, n = len(recursion.joint_rate), len(links.kind)
    assert d >= EXTENDED_FROM
    assert len(recursion.double_double) == n + 1
    exact = np.vectorize(lambda x: mpmath.mpf(float(x)), otypes=[object])
    with mpmath.workdps(60):
        numbers = (
            "x_shift",
            "x_cos",
            "x_sin",
            "x_twice_cos",
            "z_shift_0",
            "turn_per_q",
            "slide_per_q",
            "rigid",
            "fixed",
        )
        all_links = links._replace(**{name: exact(getattr(links, name)) for name in numbers})
        fields = ("cos", "sin", "z_shift", "pose", "joint_momentum", "joint_acceleration")
        fields += ("twist", "articulated_bias", "articulated_inertia")
        changed = {name: exact(getattr(recursion, name)) for name in fields}
        many = recursion._replace(joint_rate=exact(rates_of(run)), **changed)
        many.twist[:] = exact(np.zeros_like(recursion.twist))
        twists_from_rates(all_links, many)
        momenta_from_twists(all_links, many)
        found = exact(recursion.base[d:, 0]) - exact(recursion.base[d:, 1])
        size = max(abs(x) for x in many.joint_momentum)
        assert max(abs(a - b) for a, b in zip(found, many.joint_momentum, strict=True)) < size * mpmath.mpf(10) ** -28


def rates_of(run: Any) -> np.ndarray:
    """The mechanism's own at the start, which no recursion has worked on, at the run's angles to the last digit."""
    start = run.problem.mechanism
    return coordinates_at(run.problem.solver.tree, start.r, start.A, start.v, start.w, first=FIRST_ANGLE).rate


def canonical_run(mechanism: lw.Mechanism, state: lw.State) -> Any:
    """A run that has not made a step."""
    compiled = state.within(compile_mechanism(mechanism.lower()))
    formulation, method = pair("canonical", "rk4")
    return started(compiled, partial(new_run, formulation, method, step=1.0, t_end=1.0))


# mass matrix, momenta ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_oracles_mass_matrix_is_pinocchios_and_its_momenta_move_as_they_should(seed: int) -> None:
    pytest.importorskip("pinocchio")
    from oracles import trees_pinocchio

    tree, state = trees.random_tree(seed, count=8)
    own = dynamics(tree, state)
    M = trees_momenta.mass_matrix(tree, state)
    model = trees_pinocchio.model_of(tree)
    assert apart(M, trees_pinocchio.mass_matrix(model, state)) < 1e-13
    left = trees_pinocchio.inverse_dynamics(model, state, own.qdd)
    assert np.linalg.norm(left) < 1e-12 * np.linalg.norm(M @ np.concatenate(own.qdd))
    ahead, behind = (
        trees_momenta.momenta(tree, trees_momenta.moved_on(tree, state, own.qdd, h)) for h in (1e-6, -1e-6)
    )
    assert apart(trees_momenta.momenta_rates(tree, state), (ahead - behind) / 2e-6) < 1e-8
