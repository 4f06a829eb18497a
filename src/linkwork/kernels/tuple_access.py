"""Reading and writing groups of columns of a wide table as tuples."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.vec3 import Vec


@kernel
def at3(table: Any, k: Any, c: Any) -> Vec:
    """Three columns of row k, from column c."""
    return (table[k, c], table[k, c + 1], table[k, c + 2])


@kernel
def at4(table: Any, k: Any, c: Any) -> Any:
    """Four columns of row k, from column c."""
    return (table[k, c], table[k, c + 1], table[k, c + 2], table[k, c + 3])


@kernel
def at6(table: Any, k: Any, c: Any) -> Any:
    """Six columns of row k, from column c."""
    return (table[k, c], table[k, c + 1], table[k, c + 2], table[k, c + 3], table[k, c + 4], table[k, c + 5])


@kernel
def at9(table: Any, k: Any, c: Any) -> Mat:
    """Nine columns of row k, from column c."""
    return (
        table[k, c],
        table[k, c + 1],
        table[k, c + 2],
        table[k, c + 3],
        table[k, c + 4],
        table[k, c + 5],
        table[k, c + 6],
        table[k, c + 7],
        table[k, c + 8],
    )


@kernel
def set3(table: Any, k: Any, c: Any, x: Any) -> None:
    """Write three columns of row k, from column c."""
    table[k, c] = x[0]
    table[k, c + 1] = x[1]
    table[k, c + 2] = x[2]


@kernel
def set4(table: Any, k: Any, c: Any, x: Any) -> None:
    """Write four columns of row k, from column c."""
    table[k, c] = x[0]
    table[k, c + 1] = x[1]
    table[k, c + 2] = x[2]
    table[k, c + 3] = x[3]


@kernel
def set9(table: Any, k: Any, c: Any, x: Any) -> None:
    """Write nine columns of row k, from column c."""
    table[k, c] = x[0]
    table[k, c + 1] = x[1]
    table[k, c + 2] = x[2]
    table[k, c + 3] = x[3]
    table[k, c + 4] = x[4]
    table[k, c + 5] = x[5]
    table[k, c + 6] = x[6]
    table[k, c + 7] = x[7]
    table[k, c + 8] = x[8]


@kernel
def set12(table: Any, k: Any, c: Any, x: Any) -> None:
    """Write twelve columns of row k, from column c (a 3 x 4 matrix)."""
    set4(table, k, c, (x[0], x[1], x[2], x[3]))
    set4(table, k, c + 4, (x[4], x[5], x[6], x[7]))
    set4(table, k, c + 8, (x[8], x[9], x[10], x[11]))
