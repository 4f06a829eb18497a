"""Derivatives by many numbers at once: whose a place is, and what two numbers have a part in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.described import moved, numbers_of
from linkwork.derivatives.grouped import Shared
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.start import MovingStart
from linkwork.derivatives.stencil import SMOOTH
from linkwork.derivatives.tangent_run import Prepared
from linkwork.errors import LinkworkError, UsageError

VALUES = np.linspace(1.0, 3.0, 40)


def shared(f: Any, families: Any = None) -> tuple[Shared, list[int]]:
    """f of numbers VALUES, and a list that gets how many numbers each evaluation moved."""
    asked: list[int] = []

    def grouped(which: Any, by: Any) -> Any:
        x = VALUES.copy()
        x[list(which)] += by
        asked.append(len(which))
        return np.asarray(f(x))

    steps = 2.0 ** np.round(np.log2(VALUES / 128.0))
    return Shared(grouped, steps, families or [0] * len(VALUES)), asked


def dense(found: Any, places: int) -> np.ndarray:
    out = np.zeros((places, len(VALUES)))
    for k, one in found.items():
        out[one.at, k] = one.value
        assert one.rough <= SMOOTH
    return out


def test_numbers_of_different_places_share_their_evaluations() -> None:
    of, asked = shared(lambda x: np.concatenate([3.0 * x + 5.0, 1.0 / x[::-1], np.exp(x)]))
    found = dense(of.derivatives(range(40)), 120)
    wanted = np.concatenate([3.0 * np.eye(40), -np.diag(VALUES**-2.0)[::-1], np.diag(np.exp(VALUES))])
    assert np.max(np.abs(found - wanted)) <= 1e-11
    assert len(asked) == 1 + 3 + 8


def test_copies_and_sums_take_three_evaluations_however_many_numbers_there_are() -> None:
    many = np.linspace(-2.0, 3.0, 2000)
    asked: list[int] = []

    def grouped(which: Any, by: Any) -> Any:
        x = many.copy()
        x[list(which)] += by
        asked.append(len(which))
        return np.concatenate([x, 100.0 - 2.5 * x[::-1], [7.0, np.nan]])

    steps = np.full(len(many), 2.0**-7)
    found = Shared(grouped, steps, [0] * len(many)).derivatives(range(2000))
    assert asked == [0, 2000, 2000, 2000]
    for k, one in found.items():
        assert one.at.tolist() == [k, 3999 - k]
        assert np.max(np.abs(one.value - [1.0, -2.5])) <= 1e-11
        assert one.rough == 0.0


BENT = {
    "sum": (lambda x: x[5] + x[6], (1.0, 1.0, 0.0)),
    "sum of those about a third": (lambda x: x[5] + x[7], (1.0, 0.0, 1.0)),
    "sum with a small part": (lambda x: x[5] + 1e-9 * x[6], (1.0, 1e-9, 0.0)),
    "curve": (lambda x: x[5] ** 2, (2.0 * VALUES[5], 0.0, 0.0)),
}


@pytest.mark.parametrize("bend", BENT)
def test_what_is_no_straight_line_in_one_number_is_not_taken_for_one(bend: str) -> None:
    """Among places that are copies."""
    f, wanted = BENT[bend]
    of, asked = shared(lambda x: np.concatenate([x, [f(x)]]))
    found = dense(of.derivatives(range(40)), 41)
    assert len(asked) > 1 + 3
    assert found[40, 5:8] == pytest.approx(wanted, rel=1e-4, abs=1e-13)
    assert np.max(np.abs(found[:40] - np.eye(40))) <= 1e-12


@pytest.mark.parametrize(("curve", "straight"), [(0.0, True), (1e-9, False)])
def test_small_differences_of_large_numbers_are_straight_as_far_as_these_round(curve: float, straight: bool) -> None:
    far, asked = 100.0 + np.arange(40.0), list[int]()

    def grouped(which: Sequence[int], by: np.ndarray) -> np.ndarray:
        asked.append(len(which))
        x = far.copy()
        x[list(which)] += by
        return (far + 0.0123) - x - curve * (x - far) ** 2

    of = Shared(grouped, np.full(40, 2.0**-9), [0] * 40, summed=200.0)
    found = dense(of.derivatives(range(40)), 40)
    assert np.max(np.abs(found + np.eye(40))) <= 1e-9
    assert (asked == [0, 40, 40, 40]) is straight


def test_numbers_of_several_fields_that_share_places_are_parted_before_curves_are_looked_for() -> None:
    of, asked = shared(lambda x: [x[0] + x[1], x[2] ** 2, x[3]], [0, 1, 0, 1] + [2] * 36)
    found = dense(of.derivatives(range(4)), 3)
    assert found[:, :4] == pytest.approx(np.array([[1, 1, 0, 0], [0, 0, 2 * VALUES[2], 0], [0, 0, 0, 1.0]]), rel=1e-11)
    assert asked[1:7] == [4] * 3 + [2] * 3


def test_a_place_of_several_numbers_parts_them_however_little_one_has_to_do_with_it() -> None:
    weights = 1e-7 * np.arange(1.0, 40.0)
    of, asked = shared(lambda x: np.concatenate([2.0 * x, x[:-1] + weights * x[1:] ** 2]))
    found = dense(of.derivatives(range(40)), 79)
    wanted = np.concatenate([2.0 * np.eye(40), np.eye(40)[:-1]])
    wanted[np.arange(40, 79), np.arange(1, 40)] = 2.0 * weights * VALUES[1:]
    assert np.max(np.abs(found - wanted)) <= 1e-12
    assert len(asked) < 40 * 8, "every other number at once, still"


def test_what_all_numbers_have_a_part_in_is_found_one_by_one() -> None:
    of, _ = shared(lambda x: [np.prod(x) / np.prod(VALUES), x[3] ** 2])
    found = dense(of.derivatives(range(40)), 2)
    assert found[0] == pytest.approx(1.0 / VALUES, rel=1e-11)
    assert found[1] == pytest.approx(2.0 * VALUES[3] * (np.arange(40) == 3), rel=1e-11)


def test_a_corner_is_seen_among_others() -> None:
    of, _ = shared(lambda x: np.concatenate([x, [abs(x[7] - VALUES[7])]]))
    found = of.derivatives(range(40))
    assert found[7].rough > SMOOTH
    assert all(one.rough <= SMOOTH for k, one in found.items() if k != 7)


def test_what_rounding_moves_parts_nobody_and_what_has_no_vector_is_left_out_on_demand() -> None:
    """The last places of differences of large values follow no number; a number of its own below them is found."""
    asked: list[int] = []

    def together(which: Any, by: Any) -> Any:
        x = VALUES.copy()
        x[list(which)] += by
        asked.append(len(which))
        return np.concatenate([3.0 * x, 1e-30 * x, [x.sum() % 1e-15]])

    steps = np.full(len(VALUES), 2.0**-7)
    of = Shared(together, steps, [0] * len(VALUES), stray=4.0)
    found = of.derivatives(range(40))
    assert len(asked) == 1 + 3
    for k, one in found.items():
        kept = one.at < 80
        assert one.at[kept].tolist() == [k, 40 + k]
        assert one.value[kept] == pytest.approx([3.0, 1e-30], rel=1e-11)

    asked.clear()
    Shared(together, steps, [0] * len(VALUES)).derivatives(range(40))
    assert len(asked) > 9

    def refusing(which: Any, by: Any) -> Any:
        if 3 in which:
            raise UsageError("no such vector")
        return together(which, by)

    left = Shared(refusing, steps, [0] * len(VALUES), stray=4.0)
    assert set(left.derivatives(range(40), refused=False)) == set(range(40)) - {3}
    with pytest.raises(UsageError, match="no such vector"):
        left.derivatives(range(40))


def test_a_jump_from_the_number_itself_is_seen() -> None:
    """Beside it the map is smooth on both sides, and continues itself, but not through the number."""
    of, _ = shared(lambda x: np.concatenate([x, [5.0 * x[7] + (x[7] != VALUES[7])]]))
    assert of.alone(7).rough > SMOOTH
    assert of.derivatives(range(40))[7].rough > SMOOTH
    assert of.alone(8).rough <= SMOOTH


def bars(count: int = 4) -> lw.Mechanism:
    """Bars on pins, on torsion springs and struts, all of them turning."""
    mech = lw.Mechanism("bars")
    mech.parameter("k", 20.0)
    for k in range(count):
        x = 0.5 * k
        mech.body(f"bar {k}", mass=1.0 + k, inertia=[0.02, 0.021 + 0.001 * k, 0.003], position=[x + 0.25, 0, 0],
                  angular_velocity=[0, 0.5 - 0.1 * k, 0])  # fmt: skip
        mech.joint(
            f"pin {k}", "revolute", f"bar {k - 1}" if k else "ground", f"bar {k}", point=[x, 0, 0], axis=[0, 1, 0]
        )
        mech.force(f"coil {k}", "torsion", joint=f"pin {k}", stiffness="k", damping=0.5)
        mech.force(f"strut {k}", "spring", first="ground", second=f"bar {k}", point=[x, 0, 1], point2=[x + 0.2, 0, 0],
                   stiffness=30.0 + k)  # fmt: skip
    return mech


def held(prepared: Prepared) -> np.ndarray:
    """What compiled code works on; what errors would be measured by enters nothing where steps have one size."""
    if not prepared.implicit:
        prepared.run.run.size[:] = prepared.run.run.weight[:] = 1.0
    return prepared.reals.values


@pytest.mark.parametrize("formulation", ["canonical", "rA", "lie-se3"])
def test_a_start_by_many_numbers_is_that_by_each(formulation: str) -> None:
    """Masses are worked out in place, others touch one element or several; one is named twice."""
    mech = bars()
    method = "generalized-alpha" if formulation == "rA" else "rk4"
    nominal = carried_out(mech, 2e-3, 1e-3, formulation, method, None, {})
    to = ["bar 1.mass", "bar 2.mass", "bar 1.inertia", "bar 0.position", "pin 1.point[0]", "k", "gravity[2]",
          "strut 1.stiffness", "strut 2.stiffness", "strut 2.point2", "bar 2.mass",
          "bar 2.angular_velocity[1]"]  # fmt: skip
    numbers = numbers_of(mech, to)
    moving = Moving(nominal, numbers)
    for k, number in enumerate(numbers):
        start = MovingStart(number, nominal.ready, None)
        h = 2.0**-7 * start.h
        values = [held(nominal.prepared(start.at(by))) for by in (-h, h)]
        wanted = np.where(values[0] == values[1], 0.0, values[1] - values[0]) / (2.0 * h)
        size = np.max(np.abs(wanted))
        assert size > 0.0, number.name
        assert np.max(np.abs(moving.starts[:, k] - wanted)) <= 1e-7 * size, number.name


def test_elements_of_a_mechanism_beside_are_checked() -> None:
    mech = bars()
    one, other = numbers_of(mech, ["bar 1.mass", "strut 1.stiffness"])
    beside = moved([one, other], [0.5, 1.0])
    assert beside.element("bar 1").mass == 2.5
    assert beside.element("strut 1").stiffness == 32.0
    assert mech.element("bar 1").mass == 2.0
    assert mech.to_dict() != beside.to_dict()
    assert beside.to_dict() == lw.Mechanism.from_dict(beside.to_dict()).to_dict()
    with pytest.raises(LinkworkError, match="mass"):
        one.moved(-5.0)
    with pytest.raises(UsageError, match="no number"):
        numbers_of(mech, "bar 1.weight")
