"""Energies, violations and reactions of an instance, derived from its recorded motion and multipliers.

As a result derives them (`equations.derived`), of the mechanism with the instance's numbers, which do not move its
start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from linkwork.equations.derived import MechanismDeriver
from linkwork.header import Array
from linkwork.mechanism.variants import variant
from linkwork.result import Result
from linkwork.run.model import Span
from linkwork.run.recording import named
from linkwork.system import compile_mechanism


def derived_result(span: Span, given: Mapping[str, float], time: Array, motion: Array, multiplier: Array) -> Result:
    """A result that derives what is asked for; nobody has judged it.

    span : of the described mechanism. given : numbers by name. time (nt,) s, motion (nt, 24 nb), multiplier (nt, nc).
    """
    start = span.ready.compiled
    compiled = compile_mechanism(variant(span.mechanism, given).lower()).at(start.r, start.A, start.v, start.w)
    deriver = MechanismDeriver(replace(compiled, counted_angles=start.counted_angles))
    whole = np.ascontiguousarray(motion).reshape(len(time), start.nb, -1)
    return Result(span.names, named({"time": time, "motion": whole, "multiplier": multiplier}), derive=deriver)
