"""Müller 2013, section 5: our runs against the paper's own systems integrated the slow way; every figure's verdict."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import munthe_kaas as mk

import linkwork as lw
from linkwork.studies.papers.muller2013 import PAPER
from linkwork.studies.papers.muller2013 import generalized_alpha as ga
from linkwork.studies.papers.muller2013.orders import METHODS, converge
from linkwork.studies.runs import Runs

SPACES = {"lie-se3": "se3", "lie-product": "product"}


@pytest.fixture(scope="module")
def runs() -> Runs:
    """Shared by all figures, as in `linkwork reproduce`."""
    return Runs()


def figure(number: int, runs: Runs):
    """The finding of a figure."""
    (item,) = PAPER.chosen([f"figure {number}"])
    return item.run(runs)


@pytest.mark.parametrize("name", mk.EXAMPLES)
def test_the_shipped_mechanisms_are_the_examples(name):
    example, mech = mk.EXAMPLES[name](), lw.load(name)
    bodies = mech.lower().bodies
    assert_allclose([b.mass for b in bodies], example.mass, rtol=1e-14)
    assert_allclose([b.inertia for b in bodies], [np.diag(J) for J in example.inertia], rtol=1e-14, atol=1e-17)
    assert_allclose([b.position for b in bodies], example.r, atol=1e-15)
    assert_allclose([b.rotation for b in bodies], example.R, atol=1e-15)
    assert_allclose([b.velocity for b in bodies], example.rdot, atol=1e-14)
    assert_allclose([b.angular_velocity for b in bodies], example.omega, atol=1e-13)
    assert_allclose(mech.gravity, example.gravity)
    assert len(mech.joints) == len(example.joints)


@pytest.mark.parametrize("formulation", SPACES)
@pytest.mark.parametrize("name", mk.EXAMPLES)
def test_runs_are_those_of_the_papers_own_systems(name, formulation):
    """The same tableau on the same group: states agree to rounding, step by step, and so do the reactions."""
    example, space = mk.EXAMPLES[name](), SPACES[formulation]
    ours = lw.simulate(lw.load(name), 0.1, 1e-3, formulation, "rk4")
    theirs = mk.integrate(example, space, 0.1, 1e-3)
    assert_allclose(ours["position"], theirs.r, atol=2e-13)
    assert_allclose(ours["rotation"], theirs.R, atol=2e-12)
    assert_allclose(ours["velocity"], theirs.rdot, atol=1e-11)
    assert_allclose(ours["angular_velocity"], theirs.omega, atol=2e-10)
    for k, joint in enumerate(ours.joints):
        force = -theirs.lam[:, 3 * k : 3 * k + 3]
        i, j = example.joints[k][0], example.joints[k][2]
        if space == "se3" and (i is None or j is None):  # its rows stand in the body's components
            force = np.einsum("tij,tj->ti", theirs.R[:, j if i is None else i], force)
        assert_allclose(ours.reaction(joint).force, force, atol=1e-10 * np.abs(theirs.lam).max())


def test_the_paper_s_initial_energy():
    """T0 = 13.97 kJ."""
    result = lw.simulate(lw.load("muller2013_heavy_top"), 1e-3, 1e-3, "lie-se3", "rk4")
    assert result["kinetic_energy"][0] == pytest.approx(13.97e3, abs=5.0)


# largest violation in 5 s, m, of the oracle: SE(3), product
VIOLATIONS = {
    2: (6.3e-13, 4.58e-6),
    5: (4.0e-14, 4.26e-5),
    6: (1.15e-4, 9.70e-5),
    9: (5.17e-9, 4.97e-9),
    12: (1.0e-14, 6.71e-6),
    13: (3.03e-5, 1.51e-5),
    14: (1.3e-14, 9.37e-6),
}
ENERGIES = {7: (3.15e-5, 5.11e-5), 10: (2.66e-9, 1.83e-9), 15: (7.78e-5, 6.22e-5)}  # largest change over T0
VERDICTS = {3: "differs", 6: "agrees in part"}  # all others agree


@pytest.mark.parametrize("number", VIOLATIONS)
def test_violations(number, runs):
    """Joints to ground hold to rounding with SE(3); what drifts, drifts as with the oracle.

    The pendulum's motion is so sensitive that rounding alone moves its numbers in 5 s: only their size is compared.
    """
    found, (se3, product) = figure(number, runs), VIOLATIONS[number]
    ours = {
        group: found.numbers[f"{group}, largest violation [m]"] for group in ("lie-se3", "lie-product", "lie-mixed")
    }
    sensitive = number in (5, 6)
    off = 3.0 if sensitive else 1.02  # factor
    assert product / off < ours["lie-product"] < product * off
    if se3 < 1e-11:
        assert ours["lie-se3"] < 2e-12
        assert ours["lie-mixed"] < 2e-12
    else:
        assert se3 / off < ours["lie-se3"] < se3 * off
    assert found.verdict == VERDICTS.get(number, "agrees"), found.measured


@pytest.mark.parametrize("number", ENERGIES)
def test_energies(number, runs):
    found, wanted = figure(number, runs), ENERGIES[number]
    ours = [found.numbers[f"{group}, largest change / T0 [1]"] for group in SPACES]
    off = 3.0 if number == 7 else 1.02  # factor
    assert (np.abs(np.log(np.array(ours) / wanted)) < np.log(off)).all(), ours
    assert found.verdict == "agrees", found.measured


def test_the_two_orders_of_figure_3_are_not_to_be_had(runs):
    """5.6e-8 against 7.4e-8 in 2 s; the angular velocity does not feel the group, only the pivot's slip does."""
    found = figure(3, runs)
    assert found.verdict == "differs"
    assert "5.6e-08 and 7.4e-08 in 2 s" in found.measured
    assert found.numbers["energy of omega, difference between the groups / T0 [1]"] < 1e-12
    assert found.numbers["energy of the pivot's slip on the product group / T0 [1]"] == pytest.approx(8e-8, rel=0.1)
    assert all(0.3 < ratio < 3.0 for ratio in found.table["ratio"])


def test_reactions_work_along_the_violation_is_the_linkages_energy_drift(runs):
    """Within 1 % without stabilisation; projection leaves the hundredth part of the drift, and of the error."""
    (item,) = PAPER.chosen(["stabilisation"])
    table = item.run(runs).table
    names = ("energy drift / T0 [1]", "work of reactions / T0 [1]", "error [m]")
    keys = zip(table["example"], table["stabilisation"], strict=True)
    lines = dict(zip(keys, zip(*(table[name] for name in names), strict=True), strict=True))
    drift, work, error = lines["three-bar linkage", "none"]
    assert work == pytest.approx(drift, rel=0.01)
    assert abs(lines["three-bar linkage", "projection"][0]) < 0.01 * abs(drift)
    assert abs(lines["three-bar linkage", "projection"][2]) < 0.01 * error


def test_a_wrong_dexp_costs_energy_on_the_product_group_only(monkeypatch):
    """What a slip in the scheme would show: dexp at plus the argument, once used, moves only the product group."""
    right, drift = mk.dexp_inverse, {}
    for sign in (1.0, -1.0):
        monkeypatch.setattr(mk, "dexp_inverse", lambda X, V, space, sign=sign: right(sign * X, V, space))
        for space in ("se3", "product"):
            example = mk.heavy_top()
            T = mk.kinetic_energy(example, mk.integrate(example, space, 0.1, 1e-3))
            drift[sign, space] = np.abs(T / T[0] - 1.0).max()
    assert drift[-1.0, "se3"] == pytest.approx(drift[1.0, "se3"], rel=1e-3)
    assert drift[-1.0, "product"] > 1e3 * drift[1.0, "product"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("group", SPACES)
def test_orders(method, group, runs):
    """Within 0.1, for order 8 within 0.3, fitted between errors of 1e-4 and 1e-11.

    On the examples that show them clean: see the item "orders" for all of them.
    """
    order = METHODS[method]
    found = converge(runs, "muller2013_three_bar" if order == 8 else "muller2013_heavy_top", group, method)
    assert found.order == pytest.approx(order, abs=0.3 if order == 8 else 0.1), (found.steps, found.errors)


@pytest.mark.parametrize("start", ga.STARTS)
def test_generalized_alpha_has_order_2(start, runs):
    """In q, v and lambda past the transient; in the first steps lambda has it from the perturbed start only."""
    found = np.array([ga.errors(runs, "muller2013_three_bar", "lie-mixed", start, n) for n in ga.COUNTS])
    q, v, lam, first = ga.fitted_order(found)
    assert_allclose([q, v, lam], 2.0, atol=0.05)
    assert first == pytest.approx(2.0 if start == "perturbed" else 1.0, abs=0.1)
