"""Implicit methods as numbers, their settings, and the start of a run."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.equations.index_3.rebasing import carrying_of
from linkwork.equations.index_3.work import Layout, new_work
from linkwork.errors import UsageError
from linkwork.formulations.absolute.formulation import AbsoluteFormulation
from linkwork.formulations.rA import FORMULATION
from linkwork.integrators.generalized_alpha import GENERALIZED_ALPHA, GeneralizedAlpha, chung_hulbert
from linkwork.integrators.implicit_euler import IMPLICIT_EULER
from linkwork.integrators.implicit_kernels import predict
from linkwork.integrators.newton import weighted_norm
from linkwork.integrators.scheme import NEXT_Y
from linkwork.integrators.stopping import converged
from linkwork.problems.implicit import REF, Q
from linkwork.run.starting import new_run, prepare, started
from linkwork.spaces import euler_angles

RHOS = (0.0, 0.3, 0.5, 0.8, 0.95, 1.0)


def at_infinity(s) -> np.ndarray:
    """What a step makes of (h v, h^2 a, h^2 x) where the increment is held at zero, as a constraint does."""
    columns = []
    for v, a, x in np.eye(3):
        y = -(v + s.step_a * a + s.step_x * x) / s.step_y
        columns.append((v + s.rate_a * a + s.rate_x * x + s.rate_y * y, s.next_a * a + s.next_x * x + s.next_y * y, y))
    return np.array(columns).T


@pytest.mark.parametrize("rho", RHOS)
def test_a_constraint_forgets_errors_by_rho_infinity_per_step(rho):
    largest = np.abs(np.linalg.eigvals(at_infinity(chung_hulbert(rho)))).max()
    assert largest == pytest.approx(rho, abs=2e-5), "multiple roots are found to the root of rounding"


def test_a_constraint_forgets_all_errors_in_two_steps_of_implicit_euler():
    step = at_infinity(IMPLICIT_EULER.scheme())
    assert not np.linalg.matrix_power(step, 2).any()


@pytest.mark.parametrize("rho", RHOS)
def test_generalized_alpha_is_of_second_order(rho):
    """On a motion of constant jerk rates are exact, and increments but for a multiple of h^3."""
    s, h = chung_hulbert(rho), 0.3
    v, x, jerk = 0.7, -0.4, 1.9
    end = x + h * jerk
    a = x + s.lag * h * jerk
    assert v + h * (s.rate_a * a + s.rate_x * x + s.rate_y * end) == pytest.approx(v + h * x + h**2 / 2 * jerk)
    assert s.next_a * a + s.next_x * x + s.next_y * end == pytest.approx(end + s.lag * h * jerk)
    assert s.step_a + s.step_x + s.step_y == pytest.approx(0.5)
    assert -0.5 <= s.lag * 0.5 <= 0.0


def test_implicit_euler_carries_nothing():
    assert IMPLICIT_EULER.scheme() == (0, 0, 1, 0, 0, 1, 0, 0, 0, 0)


@pytest.mark.parametrize("rho", [-0.1, 1.001, float("nan"), "0.5", True, None])
def test_rho_outside_its_range_is_refused(rho):
    with pytest.raises(UsageError, match="from 0 to 1"):
        GeneralizedAlpha(rho_infinity=rho)


def test_settings_that_make_no_sense_are_refused():
    for method in (GENERALIZED_ALPHA, IMPLICIT_EULER):
        with pytest.raises(UsageError, match=r"there is no start 'bent'.*consistent, perturbed"):
            method.with_options(start="bent")
        with pytest.raises(UsageError, match="not both"):
            method.with_options(tolerance=1e-3, position_tolerance=1e-9)


def test_poses_are_met_as_well_with_every_method():
    """An unknown counts c_q in positions, not h^2."""
    for rho in RHOS:
        method = GeneralizedAlpha(rho_infinity=rho, position_tolerance=1e-9)
        assert method.pose_tolerance(2.0, 1e-3) == pytest.approx(1e-9)
    assert IMPLICIT_EULER.pose_tolerance(2.0, 1e-3) == pytest.approx(1e-11)


def new(mechanism: lw.Mechanism, method, formulation: AbsoluteFormulation = FORMULATION, **options):
    span = {name: options.pop(name) for name in ("step", "t_end", "every") if name in options}
    chosen = partial(new_run, formulation, method.with_options(**options), **{"step": 1e-3, "t_end": 1.0, **span})
    return chosen, prepare(mechanism, dynamics=True).compiled


def test_a_run_can_begin_at_any_time():
    """A force that grows with time pushes from the start on as it does then."""
    m = lw.Mechanism("rocket", gravity=(0, 0, 0))
    m.body("a", mass=2.0, inertia=[1, 1, 1])
    m.force("thrust", "force", body="a", components=(0, 0, "3*t"))
    build, compiled = new(m, IMPLICIT_EULER)
    run = started(compiled, build, time=2.0)
    assert run.time == 2.0
    assert run.sample()["motion"][0, 0, 20] == pytest.approx(3.0)
    run.advance(10)
    times = 2.0 + 1e-3 * np.arange(1, 11)
    assert run.time == pytest.approx(times[-1])
    motion = run.sample()["motion"][0, 0]
    assert motion[20] == pytest.approx(1.5 * times[-1])
    assert motion[14] == pytest.approx(1.5e-3 * times.sum())


def test_the_first_sample_of_a_perturbed_start_is_the_consistent_start():
    """Only the rates that the first step starts from differ, and by the order of h^2."""
    moved = []
    for step in (1e-3, 5e-4):
        samples, rates = {}, {}
        for start in ("consistent", "perturbed"):
            build, compiled = new(lw.load("muller2013_heavy_top"), GENERALIZED_ALPHA, start=start, step=step)
            run = started(compiled, build)
            samples[start], rates[start] = run.sample(), run.problem.work.rate.copy()
        for name in ("time", "motion", "multiplier"):
            size = np.abs(samples["consistent"][name]).max()
            assert_allclose(samples["perturbed"][name], samples["consistent"][name], rtol=0, atol=1e-12 * size)
        moved.append(rates["perturbed"] - rates["consistent"])
    assert np.linalg.norm(moved[0]) > 1e-6
    assert_allclose(moved[0], 4 * moved[1], rtol=0, atol=0.05 * np.linalg.norm(moved[0]))


def test_a_start_that_cannot_be_perturbed_is_the_consistent_one_and_that_is_said():
    """The force has no value any more soon after the start."""
    m = lw.Mechanism("rocket")
    m.body("a", mass=1.0, inertia=[1, 1, 1])
    m.force("thrust", "force", body="a", components=(0, 0, "20 + sqrt(1e-4 - t)"))
    build, compiled = new(m, GENERALIZED_ALPHA)
    run = started(compiled, build)
    assert any("could not be perturbed" in remark for remark in run.remarks)
    assert np.all(np.isfinite(run.sample()["motion"]))
    assert np.all(np.isfinite(run.problem.work.rate))
    assert run.advance(1)[0] != 0


def test_new_angles_carry_accelerations_over_at_their_own_instant():
    """On a motion given in angles: accelerations of the new angles a while before, to second order in it."""
    compiled = prepare(lw.load("gyroscope"), dynamics=True).compiled
    layout = Layout(1, compiled.nc, 3, False)
    rng = np.random.default_rng(4)
    q, v, x, jerk = (np.append(rng.normal(size=3), 0.0) for _ in range(4))
    q[1] = 0.3  # near the singularity, where begin would rebase
    errors = []
    for lag in (-1e-3, -1e-4):
        work = new_work(compiled, layout, euler_angles)
        old = tuple(work.motion[0, REF : REF + 9])

        def angles(t: float, reference, old=old) -> np.ndarray:
            A, _ = euler_angles.retract(old, old, tuple(q), tuple(t * v + t**2 / 2 * x + t**3 / 6 * jerk))
            return np.array(euler_angles.coordinates_of(A, reference))

        A, _ = euler_angles.retract(old, old, tuple(q), (0.0, 0.0, 0.0, 0.0))
        w = euler_angles.omega(tuple(q), tuple(v))
        reference, *_ = euler_angles.rebase(A, w, euler_angles.alpha(tuple(q), tuple(v), tuple(x)))
        work.motion[0, Q : Q + 4], work.motion[0, 3:12] = q, A
        work.rate[3:6], work.z[3:6], work.carried[3:6] = v[:3], x[:3], x[:3] + lag * jerk[:3]
        carrying_of(euler_angles)(work, 0, reference, work.carried, lag)
        d = 1e-4
        second = (angles(lag + d, reference) - 2 * angles(lag, reference) + angles(lag - d, reference)) / d**2
        errors.append(np.abs(work.carried[3:6] - second[:3]).max())
    assert errors[0] < 1e-3
    assert errors[1] < 0.02 * errors[0] + 1e-6


@pytest.mark.parametrize(
    ("norm", "before", "first", "bend", "age", "ends"),
    [
        (9e-10, np.inf, 9e-10, 0.0, 50, True),  # below rounding
        (2e-3, 1.0, 1.0, 0.0, 0, False),  # positions are not met yet
        (5e-4, 1.0, 1.0, 0.0, 50, True),  # shrinks by 2000: 2.5e-7 of the first is left
        (5e-4, 6e-3, 6e-3, 0.0, 50, False),  # shrinks by 12: 0.8 % of the first is left
        (5e-4, 6e-3, 6e-3, 0.1, 50, True),  # 0.05 % of the bend
        (5e-4, 1e-3, 1.0, 1.0, 50, False),  # the matrix is too old
        (5e-4, 1e-3, 1.0, 0.0, 0, True),  # no matrix does better
        (5e-8, 6e-8, 1.0, 0.0, 5, True),  # rounding that is worse than usual
        (5e-8, 6e-8, 1.0, 0.0, 50, False),
        (5e-4, np.inf, 5e-4, 0.0, 50, True),  # shrinks as at the step before
    ],
)
def test_a_step_ends_by_what_is_left_after_a_correction(norm, before, first, bend, age, ends):
    numbers = {"tolerance": 1e-3, "slow_contraction": 0.1, "floor": 1e-9, "left": 1e-3, "contraction": 1e-4}
    run = SimpleNamespace(**{name: np.array([x]) for name, x in {**numbers, "bend": bend}.items()})
    assert converged(run, norm, before, first, age) == ends


def test_rounding_that_ends_a_step_shows_how_corrections_shrink_all_the_same():
    """Else the next step would believe its first correction less and less, and make a second for nothing."""
    numbers = {"tolerance": 1e-3, "slow_contraction": 0.1, "floor": 1e-9, "left": 1e-3, "contraction": 0.5, "bend": 0.0}
    run = SimpleNamespace(**{name: np.array([x]) for name, x in numbers.items()})
    assert converged(run, 1e-10, 1e-8, 1e-8, 3)
    assert run.contraction[0] == pytest.approx(1e-2)


@pytest.mark.parametrize(("carries", "alternating"), [(1.0, 0.7), (0.0, 0.0)])
def test_parabolas_are_continued_and_what_alternates_where_a_method_has_that(carries, alternating):
    scheme = np.zeros(10)
    scheme[NEXT_Y] = carries
    steps = np.arange(6.0)
    z = 2.0 - 0.3 * steps + 0.25 * steps**2 + alternating * (-1.0) ** steps
    parts = ("z", "z_old", "z_older", "z_oldest", "start", "bend", "known", "aside")
    run = SimpleNamespace(weight=np.array([3.0]), scheme=scheme, **{name: np.zeros(1) for name in parts})
    for n in range(5):
        run.z[0], run.known[0] = z[n], n + 1
        predict(run)
        enough = n >= (3 if carries else 2)
        assert (run.z[0] == pytest.approx(z[n + 1], abs=1e-12)) == enough
        assert run.start[0] == run.z[0]
        # of a straight line through two steps a parabola is off by its second difference, through three by twice that
        assert run.bend[0] == pytest.approx(3.0 * 0.5 * (1.0 + carries) if enough else 0.0, abs=1e-12)


@pytest.mark.parametrize("size", [0, 1, 3, 4, 7, 35])
def test_norms_have_every_term(size):
    weight, x = np.arange(1.0, size + 1), np.cos(np.arange(float(size)))
    assert weighted_norm(weight, x) == pytest.approx(np.linalg.norm(weight * x), rel=1e-14)
