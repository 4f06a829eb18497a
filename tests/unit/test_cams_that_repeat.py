"""Tables that a cam repeats: the periodic spline, the same on both sides of where a period ends, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.formulations import FORMULATIONS
from linkwork.kernels.curves import jet_curve
from linkwork.kernels.tables import Curves
from linkwork.mechanism.tables import Table

TURN = 2 * np.pi
X = np.linspace(0, TURN, 13)
Y = 0.02 * np.sin(X) + 0.01 * np.cos(2 * X)
Y[-1] = Y[0]


def repeated(x: np.ndarray, y: np.ndarray, between: str = "cubic") -> Curves:
    pieces = np.array(Table(x=tuple(x), y=tuple(y), between=between).repeated("lift", TURN).pieces)
    return Curves(np.array([0, len(pieces)]), pieces)


def jets(curves: Curves, u: np.ndarray) -> np.ndarray:
    return np.array([jet_curve(curves, 0, (float(x), 1.0, 0.0)) for x in u])


def test_a_repeated_cubic_table_is_the_periodic_spline_with_or_without_its_last_point() -> None:
    spline = CubicSpline(X, Y, bc_type="periodic")
    u = np.linspace(0, TURN, 200)
    want = np.column_stack([spline(u, n) for n in range(3)])
    assert_allclose(jets(repeated(X, Y), u), want, atol=1e-13)
    assert_allclose(jets(repeated(X[:-1], Y[:-1]), u), want, atol=1e-13)


@pytest.mark.parametrize(("between", "smooth"), [("cubic", 3), ("pchip", 2), ("linear", 1)])
def test_the_end_goes_over_into_the_beginning(between: str, smooth: int) -> None:
    h = 1e-9
    end, begin = jets(repeated(X, Y, between), np.array([TURN - h, h]))
    assert_allclose(end[:smooth], begin[:smooth], atol=1e-8)
    at_end, at_begin = jets(repeated(X, Y, between), np.array([TURN, 0.0]))
    assert_allclose(at_end, at_begin, rtol=1e-12)


def cam(angle: float, **more: Any) -> lw.Mechanism:
    """A disc that stands at an angle and turns, and its follower, drawn down by gravity."""
    table = {"x": X.tolist(), "y": Y.tolist(), "between": "cubic"}
    place = {"point": [0, 0, 0], "axis": [0, 0, 1], "x": [1, 0, 0]}
    return lw.Mechanism.from_dict({
        "gravity": [0, -9.81, 0],
        "tables": {"lift": table | more},
        "bodies": [
            {"name": "disc", "mass": 1, "inertia": [0.1, 0.1, 0.02], "position": [0, 0, 0],
             "rotation": {"axis": [0, 0, 1], "angle": angle}, "angular_velocity": [0, 0, 3]},
            {"name": "follower", "mass": 0.5, "inertia": [1, 1, 1], "position": [0, 0.3 + Y[0], 0]},
        ],
        "joints": [
            {"name": "shaft", "type": "revolute", "first": "ground", "second": "disc", "on_first": place,
             "on_second": place},
            {"name": "guide", "type": "translational", "first": "ground", "second": "follower",
             "on_first": {"point": [0, 0.3, 0], "axis": [0, 1, 0]},
             "on_second": {"point": [0, 0, 0], "axis": [0, 1, 0]}},
        ],
        "couplings": [{"name": "profile", "type": "cam", "follower": "guide", "cam": "shaft", "table": "lift",
                       "period": TURN}],
    })  # fmt: skip


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("angle", [-1e-17, 0.0, 1e-17])
def test_a_cam_that_stands_where_its_table_begins_pushes_as_beside_it(angle: float, formulation: str) -> None:
    """An angle of zero less rounding lay behind the table, where it had no slope."""
    mech = lw.assemble(cam(angle)).mechanism
    spline = CubicSpline(X, Y, bc_type="periodic")
    s1, s2 = spline(0.0, 1), spline(0.0, 2)
    want = (-0.5 * 9.81 * s1 - 0.5 * s1 * s2 * 9.0) / (0.02 + 0.5 * s1 * s1)
    found = lw.accelerations(mech, formulation=formulation)
    assert_allclose(found.omegadot[0, 2], want, rtol=1e-7 if formulation == "penalty" else 1e-10)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"x": [0, 2, TURN], "y": [0, 0.1, 0.02]}, "repeats table 'lift', which has 0.02 after one period and 0 at 0"),
        ({"x": [1, 2, TURN], "y": [0, 0.1, 0]}, "begins at 1; one period from 0 is wanted"),
        ({"x": [0, 2, 7], "y": [0, 0.1, 0]}, "goes to 7, beyond the period 6.283185307"),
    ],
)
def test_tables_that_do_not_repeat_are_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words) as error:
        cam(0.0, **more).lower()
    assert "'profile'" in str(error.value)
