"""Rows of large mechanisms all at once, against the kernels one by one; pairs of rows that share a body."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.jacobian_sparsity import (
    rotation_used,
    rotations_used,
    translation_used,
    translations_used,
)
from linkwork.garbage_collection import uncollected
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.studies import generated
from linkwork.system import compile_mechanism, many_rows
from linkwork.system.dense import drives
from linkwork.system.shared_bodies import sharing

MECHANISMS = [
    lambda: lw.load("stewart_platform"),
    lambda: lw.load("rolling_disc"),
    lambda: lw.load("kissel2021_four_link"),
    lambda: lw.load("spatial_slider_crank_spring"),
    lambda: generated.ladder(4),
    lambda: generated.ladder(4, "point-in-line"),
    generated.bricard,
    lambda: generated.tree(9),
    lambda: every_kind(),
]


def every_kind() -> lw.Mechanism:
    """One row or more of each kind, formulas of time among them."""
    m = lw.Mechanism("every kind")
    for k, name in enumerate("abce"):
        turn = {"axis": [1.0, 0.3 * k, 0.2], "angle": 0.4 + 0.3 * k}
        at = [1.0 * k, 0.5 - 0.2 * k, 0.3]
        m.body(name, mass=1.0, inertia=[1, 1, 1], position=at, rotation=turn, velocity=[0.1, 0, 0.2])
    m.constraint("dp1", "DP1", "a", "b", a_i=[1, 0, 0], a_j=[0, 1, 0.1], f="0.1 + 0.2*t")
    m.constraint("dp2", "DP2", "a", "b", a_i=[1, 0, 0], s_i=[0, 0.2, 0], s_j=[0.1, 0, 0], f="sin(t)")
    m.constraint("apart", "D", "b", "c", s_i=[0, 0.2, 0], s_j=[0.1, 0, 0], f=1.5)
    m.constraint("cd", "CD", "ground", "c", c=[1, 0, 0], s_i=[0, 0.2, 0], s_j=[0.1, 0, 0], f=0.2)
    m.constraint("p", "PFAFFIAN", "a", "c", g_i=[1, 0, 0, 0, 1, 0], g_j=[0, 0, 1, 0, 0.5, 0], f=0.1)
    m.joint("screw", "screw", "c", "e", point=[1, 0, 0], axis=[0, 1, 1], lead=0.2)
    m.joint("pin", "revolute", "ground", "e", point=[1, 0, 0], axis=[0, 1, 1])
    m.driver("motor", "pin", "0.3*t")
    return m


@pytest.mark.parametrize("make", MECHANISMS)
def test_all_at_once_as_one_by_one(make, monkeypatch):
    compiled = compile_mechanism(make().lower())
    rows, nc = compiled.system.rows, compiled.nc
    rng = np.random.default_rng(5)
    r = compiled.r + rng.normal(scale=0.1, size=compiled.r.shape)
    drive = drives(compiled, 0.3) + rng.normal(scale=0.1, size=(nc, 3))
    one = np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6)), np.zeros(nc)
    all_ = np.ones(nc), np.ones((nc, 6)), np.ones((nc, 6)), np.ones(nc)
    evaluate_rows(rows, r, compiled.A, drive, *one[:3])
    rows_nu(rows, r, compiled.A, drive, one[3])
    monkeypatch.setattr(many_rows, "FEW", 0)
    many_rows.evaluate(rows, r, compiled.A, drive, *all_[:3])
    many_rows.velocities(rows, r, compiled.A, drive, all_[3])
    for a, b in zip(one, all_, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("make", MECHANISMS)
def test_used_entries_and_shared_bodies(make):
    compiled = compile_mechanism(make().lower())
    rows, nb, nc = compiled.system.rows, compiled.nb, compiled.nc
    linear, angular = translations_used(rows), rotations_used(rows)
    sides = [[] for _ in range(nb)]
    for k in range(nc):
        for side, b in enumerate((rows.body_i[k], rows.body_j[k])):
            assert linear[k, side].tolist() == translation_used(rows, k, side)
            assert angular[k, side] == rotation_used(rows, k, side)
            if b < nb and (angular[k, side] or linear[k, side].any()):
                sides[b].append((k, 6 * side))
    pairs = [(k, l, a, b) for on in sides for n, (k, a) in enumerate(on) for l, b in on[: n + 1]]
    found = sharing(rows, nb, angular | linear.any(axis=2))
    np.testing.assert_array_equal(found, np.array(pairs, dtype=np.int64).reshape(-1, 4))


def test_drives_without_formulas_are_constants():
    compiled = compile_mechanism(generated.ladder(2).lower())
    np.testing.assert_array_equal(drives(compiled, 0.5), np.outer(compiled.system.rows.constant, [1, 0, 0]))


def test_the_collector_is_held_and_let_go():
    seen = []

    @uncollected
    def inner():
        seen.append(gc.isenabled())

    @uncollected
    def outer(fail):
        inner()
        seen.append(gc.isenabled())
        if fail:
            raise ValueError("as asked for")

    outer(False)
    assert gc.isenabled()
    with pytest.raises(ValueError, match="as asked for"):
        outer(True)
    assert gc.isenabled()
    gc.disable()
    try:
        outer(False)
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert not any(seen)


def test_a_body_of_thousands_is_set_up_in_time_that_grows_with_their_number():
    """Seconds of the processor for descriptions, lowering and tables: no part of it grows with the square."""
    from time import process_time

    def seconds(n):
        found = []
        for _ in range(3):
            start = process_time()
            compile_mechanism(generated.chain(n).lower())
            found.append(process_time() - start)
        return min(found)

    seconds(50)
    assert seconds(4000) < 8.0 * seconds(1000)
