"""The rotation-matrix formulation kernel by kernel, uncompiled [Dumitriu 2015, eqs. 9-14, 22-25].

Rows in the twelve parameters of each body are compared with complex steps of their values; the systems of both
eliminations with dense equations that know neither of them (tests/oracles/rotation_matrix_dense.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles import newton_euler_dense, rotation_matrix_dense, rotation_matrix_parts
from oracles.everything import TOUCHING, everything
from oracles.rotation_matrix_parts import body_frames, vee
from oracles.turning_body import tilde
from unit.rotation_matrix_case import ROLLING, Case, as_found, assert_same, regular, thick

from linkwork.formulations.rotation_matrix import rhs, set_state, two_step
from linkwork.formulations.rotation_matrix.work import poinsot
from linkwork.kernels.tables import ROW_KINDS
from linkwork.problems.explicit import ACC, ALPHA
from linkwork.problems.implicit import GAMMA
from linkwork.status import Status
from linkwork.system import compile_mechanism
from linkwork.system.dense import drives

# rows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_differentiated_by_all_twelve_parameters(seed: int) -> None:
    """Complex steps in r and A, also where A is no rotation; gamma by a contour integral along a straight line."""
    case = Case(everything(seed, profiles=False), seed).drifted().placed(t=0.37)
    wanted_r, wanted_A, gamma = rotation_matrix_parts.written_rows(
        case.mechanism, body_frames(case.mechanism), case.state, drives(case.mechanism, 0.37)
    )
    found_r, found_A = case.rows()
    kinds = set()
    for k, number in enumerate(case.mechanism.system.rows.kind):
        kind = ROW_KINDS[number]
        if kind not in ROLLING:
            kinds.add(kind)
            assert_allclose(found_r[k], wanted_r[k], atol=1e-12, err_msg=kind)
            assert_allclose(found_A[k], wanted_A[k], atol=1e-12, err_msg=kind)
            assert case.work.row[k, GAMMA] == pytest.approx(gamma[k], abs=1e-10), kind
    assert kinds == set(ROW_KINDS) - {*ROLLING, *TOUCHING}


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_rolling_and_knife_edges_turn_bodies_as_torques_do(seed: int) -> None:
    """d phi / dA = A Pi~ / 2, so that GR : Adot = Pi . omega for omega = vee(A^T Adot), at A as it is; and for
    rotations the derivatives are those of the rows along dA = A theta~, gamma is the library's."""
    case = Case(everything(seed, profiles=False), seed).drifted().placed(t=0.37)
    frames, drive = body_frames(case.mechanism), drives(case.mechanism, 0.37)
    wanted_r, wanted_A, gamma = rotation_matrix_parts.turned_rows(case.mechanism, frames, case.state, drive)
    found_r, found_A = case.rows()
    rolling = [k for k, kind in enumerate(case.mechanism.system.rows.kind) if ROW_KINDS[kind] in ROLLING]
    assert {ROW_KINDS[case.mechanism.system.rows.kind[k]] for k in rolling} == set(ROLLING)
    for k in rolling:
        assert_allclose(found_r[k], wanted_r[k], atol=1e-13)
        assert_allclose(found_A[k], wanted_A[k], atol=1e-13)
        assert case.work.row[k, GAMMA] == pytest.approx(gamma[k], abs=1e-12)
    straight = Case(case.mechanism, seed).placed(t=0.37)
    written = rotation_matrix_parts.written_rows(case.mechanism, frames, straight.state, drive)
    _, along = straight.rows()
    for k in rolling:
        for b in range(case.nb):
            for direction in (straight.A[b] @ tilde(e) for e in np.eye(3)):
                wanted = np.sum(written[1][k, b] * direction)
                assert np.sum(along[k, b] * direction) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_what_turning_does_to_a_row_is_its_derivative_along_rotations(seed: int) -> None:
    """The angular part of J is d phi / d theta for dA = A^-T theta~, for rotations A theta~, at any A."""
    case = Case(everything(seed), seed).drifted().placed(t=0.37)
    _, along_A = case.rows()
    for k in range(case.mechanism.nc):
        parts = np.zeros((case.nb + 1, 3))
        for side in range(2):
            parts[case.tables.row_int[k, 1 + side]] += case.work.J[k, 6 * side : 6 * side + 3]
        turns = [[np.linalg.inv(a).T @ tilde(e) for e in np.eye(3)] for a in case.A]
        wanted = [[np.sum(along_A[k, b] * turn) for turn in turns[b]] for b in range(case.nb + 1)]
        assert_allclose(parts, wanted, atol=1e-12)


def test_ball_joints_are_linear_in_the_parameters() -> None:
    """CD rows: the same derivatives everywhere, and gamma = f'' [eqs. 13-14]."""
    mechanism = everything(5)
    balls = [k for k, kind in enumerate(mechanism.system.rows.kind) if ROW_KINDS[kind] == "CD"]
    first, second = (Case(mechanism, seed).drifted().placed(t=0.2) for seed in (1, 2))
    assert not np.allclose(first.A, second.A)
    for one, other in zip(first.rows(), second.rows(), strict=True):
        assert_allclose(one[balls], other[balls], rtol=0)
    assert_allclose(first.work.row[balls, GAMMA], drives(mechanism, 0.2)[balls, 2], rtol=0)


# accelerations and multipliers --------------------------------------------------------------------------------


@settings(max_examples=50)
@given(seed=st.integers(0, 2**31))
def test_all_eliminations_solve_the_papers_equations(seed: int) -> None:
    """At orthonormal states of mechanisms with everything that the generator has, redundant rows apart: all
    accelerations and multipliers, Lambda among them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    assume(regular(mechanism))
    case = Case(mechanism, seed).placed()
    wanted = as_found(rotation_matrix_dense.whole(case.equations()))
    assert_same(case.newton_euler().sloped().found, wanted)
    if thick(mechanism):
        assert_same(Case(mechanism, seed).placed().one_shot().sloped().found, wanted)
        printed = Case(mechanism, seed, printed=True).placed().two_step().sloped().found
        assert_same(printed, wanted, 1e-8)  # K^-1, once more than in the one-shot, costs digits on slender bodies


@settings(max_examples=50)
@given(seed=st.integers(0, 2**31))
def test_the_body_accelerations_are_those_of_newton_and_euler(seed: int) -> None:
    """Redundant rows included."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Case(mechanism, seed).placed().newton_euler().sloped()
    wanted = newton_euler_dense.accelerations(mechanism)
    m = case.work.motion[:-1]
    found = np.hstack([m[:, ACC : ACC + 3], m[:, ALPHA : ALPHA + 3]])
    assert np.linalg.norm(found - wanted.udot) < 1e-10 * max(1.0, float(np.linalg.norm(wanted.udot)))
    assert_same({"lambda": case.work.lam}, {"lambda": wanted.multipliers}, 1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_forces_act_at_their_points_and_torques_as_couples(seed: int) -> None:
    """Y = F (x) s and tau~ A / 2, which decides on Lambda; all loads, springs and torsions at some time [eq. 9]."""
    case = Case(everything(seed), seed).placed(t=0.37)
    X, Y = rotation_matrix_parts.applied(case.mechanism, body_frames(case.mechanism), case.state, 0.37)
    assert_allclose(case.work.f[:-1, 3:], X[:-1], atol=1e-11)
    assert_allclose(case.elements.Y[:-1].reshape(-1, 3, 3), Y[:-1], atol=1e-11)


def held_by_joints(seed: int) -> Any:
    """A random mechanism without redundant rows, of bodies with extent in all directions."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    assume(regular(mechanism) and thick(mechanism))
    return mechanism


@settings(max_examples=40)
@given(seed=st.integers(0, 2**31))
def test_away_from_rotations_rows_and_orthogonality_are_met_by_what_the_parameters_really_do(seed: int) -> None:
    """As at Runge-Kutta stages, by both eliminations. What is left of A^T A - I would else grow exponentially."""
    mechanism = held_by_joints(seed)
    for solve in (Case.newton_euler, Case.one_shot):
        case = Case(mechanism, seed).drifted(0.02).placed(t=0.1)
        e = case.equations(0.1)
        found = solve(case).sloped().found
        size = max(1.0, float(np.abs(found["Addot"]).max()), float(np.abs(found["rddot"]).max()))
        along = np.einsum("kbi,bi->k", e.Phi_T, found["rddot"]) + np.einsum("kbij,bij->k", e.Phi_R, found["Addot"])
        assert_allclose(along, e.gamma, atol=1e-9 * size)
        s = case.state
        both = np.swapaxes(s.R[:-1], 1, 2) @ found["Addot"] + np.swapaxes(s.Rdot[:-1], 1, 2) @ s.Rdot[:-1]
        assert_allclose(both + np.swapaxes(both, 1, 2), 0.0, atol=1e-11 * size)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_away_from_rotations_the_one_shot_solves_eq_12_as_it_stands(seed: int) -> None:
    mechanism = held_by_joints(seed)
    case = Case(mechanism, seed).drifted(0.05).placed(t=0.1)
    wanted = as_found(rotation_matrix_dense.whole(case.equations(0.1)))
    del wanted["Lambda"]  # recorded by the formula for rotations
    assert_same(case.one_shot().sloped().found, wanted, 1e-8)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**31))
def test_two_steps_are_eq_25_as_printed_also_away_from_rotations(seed: int) -> None:
    """Lambda by Lyapunov equations with A^T A = I put in, then the rows: the oracle's third form, which differs from
    what the parameters really do by the square of the drift."""
    mechanism = held_by_joints(seed)
    case = Case(mechanism, seed, printed=True).drifted(1e-4).placed(t=0.1)
    e = case.equations(0.1)
    found = case.two_step().sloped().found
    wanted = as_found(rotation_matrix_dense.two_step(e, "eq. 25"))
    assert_same(found, wanted, 1e-7)
    exact = as_found(rotation_matrix_dense.two_step(e, "exact"))
    apart = np.linalg.norm(wanted["Addot"] - exact["Addot"]) / np.linalg.norm(exact["Addot"])
    assert apart > 1e-6  # so that the comparison can tell them apart


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_the_lyapunov_equation_of_each_body_is_solved(seed: int) -> None:
    """X K^-1 + K^-1 X = E for any symmetric E."""
    mechanism = held_by_joints(seed)
    system, _, _ = two_step.new_arrays(mechanism, True)
    rng = np.random.default_rng(seed)
    for b, body in enumerate(mechanism.lowered.bodies):
        E = rng.normal(size=(3, 3))
        E = E + E.T
        X = np.reshape(two_step.lyapunov(system, b, tuple(E.ravel())), (3, 3))
        half = X @ np.linalg.inv(poinsot(np.asarray(body.inertia)))
        assert_allclose(half + half.T, E, atol=1e-9)
        assert_allclose(X, X.T, atol=1e-14)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_held_multipliers_give_what_they_were_found_for(seed: int) -> None:
    """At the state they come from, also off SO(3); elsewhere Addot = (Z + A Lambda) K^-1 with them [eq. 12]."""
    mechanism = held_by_joints(seed)
    case = Case(mechanism, seed, printed=True).drifted(1e-4).placed().two_step().sloped()
    fresh, motion = case.found, case.work.motion.copy()
    case.elements.holds_multipliers[0], case.work.request.first_stage[0] = 1, 0
    case.work.lam[:] = 0.0
    case.work.x[:] = 0.0
    assert_same(case.sloped().found, fresh)
    assert_allclose(case.work.motion, motion, atol=1e-9 * max(1.0, np.abs(motion).max()))
    case.drifted(0.1).placed(t=0.1).sloped()
    e = case.equations(0.1)
    Z = e.Y - np.einsum("k,kbij->bij", fresh["lambda"], e.Phi_R)
    wanted = (Z + case.A[:-1] @ fresh["Lambda"]) @ np.linalg.inv(e.K)
    assert_same(case.found, {"Addot": wanted, "lambda": fresh["lambda"], "Lambda": fresh["Lambda"]}, 1e-9)
    spin = np.array([vee(a.T @ d) for a, d in zip(case.A, wanted, strict=False)])
    assert_allclose(case.work.motion[:-1, ALPHA : ALPHA + 3], spin, atol=1e-9 * max(1.0, np.abs(spin).max()))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_slopes_that_are_no_numbers_are_told(bad: float) -> None:
    case = Case(everything(1)).placed()
    case.work.x[0, 4] = bad
    with np.errstate(invalid="ignore"):
        assert rhs.rhs(case.tables, case.work, case.elements) == Status.NOT_FINITE


@settings(max_examples=15)
@given(seed=st.integers(0, 2**31))
def test_the_kernels_are_complex_safe(seed: int) -> None:
    """A complex step of Addot along a velocity is a difference quotient's limit, here of the real kernels."""
    mechanism = held_by_joints(seed)
    case = Case(mechanism, seed)
    direction = case.rng.normal(size=24 * mechanism.nb)
    values = []
    for h in (1e-4, -1e-4):
        case.work.psi[:] = h * direction
        values.append(case.placed().work.eta.copy())
    complex_case = Case(mechanism, seed)
    complex_case.work = type(case.work)(
        *(a.astype(complex) if name not in ("request", "stack") and a.dtype == float else a
          for name, a in zip(case.work._fields, complex_case.work, strict=True))
    )  # fmt: skip
    complex_case.elements = type(case.elements)(
        *(a.astype(complex) if a.dtype == float else a for a in complex_case.elements)
    )  # fmt: skip
    complex_case.work.psi[:] = 1e-30j * direction
    assert set_state.set_state(complex_case.tables, complex_case.work, complex_case.elements) == Status.OK
    found = complex_case.work.eta.imag / 1e-30
    wanted = (values[0] - values[1]) / 2e-4
    assert_allclose(found, wanted, atol=1e-4 * max(1.0, np.abs(wanted).max(initial=0.0)))
