"""Where the arrays of a sparse search for dependent rows stand in a context's table, one after the other."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_ldl import LdlFactors, SymmetricPattern
from linkwork.problems.addresses import f1, i1, u1, u2
from linkwork.problems.wide import Wide
from linkwork.problems.wide_exchange import Exchange

FIRST_EXCHANGE = len(Wide._fields) - 4
FIRST_PATTERN = FIRST_EXCHANGE + len(Exchange._fields)
FIRST_GAPS = FIRST_PATTERN + len(SymmetricPattern._fields)
FIRST_NEAR = FIRST_GAPS + len(LdlFactors._fields)
WORDS_OF_WIDE = FIRST_NEAR + len(LdlFactors._fields)


@kernel
def wide_of(c: Any, k: Any) -> Any:
    """The arrays that begin at number k."""
    e, p, g, n = k + FIRST_EXCHANGE, k + FIRST_PATTERN, k + FIRST_GAPS, k + FIRST_NEAR
    return Wide(
        u2(c, k), u1(c, k + 1), f1(c, k + 2), f1(c, k + 3), f1(c, k + 4), f1(c, k + 5),
        Exchange(u1(c, e), u1(c, e + 1), f1(c, e + 2), i1(c, e + 3), i1(c, e + 4)),
        SymmetricPattern(
            u1(c, p), u1(c, p + 1), u1(c, p + 2), u1(c, p + 3), u1(c, p + 4), u1(c, p + 5), u1(c, p + 6), u1(c, p + 7)
        ),
        LdlFactors(f1(c, g), f1(c, g + 1), f1(c, g + 2)),
        LdlFactors(f1(c, n), f1(c, n + 1), f1(c, n + 2)),
    )  # fmt: skip
