"""How far two runs are apart, and what a certificate makes of it, on runs made by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from unit.handmade import N, result

from linkwork.studies.certificate_words import Check, certificate_of, sensitivity
from linkwork.studies.motion import Difference, angle_between, at_grid, difference, digits
from linkwork.studies.quantities import QUANTITIES, Sampled, Size, apart

SIZE = Size(length=0.5, mass=2.0, gravity=9.81, span=1.0)
HOW = {"formulation": "lie-se3", "integrator": "dop853", "rtol": 1e-10}
RUN = Sampled.of(result())


def compared(*changes: tuple[Any, ...], idle: Any = (), **more: Any) -> dict[str, Any]:
    """What is found where the run has these changes and the check has none."""
    return apart(Sampled.of(result(*changes, **more)), RUN, SIZE, idle)


@pytest.mark.parametrize(
    ("change", "quantity", "share", "worst"),
    [
        (("position", (4, 0, 1), 0.01), "poses", 0.02, 0),  # m over the length
        (("position", (4, 1, 1), 0.01), "poses", 0.02, 1),
        (("velocity", (4, 0, 1), 0.01), "velocities", 0.005, 0),  # of 2 m/s: turning is 0.5 m at 3 rad/s, less
        (("angular_velocity", (4, 1, 0), 0.01), "velocities", 0.0025, 1),
        (("acceleration", (4, 0, 1), 0.01), "accelerations", 0.0025, 0),  # of 4 m/s^2
        (("angular_acceleration", (4, 1, 1), 0.01), "accelerations", 0.00125, 1),
        (("reaction_force", (4, 1, 1), 0.1), "reactions", 0.01, 1),  # of 10 N
        (("reaction_torque", (4, 1, 1), 0.1), "reactions", 0.02, 1),  # N m over the length
        (("kinetic_energy", 4, -0.2), "energies", 0.025, None),  # of 8 J
        (("potential_energy", 4, 0.2), "energies", 0.025, None),
    ],
)
def test_each_quantity_is_a_share_of_its_own_size(change: Any, quantity: str, share: float, worst: int | None) -> None:
    found = compared(change)
    one = found.pop(quantity)
    assert one.at == 4
    assert one.relative[4] == pytest.approx(share, rel=1e-9)
    assert one.digits == pytest.approx(-math.log10(share))
    assert_allclose(np.delete(one.relative, 4), 0.0)
    assert worst is None if one.worst is None else one.worst[4] == worst
    assert all(other.digits == 17.0 for other in found.values())


def test_rotations_differ_by_their_angle() -> None:
    def turned(angle: float) -> Any:
        c, s = math.cos(angle), math.sin(angle)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    for angle in (1e-9, 1e-3, 1.0, 3.0):
        assert angle_between(turned(0.4), turned(0.4 + angle)) == pytest.approx(angle, rel=1e-6)
    found = compared(("rotation", (4, 1), turned(1e-3) - np.eye(3)))
    assert found["poses"].relative[4] == pytest.approx(1e-3)


def test_sizes_are_those_of_both_runs_and_of_changes_of_potential_energy() -> None:
    """A run that is ten times too fast is off by nine tenths, whichever of the two is wrong."""
    fast = Sampled.of(result(("velocity", (slice(None), 1, 0), 18.0)))
    for pair in ((fast, RUN), (RUN, fast)):
        assert apart(*pair, SIZE)["velocities"].relative[0] == pytest.approx(0.9)
    fall = ("potential_energy", slice(None), np.linspace(0.0, -32.0, N))
    high = ("potential_energy", slice(None), 1e6)
    one = Sampled.of(result(fall, high))
    other = Sampled.of(result(fall, high, ("kinetic_energy", 3, 0.32)))
    assert apart(one, other, SIZE)["energies"].relative[3] == pytest.approx(0.01)


def test_what_stays_below_rounding_is_not_a_difference() -> None:
    """A mechanism at rest: everything is the rounding of zero, and agrees."""

    def resting(noise: float) -> Any:
        made = result(
            ("position", (slice(None), 1, 0), -2.0 * np.arange(N) * 0.1),
            ("velocity", (slice(None), 1, 0), -2.0 + noise),
            ("angular_velocity", (slice(None), 1, 2), -3.0 + noise),
            ("acceleration", (slice(None), 1, 1), -4.0 + noise),
            ("kinetic_energy", slice(None), -8.0 + noise),
            ("reaction_force", (slice(None), 0, 2), -10.0 + noise),
        )
        return Sampled.of(made)

    found = apart(resting(0.0), resting(1e-14), SIZE)
    assert all(one.digits > 3.0 for one in found.values())
    found = apart(resting(0.0), resting(1e-3), SIZE)
    assert all(found[name].digits == 0.0 for name in QUANTITIES if name != "poses")
    assert SIZE.least == pytest.approx({"accelerations": 9.81e-9, "reactions": 19.62e-9, "energies": 9.81e-9})


def test_joints_that_share_a_load_and_what_was_not_recorded_are_left_out() -> None:
    change = ("reaction_force", (4, 1, 1), 5.0)
    assert compared(change)["reactions"].digits < 1.0
    assert compared(change, idle=[1])["reactions"].digits == 17.0
    assert compared(change, idle=[0])["reactions"].worst[4] == 1
    assert "reactions" not in compared(change, idle=[0, 1])
    assert "accelerations" not in compared(drop=["acceleration"])
    assert "energies" not in compared(drop=["potential_energy"])


def test_runs_of_different_lengths_are_compared_as_far_as_both_go() -> None:
    short = Sampled.of(result(), slice(0, 4))
    for one in apart(RUN, short, SIZE).values():
        assert len(one.time) == len(one.relative) == 4
    assert len(difference(short.motion, RUN.motion, 0.5).time) == 4


def test_digits_are_minus_the_decimal_logarithm() -> None:
    assert digits(1e-3) == pytest.approx(3.0)
    assert digits(10.0) == 0.0
    assert digits(0.0) == 17.0
    assert math.isnan(digits(math.nan))


def test_samples_on_a_grid_end_where_one_is_missing() -> None:
    time = np.array([0.0, 0.05, 0.1, 0.2, 0.25, 0.4])
    assert at_grid(time, 0.1).tolist() == [0, 2, 3]
    assert at_grid(np.array([0.0, 0.1 * (1 + 0.9e-6)]), 0.1).tolist() == [0, 1]
    assert at_grid(np.array([0.0, 0.1 * (1 + 1.1e-6)]), 0.1).tolist() == [0]


# the certificate ---------------------------------------------------------------------------------------------


def certified(*changes: tuple[Any, ...], asked: float = 2.0, own: Any = None, samples: int = N, **more: Any) -> Any:
    run = result(*changes)
    off = apart(Sampled.of(run), RUN, SIZE)
    settled = apart(RUN, RUN, SIZE) if own is None else own
    return certificate_of(run, samples, Check(HOW, off, settled, **more), [], asked)


FOUR_DIGITS = ("reaction_force", (4, 1, 1), 1e-3)


def test_confirmed_follows_the_digits_asked() -> None:
    for asked, confirmed in ((3.9, True), (4.1, False)):
        found = certified(FOUR_DIGITS, asked=asked)
        assert found["confirmed"] is confirmed
        assert found["asked"] == asked
        assert found["digits"] == pytest.approx(4.0)
        words = "confirmed to 4.0 digits by lie-se3" if confirmed else "NOT confirmed to the 4.1 digits asked for, but"
        assert found["statement"].startswith(words)
        assert ("NOT" in found["statement"]) is not confirmed


@pytest.mark.parametrize(
    ("change", "quantity", "where"),
    [
        (("position", (7, 0, 1), 0.025), "poses", {"body": "crank"}),
        (("velocity", (7, 1, 0), -0.1), "velocities", {"body": "rod"}),
        (("acceleration", (7, 0, 1), 0.2), "accelerations", {"body": "crank"}),
        (("reaction_torque", (7, 1, 1), 0.25), "reactions", {"joint": "slide"}),
        (("kinetic_energy", 7, -0.4), "energies", {}),
    ],
)
def test_every_quantity_can_refuse_and_is_named_with_its_place(change: Any, quantity: str, where: Any) -> None:
    """One quantity is off by five per cent, the others by a little elsewhere."""
    others = [("velocity", (2, 0, 2), 1e-5), ("position", (3, 1, 2), 1e-6)]
    found = certified(change, *others)
    assert not found["confirmed"]
    assert found["worst"] == {"quantity": quantity, "time": pytest.approx(0.7), **where}
    assert found["digits"] == found["quantities"][quantity]["digits"] == pytest.approx(-math.log10(0.05))
    assert f"worst: {quantity} at t = 0.7 s{', ' if where else ''}" in found["statement"]
    assert all(f"{name} {found['quantities'][name]['digits']:.1f}" in found["statement"] for name in QUANTITIES)
    assert certified(change, *others, asked=1.0)["confirmed"]


def test_the_worst_of_velocities_is_not_that_of_poses() -> None:
    found = certified(("position", (4, 0, 1), 1e-6), ("velocity", (4, 1, 1), 1e-3))
    assert found["quantities"]["poses"]["worst"] == {"time": pytest.approx(0.4), "body": "crank"}
    assert found["quantities"]["velocities"]["worst"] == {"time": pytest.approx(0.4), "body": "rod"}
    assert found["worst"]["body"] == "rod"


def test_a_motion_that_is_lost_is_not_confirmed_beyond_that() -> None:
    drift = ("position", (slice(6, None), 1, 1), 0.2)
    found = certified(drift, ("position", (4, 1, 1), 5e-4))
    assert not found["confirmed"]
    assert found["lost_at"] == pytest.approx(0.6)
    said = "NOT confirmed beyond t = 0.6 s. Up to t = 0.5 s its motion agrees to 3.0 digits. Checked by lie-se3 with"
    assert found["statement"].startswith(said)
    assert [one["digits"] for one in found["through_time"]] == pytest.approx(
        [17.0] * 3 + [3.0] * 2 + [math.log10(2.5)] * 5
    )


def test_a_check_that_stopped_confirms_nothing_beyond_that() -> None:
    found = certified(samples=N + 5)
    assert not found["confirmed"]
    assert not found["whole"]
    assert found["until"] == pytest.approx(1.0)
    assert found["statement"].startswith("NOT confirmed beyond t = 1 s, where the check stopped; up to there to 17.0")


def test_a_check_that_is_not_settled_confirms_nothing() -> None:
    own = apart(RUN, Sampled.of(result(("acceleration", (4, 0, 1), 0.04))), SIZE)
    found = certified(own=own, asked=1.9)
    assert found["check"]["digits"] == pytest.approx(2.0)
    assert found["confirmed"]
    assert "settled to 2.0 digits only" in found["statement"]
    assert not certified(own=own, asked=2.1)["confirmed"]
    run = result()
    unknown = certificate_of(run, N, Check(HOW, apart(RUN, RUN, SIZE), None), [])
    assert not unknown["confirmed"]
    assert "is settled is not known" in unknown["statement"]
    assert certified()["check"]["digits"] == pytest.approx(10.0)  # two runs alike to the last bit: their tolerance


def test_what_is_not_finite_is_not_confirmed() -> None:
    found = certified(("acceleration", (4, 0, 1), math.nan))
    assert not found["confirmed"]
    assert found["worst"]["quantity"] == "accelerations"
    assert "accelerations unknown" in found["statement"]


def test_reactions_that_are_not_unique_are_named() -> None:
    found = certified(idle=("pin", "slide"))
    assert found["not_unique"] == ["pin", "slide"]
    assert "Reactions of 'pin', 'slide' are not unique and were not compared." in found["statement"]


def test_growth_is_judged_between_its_limits_only() -> None:
    """Exponential from 1e-14 to 1e-2 counts; a total growth below a thousand does not."""
    time = np.linspace(0.0, 1.0, 101)
    none, zero = np.zeros(101, dtype=np.intp), np.zeros(101)

    def rate(values: Any) -> Any:
        return sensitivity(Difference(time, values, zero, none, none))

    assert rate(1e-10 * 10.0 ** (3.1 * time))["per_second"] == pytest.approx(3.1)
    assert rate(1e-10 * 10.0 ** (2.9 * time)) is None
    saturated = np.minimum(1e-13 * 10.0 ** (30.0 * time), 1.0)
    assert rate(saturated)["per_second"] == pytest.approx(30.0)
    assert rate(1e-16 * 10.0 ** (2.0 * time)) is None  # nothing above rounding
