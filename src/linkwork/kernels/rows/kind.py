"""What a kind of constraint row is: its equation as kernels, and facts that solvers, assembly and reports go by.

A row is one scalar equation between body i and body j. `rows` are the columns of all rows (`kernels.tables.Rows`), k is
the row's number; r (nb + 1, 3) m and A (nb + 1, 9) are positions and rotations of all bodies, v (nb + 1, 3) m/s global
and w (nb + 1, 3) rad/s in body components their velocities, drive (nc, 3) f, f' and f'' of every row. Translations are
in global components, rotations theta fixed in the body, A -> A exp(skew(theta)).

The kernels run compiled, as plain Python, on complex numbers (tests) and on arrays of row numbers k (assembly of large
mechanisms): arithmetic on what is read, without branches on data. A kind whose kernels branch says `one_by_one`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel

VECTORS = ("a_i", "b_i", "a_j", "s_i", "s_j", "n")


@kernel
def rate_of_f(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> Any:
    """nu of position-level rows phi = g(r, A) - f: f'."""
    return drive[k, 1]


@kernel
def f_itself(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> Any:
    """nu of velocity-level rows, which is the drive's f itself."""
    return drive[k, 0]


@kernel
def constant_gamma(rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Any:
    """gamma of a velocity-level row whose Jacobian is constant: f'."""
    return drive[k, 1]


@kernel
def constant_forces(out: Any, lam: Any, rows: Any, k: Any, r: Any, A: Any, drive: Any) -> None:
    """A row whose forces G^T lam do not depend on the pose adds nothing."""


@kernel
def no_rate_variation(out: Any, rows: Any, k: Any, r: Any, A: Any, v: Any, w: Any) -> None:
    """Position-level rows are met as phi = 0, and constant rows do not vary: nothing is added."""


def any_numbers(random: np.random.Generator) -> dict[str, Any]:
    """Columns that no kind asks anything of."""
    return {name: random.normal(size=3) for name in VECTORS} | {"scalar": random.uniform(0.2, 1.0)}


def unit_frame(random: np.random.Generator) -> dict[str, Any]:
    """Columns with unit vectors a_i, b_i = n x a_i, n perpendicular to each other, and a unit vector a_j."""
    given = any_numbers(random)
    n, a_j = (given[name] / np.linalg.norm(given[name]) for name in ("n", "a_j"))
    a_i = given["a_i"] - (given["a_i"] @ n) * n
    a_i /= np.linalg.norm(a_i)
    return given | {"a_i": a_i, "b_i": np.cross(n, a_i), "a_j": a_j, "n": n}


def unit_axes(random: np.random.Generator) -> dict[str, Any]:
    """Columns with unit vectors a_i and n."""
    given = any_numbers(random)
    return given | {name: given[name] / np.linalg.norm(given[name]) for name in ("a_i", "n")}


def stacked(found: Sequence[Any]) -> Any:
    """Numbers, or tuples of them however deep, of one row after the other: arrays in their place."""
    if isinstance(found[0], tuple):
        return tuple(stacked(parts) for parts in zip(*found, strict=True))
    return np.array(found)


class RowKind(NamedTuple):
    """One kind of row. `tests/unit/test_row_kinds.py` holds every fact against the kernels."""

    name: str  # what a `Primitive` calls it by
    equation: str  # what is zero, with f as the last term
    columns: Mapping[str, str]  # column of `Rows` that it reads -> what stands there
    row: Callable[..., Any]  # (rows, k, r, A, drive) -> phi, and its parts along r_i, theta_i, r_j, theta_j
    gamma: Callable[..., Any] = constant_gamma  # (rows, k, r, A, v, w, drive) -> right side of G udot = gamma
    add_variation: Callable[..., None] = constant_forces  # (out (12, 12), lam, rows, k, r, A, drive): adds d(G^T lam)
    add_rate_variation: Callable[..., None] = no_rate_variation  # (out (12,), rows, k, r, A, v, w): adds d(G u)
    nu: Callable[..., Any] = rate_of_f  # (rows, k, r, A, drive) -> right side of G u = nu
    translates: bool = True  # its Jacobian has a part along translations (for some vectors and points)
    ground_only: bool = False  # body j is ground, and the row has no part for it
    global_direction: bool = False  # its part along translations is the vector a_i itself, in global components
    linear: bool = False  # where phi = 0 it is linear in the positions r_i, r_j at given rotations (to second order)
    quantity: str = "value"  # what a driver of this kind prescribes, in words
    value: Callable[..., Any] | None = None  # (rows, k, r, A) -> what f prescribes, where phi is no difference from f
    period: Callable[..., Any] | None = None  # (rows, k) -> values that differ by it are the same pose
    example: Callable[[np.random.Generator], dict[str, Any]] = any_numbers  # columns that make sense, for tests
    one_by_one: bool = False  # its kernels take one row number k at a time: they branch, or search

    def of_rows(self, function: Callable[..., Any], rows: Any, k: Any, *state: Any) -> Any:
        """One of its kernels on an array of row numbers k."""
        if not self.one_by_one:
            return function(rows, k, *state)
        return stacked([function(rows, int(one), *state) for one in k])

    @property
    def velocity_level(self) -> bool:
        """Whether it constrains velocities alone: phi = 0, nu = f, and f' in gamma."""
        return self.nu is f_itself

    @property
    def nu_varies(self) -> bool:
        """Whether it is on position level, and nu is f' times something that depends on the pose."""
        return self.nu not in (f_itself, rate_of_f)

    @property
    def constant(self) -> bool:
        """Whether its Jacobian parts are given numbers (a_i, s_i, a_j, s_j), the same at every pose."""
        return self.gamma is constant_gamma
