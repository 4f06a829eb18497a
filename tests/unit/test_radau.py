"""Radau IIA methods: their numbers, their matrices, steps of their own size, and what a stiff mechanism asks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ConvergenceError, UsageError
from linkwork.integrators.collocation import radau_iia
from linkwork.integrators.radau_kernels import shared_out, wanted_step
from linkwork.integrators.radau_matrix import factor_pair, form, form_at, go_to, solve_pair
from linkwork.integrators.radau_newton import put_stage
from linkwork.integrators.radau_state import Entries, in_pairs
from linkwork.kernels.sparse_lu import pattern
from linkwork.problems.request import POSITION_LEVEL, VELOCITY_LEVEL
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started

STAGES = (1, 3, 5, 7)
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("s", STAGES)
def test_numbers_meet_the_conditions_of_collocation(s):
    """C(s), B(2s - 1), and the published A of three stages [Hairer, Wanner 1996, table IV.5.6]."""
    m = radau_iia(s)
    for k in range(1, s + 1):
        assert_allclose(m.A @ m.c ** (k - 1), m.c**k / k, atol=2e-13)
    for k in range(1, 2 * s):
        assert m.A[-1] @ m.c ** (k - 1) == pytest.approx(1.0 / k, abs=2e-13)
    assert abs(m.A[-1] @ m.c ** (2 * s - 1) - 0.5 / s) > 1e-9, "the order is no higher"
    if s == 3:
        root = np.sqrt(6.0)
        assert_allclose(m.A[0], [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225], rtol=1e-13)


@pytest.mark.parametrize("s", STAGES)
def test_it_is_stiffly_accurate_and_damps_what_is_infinitely_stiff(s):
    m = radau_iia(s)
    assert m.c[-1] == 1.0
    assert 1.0 - np.linalg.solve(m.A.T, m.A[-1]) @ np.ones(s) == pytest.approx(0.0, abs=1e-11)


@pytest.mark.parametrize("s", STAGES)
def test_the_error_formula_sees_nothing_below_its_order(s):
    m = radau_iia(s)
    c = np.append(0.0, m.c)
    for k in range(s):
        assert m.error @ c**k == pytest.approx(0.0, abs=1e-12)
    assert abs(m.error @ c**s) > 1e-6


@pytest.mark.parametrize("s", STAGES)
@pytest.mark.parametrize("power", [0, 1, 2])
def test_eigenvectors_take_the_stages_apart(s, power):
    """`back` diag(eigenvalues) `into` is A to any power: here A^-power from the scaled rows."""
    m = radau_iia(s)
    assert_allclose(m.back @ m.into[power] @ np.linalg.matrix_power(m.A, power), np.eye(s), atol=1e-9)


def test_a_complex_system_as_pairs():
    rng = np.random.default_rng(3)
    rows, columns = np.nonzero(rng.random((7, 7)) < 0.5)
    made, _ = pattern(np.append(rows, range(7)), np.append(columns, range(7)), 7)
    paired, position = in_pairs(made)
    x, y = rng.normal(size=(2, len(made.indices)))

    def dense(of, values):
        found = np.zeros((of.n, of.n))
        where = np.repeat(np.arange(of.n), np.diff(of.indptr.astype(int)))
        found[of.indices.astype(int), where] = values
        return found

    values = np.zeros(len(paired.indices))
    values[position] = np.stack([x, -y, y, x], axis=1)
    whole = dense(paired, values)
    wanted = dense(made, x) + 1j * dense(made, y)
    assert_allclose(whole[::2, ::2] + 1j * whole[1::2, ::2], wanted)
    assert_allclose(whole[1::2, 1::2] - 1j * whole[::2, 1::2], wanted)
    assert sorted(paired.order.tolist()) == list(range(14))


def run_of(model, formulation, integrator="radau5", **how):
    chosen, method = pair(formulation, integrator)
    own = {name: how.pop(name) for name in list(how) if name in chosen.options}
    compiled = prepare(lw.load(model), dynamics=True).compiled
    make = partial(new_run, chosen.with_options(**own), method.with_options(**how), step=1e-2, t_end=1.0)
    run = started(compiled, make)
    return run, Entries(*(getattr(run.problem, name) for name in Entries._fields))


@pytest.mark.parametrize(
    ("formulation", "model"),
    [
        ("rA", "spatial_slider_crank_spring"),
        ("rp", "rolling_disc"),
        ("re", "kissel2021_double_pendulum"),
        ("lie-se3", "rolling_disc"),
        ("lie-se3", "stewart_platform_actuated"),
    ],
)
def test_the_matrix_is_a_polynomial_in_the_step(formulation, model):
    """Three real matrices tell it at any complex step: compared at other real ones, and as a solved complex system."""
    run, entries = run_of(model, formulation, newton="full")
    systems, context, h = run.systems, run.problem.context, 0.02
    form(entries, context, run.run, systems, 0.0, h)
    for c in (0.3 * h, -1.7 * h):
        wanted = np.zeros_like(systems.instant)
        form_at(entries, context, run.run, systems, c, wanted)
        found = systems.instant + c * (systems.damping + c * systems.stiffness)
        loose = 1e-6 if formulation == "rp" else 1e-9  # its rows at zero do without the predicted parameters' length
        assert_allclose(found[:-1], wanted[:-1], rtol=loose, atol=1e-9 * np.abs(wanted).max())
    x, y = 0.11 * h, 0.2 * h
    assert factor_pair(run.run, systems, x, y, systems.pair_1) == 0
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, len(run.run.z)))
    solved = a.copy(), b.copy()
    solve_pair(run.run, systems, *solved, systems.pair_1)
    z = x + 1j * y
    values = (systems.instant + z * (systems.damping + z * systems.stiffness))[:-1]
    back = np.zeros(len(a), dtype=complex)
    columns = np.repeat(np.arange(len(a)), np.diff(systems.pattern.indptr.astype(int)))
    np.add.at(back, systems.pattern.indices.astype(int), values * (solved[0] + 1j * solved[1])[columns])
    assert_allclose(back, a + 1j * b, atol=1e-7)


@pytest.mark.parametrize("model", ["planar_four_bar", "kissel2021_double_pendulum", "rolling_disc", "gyroscope"])
@pytest.mark.parametrize("formulation", ["rA", "rp", "lie-mixed"])
def test_tolerances_are_kept(formulation, model):
    """Redundant rows, a tree, a velocity-level row, a fast spin: samples between steps are on the constraints, too."""
    t_end = 0.2 if model == "gyroscope" else 0.7
    times = np.linspace(0.0, t_end, 9)
    mech = lw.load(model)
    wanted = lw.simulate(
        mech, t_end, t_end, "lie-mixed", "dop853", rtol=1e-12, atol=1e-14, t_eval=times, stabilisation="projection"
    )  # fmt: skip
    for rtol in (1e-4, 1e-7):
        found = lw.simulate(mech, t_end, t_end, formulation, "radau5", rtol=rtol, atol=1e-3 * rtol, t_eval=times)
        assert_allclose(found.time, times, atol=1e-15)
        assert np.abs(found["position"] - wanted["position"]).max() < 3.0 * rtol
        assert np.abs(found["rotation"] - wanted["rotation"]).max() < 20.0 * rtol
        scale = np.abs(wanted["multiplier"]).max()
        assert np.abs(found["multiplier"] - wanted["multiplier"]).max() < 50.0 * rtol * scale
    assert found.info["steps"] < 400


def stiff_ball(stiffness: float, damping: float) -> lw.Mechanism:
    """A ball on a very stiff spring and damper from ground, swinging as a pendulum of 1 m does."""
    m = lw.Mechanism("stiff ball", gravity=(0, 0, -9.81))
    m.body("ball", mass=1.0, inertia=[0.1, 0.1, 0.1], position=(1.0, 0.0, 0.0))
    ends = {"first": "ground", "second": "ball", "point": [0, 0, 0], "point2": [1, 0, 0]}
    m.force("rod", "spring", **ends, stiffness=stiffness, damping=damping, length=1.0)
    return m


@pytest.mark.parametrize("formulation", ["rA", "lie-se3"])
def test_stiff_springs_do_not_shorten_steps(formulation):
    """The same equations by SciPy's Radau: rates of 1e3 1/s beside those of a swing."""
    from scipy.integrate import solve_ivp

    k, c = 1e5, 1e3

    def rate(t, y):
        x, z, vx, vz = y
        r = np.hypot(x, z)
        pull = k * (r - 1.0) + c * (x * vx + z * vz) / r
        return [vx, vz, -pull * x / r, -pull * z / r - 9.81]

    times = np.linspace(0.0, 2.0, 11)
    wanted = solve_ivp(rate, (0, 2), [1.0, 0, 0, 0], "Radau", t_eval=times, rtol=1e-10, atol=1e-13).y
    found = lw.simulate(stiff_ball(k, c), 2.0, 2.0, formulation, "radau5", rtol=1e-6, atol=1e-9, t_eval=times)
    assert_allclose(found.position("ball")[:, ::2], wanted[:2].T, atol=3e-4)
    assert found.info["steps"] < 500, "an explicit method takes about 2 s * 1e3 / 3"


def test_what_goes_with_tolerances():
    with pytest.raises(UsageError, match="max_step goes with rtol or atol"):
        lw.Radau5(max_step=0.1)
    with pytest.raises(UsageError):
        lw.simulate(lw.load("planar_four_bar"), 0.1, 1e-2, "rA", "radau5", t_eval=[0.0, 0.2])
    with pytest.raises(UsageError):
        lw.simulate(lw.load("planar_four_bar"), 0.1, 1e-2, "augmented", "radau5")


def test_a_step_that_cannot_be_solved_says_so_and_keeps_what_there_is():
    with pytest.raises(ConvergenceError) as raised:
        lw.simulate(lw.load("kissel2021_double_pendulum"), 2.0, 0.1, "rA", "radau5", max_iterations=2)
    assert raised.value.result.time[-1] < 2.0


def test_samples_do_not_move_the_steps():
    mech = lw.load("spatial_slider_crank_spring")
    few = lw.simulate(mech, 0.3, 0.3, "rA", "radau5", rtol=1e-6)
    many = lw.simulate(mech, 0.3, 1e-3, "rA", "radau5", rtol=1e-6)
    assert few.info["steps"] == many.info["steps"]
    for name in ("position", "velocity", "multiplier"):
        assert np.array_equal(few[name][-1], many[name][-1]), name


def test_a_simulator_comes_to_the_same_bits_and_the_last_step_is_whole():
    mech = lw.load("kissel2021_double_pendulum")
    simulator = lw.Simulator(mech, 1e-2, "rA", "radau5")
    for _ in range(20):
        simulator.step()
    run = lw.simulate(mech, 0.195, 1e-2, "rA", "radau5")
    assert run.time[-1] == pytest.approx(0.2)
    assert "not a whole number of steps" in " ".join(run.messages)
    assert np.array_equal(simulator.position, run["position"][-1])
    adaptive = lw.simulate(mech, 0.2, 0.07, "rA", "radau5", rtol=1e-6)
    assert_allclose(adaptive.time, [0.0, 0.07, 0.14, 0.2])
    with pytest.raises(UsageError, match="steps of one size"):
        lw.Simulator(mech, 1e-2, "rA", "radau5", rtol=1e-6)


REDUNDANT = "muller2013_three_bar"


@pytest.mark.parametrize("formulation", ["rA", "rp", "lie-se3"])
@pytest.mark.parametrize("equations", ["index-3", "stabilised-index-2"])
def test_rates_of_stages_meet_the_velocity_equation_with_index_2(formulation, equations):
    """Redundant rows included: what each stage's own rates leave of G v - nu."""
    run, entries = run_of(REDUNDANT, formulation, equations=equations)
    assert run.initialise() == 0
    assert run.advance(3)[0] == 0
    of, context, h = run.run, run.problem.context, run.run.step[0]
    start = of.now[0]
    for i in range(2):
        go_to(entries, context, of, start + run.method.c[i] * h)
        put_stage(of, of.x[i], of.increment[i], of.v[i], h)
        entries.set_state(context)
        found = []
        for level in (POSITION_LEVEL, VELOCITY_LEVEL):
            of.request.level[0] = level
            entries.constrain(context)
            found.append(np.abs(of.residual[of.first_multiplier[0] :]).max())
        of.request.level[0] = POSITION_LEVEL
        assert found[0] < 1e-12
        if equations == "index-3":
            assert found[1] > 1e-8, "or it would show nothing"
        else:
            assert found[1] < 1e-10, "Newton's method works to 1e-12 of the length"


def test_the_order_goes_up_where_newton_converges_and_errors_follow_the_tolerance():
    mech = lw.load("stewart_platform_actuated")
    exact = lw.simulate(mech, 0.5, 0.05, "lie-mixed", "dop853", rtol=1e-12, stabilisation="projection")
    found = []
    for rtol in (1e-5, 1e-8, 1e-11):
        run = lw.simulate(mech, 0.5, 0.05, "rA", "radau", rtol=rtol, atol=1e-3 * rtol)
        of_order = [run.info[f"steps_order_{order}"] for order in (5, 9, 13)]
        assert sum(of_order) == run.info["steps"]
        assert of_order[0] >= 5, "every run begins with three stages"
        found.append((np.abs(run["position"] - exact["position"]).max(), of_order))
        assert found[-1][0] < 30.0 * rtol
    errors, orders = zip(*found, strict=True)
    assert errors[1] < 0.2 * errors[0]
    assert errors[2] < 0.05 * errors[1]
    assert orders[2][1] > 0
    assert orders[2][2] > 0
    best = lw.simulate(mech, 0.5, 0.05, "rA", "radau5", rtol=1e-9, atol=1e-12)
    assert sum(orders[2]) < 0.5 * best.info["steps"], "a single low order takes many more steps for such an accuracy"


def test_variable_order_takes_redundant_rows_and_index_2_and_stiffness():
    mech = lw.load(REDUNDANT)
    exact = lw.simulate(mech, 0.3, 0.05, "lie-se3", "dop853", rtol=1e-11, stabilisation="projection")
    for equations in ("index-3", "stabilised-index-2"):
        run = lw.simulate(mech, 0.3, 0.05, "rA", "radau", rtol=1e-7, equations=equations)
        assert np.abs(run["position"] - exact["position"]).max() < 1e-5


def test_variable_order_with_steps_of_one_size_has_three_stages():
    mech = lw.load("spatial_slider_crank_spring")
    one, other = (lw.simulate(mech, 0.05, 0.005, "rA", how) for how in ("radau", "radau5"))
    assert one.info["steps_order_5"] == one.info["steps"] == 10
    assert_allclose(one["position"], other["position"], atol=1e-13)


def test_what_is_left_is_shared_out_once():
    """Two equal steps to the end; the second, though shorter than the one before, does not ask for a third."""
    assert shared_out(0.97, 1.0, np.inf) == 0.5
    assert shared_out(0.995, 1.0, np.inf) == 1.0
    assert shared_out(0.995, 1.0, 0.995) == 0.5, "no step is longer than max_step"
    assert shared_out(0.4, 1.0, np.inf) == 0.4
    for stages in (3, 5, 7):
        names = {
            "stages": stages,
            "cap": 7,
            "last_iterations": 3,
            "old_step": 1.0,
            "old_error": 1e-2,
            "contraction": 0.0,
        }
        run = SimpleNamespace(**{name: np.array([value]) for name, value in names.items()})
        for error in (1e-2, 1e-8):
            assert wanted_step(run, 0.5, error, False) >= 0.5


@pytest.mark.parametrize("rtol", [1e-2, 1e-4])
def test_no_sliver_is_left_before_the_end(rtol):
    """Here steps were halved before the end until none was large enough."""
    mech = lw.load(EXAMPLES / "andrews_squeezer.yaml")
    found = lw.simulate(mech, 0.03, 0.03 / 20, "rA", "radau9", rtol=rtol, atol=1e-3 * rtol)
    assert found.success
    assert found.info["steps"] < 60
