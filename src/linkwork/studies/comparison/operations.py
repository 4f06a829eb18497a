"""Operations of one evaluation, where they can be counted: `linkwork.analysis.counts` on a formulation's kernels."""

from __future__ import annotations

import json
from functools import lru_cache

from linkwork.analysis.counts import counts_of
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.mechanism import Mechanism
from linkwork.problems.shapes import EXPLICIT
from linkwork.studies.comparison.case import Case, Setting

MOST_BODIES = 60  # counting runs in Python, which is slow for large mechanisms


def operations(setting: Setting, case: Case) -> dict[str, int] | None:
    """Additions, multiplications and divisions of one evaluation of the slope; None where they cannot be counted."""
    if case.accuracy is not None or INTEGRATORS.load(case.integrator).shape != EXPLICIT:
        return None
    wanted = FORMULATIONS.load(case.formulation).options
    options = {name: value for name, value in case.options.items() if name in wanted}
    return _counted(setting.model, case.formulation, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=64)
def _counted(model: str, formulation: str, options: str) -> dict[str, int] | None:
    mechanism = Mechanism.from_dict(json.loads(model))
    if len(mechanism.bodies) > MOST_BODIES:
        return None
    try:
        found = counts_of(mechanism, formulation, options=json.loads(options))
    except LinkworkError:
        return None
    return {"operations": int(found.total)}
