"""Rigid couplings and rotors of a mechanism: their tables, and their rows in plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UnsupportedElementError
from linkwork.kernels.couplings import (
    FIRST,
    GAMMA,
    PHI,
    QUANTITY,
    ROW,
    TERMS,
    CoupledRows,
    Couplings,
    coupling_gammas,
    place_couplings,
)
from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.mechanism.lowered import Lowered

if TYPE_CHECKING:
    from linkwork.system.compiled import CompiledMechanism
    from linkwork.system.operands import OperandPlaces

Array = NDArray[np.float64]


def couplings_of(lowered: Lowered, places: OperandPlaces, program: Ints, drive: Floats) -> Couplings:
    """Tables of all couplings; program, drive : of their formulas of time."""
    about: list[tuple[int, ...]] = []
    number: list[tuple[float, ...]] = []
    term_about: list[tuple[int, int]] = []
    term: list[tuple[float, ...]] = []
    row = len(lowered.rows) - lowered.rigid
    for k, one in enumerate(lowered.couplings):
        about.append((len(term), len(one.terms), int(program[k]), row if one.rigid else -1))
        number.append((one.constant, float(drive[k]), one.inertia))
        row += one.rigid
        for part in one.terms:
            term_about.append((places.quantities[part.quantity], places.curve(part.table) if part.table else -1))
            term.append((*part.polynomial, part.factor, part.period))
    return Couplings(
        np.array(about, dtype=np.int64).reshape(-1, 4),
        np.array(number, dtype=float).reshape(-1, 3),
        np.array(term_about, dtype=np.int64).reshape(-1, 2),
        np.array(term, dtype=float).reshape(-1, 6),
    )


def some_of(couplings: Couplings, rotors: Sequence[int]) -> Couplings:
    """The rigid ones, and of the rotors those with these numbers among all couplings, each of one term."""
    chosen = [*np.flatnonzero(couplings.about[:, ROW] >= 0), *rotors]
    about, terms = couplings.about[chosen], [m for k in chosen for m in terms_of(couplings, k)]
    about[:, FIRST] = np.cumsum(about[:, TERMS]) - about[:, TERMS]
    return Couplings(about, couplings.number[chosen], couplings.term_about[terms], couplings.term[terms])


def terms_of(couplings: Couplings, k: int) -> range:
    """Numbers of the terms of coupling k."""
    first = int(couplings.about[k, FIRST])
    return range(first, first + int(couplings.about[k, TERMS]))


def new_coupled_rows(couplings: Couplings, dtype: type = float) -> CoupledRows:
    """Work space."""
    return new_record(CoupledRows, dtype, nk=len(couplings.about), terms=len(couplings.term))


def placed(mechanism: CompiledMechanism, r: Any, A: Any, drive: Any, *, exact: bool = False) -> CoupledRows:
    """All couplings at a pose, in plain NumPy. drive : (nc, 3) of all rows.

    Angles are those nearest to the start's: within half a turn of them.
    """
    couplings, system = mechanism.couplings, mechanism.system
    rows = new_coupled_rows(couplings, np.result_type(np.asarray(r), np.asarray(A)).type)
    rigid = couplings.about[:, 3] >= 0
    rows.row[rigid, 0:3] = drive[len(drive) - mechanism.rigid :]
    angles = angles_at_start(mechanism)
    place_couplings(system, couplings, r, A, angles, exact, rows)
    return rows


def angles_at_start(mechanism: CompiledMechanism) -> Array:
    """(mechanism.angles,) angles that those of a pose lie nearest to."""
    if mechanism.counted_angles is not None and len(mechanism.counted_angles) == mechanism.angles:
        return mechanism.counted_angles
    return np.zeros(mechanism.angles)


def spread(mechanism: CompiledMechanism, rows: CoupledRows, *, rotors: bool = False) -> Array:
    """The rigid couplings' rows as (n, nb + 1, 6) of (rdot, omega) of all bodies. rotors : behind them, theirs."""
    couplings, q = mechanism.couplings, mechanism.system.quantities
    n = len(couplings.about) if rotors else mechanism.rigid
    out = np.zeros((n, mechanism.nb + 1, 6), dtype=rows.W.dtype)
    for k in range(n):
        begin = couplings.about[k, FIRST]
        for m in range(begin, begin + couplings.about[k, TERMS]):
            o = couplings.term_about[m, QUANTITY]
            out[k, q.body_i[o]] += rows.W[m, 0:6]
            out[k, q.body_j[o]] += rows.W[m, 6:12]
    out[:, mechanism.nb] = 0.0
    return out


def coupled_parts(mechanism: CompiledMechanism, r: Any, A: Any, drive: Any) -> tuple[Array, Array]:
    """phi (n,) of the rigid couplings, and their Jacobian (n, 6 nb)."""
    rows = placed(mechanism, r, A, drive)
    n = mechanism.rigid
    return rows.row[:n, PHI].copy(), spread(mechanism, rows)[:, :-1].reshape(n, -1)


def coupled_gammas(mechanism: CompiledMechanism, r: Any, A: Any, v: Any, w: Any, drive: Any) -> Array:
    """gamma (n,) of the rigid couplings."""
    rows = placed(mechanism, r, A, drive)
    coupling_gammas(mechanism.system, mechanism.couplings, r, A, v, w, rows)
    found: Array = rows.row[: mechanism.rigid, GAMMA].copy()
    return found


def refuse_couplings(mechanism: CompiledMechanism, what: str, remedy: str = "") -> None:
    """Raise UnsupportedElementError, naming the couplings, where a mechanism has any. what : that takes none."""
    couplings = mechanism.lowered.couplings if len(mechanism.couplings.about) else ()
    if couplings:
        names = ", ".join(dict.fromkeys(f"'{one.name}'" for one in couplings))
        raise UnsupportedElementError(
            f"{what} do not take couplings and rotors yet: {names}.",
            element=f"mechanism {mechanism.lowered.name!r}",
            remedy=remedy or "An elastic one is a force (type 'coupling'); or simulate, in any formulation.",
        )
