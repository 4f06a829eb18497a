"""The tableaux have the orders they claim: by rooted trees, in exact arithmetic, and as measured.

Numbers are fractions or decimals of about thirty digits, so that a slip in almost any digit breaks a condition.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import prod

import numpy as np
import pytest
from scipy.integrate import DOP853, RK23, RK45

from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.integrators.tableaux.tableau import Tableau

NAMES = tuple(TABLEAUX)
PAIRS = ("bs32", "dp54", "ts54", "dop853")
DECIMALS = {"ts54": 1e-28, "dop853": 1e-26}  # what the last printed digit leaves in a condition; others are exact
SCIPY = {"bs32": RK23, "dp54": RK45, "dop853": DOP853}

Tree = tuple["Tree", ...]  # a tree is the tuple of what grows from its root


@cache
def rooted_trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with `order` nodes: forests of order - 1 nodes on one root."""
    out: list[Tree] = []
    for sizes in partitions(order - 1, order - 1):
        branches = [
            combinations_with_replacement(rooted_trees(size), count) for size, count in sorted(Counter(sizes).items())
        ]
        out += [tuple(tree for chosen in choice for tree in chosen) for choice in product(*branches)]
    return tuple(out)


def partitions(n: int, largest: int) -> list[tuple[int, ...]]:
    if n == 0:
        return [()]
    return [(k, *rest) for k in range(min(n, largest), 0, -1) for rest in partitions(n - k, k)]


@cache
def nodes(tree: Tree) -> int:
    return 1 + sum(nodes(branch) for branch in tree)


@cache
def density(tree: Tree) -> int:
    return nodes(tree) * prod(density(branch) for branch in tree)


class Stages:
    """The exact numbers of all stages, those of the extension last, and what trees give on them."""

    def __init__(self, tableau: Tableau) -> None:
        dense = tableau.extension
        self.a = [[Fraction(x) for x in row] for row in (*tableau.a, *dense.a)]
        self.c = [Fraction(x) for x in (*tableau.c, *dense.c)]
        self.b = [Fraction(x) for x in tableau.b]
        self.P = [[Fraction(x) for x in row] for row in dense.weights]
        self.weights: dict[Tree, list[Fraction]] = {}

    def weight(self, tree: Tree) -> list[Fraction]:
        """The elementary weight of each stage: 1 for a single node, a product of sums over a for a larger tree."""
        if tree not in self.weights:
            out = [Fraction(1)] * len(self.a)
            for branch in tree:
                below = self.weight(branch)
                slopes = self.c if branch == () else [dot(row, below) for row in self.a]
                out = [x * y for x, y in zip(out, slopes, strict=True)]
            self.weights[tree] = out
        return self.weights[tree]


def dot(x, y) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=False) if a and b), Fraction(0))


@cache
def stages(name: str) -> Stages:
    return Stages(load_tableau(name))


def misses(name: str, weights, order: int, value=lambda tree: Fraction(1, density(tree))) -> list[float]:
    """By how much weights miss the conditions of one order."""
    return [abs(float(dot(weights, stages(name).weight(tree)) - value(tree))) for tree in rooted_trees(order)]


def holds(name: str, numbers) -> bool:
    return max(numbers) <= DECIMALS.get(name, 0.0)


def test_there_are_as_many_rooted_trees_as_cayley_counted() -> None:
    assert [len(set(rooted_trees(n))) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize("name", NAMES)
def test_nodes_are_row_sums(name: str) -> None:
    s = stages(name)
    assert holds(name, [abs(float(sum(row) - c)) for row, c in zip(s.a, s.c, strict=True)])


@pytest.mark.parametrize("name", NAMES)
def test_the_order_is_the_one_claimed_and_no_more(name: str) -> None:
    tableau = load_tableau(name)
    for order in range(1, tableau.order + 1):
        assert holds(name, misses(name, stages(name).b, order)), order
    assert max(misses(name, stages(name).b, tableau.order + 1)) > 1e-7


@pytest.mark.parametrize(
    ("name", "field", "order"),
    [("bs32", "e", 2), ("dp54", "e", 4), ("ts54", "e", 4), ("dop853", "e", 5), ("dop853", "e2", 3)],
)
def test_error_weights_vanish_up_to_their_order_and_no_further(name: str, field: str, order: int) -> None:
    tableau = load_tableau(name)
    e = [Fraction(x) for x in getattr(tableau, field)]
    for n in range(1, order + 1):
        assert holds(name, misses(name, e, n, lambda _: Fraction(0))), n
    assert max(misses(name, e, order + 1, lambda _: Fraction(0))) > 1e-5
    # of two estimates the error is |e|^2 / sqrt(|e|^2 + 0.01 |e2|^2), of order 2 * 6 - 4 = 8 in h
    assert tableau.error_order == (order if tableau.e2 is None else 7)


@pytest.mark.parametrize("name", NAMES)
def test_the_extension_has_its_order_power_by_power(name: str) -> None:
    order, s = load_tableau(name).extension.order, stages(name)
    slip = 1e4 * DECIMALS.get(name, 0.0)  # coefficients are up to 500, their decimals as long
    for n in range(1, order + 2):
        worst = 0.0
        for d in range(max(n, len(s.P[0]))):
            column = [row[d] if d < len(row) else Fraction(0) for row in s.P]
            right = (lambda tree: Fraction(1, density(tree))) if d + 1 == n else (lambda _: Fraction(0))
            worst = max(worst, *misses(name, column, n, right))
        assert worst <= slip if n <= order else worst > 1e-6, n


@pytest.mark.parametrize("name", NAMES)
def test_the_extension_starts_along_the_first_stage_and_ends_at_the_step(name: str) -> None:
    tableau, s = load_tableau(name), stages(name)
    assert [row[0] for row in s.P] == [1] + [0] * (len(s.P) - 1)
    b = s.b + [Fraction(0)] * (len(s.P) - len(s.b))
    assert holds(name, [abs(float(sum(row) - x)) for row, x in zip(s.P, b, strict=True)])
    if tableau.new_state is not None:  # then it also leaves along the slope there
        leaving = [sum((d + 1) * x for d, x in enumerate(row)) for row in s.P]
        leaving[tableau.new_state] -= 1
        assert max(abs(float(x)) for x in leaving) <= 1e4 * DECIMALS.get(name, 0.0)


@pytest.mark.parametrize("name", ["ts54", "dop853"])
def test_two_numbers_exchanged_break_a_condition(name: str) -> None:
    """A slip in one number shows in a sum; two exchanged in a row keep the sums, and only trees tell."""
    tableau, slip = load_tableau(name), DECIMALS[name]
    for i, row in enumerate(tableau.a[:-1] if tableau.fsal else tableau.a):
        places = [j for j, x in enumerate(row) if x]
        for j, k in combinations(places, 2):
            swapped = list(row)
            swapped[j], swapped[k] = row[k], row[j]
            s = Stages(replace(tableau, a=(*tableau.a[:i], tuple(swapped), *tableau.a[i + 1 :])))
            trees = (tree for n in range(2, tableau.order + 1) for tree in rooted_trees(n))
            assert any(abs(dot(s.b, s.weight(tree)) - Fraction(1, density(tree))) > 1e3 * slip for tree in trees)


@pytest.mark.parametrize("name", SCIPY)
def test_the_numbers_are_those_of_scipy(name: str) -> None:
    """To the last bit, where SciPy writes the same number; to rounding where it computes it."""
    ours, theirs, s = load_tableau(name).arrays(), SCIPY[name], SCIPY[name].n_stages
    np.testing.assert_array_equal(ours.a[:s, : theirs.A.shape[1]], theirs.A)
    np.testing.assert_array_equal(ours.b[:s], theirs.B)
    np.testing.assert_array_equal(ours.c[:s], theirs.C)
    if name == "dop853":
        np.testing.assert_array_equal(ours.e, theirs.E5[:-1])
        np.testing.assert_allclose(ours.e2, theirs.E3[:-1], rtol=0.0, atol=1e-16)
        np.testing.assert_array_equal(ours.a_extra[1:, :-1], theirs.A_EXTRA[:, :-1])
        np.testing.assert_array_equal(ours.c_extra[1:], theirs.C_EXTRA)
    else:
        np.testing.assert_array_equal(ours.e, -theirs.E)
        np.testing.assert_array_equal(ours.P, theirs.P)


def test_tsitouras_numbers_are_the_published_ones() -> None:
    """The sixteen digits of the paper; its last is off by up to one here and there."""
    ours = load_tableau("ts54").arrays()
    published = {
        (2, 1): 0.3354806554923570,
        (3, 1): -6.359448489975075,
        (3, 2): 4.362295432869581,
        (4, 1): -11.74888356406283,
        (4, 2): 7.495539342889836,
        (4, 3): -0.09249506636175525,
        (5, 1): -12.92096931784711,
        (5, 2): 8.159367898576159,
        (5, 3): -0.07158497328140100,
        (5, 4): -0.02826905039406838,
        (6, 0): 0.09646076681806523,
        (6, 1): 0.01,
        (6, 2): 0.4798896504144996,
        (6, 3): 1.379008574103742,
        (6, 4): -3.290069515436081,
        (6, 5): 2.324710524099774,
    }
    for place, x in published.items():
        assert ours.a[place] == pytest.approx(x, rel=5e-16), place
    np.testing.assert_array_equal(ours.c, [0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0])
    e = [0.001780011052226, 0.000816434459657, -0.007880878010262, 0.144711007173263, -0.582357165452555]
    np.testing.assert_allclose(ours.e, [*e, 0.458082105929187, -1 / 66], rtol=0.0, atol=1e-15)
    square, fourth = ours.P[:, 1], ours.P[:, 3]
    assert fourth[0] == pytest.approx(-1.0530884977290216, rel=1e-15)
    # the paper factors the polynomials: 47.37952196281928122 theta^2 (theta - 1.2030712...) (theta - 0.6580472...)
    assert fourth[4] == pytest.approx(47.37952196281928122, rel=1e-15)
    assert square[4] == pytest.approx(47.37952196281928122 * 1.203071208372362603 * 0.658047292653547382, rel=1e-15)
    assert square[5] == pytest.approx(-34.87065786149660974 * 1.2 * 0.666666666666666667, rel=1e-15)


# measured orders


def slope(t: float, x: np.ndarray) -> np.ndarray:
    """A point on a circle, ever faster: not linear, and time enters by itself."""
    w = (1.0 + t) * (x[0] ** 2 + x[1] ** 2)
    return np.array([-w * x[1], w * x[0]])


def solution(t: float) -> np.ndarray:
    """The solution that starts at (1, 0)."""
    angle = t + 0.5 * t * t
    return np.array([np.cos(angle), np.sin(angle)])


def step(tableau: Tableau, t: float, x: np.ndarray, h: float) -> np.ndarray:
    """All stages of one step, those of the extension included."""
    T = tableau.arrays()
    a = np.vstack((np.pad(T.a, [(0, 0), (0, len(T.c_extra))]), T.a_extra))
    k = np.zeros((len(a), len(x)))
    for i, c in enumerate((*T.c, *T.c_extra)):
        k[i] = slope(t + c * h, x + h * a[i] @ k)
    return k


def sampled(tableau: Tableau, x: np.ndarray, k: np.ndarray, h: float, theta: float) -> np.ndarray:
    """The state at theta, from the continuous extension."""
    P = tableau.arrays().P
    return x + h * (P @ theta ** np.arange(1, P.shape[1] + 1)) @ k


@pytest.mark.parametrize("name", NAMES)
def test_the_measured_order_is_the_one_claimed(name: str) -> None:
    tableau, t_end = load_tableau(name), 3.0
    b, s = tableau.arrays().b, tableau.stages
    coarse = {1: 2000, 2: 400, 3: 200, 4: 200, 5: 200, 8: 20}[tableau.order]
    errors = []
    for n in (coarse, 2 * coarse):
        x, h, worst = solution(0.0), t_end / n, 0.0
        for i in range(n):
            x = x + h * b @ step(tableau, i * h, x, h)[:s]
            worst = max(worst, float(np.linalg.norm(x - solution((i + 1) * h))))
        errors.append(worst)
    assert errors[1] > 1e-11
    assert np.log2(errors[0] / errors[1]) == pytest.approx(tableau.order, abs=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_the_measured_order_of_the_extension(name: str) -> None:
    """The largest error within one step falls by one order more than the extension has."""
    tableau, x = load_tableau(name), solution(0.0)
    steps = (0.15, 0.1) if name == "dop853" else (0.02, 0.01)
    errors = []
    for h in steps:
        k = step(tableau, 0.0, x, h)
        off = [sampled(tableau, x, k, h, theta) - solution(theta * h) for theta in np.linspace(0.0, 1.0, 21)]
        errors.append(np.linalg.norm(off, axis=1).max())
    measured = np.log(errors[0] / errors[1]) / np.log(steps[0] / steps[1])
    assert measured == pytest.approx(tableau.extension.order + 1, abs=0.3)


@pytest.mark.parametrize("name", SCIPY)
def test_samples_inside_a_step_are_those_of_scipy(name: str) -> None:
    tableau, x, h = load_tableau(name), np.array([0.3, -0.9]), 0.25
    peer = SCIPY[name](slope, 0.5, x, 1.0, first_step=h, rtol=1e-2, atol=1e-2)
    peer.step()
    assert peer.t == 0.5 + h
    inside, k = peer.dense_output(), step(tableau, 0.5, x, h)
    for theta in np.linspace(0.0, 1.0, 11):
        np.testing.assert_allclose(sampled(tableau, x, k, h, theta), inside(0.5 + theta * h), rtol=0.0, atol=1e-13)
