"""Described starts by compiled code: the bits of assembly in NumPy, which has what is not usual; the least change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.equations.described_kernels import AGAIN, FOUND, take_step
from linkwork.equations.described_start import DescribedStarts, _Search
from linkwork.errors import LinkworkError
from linkwork.kernels.so3 import exp_so3
from linkwork.mechanism.variants import variant
from linkwork.run.row_codes import near, recorded, said_of, starts_of
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import assemble
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, inverse_products, unit_columns

PIN = "crank pin.on_first.point.y"
SHIPPED = "kissel2021_slider_crank", "stewart_platform", "suspension", "rolling_disc", "cam", "planar_four_bar"


def compiled(mech: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mech.lower())


def another_length() -> CompiledMechanism:
    return compiled(variant(lw.load("kissel2021_slider_crank"), {PIN: 0.0815}))


def starts(at: CompiledMechanism) -> DescribedStarts:
    code = recorded(at)
    assert code is not None
    return DescribedStarts(at, code)


def compared(at: CompiledMechanism) -> Iterator[bool]:
    """Of a few starts, whether compiled code found one; it is then that of assembly, bit for bit."""
    made = starts(at)
    for one in near(at.other(row_code=made.rows)):
        found = made.assembled(one)
        yield found is not None
        if found is not None:
            assert said_of(found) == said_of(assemble(one.other(row_code=None)))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_mechanisms_start_where_assembly_starts_them(name: str) -> None:
    list(compared(compiled(lw.load(name))))


def test_random_mechanisms_start_where_assembly_starts_them() -> None:
    found = []
    for seed in range(12):
        try:
            at = compiled(random_mechanism(seed))
            found += list(compared(at)) if recorded(at) is not None else []
        except LinkworkError:
            continue
    assert sum(found) > 12


@pytest.mark.parametrize("name", SHIPPED)
def test_a_search_in_one_call_is_that_in_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = compiled(lw.load(name))
    if recorded(at) is None:
        pytest.skip("its rows cannot be recorded")
    made, steps = starts(at), starts(at)
    monkeypatch.setattr("linkwork.lanes.traced.bound_rows.loop_of", lambda function: None)
    assert _Search(steps).at_once is None
    for one in near(at.other(row_code=made.rows)):
        found, wanted = made.assembled(one), steps.assembled(one)
        assert (found is None) == (wanted is None)
        if found is not None and wanted is not None:
            assert said_of(found) == said_of(wanted)


def test_a_length_is_searched_in_one_call() -> None:
    made, at = starts(another_length()), another_length()
    assert made.assembled(at) is not None
    (search,) = made._free
    assert search.at_once is not None
    assert search.about is not None  # whose units it took
    assert search.found_in.item(0) > 1


def test_what_is_moved_is_found_by_compiled_code() -> None:
    at = another_length()
    found = starts(at).assembled(at)
    assert found is not None
    assert found.before > 1e-4 > 1e-12 > found.after
    assert found.moved.max() > 1e-4
    assert found.velocity_after < 1e-12


def test_kernels_in_plain_python_have_the_bits_of_compiled_ones() -> None:
    at = another_length()
    made = starts(at)
    found, search = made.assembled(at), _Search(made)
    s = search.arrays
    s.r[:], s.A[:], search.table[:], search.drive[:] = at.r, at.A, at.tables.row, drives(at, 0.0)
    s.length[0], s.fits[0], s.accepted[0] = at.length, 1e-13, 1e-10
    s.unit[:-1] = unit_columns(at).reshape(-1, 6)
    measured, status = search._measured(at.system.rows), AGAIN
    assert search.bound is not None
    while status == AGAIN:
        search.bound.measure()
        search._look(at, measured)
        search._rows(at)
        status = take_step(s)
    assert status == FOUND
    assert s.steps[0] > 1
    assert found is not None
    assert (s.r.tobytes(), s.A.tobytes()) == (found.pose.r.tobytes(), found.pose.A.tobytes())


def test_rows_that_depend_on_others_are_left_to_assembly() -> None:
    at = compiled(variant(lw.load("planar_four_bar"), {}))
    made = starts(at)
    moved = list(near(at))[1]
    assert made.assembled(moved) is None
    assert assemble(moved).after < 1e-9


def test_starts_that_cannot_be_met_and_axes_turned_round_are_left_to_assembly() -> None:
    at = another_length()
    made = starts(at)
    A = at.A.copy()
    A[0] = exp_so3((0.0, 0.5, 0.0))
    assert made.assembled(at.at(at.r, A, at.v, at.w)) is None
    r = at.r.copy()
    r[0] = np.nan
    assert made.assembled(at.at(r, at.A, at.v, at.w)) is None


def test_code_whose_starts_differ_in_a_bit_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    at, plain = another_length(), DescribedStarts.assembled
    code = recorded(at)
    assert code is not None
    assert starts_of(at, code) is not None

    def off(self: DescribedStarts, mechanism: CompiledMechanism) -> object:
        found = plain(self, mechanism)
        if found is not None and found.pose.r is not mechanism.r:
            found.pose.r[0, 0] = np.nextafter(found.pose.r[0, 0], 1.0)
        return found

    monkeypatch.setattr(DescribedStarts, "assembled", off)
    assert starts_of(at, code) is None


def test_the_least_change_is_that_of_the_pseudo_inverse() -> None:
    rng, at = np.random.default_rng(5), another_length()
    parts = row_parts(at, Pose(at.r, at.A), drives(at, 0.0))
    J = Jacobian(at, parts, np.ones(at.nc, dtype=bool), unit_columns(at))
    for _ in range(5):
        rhs = rng.normal(size=at.nc)
        wanted = unit_columns(at) * (np.linalg.pinv(J.dense()) @ (rhs / J.size))
        assert np.allclose(J.least_change(rhs), wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


def test_products_of_independent_rows_are_inverted_and_others_are_not() -> None:
    rng = np.random.default_rng(6)
    G = rng.normal(size=(7, 12))
    G /= np.linalg.norm(G, axis=1)[:, None]
    inverse = inverse_products(G)
    assert inverse is not None
    assert np.allclose(inverse, np.linalg.inv(G @ G.T), rtol=1e-11, atol=1e-12)
    G[6] = G[0] + G[3]
    G[6] /= np.linalg.norm(G[6])
    assert inverse_products(G) is None
    G[6] += 1e-5 * rng.normal(size=12)
    assert inverse_products(G) is None
