"""Points of rows that are other ones in every run: where they are written, and which of them say the same."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.integrators.one_call import rows_of, whole_of
from linkwork.mechanism.variants import variant
from linkwork.remembered import set_fields
from linkwork.run.lengths import Lengths, lengths
from linkwork.run.points import written_points
from linkwork.run.row_codes import SEVERAL
from linkwork.system import CompiledMechanism, compile_mechanism

FIRST, SECOND = "hip.on_second.point.x", "knee.on_second.point.x"
SPAN = 0.003, 1e-3


def alike() -> lw.Mechanism:
    """Two joints whose points have the same numbers on both bodies."""
    mech = lw.Mechanism("alike", run={"t_end": 0.003, "step": 1e-3})
    for name, x in (("upper", 0.25), ("lower", 0.75)):
        mech.body(name, mass=1.0, inertia=[0.02, 0.02, 0.001], position=[x, 0, 0])
    ends = {"x": [1, 0, 0], "axis": [0, 1, 0]}
    for name, first, second in (("hip", "ground", "upper"), ("knee", "upper", "lower")):
        point = {"on_first": {"point": [0.2, 0, 0], **ends}, "on_second": {"point": [-0.2, 0, 0], **ends}}
        mech.joint(name, "revolute", first, second, **point)
    return mech


def known(mech: lw.Mechanism, *names: str) -> Lengths:
    found = lengths(mech, names, (False, True))
    assert found is not None
    return found


@pytest.mark.parametrize("far", [{FIRST: -5.0, SECOND: -0.2}, {FIRST: -0.2, SECOND: -6.0}, {FIRST: -7.0, SECOND: -8.0}])
def test_points_of_other_numbers_are_measured_each(far: dict[str, float]) -> None:
    mech = alike()
    one, both = known(mech, FIRST), known(mech, FIRST, SECOND)
    assert len(one.reach.sides) == 1  # of the three rows of the point
    assert len(both.reach.sides) == 2
    made, wanted = both.compiled(far), compile_mechanism(variant(mech, far).lower())
    assert made is not None
    assert (made.length, made.extent) == (wanted.length, wanted.extent)


def test_runs_have_the_length_of_the_points_that_are_written() -> None:
    mech = alike()
    model = lw.compile(mech, "rA", accept_changes=True)
    for k in range(SEVERAL + 4):
        model.run(*SPAN, parameters={FIRST: -0.2 - 1e-4 * k})
    for x in (-3.0, -0.2, -3.0):
        found = model.run(*SPAN, parameters={FIRST: x})
        wanted = lw.simulate(variant(mech, {FIRST: x}), *SPAN, "rA", accept_changes=True)
        assert found["position"].tobytes() == wanted["position"].tobytes()
        assert found.info["tolerance"] == wanted.info["tolerance"]


def test_only_points_are_written_into_a_system_of_ones_own() -> None:
    crank = lw.load("kissel2021_slider_crank")
    some = known(crank, "crank pin.on_first.point.y")
    found = written_points(some.known.system, some.spots)
    assert found is not None
    system, memory = found
    for array, places in memory:
        for at, _ in places:
            array[at] = 7.0
    assert np.count_nonzero(system.rows.s_i == 7.0) == 3
    assert not (some.known.system.rows.s_i == 7.0).any()
    masses = known(crank, "crank pin.on_first.point.y", "slider.mass")
    assert written_points(masses.known.system, masses.spots) is None


def test_fields_that_are_set_take_with_them_what_was_worked_out() -> None:
    mech = compile_mechanism(lw.load("kissel2021_slider_crank").lower()).other()
    assert mech.once("question", lambda: 1) == 1
    set_fields(mech, length=3.0)
    assert (mech.length, mech.once("question", lambda: 2)) == (3.0, 2)
    assert isinstance(mech, CompiledMechanism)


def test_parts_of_arrays_are_looked_at_where_they_stand() -> None:
    m = np.arange(20.0).reshape(4, 5)
    for part in (m[:3, :4], m[1:], m[:, 1:2], np.zeros((9, 2, 5))[:, :, :2]):
        rows = rows_of(part)
        if rows is not None:
            assert np.concatenate([one.ravel() for one in rows]).tobytes() == part.tobytes()
            assert all(np.shares_memory(one, part) for one in rows)
        assert np.shares_memory(whole_of(part), part)
    assert rows_of(np.zeros((9, 5))[:, :2]) is None  # too many rows
    assert rows_of(m[:, ::2]) is None
    assert rows_of(np.zeros((0, 3))) == []
    few = np.zeros((3, 40))[:, :2]
    assert whole_of(few) is few  # a small part of it
    assert whole_of(m[:3, :4]) is m[:3, :4].base
