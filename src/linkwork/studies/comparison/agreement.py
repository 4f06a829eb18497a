"""Who agrees with whom: the most accurate runs of all formulations, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from linkwork.studies.comparison.comparison import Agreement, most_accurate
from linkwork.studies.comparison.measures import DONE, Row
from linkwork.studies.motion import Motion, difference, digits


def agreement_of(rows: Sequence[Row], motion: Callable[[str], Motion], length: float) -> Agreement:
    """The digits of poses to which each formulation's most accurate runs agree, over the whole span."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if row.status == DONE and row.case.accuracy is None:  # a planned run is one of the others
            by_name.setdefault(row.case.formulation, []).append(row)
    best = [most_accurate(some) for some in by_name.values()]
    motions = [motion(row.key) for row in best]
    n = len(best)
    table = [[math.inf] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            table[i][j] = table[j][i] = digits(difference(motions[i], motions[j], length).largest)
    return Agreement(tuple(row.case for row in best), tuple(tuple(row) for row in table))
