"""What `kernels.rows.kinds` says of each kind of row is what kernels do; a wrong fact is wrong physics elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.rows_samples import GROUND, PAIRS, Sample, sample

from linkwork.kernels.profiles import CURVES
from linkwork.kernels.rows.kind import VECTORS, RowKind
from linkwork.kernels.rows.kinds import KINDS, NAMES, NUMBER
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.kernels.tables import ROW_KINDS, Rows
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Row
from linkwork.mechanism.primitives import Primitive
from linkwork.system import compile_mechanism
from linkwork.system.packed import pack, rows_of

FACTS = (
    "velocity_level",
    "translates",
    "ground_only",
    "nu_varies",
    "constant",
    "global_direction",
    "linear",
)
SAMPLES = [sample(seed) for seed in range(3)]
H = 1e-200


def parts(s: Sample, r: Any, drive: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """phi, G_i and G_j of all rows."""
    nc, dtype = len(s.kinds), np.result_type(r, drive)
    phi, G_i, G_j = np.zeros(nc, dtype), np.zeros((nc, 6), dtype), np.zeros((nc, 6), dtype)
    evaluate_rows(s.rows, r, s.A.astype(dtype), drive, phi, G_i, G_j)
    return phi, G_i, G_j


def met(s: Sample) -> np.ndarray:
    """The drives with which every position-level row holds at the sample's pose."""
    drive = s.drive.copy()
    drive[:, 0] = 0.0
    for _ in range(60):
        shifted = drive.astype(complex)
        shifted[:, 0] += 1j * H
        slope = parts(s, s.r.astype(complex), shifted)[0].imag / H
        phi = parts(s, s.r, drive)[0]
        drive[:, 0] -= np.where(slope != 0.0, phi / np.where(slope != 0.0, slope, 1.0), 0.0)
    return drive


def found(name: str) -> dict[str, bool]:
    """The facts as the kernels have them, over all rows of a kind in three samples."""
    rows = [(s, k) for s in SAMPLES for k, kind in enumerate(s.kinds) if kind == name]
    facts: dict[str, list[bool]] = {fact: [] for fact in FACTS}
    for s, k in rows:
        other = s._replace(r=s.r + np.array([[0.3, -0.2, 0.5], [0.1, 0.7, -0.4], [0.0, 0.0, 0.0]]), A=s.A[[1, 0, 2]])
        (phi, G_i, G_j), (_, H_i, H_j) = parts(s, s.r, s.drive), parts(other, other.r, s.drive)
        nu, still = np.zeros(len(s.kinds)), s.drive.copy()
        rows_nu(s.rows, s.r, s.A, s.drive, nu)
        still[:, 1] = 0.0
        calm = np.zeros(len(s.kinds))
        rows_nu(s.rows, s.r, s.A, still, calm)
        along = np.concatenate([G_i[k, :3], G_j[k, :3]])
        velocity = bool(phi[k] == 0.0 and nu[k] == s.drive[k, 0])
        facts["velocity_level"].append(velocity)
        facts["translates"].append(bool(np.any(along != 0.0)))
        facts["ground_only"].append(bool(s.rows.body_j[k] == GROUND and not np.any(G_j[k])))
        facts["nu_varies"].append(not velocity and bool(calm[k] == 0.0 and nu[k] != s.drive[k, 1]))
        facts["constant"].append(bool(np.all(G_i[k] == H_i[k]) and np.all(G_j[k] == H_j[k])))
        facts["global_direction"].append(
            not facts["constant"][-1] and bool(np.all(np.abs(along) == np.abs(np.tile(s.rows.a_i[k], 2))))
        )
        facts["linear"].append(bool(facts["translates"][-1]) and not velocity and curvature(s, k) < 1e-9)
    return {field: all(values) for field, values in facts.items()}


def curvature(s: Sample, k: int) -> float:
    """The largest second derivative of phi by r_i and r_j where the row is met."""
    drive, largest = met(s).astype(complex), 0.0
    for b in (int(s.rows.body_i[k]), int(s.rows.body_j[k])):
        for c in range(3):
            if b != GROUND:
                r = s.r.astype(complex)
                r[b, c] += 1j * H
                _, G_i, G_j = parts(s, r, drive)
                largest = max(largest, float(np.abs(np.concatenate([G_i[k, :3], G_j[k, :3]]).imag).max() / H))
    return largest


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_facts_are_those_of_the_kernels(kind: RowKind) -> None:
    assert found(kind.name) == {fact: getattr(kind, fact) for fact in FACTS}


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_a_row_reads_the_columns_that_it_names(kind: RowKind) -> None:
    """Whatever stands in the others changes nothing, and what stands in these does."""
    for s in SAMPLES:
        for k in (k for k, name in enumerate(s.kinds) if name == kind.name):
            for name in (*VECTORS, "scalar"):
                column = getattr(s.rows, name).copy()
                another = 0.3 if "CONTACT" not in kind.name else float(CURVES)  # the number of other profiles
                column[k] += another if name == "scalar" else np.array([0.1, -0.2, 0.3])
                changed = s._replace(rows=s.rows._replace(**{name: column}))
                a, b = parts(s, s.r, s.drive), parts(changed, s.r, s.drive)
                assert all(np.array_equal(x[k], y[k]) for x, y in zip(a, b, strict=True)) == (name not in used(kind))


def used(kind: RowKind) -> set[str]:
    """Columns that values and Jacobian of a kind depend on; the axis of an angle only says what b_i is."""
    return set(kind.columns) - ({"n"} if kind.name == "ANGLE" else set())


def test_numbers_names_and_samples_go_together() -> None:
    assert [kind.name for kind in KINDS] == list(NAMES) == list(ROW_KINDS)
    assert list(PAIRS) == list(NUMBER) == list(NAMES)


def test_a_row_has_the_same_columns_from_the_joint_to_the_kernels() -> None:
    data = [*VECTORS, "scalar"]
    assert [name for name in Primitive._fields if name in data] == data
    assert [name for name in Row._fields if name in data] == data
    assert [name for name in Rows._fields if name in data] == data
    assert set(Primitive._fields) - {"swapped"} < set(Row._fields)
    numbers = iter(range(1, 100))
    values = {name: np.array([[next(numbers) for _ in range(3)]], dtype=float) for name in VECTORS}
    none, scalar = np.zeros(1, dtype=np.int64), np.array([90.0])
    whole = {name: none + k for k, name in enumerate(("kind", "body_i", "body_j", "nonholonomic", "program"))}
    rows = Rows(**values, **whole, scalar=scalar, constant=scalar + 1)
    empty = compile_mechanism(Mechanism("empty").lower()).system._replace(rows=rows)
    for name, column in rows_of(pack(empty)).columns().items():
        assert np.array_equal(column, getattr(rows, name)), name
