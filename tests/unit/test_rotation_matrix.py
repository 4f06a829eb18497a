"""The rotation-matrix formulation kernel by kernel, uncompiled [Dumitriu 2015, eqs. 9-14, 22-25].

Rows in the twelve parameters of each body are compared with complex steps of their values; the systems of both
eliminations with dense equations that know neither of them (tests/oracles/rotation_matrix_dense.py). Compiled entries,
all four kinds of matrix, are compared with the same equations.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles import newton_euler_dense, rotation_matrix_dense, rotation_matrix_parts
from oracles.everything import everything
from oracles.rotation_matrix_parts import Place, body_frames, vee
from oracles.turning_body import tilde
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import MissingMassError, UnsupportedElementError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.rotation_matrix import one_shot, place, slope
from linkwork.formulations.rotation_matrix.forces import apply
from linkwork.formulations.rotation_matrix.work import full_rank, new_work, poinsot, weights
from linkwork.integrators.tableaux import TABLEAUX
from linkwork.kernels.dense_ldl import DenseFactors, clear_dense, factor_dense, solve_dense
from linkwork.kernels.tables import ROW_KINDS
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import (
    ACC,
    ACCELERATIONS,
    ALPHA,
    DAMPING,
    FRESH,
    LENGTH,
    LEVEL,
    POSITIONS,
    STIFFNESS,
    TIME,
    VELOCITIES,
    A,
    R,
    V,
    W,
)
from linkwork.problems.implicit import GAMMA, NU, PHI
from linkwork.status import Status
from linkwork.system import compile_mechanism
from linkwork.system.dense import drives

FORMULATION = FORMULATIONS.load("rotation-matrix")
FAR = 0.3  # of the parameters and their rates, from an orthonormal state
ROLLING = ("ROLL_HEIGHT", "ROLL_SLIP", "KNIFE")  # rows whose values are not those of the affine map
VARIANTS = [(e, m) for e in ("two-step", "one-shot") for m in ("sparse", "dense")]


class Case:
    """A mechanism and the work space of its equations, plain Python."""

    def __init__(self, mechanism: Any, seed: int = 0, *, every: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.mechanism, self.tables, self.nb = mechanism, mechanism.tables, mechanism.nb
        self.work, self.own = new_work(mechanism, held=False, orthonormalise_every=every)
        self.work.coef[FRESH] = 1.0

    def drifted(self, size: float = FAR) -> Case:
        """Neither on the joints nor on SO(3)."""
        self.work.psi[:] = size * self.rng.normal(size=24 * self.nb)
        return self

    def placed(self, t: float = 0.0, level: float = ACCELERATIONS) -> Case:
        self.work.coef[TIME], self.work.coef[LEVEL] = t, level
        assert place.place(self.tables, self.work, self.own) == Status.OK
        if level == ACCELERATIONS:
            apply(self.tables, self.work, self.own)
        return self

    def begin_here(self) -> None:
        """The increment becomes part of the start, as it is where corrections begin."""
        halves = self.work.psi.reshape(2, self.nb, 12)
        self.own.start[:-1] += np.hstack([halves[0], halves[1]])
        self.work.psi[:] = 0.0

    @property
    def state(self) -> Place:
        """r, A and their rates; ground last."""
        m = self.work.motion
        return Place(m[:, R : R + 3].copy(), self.A, m[:, V : V + 3].copy(), self.own.Adot.reshape(-1, 3, 3).copy())

    @property
    def A(self) -> np.ndarray:
        return self.work.motion[:, A : A + 9].reshape(-1, 3, 3).copy()

    def equations(self, t: float = 0.0) -> rotation_matrix_parts.Equations:
        """The same instant by the oracle, with the applied efforts, which are tested on their own: written rows, and
        turned ones for those that roll, whose values are not those of the affine map."""
        frames, drive, nb = body_frames(self.mechanism), drives(self.mechanism, t), self.nb
        e = rotation_matrix_parts.equations(self.mechanism, frames, self.state, t)
        turned = rotation_matrix_parts.turned_rows(self.mechanism, frames, self.state, drive)
        for k, kind in enumerate(self.mechanism.system.rows.kind):
            if ROW_KINDS[kind] in ROLLING:
                e.Phi_T[k], e.Phi_R[k], e.gamma[k] = turned[0][k, :nb], turned[1][k, :nb], turned[2][k]
        return e._replace(X=self.work.f[:-1, 3:].copy(), Y=self.own.Y[:-1].reshape(-1, 3, 3).copy())

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the rows, (nc, nb + 1, 3) and (nc, nb + 1, 3, 3)."""
        nc = self.mechanism.nc
        along_r, along_A = np.zeros((nc, self.nb + 1, 3)), np.zeros((nc, self.nb + 1, 3, 3))
        for k in range(nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                along_r[k, b] += self.work.G[k, 6 * side : 6 * side + 3]
                along_A[k, b] += self.own.GR[k, 9 * side : 9 * side + 9].reshape(3, 3)
        return along_r, along_A

    def two_step(self) -> Case:
        """x and lambda from the system that `place` leaves, by dense algebra in the metric of kinetic energy."""
        nc, n = self.mechanism.nc, 6 * self.nb
        J, M = np.zeros((nc, n + 6)), np.zeros((n, n))
        for k in range(nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        for b, body in enumerate(self.mechanism.lowered.bodies):
            M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        J, f = J[:, :n], self.work.f[:-1].ravel()
        root = np.linalg.inv(np.linalg.cholesky(M).T)
        free = np.linalg.solve(M, f)
        x = free + root @ np.linalg.lstsq(J @ root, self.work.eta - J @ free, rcond=1e-10)[0]
        self.work.x[:-1] = x.reshape(-1, 6)
        self.work.lam[:] = np.linalg.lstsq(J.T, f - M @ x, rcond=1e-10)[0] if nc else 0.0
        return self

    def one_shot(self) -> Case:
        """The same by the one-shot kernels with a dense matrix."""
        arrays = one_shot.new_arrays(self.mechanism, True)
        n = len(one_shot.OneShot._fields)
        space, factors = one_shot.OneShot(*arrays[:n]), DenseFactors(*arrays[n:])
        dependent = new_dependence(self.mechanism, False)
        clear_dense(factors)
        one_shot.form(self.tables, self.work, self.own, dependent, space, factors.values)
        assert factor_dense(factors) == Status.OK
        one_shot.begin(self.tables, self.work, self.own, dependent, space)
        solve_dense(factors, space.rhs, space.rhs)
        assert one_shot.finish(self.tables, self.work, self.own, dependent, space) == Status.OK
        return self

    def sloped(self) -> Case:
        assert slope.slope(self.tables, self.work, self.own) == Status.OK
        return self

    @property
    def found(self) -> dict[str, np.ndarray]:
        """rddot, Addot, Lambda, lambda."""
        nb, k = self.nb, self.work.slope.reshape(2, self.nb, 12)
        return {
            "rddot": k[1, :, :3].copy(),
            "Addot": k[1, :, 3:].reshape(nb, 3, 3).copy(),
            "Lambda": self.own.Lambda[:nb].reshape(nb, 3, 3).copy(),
            "lambda": self.work.lam.copy(),
        }


def regular(mechanism: Any) -> bool:
    """Whether no row depends on others, on the joints and near by."""
    G = newton_euler_dense.accelerations(mechanism).G
    if not len(G):
        return True
    values = np.linalg.svd(G / np.linalg.norm(G, axis=1)[:, None], compute_uv=False)
    return len(G) <= G.shape[1] and bool(values[-1] > 1e-2)


def thick(mechanism: Any) -> bool:
    """Whether all bodies have extent in all directions; some of the generator's have moments that no real body has."""
    return all(full_rank(poinsot(body.inertia)) for body in mechanism.lowered.bodies)


def as_found(solution: rotation_matrix_dense.Solution) -> dict[str, np.ndarray]:
    """Of the oracle in body frames, where T* is r and R is A."""
    return {
        "rddot": solution.Tdd,
        "Addot": solution.Rdd,
        "Lambda": solution.Lambda,
        "lambda": solution.multipliers,
    }


def assert_same(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray], within: float = 1e-10) -> None:
    for name, value in wanted.items():
        error = np.linalg.norm(found[name] - value) / max(1.0, float(np.linalg.norm(value)))
        assert error < within, f"{name}: {error:.1e} relative"


# rows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_differentiated_by_all_twelve_parameters(seed: int) -> None:
    """Complex steps in r and A, also where A is no rotation; gamma by a contour integral along a straight line."""
    case = Case(everything(seed), seed).drifted().placed(t=0.37)
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
    assert kinds == set(ROW_KINDS) - set(ROLLING)


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_rolling_and_knife_edges_turn_bodies_as_torques_do(seed: int) -> None:
    """d phi / dA = A Pi~ / 2, so that GR : Adot = Pi . omega for omega = vee(A^T Adot), at A as it is; and for
    rotations the derivatives are those of the rows along dA = A theta~, gamma is the library's."""
    case = Case(everything(seed), seed).drifted().placed(t=0.37)
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
def test_both_eliminations_solve_the_papers_equations(seed: int) -> None:
    """At orthonormal states of mechanisms with everything that the generator has, redundant rows apart: all
    accelerations and multipliers, Lambda among them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    assume(regular(mechanism))
    case = Case(mechanism, seed).placed()
    wanted = as_found(rotation_matrix_dense.whole(case.equations()))
    assert_same(case.two_step().sloped().found, wanted)
    if thick(mechanism):
        assert_same(Case(mechanism, seed).placed().one_shot().sloped().found, wanted)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**31))
def test_the_body_accelerations_are_those_of_newton_and_euler(seed: int) -> None:
    """Redundant rows included."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Case(mechanism, seed).placed().two_step().sloped()
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
    assert_allclose(case.own.Y[:-1].reshape(-1, 3, 3), Y[:-1], atol=1e-11)


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
    for solve in (Case.two_step, Case.one_shot):
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


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_held_multipliers_give_what_they_were_found_for(seed: int) -> None:
    """At the state they come from; elsewhere Addot = (Z + A Lambda) K^-1 with them [eq. 12]."""
    mechanism = held_by_joints(seed)
    case = Case(mechanism, seed).placed().two_step().sloped()
    fresh, motion = case.found, case.work.motion.copy()
    case.own.options[slope.HELD], case.work.coef[FRESH] = 1, 0.0
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
        assert slope.slope(case.tables, case.work, case.own) == Status.NOT_FINITE


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
        *(a.astype(complex) if a.dtype == float and name not in ("coef", "stack") else a
          for name, a in zip(case.work._fields, complex_case.work, strict=True))
    )  # fmt: skip
    complex_case.own = type(case.own)(
        *(a.astype(complex) if a.dtype == float else a for a in complex_case.own)
    )  # fmt: skip
    complex_case.work.psi[:] = 1e-30j * direction
    assert place.place(complex_case.tables, complex_case.work, complex_case.own) == Status.OK
    found = complex_case.work.eta.imag / 1e-30
    wanted = (values[0] - values[1]) / 2e-4
    assert_allclose(found, wanted, atol=1e-4 * max(1.0, np.abs(wanted).max(initial=0.0)))


# Baumgarte, projection, settling -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_baumgartes_terms_are_those_of_a_damped_oscillator(seed: int) -> None:
    """For rows, and for e = A^T A - I: e'' + 2 alpha e' + beta^2 e = 0 to first order in e."""
    alpha, beta = 3.0, 7.0
    case = Case(everything(seed), seed).drifted()
    plain_eta, plain_Q = case.placed(t=0.37).work.eta.copy(), case.own.Q[:-1].reshape(-1, 3, 3).copy()
    s = case.state
    AT = np.swapaxes(s.R, 1, 2)
    assert_allclose(plain_Q, (np.swapaxes(s.Rdot, 1, 2) @ s.Rdot)[:-1], atol=1e-13)
    case.work.coef[DAMPING], case.work.coef[STIFFNESS] = 2.0 * alpha, beta**2
    case.placed(t=0.37)
    e, rate = AT @ s.R - np.eye(3), AT @ s.Rdot
    rate = rate + np.swapaxes(rate, 1, 2)
    added = case.own.Q[:-1].reshape(-1, 3, 3) - plain_Q
    assert_allclose(added, 0.5 * (2.0 * alpha * rate + beta**2 * e)[:-1], atol=1e-12)
    along_r, along_A = case.rows()
    speed = np.einsum("kbi,bi->k", along_r, s.Tdot) + np.einsum("kbij,bij->k", along_A, s.Rdot) - case.work.row[:, NU]
    slow = case.mechanism.system.rows.nonholonomic == 1
    assert 0 < slow.sum() < len(slow)
    terms = np.where(slow, alpha * speed, 2.0 * alpha * speed + beta**2 * case.work.row[:, PHI])
    back = np.swapaxes(np.linalg.inv(s.R[:-1]), 1, 2) @ added  # the way back to rotations, which rows feel
    drawn = np.einsum("kbij,bij->k", along_A[:, :-1], back)
    assert_allclose(case.work.eta - plain_eta, drawn - terms, atol=1e-10)


@pytest.mark.parametrize("seed", range(2))
def test_corrections_have_no_forces_and_ask_for_what_is_missing(seed: int) -> None:
    case = Case(everything(seed), seed).drifted().placed(t=0.37, level=POSITIONS)
    assert np.all(case.work.f == 0.0)
    assert np.all(case.own.Q == 0.0)
    assert np.all(case.own.Y == 0.0)
    assert_allclose(case.work.eta, -case.work.row[:, PHI], rtol=0)
    case.placed(t=0.37, level=VELOCITIES)
    assert np.all(case.work.f == 0.0)
    s, (along_r, along_A) = case.state, case.rows()
    rate = np.einsum("kbi,bi->k", along_r, s.Tdot) + np.einsum("kbij,bij->k", along_A, s.Rdot)
    assert_allclose(case.work.eta, case.work.row[:, NU] - rate, atol=1e-12)


def test_a_correction_of_poses_turns_bodies_and_leaves_rotations() -> None:
    """What drift has done to A and A^T Adot is put right first, so that the correction is that of rotations."""
    case = Case(everything(0), 0).drifted(1e-5).placed(level=POSITIONS)
    before, spin = case.state, case.work.motion[:, W : W + 3].copy()
    assert_rotations(before.R)
    x = 1e-3 * case.rng.normal(size=(case.nb, 6))
    case.work.x[:-1] = x
    case.begin_here()
    assert slope.shift(case.tables, case.work, case.own) == Status.OK
    after = case.placed(level=POSITIONS).state
    assert_rotations(after.R)
    assert_allclose(after.T[:-1], before.T[:-1] + x[:, 3:], atol=1e-15)
    assert_allclose(after.Tdot, before.Tdot, rtol=0)
    for b in range(case.nb):
        assert_allclose(after.R[b], before.R[b] @ Rotation.from_rotvec(x[b, :3]).as_matrix(), atol=1e-14)
        assert_allclose(after.Rdot[b], after.R[b] @ tilde(spin[b]), atol=1e-13)


def test_a_correction_of_velocities_leaves_skew_rates() -> None:
    case = Case(everything(0), 0).drifted(1e-5).placed(level=VELOCITIES)
    before, spin = case.state, case.work.motion[:, W : W + 3].copy()
    x = case.rng.normal(size=(case.nb, 6))
    case.work.x[:-1] = x
    case.begin_here()
    assert slope.shift(case.tables, case.work, case.own) == Status.OK
    after = case.placed(level=VELOCITIES).state
    assert_allclose(after.T, before.T, rtol=0)
    assert_allclose(after.R, before.R, atol=1e-15)
    assert_allclose(after.Tdot[:-1], before.Tdot[:-1] + x[:, 3:], atol=1e-14)
    for b in range(case.nb):
        assert_allclose(after.Rdot[b], after.R[b] @ tilde(spin[b] + x[b, :3]), atol=1e-13)


def assert_rotations(A_: np.ndarray) -> None:
    assert_allclose(np.swapaxes(A_, 1, 2) @ A_, np.broadcast_to(np.eye(3), A_.shape), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_one_correction_of_velocities_meets_the_rows(seed: int) -> None:
    """They are linear in velocities: nothing is left of what drift in A^T Adot had added."""
    mechanism = compile_mechanism(lw.load("stewart_platform_actuated").lower())
    case = Case(mechanism, seed).drifted(1e-4).placed(t=0.2, level=VELOCITIES).two_step()
    case.begin_here()
    assert np.abs(case.work.eta).max() > 1e-5
    slope.shift(case.tables, case.work, case.own)
    case.placed(t=0.2, level=VELOCITIES)
    assert np.abs(case.work.eta).max() < 1e-10


@pytest.mark.parametrize("seed", range(2))
def test_settling_makes_the_placed_state_the_start(seed: int) -> None:
    case = Case(everything(seed), seed).drifted().placed()
    before, rate = case.work.motion.copy(), case.own.Adot.copy()
    assert place.settle(case.tables, case.work, case.own) == 0
    case.work.psi[:] = 0.0
    case.placed()
    assert_allclose(case.work.motion[:, :18], before[:, :18], rtol=0)
    assert_allclose(case.own.Adot, rate, rtol=0)
    size = case.work.size.reshape(2, -1)
    speeds = np.abs(case.own.start[:-1, 12:]) / np.r_[np.full(3, case.work.coef[LENGTH]), np.ones(9)]
    assert_allclose(size[1], speeds.max(), rtol=1e-14)
    assert_allclose(size[0], 1.0, rtol=0)


def test_rotations_are_restored_when_that_is_due() -> None:
    case = Case(everything(3), 3, every=3)
    for step in range(1, 7):
        case.drifted(1e-4).placed()
        due = step % 3 == 0
        spin = case.work.motion[:, W : W + 3].copy()
        assert place.settle(case.tables, case.work, case.own) == int(due)
        start = case.own.start[:-1]
        A_, rate = start[:, 3:12].reshape(-1, 3, 3), start[:, 15:24].reshape(-1, 3, 3)
        off = np.abs(np.swapaxes(A_, 1, 2) @ A_ - np.eye(3)).max()
        drawn = np.swapaxes(A_, 1, 2) @ rate
        skew = np.abs(drawn + np.swapaxes(drawn, 1, 2)).max()
        if due:  # one Newton step squares the error, and angular velocity is kept
            assert max(off, skew) < 1e-6
            assert_allclose(np.array([vee(d) for d in drawn]), spin[:-1], atol=1e-3)
        else:
            assert min(off, skew) > 1e-5


# what a mechanism brings --------------------------------------------------------------------------------------


def test_poinsots_inertia_is_the_second_moment_of_mass() -> None:
    """A box's K about its centre is m/12 diag(l^2, a^2, b^2) [eqs. 11, 15]; J = tr(K) I - K."""
    m, (l, a, b) = 0.108, (0.2, 0.02, 0.01)
    J = m / 12 * np.diag([a * a + b * b, l * l + b * b, l * l + a * a])
    assert_allclose(poinsot(J), m / 12 * np.diag([l * l, a * a, b * b]), atol=1e-18)
    rng = np.random.default_rng(0)
    points, masses = rng.normal(size=(20, 3)), rng.uniform(1, 2, 20)
    J = sum(w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(masses, points, strict=True))
    assert_allclose(poinsot(J), sum(w * np.outer(x, x) for w, x in zip(masses, points, strict=True)), atol=1e-12)
    both = poinsot(np.array([J, 2 * J]))
    assert_allclose(both[1], 2 * both[0], atol=1e-12)


@pytest.mark.parametrize(
    ("moments", "thick"),
    [((1, 1, 1), True), ((1e-6, 1, 1), True), ((0, 1, 1), False), ((1e-11, 1, 1), False), ((1e-12,) * 3, True)],
)
def test_which_bodies_have_extent_in_all_directions(moments: tuple[float, ...], thick: bool) -> None:
    assert full_rank(np.diag(moments)) is thick


def test_elements_of_the_rotation_count_one_and_metres_a_share_of_the_length() -> None:
    mechanism = everything(0)
    w = weights(mechanism).reshape(2, mechanism.nb, 12)
    assert_allclose(w[:, :, :3], 1.0 / mechanism.length, rtol=0)
    assert_allclose(w[:, :, 3:], 1.0, rtol=0)


@pytest.mark.parametrize(
    ("extents", "able"),
    [((1.0, 0.4, 0.2), "all"), ((1.0, 0.4, 0.0), "two-step"), ((1.0, 0.0, 0.0), "none")],
)
def test_flat_bodies_run_in_two_steps_only_and_rods_not_at_all(extents: tuple[float, ...], able: str) -> None:
    """A plate's K has no inverse though the equations are regular; an ideal rod's rotation is not determined."""
    x, y, z = (np.array(extents) ** 2).tolist()
    m = lw.Mechanism("one body")
    m.body("sheet", mass=1.0, inertia=[y + z, x + z, x + y], position=(0.3, 0, 0), angular_velocity=(0.1, 0.2, 0.3))
    m.joint("ball", "spherical", "ground", "sheet", point=(0, 0, 0))
    compiled = compile_mechanism(m.lower())
    for elimination in ("two-step", "one-shot"):
        for multipliers in ("stage", "step"):
            fits = able == "all" or (able == "two-step" and (elimination, multipliers) == ("two-step", "stage"))
            if fits:
                FORMULATION.build(compiled, elimination=elimination, multipliers=multipliers)
                continue
            with pytest.raises(UnsupportedElementError, match="'sheet'") as error:
                FORMULATION.build(compiled, elimination=elimination, multipliers=multipliers)
            assert ("is flat" if able == "two-step" else "no inertia") in str(error.value)
    if able == "two-step":
        case = Case(compiled).placed().two_step().sloped()
        assert_same(case.found, as_found(rotation_matrix_dense.whole(case.equations())))
        assert np.linalg.matrix_rank(case.own.K[0, :9].reshape(3, 3)) == 2


def test_moments_that_no_body_has_run_in_two_steps_only() -> None:
    """One exceeds the sum of the others, as in some published data: K is regular, but its square root is not real."""
    m = lw.Mechanism("impossible")
    m.body("ghost", mass=1.0, inertia=[0.1, 0.1, 0.3], angular_velocity=(0.1, 0.2, 0.3))
    compiled = compile_mechanism(m.lower())
    for how in ({"elimination": "one-shot"}, {"multipliers": "step"}):
        with pytest.raises(UnsupportedElementError, match="'ghost' has moments of inertia that no real body has"):
            FORMULATION.build(compiled, **how)
    case = Case(compiled).placed().two_step().sloped()
    assert_same(case.found, as_found(rotation_matrix_dense.whole(case.equations())))


def test_ideal_rods_are_refused_by_name() -> None:
    mechanism = lw.load("kissel2021_four_link")
    rods = [b.name for b in mechanism.lower().bodies if np.linalg.eigvalsh(b.inertia)[0] <= 0.0]
    assert rods
    with pytest.raises(UnsupportedElementError, match=f"'{rods[0]}'") as error:
        lw.simulate(mechanism, 0.01, 1e-3, "rotation-matrix")
    assert "rA" in str(error.value)


def test_bodies_without_mass_are_refused() -> None:
    m = lw.Mechanism("ghost")
    m.body("ghost")
    with pytest.raises(MissingMassError, match="ghost"):
        lw.simulate(m, 0.01, 1e-3, "rotation-matrix")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"elimination": "three-step"}, "two-step, one-shot"),
        ({"multipliers": "half-step"}, "stage, step"),
        ({"matrix": "banded"}, "sparse, dense"),
        ({"orthonormalise_every": -1}, "orthonormalise_every"),
        ({"orthonormalise_every": 1.5}, "orthonormalise_every"),
        ({"orthonormalise_every": "often"}, "orthonormalise_every"),
    ],
)
def test_options_that_do_not_exist_are_told_with_those_that_do(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        lw.simulate(lw.load("muller2013_heavy_top"), 0.01, 1e-3, "rotation-matrix", **given)


@pytest.mark.parametrize("name", ["elimination", "multipliers", "matrix", "orthonormalise_every"])
def test_its_options_are_no_other_formulations(name: str) -> None:
    for other in ("lie-mixed", "rA"):
        with pytest.raises(UsageError, match="formulation rotation-matrix"):
            lw.simulate(lw.load("muller2013_heavy_top"), 0.01, 1e-3, other, **{name: 1})


# compiled -----------------------------------------------------------------------------------------------------


@cache
def caller() -> Any:
    """Calls a compiled entry from Python."""
    import numba

    return numba.njit(lambda entry, context: entry(context))


def solved(mechanism: Any, elimination: str, matrix: str, *, droppable: bool) -> dict[str, np.ndarray]:
    """By the compiled entries."""
    problem = FORMULATION.build(mechanism, elimination=elimination, matrix=matrix, droppable=droppable)
    problem.work.coef[FRESH] = 1.0
    for name in ("place", "apply", "seek", "factorise", "solve", "slope"):
        assert caller()(getattr(problem, name), problem.context) >= 0, name
    nb, k = mechanism.nb, problem.work.slope.reshape(2, mechanism.nb, 12)
    return {
        "rddot": k[1, :, :3].copy(),
        "Addot": k[1, :, 3:].reshape(nb, 3, 3).copy(),
        "Lambda": problem.extra[:nb].reshape(nb, 3, 3).copy(),
        "lambda": problem.work.lam.copy(),
    }


@settings(max_examples=40)
@given(seed=st.integers(0, 2**31))
def test_eliminations_and_matrices_agree_where_they_are_compiled(seed: int) -> None:
    """Redundant rows included: the least multipliers, and the Lambda that goes with them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Case(mechanism, seed).placed().two_step().sloped()
    droppable = not regular(mechanism)
    for elimination, matrix in VARIANTS if thick(mechanism) else VARIANTS[:2]:
        found = solved(mechanism, elimination, matrix, droppable=droppable)
        assert_same(found, case.found, 1e-8)  # K^-1 costs the one-shot digits on slender bodies


@pytest.mark.parametrize("name", ["stewart_platform", "stewart_platform_actuated", "dumitriu2015_double_pendulum"])
def test_eliminations_and_matrices_agree_on_the_papers_mechanisms(name: str) -> None:
    mechanism = compile_mechanism(lw.assemble(lw.load(name)).mechanism.lower())
    case = Case(mechanism).placed().two_step().sloped()
    for elimination, matrix in VARIANTS:
        assert_same(solved(mechanism, elimination, matrix, droppable=False), case.found)


def test_a_mechanism_without_rows_runs_in_every_variant() -> None:
    m = lw.Mechanism("free", gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], angular_velocity=(1.0, 2.0, 3.0))
    mechanism = compile_mechanism(m.lower())
    wanted = as_found(rotation_matrix_dense.whole(Case(mechanism).placed().equations()))
    assert_allclose(wanted["rddot"], [[0.0, 0.0, -9.81]], atol=1e-12)
    for elimination, matrix in VARIANTS:
        assert_same(solved(mechanism, elimination, matrix, droppable=False), wanted)


def test_the_row_to_blame_is_one_of_the_mechanisms_own() -> None:
    """A hinge twice on one axis: whatever the elimination, the row reported is one that others imply."""
    m = lw.Mechanism("door", gravity=(0.0, 0.0, -9.81))
    m.body("door", mass=2.0, inertia=[0.3, 0.4, 0.5], position=(0.4, 0.0, 0.0))
    for k, z in enumerate((-0.5, 0.5)):
        m.joint(f"hinge {k}", "revolute", "ground", "door", point=(0, 0, z), axis=(0, 0, 1))
    mechanism = compile_mechanism(m.lower())
    G = newton_euler_dense.accelerations(mechanism).G
    for elimination, matrix in VARIANTS:
        problem = FORMULATION.build(mechanism, elimination=elimination, matrix=matrix, droppable=False)
        caller()(problem.place, problem.context)
        assert caller()(problem.factorise, problem.context) in (Status.SINGULAR, Status.NOT_FINITE)
        k = int(problem.solver.report[1])
        assert 0 <= k < mechanism.nc, (elimination, matrix)
        rest = G[k] - np.linalg.lstsq(np.delete(G, k, axis=0).T, G[k], rcond=1e-12)[0] @ np.delete(G, k, axis=0)
        assert np.linalg.norm(rest) < 1e-9, (elimination, matrix)


# from the command line ----------------------------------------------------------------------------------------


def document(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert status_of([*tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_is_listed_with_its_paper_and_integrators(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {entry["name"]: entry for entry in document(["formulations"], capsys)}
    assert listed["rotation-matrix"]["paper"] == "Dumitriu 2015"
    assert set(listed["rotation-matrix"]["integrators"]) == {*TABLEAUX, "implicit-midpoint", "stormer-verlet"}
    assert listed["rotation-matrix"]["integrators"][0] == "rk4"
    assert any("inertia" in need for need in listed["rotation-matrix"]["needs"])


def test_its_options_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    model, short = "dumitriu2015_double_pendulum", {"t_end": 0.05, "step": 1e-3}
    given = ["run", model, "--t-end", "0.05", "--step", "1e-3", "--formulation", "rotation-matrix"]
    for tokens, how in (
        ([], {}),
        (["--multipliers", "step"], {"multipliers": "step"}),
        (["--elimination", "one-shot", "--matrix", "dense"], {"elimination": "one-shot", "matrix": "dense"}),
        (["--orthonormalise-every", "5"], {"orthonormalise_every": 5}),
    ):
        told = document([*given, *tokens], capsys)
        wanted = lw.simulate(lw.load(model), formulation="rotation-matrix", **short, **how)
        assert told["end_state"]["bar 2"]["position"] == wanted.position("bar 2")[-1].tolist()
        for name, value in {"elimination": "two-step", "multipliers": "stage", "matrix": "sparse"}.items():
            assert told["info"][name] == how.get(name, value)


def test_what_it_cannot_do_is_told_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for tokens, status, hint in (
        (["kissel2021_four_link"], 3, "no inertia"),
        (["dumitriu2015_double_pendulum", "--elimination", "three-step"], 2, "one-shot"),
        (["dumitriu2015_double_pendulum", "--integrator", "implicit-euler"], 2, "rk4"),
    ):
        assert status_of(["run", *tokens, "--formulation", "rotation-matrix"]) == status
        captured = capsys.readouterr()
        assert captured.out == ""
        assert hint in captured.err
