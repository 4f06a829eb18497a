"""What rigid couplings ask for at the level of a request: of coordinates, of their rates, of their accelerations."""

from __future__ import annotations

from linkwork.kernels.couplings import (
    NU,
    PHI,
    CoupledRows,
    Couplings,
    coupling_gammas,
    coupling_rate,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import A, R, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.system.packed import Tables, system_of


@kernel
def evaluate_couplings(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows) -> None:
    """Where the couplings stand (positions), or their gamma (accelerations), by request.level. Writes `rows`."""
    m, system, level = work.motion, system_of(tables), work.request.level[0]
    r, A_ = m[:, R : R + 3], m[:, A : A + 9]
    if level == POSITION_LEVEL:
        place_couplings(system, couplings, r, A_, work.counted_angles, False, rows)
    elif level == ACCELERATION_LEVEL:
        coupling_gammas(system, couplings, r, A_, m[:, V : V + 3], m[:, W : W + 3], rows)


@kernel
def unmet(tables: Tables, work: Work, couplings: Couplings, rows: CoupledRows, k: int) -> float:
    """phi / c_q or W u - nu of coupling k, by request.level, from what `evaluate_couplings` wrote."""
    if work.request.level[0] == POSITION_LEVEL:
        return float(rows.row[k, PHI])
    m = work.motion
    rate = coupling_rate(system_of(tables), couplings, rows, k, m[:, V : V + 3], m[:, W : W + 3])
    return float(rate - rows.row[k, NU])
