"""Runs with other lengths: only what they touch is lowered and compiled again, rows are machine code, bits the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from unit.same_runs import the_same

import linkwork as lw
from linkwork.errors import LinkworkError, StartStateError
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.rows.table import evaluate_rows
from linkwork.kernels.so3 import exp_so3
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.rows import RowCode
from linkwork.mechanism.number_names import written_at
from linkwork.mechanism.variants import place_of, variant
from linkwork.run import row_codes
from linkwork.run.row_codes import RowCodes, recorded
from linkwork.run.starting import compiled_kin, flat, shared_start
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import assemble

SPAN = 0.003, 1e-3
PIN = "crank pin.on_first.point.y"
SHIPPED = "kissel2021_slider_crank", "stewart_platform", "suspension", "rolling_disc", "cam", "planar_four_bar"


def screw() -> lw.Mechanism:
    mech = lw.Mechanism("nut")
    mech.body("nut", mass=1.0, inertia=[1, 1, 1])
    mech.joint("thread", "screw", "ground", "nut", point=[0.1, 0, 0], axis=[0, 0, 1], lead=0.01)
    return mech


def read(mech: lw.Mechanism, given: dict[str, float]) -> lw.Mechanism:
    """The mechanism with other numbers, which shares nothing with it."""
    data = mech.to_dict()
    for name, value in given.items():
        place = place_of(mech, name)
        assert place is not None
        for *keys, last in written_at(place.keys):
            at: Any = data
            for key in keys:
                at = at[key]
            at[last] = value
    return lw.Mechanism.from_dict(data, file=mech.file, locate=mech._kept.locate)


def compiled(mech: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mech.lower())


def evaluated(at: CompiledMechanism, code: RowCode, off: float) -> Iterator[tuple[bytes, bytes]]:
    """Rows by kernels and by code, at a pose so far from the start."""
    rng, rows = np.random.default_rng(1), at.system.rows
    r, drive = at.r + off * rng.normal(size=at.r.shape), rng.normal(size=(at.nc, 3))
    A = np.array([matmul(tuple(one), exp_so3(tuple(off * rng.normal(size=3)))) for one in at.A])
    outputs: list[list[Any]] = [[np.zeros(at.nc), np.zeros((at.nc, 6)), np.zeros((at.nc, 6))] for _ in range(2)]
    evaluate_rows(rows, r, A, drive, *outputs[0])
    code.evaluate(rows, at.tables.row, r, A, drive, *outputs[1])
    for one, other in zip(*outputs, strict=True):
        yield one.tobytes(), other.tobytes()


def code_of(at: CompiledMechanism) -> RowCode:
    rows = at.system.rows
    return RowCode(rows.kind, rows.body_i, rows.body_j, at.nb)


@pytest.mark.parametrize("name", SHIPPED)
def test_rows_as_machine_code_have_the_bits_of_the_kernels(name: str) -> None:
    at = compiled(lw.load(name))
    code = code_of(at)
    for off in (0.0, 1e-3, 0.7):
        for mine, theirs in evaluated(at, code, off):
            assert mine == theirs
    assert recorded(at) is not None


def test_rows_that_cannot_be_recorded_stay_in_python() -> None:
    at = compiled(screw())
    code = code_of(at)
    assert [at.lowered.rows[k].kind for k in code.alone] == ["SCREW"]
    for mine, theirs in evaluated(at, code, 0.3):
        assert mine == theirs
    rows, k = at.system.rows, code.alone[0]
    with pytest.raises(NotTracedError):
        RowCode(*(column[k : k + 1] for column in (rows.kind, rows.body_i, rows.body_j)), at.nb)


def test_code_that_differs_in_a_bit_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    at, plain = compiled(lw.load("planar_four_bar")), RowCode.evaluate

    def off(self: RowCode, *given: Any) -> None:
        plain(self, *given)
        given[-3][0] = np.nextafter(given[-3][0], 1.0)

    monkeypatch.setattr(RowCode, "evaluate", off)
    assert recorded(at) is None


def test_starts_by_code_have_the_bits_of_others_and_come_after_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_codes, "SEVERAL", 3)
    mech = lw.load("kissel2021_slider_crank")
    codes = []
    for k in range(4):
        given = variant(mech, {PIN: 0.08 + 0.001 * k})
        ready = shared_start(given, None, True, True, True)
        wanted = assemble(compiled(lw.Mechanism.from_dict(given.to_dict())))
        assert wanted.pose.r.tobytes() == ready.compiled.r.tobytes()
        assert wanted.pose.A.tobytes() == ready.compiled.A.tobytes()
        assert wanted.rates.v.tobytes() == ready.compiled.v.tobytes()
        codes.append(ready.compiled.row_code)
    assert [code is not None for code in codes] == [False, False, True, True]
    assert RowCodes().assembled(compiled(mech))[0].row_code is None


@pytest.mark.parametrize("formulation", ["rA", "canonical", "lie-mixed"])
def test_runs_with_other_lengths_are_those_of_a_mechanism_that_was_read(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `simulate` of a mechanism that shares nothing with the model's."""
    monkeypatch.setattr(row_codes, "SEVERAL", 2)
    mech = lw.load("kissel2021_slider_crank")
    model = lw.compile(mech, formulation, accept_changes=True)
    asked: list[dict[str, float]] = [
        {PIN: 0.081}, {PIN: 0.083}, {PIN: 0.085}, {"crank.mass": 0.2, "connecting rod.position.x": 0.101},
        {"rod twist.a_i.x": 1e-3}, {"crank pivot.point.x": 0.01},
    ]  # fmt: skip
    for given in asked:
        alone = read(mech, given)
        wanted = lw.simulate(alone, *SPAN, formulation, accept_changes=True)
        found = model.run(*SPAN, parameters=given)
        for name in wanted.variables:
            np.testing.assert_array_equal(found[name], wanted[name], err_msg=f"{name} {given}")
        the_same(found, lw.simulate(variant(mech, given), *SPAN, formulation, accept_changes=True))


def test_what_is_wrong_is_said_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_codes, "SEVERAL", 1)
    mech = lw.load("kissel2021_slider_crank")
    model = lw.compile(mech)
    for given, kind in (
        ({PIN: 0.085}, StartStateError),
        ({PIN: 5.0}, LinkworkError),
        ({"crank.mass": -1.0}, LinkworkError),
    ):
        with pytest.raises(kind) as found:
            model.run(*SPAN, parameters=given)
        with pytest.raises(kind) as wanted:
            lw.simulate(read(mech, given), *SPAN, "rA")
        assert str(found.value) == str(wanted.value)


def numbers(mech: lw.Mechanism) -> Iterator[str]:
    """Names of all numbers in vectors of joints, constraints and bodies, and single ones."""

    def within(name: str, value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, one in value.items():
                yield from within(f"{name}.{key}", one)
        elif isinstance(value, list):
            for k, one in enumerate(value):
                yield from within(f"{name}.{k}", one)
        elif isinstance(value, float):
            yield name

    for kind in ("bodies", "joints", "constraints", "forces", "couplings"):
        for element in mech.to_dict().get(kind, ()):
            yield from within(element["name"], {key: one for key, one in element.items() if key != "name"})


@pytest.mark.parametrize("name", ["kissel2021_slider_crank", "suspension", "cam", "rolling_disc", "planar_four_bar"])
def test_what_is_taken_from_kin_is_what_lowering_and_compiling_alone_come_to(name: str) -> None:
    mech, tried = lw.load(name), 0
    for number in [*numbers(mech)][::3]:
        try:
            made = variant(mech, {number: 0.0312 + 1.07 * value_of(mech, number)})
            mine = compiled_kin(made, flat(made)) or compile_mechanism(flat(made))
        except LinkworkError:
            continue
        alone = lw.Mechanism.from_dict(made.to_dict())
        theirs, tried = compiled(alone), tried + 1
        for one in ("r", "A", "v", "w"):
            assert getattr(mine, one).tobytes() == getattr(theirs, one).tobytes()
        for records in ("tables", "couplings"):
            for a, b in zip(getattr(mine, records), getattr(theirs, records), strict=True):
                assert (a.shape, a.tobytes()) == (b.shape, b.tobytes())
        for a, b in zip(mine.system.rows[:-1], theirs.system.rows[:-1], strict=True):
            assert a.tobytes() == b.tobytes()
        assert mine.length == theirs.length
        assert [repr(row) for row in mine.lowered.rows] == [repr(row) for row in theirs.lowered.rows]
        assert mine.lowered.notes == theirs.lowered.notes
        assert made.driver_mismatches() == alone.driver_mismatches()
    assert tried > 5


def value_of(mech: lw.Mechanism, name: str) -> float:
    """A number of the document."""
    data = mech.to_dict()
    for kind in ("bodies", "joints", "constraints", "forces", "couplings"):
        for element in data.get(kind, ()):
            if name.startswith(f"{element['name']}."):
                at: Any = element
                for key in name.removeprefix(f"{element['name']}.").split("."):
                    at = at[int(key)] if isinstance(at, list) else at[key]
                return float(at)
    raise AssertionError(name)
