"""Tableaux as objects: arrays for compiled code, what is refused and why, the recipe, the facts in the docs."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.errors import UsageError
from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.integrators.tableaux.checks import check
from linkwork.integrators.tableaux.dense import Dense, cubic_hermite
from linkwork.integrators.tableaux.exact import numbers
from linkwork.integrators.tableaux.stability import imaginary_limit, polynomial, real_limit
from linkwork.integrators.tableaux.tableau import Tableau

NAMES = tuple(TABLEAUX)
RECIPE = Path(__file__).parents[2] / "docs" / "recipes" / "tableau.md"


def test_the_registry_has_the_methods_of_the_issue() -> None:
    assert NAMES == ("euler", "heun", "rk4", "bs32", "dp54", "ts54", "dop853")
    with pytest.raises(UsageError, match="Did you mean 'dp54'"):
        load_tableau("dp45")


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_contiguous_and_of_fixed_shapes(name: str) -> None:
    tableau = load_tableau(name)
    s, dense, t = tableau.stages, tableau.extension, tableau.arrays()
    n = len(dense.a)
    for array in t:
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
    assert (t.a.shape, t.b.shape, t.c.shape) == ((s, s), (s,), (s,))
    assert (t.a_extra.shape, t.c_extra.shape) == ((n, s + n), (n,))
    assert t.P.shape[0] == s + n
    assert t.P.shape[1] >= dense.order
    assert t.e.shape == ((s,) if tableau.error_order else (0,))
    assert t.e2.shape == ((s,) if name == "dop853" else (0,))
    assert_array_equal(np.triu(t.a), 0.0)
    assert_array_equal(np.triu(t.a_extra, s), 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_stage_at_the_new_state_is_known(name: str) -> None:
    tableau, t = load_tableau(name), load_tableau(name).arrays()
    assert tableau.fsal == (name in ("bs32", "dp54", "ts54"))
    assert tableau.new_state == {"bs32": 3, "dp54": 6, "ts54": 6, "dop853": 12}.get(name)
    if tableau.fsal:
        assert_array_equal(t.a[-1], t.b)
        assert t.c[-1] == 1.0
    elif tableau.new_state is not None:
        assert_array_equal(t.a_extra[0, : tableau.stages], t.b)
        assert t.c_extra[0] == 1.0
    described = tableau.describe()
    assert described["name"] == name
    assert described["fsal"] == tableau.fsal


def test_left_out_the_extension_is_cubic_hermite() -> None:
    """On x' = f(t) it is the cubic with the same ends and slopes, here that of t**4 on (0, 1)."""
    kutta3 = replace(
        load_tableau("heun"),
        name="kutta3",
        order=3,
        a=((), (0.5,), (-1.0, 2.0)),
        b=numbers("1/6 2/3 1/6"),
        c=numbers("0 1/2 1"),
        dense=None,
    )
    check(kutta3)
    assert kutta3.new_state == 3
    t = kutta3.arrays()
    slopes = 4.0 * np.append(t.c, t.c_extra) ** 3
    theta = np.linspace(0.0, 1.0, 5)
    end, last = t.b @ slopes[:3], slopes[3]
    hermite = (3 * theta**2 - 2 * theta**3) * end + (theta**3 - theta**2) * last
    assert_allclose((theta[:, None] ** np.arange(1, 4)) @ (t.P.T @ slopes), hermite, rtol=0.0, atol=1e-15)
    bs32 = load_tableau("bs32")
    assert bs32.extension == cubic_hermite(bs32.b, 3, ends_new=True)
    assert bs32.extension.a == ()


RK4 = load_tableau("rk4")
BS32 = load_tableau("bs32")
LINE = Dense(tuple((x,) for x in RK4.b), order=1)

WRONG = {
    "not one": ("rk4", "it is a str, not a Tableau"),
    "another name": (replace(RK4, name="rk5"), "registered as 'mine'"),
    "no order": (replace(RK4, order=0), "order 0 with 4 stages"),
    "full rows": (replace(RK4, a=tuple(map(tuple, RK4.arrays().a))), "Leave out the zeros"),
    "implicit": (replace(RK4, a=(numbers("1/2"), *RK4.a[1:])), "exactly those before it"),
    "a row too few": (replace(RK4, a=RK4.a[:3]), "a has 3 rows for 4 stages"),
    "short c": (replace(RK4, c=RK4.c[:3]), "c has 3 entries where there must be 4"),
    "text": (replace(RK4, b=("x", 0, 0, 1)), r"b\[0\] is 'x', not a finite number"),  # type: ignore[arg-type]
    "infinite": (replace(RK4, b=(np.nan, 0, 0, 1)), r"b\[0\] is nan"),
    "row sum": (replace(RK4, c=numbers("0 1/2 1/2 0.9")), r"row 3 of a adds up to 1, but c\[3\] is 0.9"),
    "weights": (replace(RK4, b=numbers("1/6 1/3 1/3 1/7"), dense=None), "b adds up to 0.97619"),
    "third order": (replace(RK4, order=5, b=numbers("0 1/2 1/2 0"), dense=None), "sum b c.2 = 1/3 gives 0.25"),
    "only e2": (replace(BS32, e=None, e2=BS32.e), "e2 is given without e"),
    "no error order": (replace(BS32, error_order=None), "e and error_order go together"),
    "error order": (replace(BS32, error_order=4), "beyond 1 ... 3"),
    "not a difference": (replace(BS32, e=BS32.b), "e adds up to 1, not to zero"),
    "worse estimate": (replace(BS32, e=numbers("1 0 0 -1")), "e claims order 2, but leaves an error of -1"),
    "extension rows": (replace(RK4, dense=Dense(LINE.weights[:3], 1)), "3 rows for 4 stages and 0 extra"),
    "ragged": (replace(RK4, dense=Dense((*LINE.weights[:3], (1, 2)), 1)), r"dense.weights\[3\] has 2 entries"),
    "extension stages": (replace(RK4, dense=Dense((*LINE.weights, (0,)), 1, a=(RK4.b,))), "dense.c has 0 entries"),
    "extension end": (replace(RK4, dense=Dense(((1,), (0,), (0,), (0,)), 1)), r"weights\[0\] adds up to 1, not to b"),
    "extension order": (replace(RK4, dense=replace(LINE, order=2)), "order 2 with powers of theta up to 1"),
    "extension condition": (
        replace(RK4, dense=Dense(tuple((0, x) for x in RK4.b), 1)),
        r"claims order 1, but the condition sum b = 1 fails for theta\^1",
    ),
    "extension beyond": (replace(RK4, dense=replace(LINE, order=5)), "dense.order is 5, beyond 1 ... 4"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_a_tableau_is_refused_in_words(case: str) -> None:
    tableau, words = WRONG[case]
    with pytest.raises(UsageError, match=words):
        check(tableau, "mine" if case == "another name" else None)


def test_plain_numbers_and_lists_are_accepted() -> None:
    """As another package may write them."""
    a = [[], [0.5], [0.0, 0.75], [2 / 9, 1 / 3, 4 / 9]]
    b, c, e = np.array([2 / 9, 1 / 3, 4 / 9, 0.0]), [0, 0.5, 0.75, 1], [-5 / 72, 1 / 12, 1 / 9, -1 / 8]
    mine = Tableau("mine", "mine", "me", 3, a, b, c, e=e, error_order=2)  # type: ignore[arg-type]
    check(mine)
    assert mine.fsal
    for ours, theirs in zip(mine.arrays(), BS32.arrays(), strict=True):
        assert_allclose(ours, theirs, rtol=0.0, atol=1e-15)


def test_the_recipe_works_as_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    page = RECIPE.read_text()
    file, line = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    name, attribute = re.search(r'"([\w-]+)": f".*:(\w+)"', line).groups()  # type: ignore[union-attr]
    module = ModuleType("recipe_tableau")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(file, RECIPE.name, "exec"), vars(module))
    monkeypatch.setitem(TABLEAUX._entries, name, f"{module.__name__}:{attribute}")
    tableau = load_tableau(name)
    assert tableau.name == name
    with pytest.raises(UsageError) as caught:
        check(replace(tableau, a=(*tableau.a[:3], numbers("0 0 1"))))
    assert f"    {caught.value}\n" in page


def test_the_table_in_the_docs_tells_the_computed_facts() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|(.*)\|$", RECIPE.read_text(), re.MULTILINE)
    rows = [(name, [cell.strip() for cell in cells.split("|")]) for name, cells in rows if name in NAMES]
    assert tuple(name for name, _ in rows) == NAMES
    for name, (order, stages, estimate, extension, real, imaginary) in rows:
        t = load_tableau(name)
        extra = len(t.extension.a)
        assert order == str(t.order)
        assert stages == (f"{t.stages - 1} + 1" if t.fsal else str(t.stages))
        assert estimate == ("" if t.error_order is None else str(t.error_order))
        assert extension == f"{t.extension.order}" + (f", with {extra} more stages" if extra else "")
        assert (real, imaginary) == (f"{real_limit(t):.2f}", f"{imaginary_limit(t):.2f}")


@pytest.mark.parametrize("name", NAMES)
def test_stability_ends_where_it_is_said_to(name: str) -> None:
    """The factor of one step, by its coefficients: at most 1 up to the limit, more than 1 just beyond."""
    tableau = load_tableau(name)
    R = np.array([float(x) for x in polynomial(tableau)])[::-1]
    for limit, direction in ((real_limit(tableau), -1.0), (imaginary_limit(tableau), 1.0j)):
        inside = np.abs(np.polyval(R, direction * np.linspace(0.0, limit, 200)))
        assert inside.max() <= 1.0 + 1e-12
        assert abs(np.polyval(R, direction * (limit + 0.05))) > 1.0 + 1e-9


def test_the_factor_of_a_step_is_that_of_a_step() -> None:
    tableau, z = load_tableau("dp54"), -0.7
    t = tableau.arrays()
    k = np.zeros(7)
    for i in range(7):
        k[i] = z * (1.0 + t.a[i] @ k)
    assert_allclose(np.polyval([float(x) for x in polynomial(tableau)][::-1], z), 1.0 + t.b @ k, rtol=1e-14)
