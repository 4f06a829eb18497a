"""Couplings at recorded samples: violations, rates and what they prescribe, compiled."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.kernels.angles import count_angles
from linkwork.kernels.couplings import F1, PHI, CoupledRows, Couplings, coupling_rate, drive_couplings, place_couplings
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats
from linkwork.system.derived_kernels import Scratch, load_state
from linkwork.system.packed import Tables, system_of


class CoupledSamples(NamedTuple):
    """The outputs, n samples, and the angles that the first lie nearest to."""

    phi: Annotated[Floats, Shape("n", "nk"), "residuals"]
    rate: Annotated[Floats, Shape("n", "nk"), "W u: of a rotor its spin"]
    asked: Annotated[Floats, Shape("n", "nk"), "rates that formulas of time prescribe"]
    angles: Annotated[Floats, Shape("nt + nq"), "rad", "with turns, at the last sample seen"]


@kernel
def sample_couplings(
    tables: Tables, couplings: Couplings, rows: CoupledRows, s: Scratch, out: CoupledSamples, time: Any, position: Any,
    rotation: Any, velocity: Any, angular: Any,
) -> int:  # fmt: skip
    """All couplings at every sample, angles counted on with their turns. Returns 0."""
    system = system_of(tables)
    for n in range(time.shape[0]):
        load_state(s, n, position, rotation, velocity, angular)
        drive_couplings(system, couplings, time[n], s.stack, rows)
        place_couplings(system, couplings, s.r, s.A, out.angles, False, rows)
        for k in range(rows.row.shape[0]):
            out.phi[n, k] = rows.row[k, PHI]
            out.rate[n, k] = coupling_rate(system, couplings, rows, k, s.v, s.w)
            out.asked[n, k] = rows.row[k, F1]
        count_angles(system, s.A, out.angles, out.angles)
    return 0
