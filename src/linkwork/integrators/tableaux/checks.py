"""Whether a tableau is what it claims: shapes, row sums, order conditions up to order 4 (the first eight rooted trees).

A method of higher order is held to the conditions up to order 4 as well; the rest is for the tests of whoever adds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.integrators.tableaux.tableau import Tableau, TableauArrays
from linkwork.kernels.tables import Floats

Tree = tuple[int, str, Floats, float]  # order, its condition in words, elementary weight of each stage, 1 / density

TOLERANCE = 1e-12  # far above what rounding leaves, far below a wrong digit in the first eleven


def check(tableau: Tableau, name: str | None = None) -> None:
    """Raise UsageError, in words, if `tableau` is not a consistent Tableau; `name`: what it is registered under."""
    if not isinstance(tableau, Tableau):
        raise UsageError(f"it is a {type(tableau).__name__}, not a Tableau.", element=f"tableau {name!r}")
    here = f"tableau {tableau.name!r}"
    if name is not None and tableau.name != name:
        raise UsageError(f"it is registered as {name!r}.", element=here, remedy="Give both the same name.")
    _shapes(tableau, here)
    arrays = tableau.arrays()
    _sums(arrays, here)
    a, c = _all_stages(arrays)
    trees = _trees(a, c)
    b = np.concatenate((arrays.b, np.zeros(len(c) - tableau.stages)))
    _order(b, trees, tableau.order, here)
    _estimates(tableau, arrays, trees, here)
    _extension(tableau, arrays.P, b, trees, here)


def _shapes(tableau: Any, here: str) -> None:
    s, dense = tableau.stages, tableau.dense
    if not isinstance(tableau.order, int) or tableau.order < 1 or s < 1:
        raise UsageError(f"order {tableau.order!r} with {s} stages; both must be 1 or more.", element=here)
    _triangle("a", tableau.a, s, 0, here)
    _row("b", tableau.b, s, here)
    _row("c", tableau.c, s, here)
    for label, weights in (("e", tableau.e), ("e2", tableau.e2)):
        if weights is not None:
            _row(label, weights, s, here)
    if tableau.e2 is not None and tableau.e is None:
        raise UsageError("e2 is given without e.", element=here, remedy="Call the only estimate e.")
    if (tableau.e is None) != (tableau.error_order is None):
        raise UsageError("e and error_order go together; one of them is missing.", element=here)
    if tableau.error_order is not None and not 1 <= tableau.error_order <= tableau.order:
        raise UsageError(f"error_order is {tableau.error_order}, beyond 1 ... {tableau.order}.", element=here)
    if dense is None:
        return
    _triangle("dense.a", dense.a, len(dense.a), s, here)
    _row("dense.c", dense.c, len(dense.a), here)
    if len(dense.weights) != s + len(dense.a):
        raise UsageError(
            f"dense.weights has {len(dense.weights)} rows for {s} stages and {len(dense.a)} extra ones.", element=here
        )
    for i, row in enumerate(dense.weights):
        _row(f"dense.weights[{i}]", row, max(1, len(dense.weights[0])), here)
    if not 1 <= dense.order <= tableau.order:
        raise UsageError(f"dense.order is {dense.order}, beyond 1 ... {tableau.order}.", element=here)


def _triangle(label: str, rows: Sequence[Any], length: int, before: int, here: str) -> None:
    """A row for each stage; a stage uses those before it, the first of these rows `before` of them."""
    if len(rows) != length:
        raise UsageError(f"{label} has {len(rows)} rows for {length} stages.", element=here)
    for i, row in enumerate(rows):
        if len(row) > before + i and not any(row[before + i :]):
            remedy = "Leave out the zeros from the diagonal on."
        else:
            remedy = "An explicit stage uses exactly those before it."
        _row(f"{label}[{i}]", row, before + i, here, remedy)


def _row(label: str, row: Sequence[Any], length: int, here: str, remedy: str | None = None) -> None:
    if len(row) != length:
        raise UsageError(f"{label} has {len(row)} entries where there must be {length}.", element=here, remedy=remedy)
    for i, x in enumerate(row):
        try:
            good = isfinite(x)
        except (TypeError, OverflowError):
            good = False
        if not good:
            raise UsageError(f"{label}[{i}] is {x!r}, not a finite number.", element=here)


def _all_stages(t: TableauArrays) -> tuple[Floats, Floats]:
    """The stages, with the extra ones of the extension below."""
    s, n = len(t.b), len(t.c_extra)
    a = np.zeros((s + n, s + n))
    a[:s, :s] = t.a
    a[s:] = t.a_extra
    return a, np.concatenate((t.c, t.c_extra))


def _sums(t: TableauArrays, here: str) -> None:
    if abs(t.b.sum() - 1.0) > TOLERANCE * (1.0 + np.abs(t.b).sum()):
        raise UsageError(f"b adds up to {t.b.sum():.15g}, not to one.", element=here)
    a, c = _all_stages(t)
    for i, (row, node) in enumerate(zip(a, c, strict=True)):
        if abs(row.sum() - node) > TOLERANCE * (1.0 + np.abs(row).sum()):
            raise UsageError(f"row {i} of a adds up to {row.sum():.15g}, but c[{i}] is {node:.15g}.", element=here)
    for label, e in (("e", t.e), ("e2", t.e2)):
        if abs(e.sum()) > TOLERANCE * (1.0 + np.abs(e).sum()):
            raise UsageError(
                f"{label} adds up to {e.sum():.3g}, not to zero.", element=here, remedy="It is b less embedded weights."
            )


def _trees(a: Floats, c: Floats) -> list[Tree]:
    """The rooted trees up to order 4."""
    ac, acc = a @ c, a @ c**2
    return [
        (1, "sum b = 1", np.ones_like(c), 1.0),
        (2, "sum b c = 1/2", c, 1 / 2),
        (3, "sum b c^2 = 1/3", c**2, 1 / 3),
        (3, "sum b a c = 1/6", ac, 1 / 6),
        (4, "sum b c^3 = 1/4", c**3, 1 / 4),
        (4, "sum b c a c = 1/8", c * ac, 1 / 8),
        (4, "sum b a c^2 = 1/12", acc, 1 / 12),
        (4, "sum b a a c = 1/24", a @ ac, 1 / 24),
    ]


def _misses(weights: Floats, tree: Floats, value: float) -> bool:
    terms = weights * tree
    return bool(abs(terms.sum() - value) > TOLERANCE * (1.0 + np.abs(terms).sum()))


def _order(b: Floats, trees: list[Tree], order: int, here: str) -> None:
    for degree, words, tree, value in trees:
        if degree <= order and _misses(b, tree, value):
            raise UsageError(f"it claims order {order}, but the condition {words} gives {b @ tree:.15g}.", element=here)


def _estimates(t: Tableau, arrays: TableauArrays, trees: list[Tree], here: str) -> None:
    """A single estimate vanishes up to its order; of two, only the way they combine has the order claimed."""
    if t.error_order is None or t.e2 is not None:
        return
    s = t.stages
    for degree, words, tree, _ in trees:
        if degree <= t.error_order and _misses(arrays.e, tree[:s], 0.0):
            raise UsageError(
                f"e claims order {t.error_order}, but leaves an error of {arrays.e @ tree[:s]:.3g} in {words}.",
                element=here,
            )


def _extension(t: Tableau, P: Floats, b: Floats, trees: list[Tree], here: str) -> None:
    """At theta = 1 the end of the step; for each tree, theta to its order over its density, power by power."""
    order = t.extension.order
    for i, row in enumerate(P):
        if abs(row.sum() - b[i]) > TOLERANCE * (1.0 + np.abs(row).sum()):
            raise UsageError(f"dense.weights[{i}] adds up to {row.sum():.15g}, not to b.", element=here)
    degrees = P.shape[1]
    if order > degrees:
        raise UsageError(f"dense claims order {order} with powers of theta up to {degrees} only.", element=here)
    for degree, words, tree, value in trees:
        for d in range(degrees if degree <= order else 0):
            if _misses(P[:, d], tree, value if d + 1 == degree else 0.0):
                raise UsageError(
                    f"dense claims order {order}, but the condition {words} fails for theta^{d + 1}.", element=here
                )
