"""Couplings at recorded samples: violations, rates and what they prescribe, compiled."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.angles import DOUBTFUL, angle_about, count_angles
from linkwork.kernels.couplings import (
    ANGLE,
    F1,
    FIRST,
    PHI,
    QUANTITY,
    TERMS,
    CoupledRows,
    Couplings,
    coupling_rate,
    drive_couplings,
    is_angle,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.table import parts_of, times, velocities
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.system.derived_kernels import Scratch, load_state
from linkwork.system.packed import Tables, system_of


class CoupledSamples(NamedTuple):
    """The outputs, n samples, and the angles that the first lie nearest to."""

    phi: Annotated[Floats, Shape("n", "nk"), "residuals"]
    rate: Annotated[Floats, Shape("n", "nk"), "W u: of a rotor its spin"]
    asked: Annotated[Floats, Shape("n", "nk"), "rates that formulas of time prescribe"]
    angles: Annotated[Floats, Shape("nt + nq"), "rad", "with turns, at the last sample seen"]
    before: Annotated[Floats, Shape("nq + 2"), "time of that sample [s], 1 if there was one, rates of quantities there"]
    doubtful: Annotated[Ints, Shape("nq"), "1 of angles whose turns since the sample before are in doubt"]


@kernel
def sample_couplings(
    tables: Tables, couplings: Couplings, rows: CoupledRows, s: Scratch, out: CoupledSamples, time: Any, position: Any,
    rotation: Any, velocity: Any, angular: Any,
) -> int:  # fmt: skip
    """All couplings at every sample, angles counted on with their turns. Returns 0.

    An angle has the turns that bring it nearest to where its rate, by the trapezoidal rule, has brought it; where that
    leaves them in doubt, as within a step (`angles.told`), residuals are not a number.
    """
    system, before, doubtful = system_of(tables), out.before, out.doubtful
    q, first = system.quantities, out.angles.shape[0] - system.quantities.kind.shape[0]
    for n in range(time.shape[0]):
        load_state(s, n, position, rotation, velocity, angular)
        half = 0.5 * before[1] * (time[n] - before[0])
        for m in range(q.kind.shape[0]):
            rate = times(parts_of(q.kind[m], q, m, s.r, s.A), velocities(q, m, s.v, s.w))
            if q.kind[m] == ANGLE and abs(rate) < np.inf:
                ahead = out.angles[first + m] + half * (before[m + 2] + rate)
                out.angles[first + m] = angle_about(q, m, s.A, ahead)
                before[m + 2] = rate
                doubtful[m] = abs(out.angles[first + m] - ahead) > DOUBTFUL
        before[0], before[1] = time[n], 1.0
        drive_couplings(system, couplings, time[n], s.stack, rows)
        place_couplings(system, couplings, s.r, s.A, out.angles, False, rows)
        for k in range(rows.row.shape[0]):
            out.phi[n, k] = rows.row[k, PHI]
            begin = couplings.about[k, FIRST]
            for term in range(begin, begin + couplings.about[k, TERMS]):
                if doubtful[couplings.term_about[term, QUANTITY]] and is_angle(system, couplings, k, term):
                    out.phi[n, k] = np.nan
            out.rate[n, k] = coupling_rate(system, couplings, rows, k, s.v, s.w)
            out.asked[n, k] = rows.row[k, F1]
        count_angles(system, s.A, out.angles, out.angles)
    return 0
