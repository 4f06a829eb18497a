"""The Kissel 2021 layout: translation, side files, and what the importer says about a file's slips."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.errors import ModelError
from linkwork.io.formats import load
from linkwork.mechanism import Mechanism

# a pendulum written for this test in that layout: 3 m rod about global y, its frame turned by 8-digit cosines
BAR: dict[str, Any] = {
    "name": "test pendulum",
    "bodies": [
        {
            "name": "bar",
            "id": 7,
            "r": [1.29903811, 0, -0.75],
            "r_dot": [0, 0, 0],
            "A": [[0.86602540, 0, 0.5], [0, 1, 0], [-0.5, 0, 0.86602540]],
            "omega": [0, 0, 0],
            "omega_dot": [0, 0, 0],
        },
        {"name": "base", "id": 3},
    ],
    "constraints": [
        *(
            {"name": f"pin_{k}", "type": "CD", "body_i": 7, "body_j": 3, "c": c, "s_bar_p_i": [-1.5, 0, 0],
             "s_bar_q_j": [0, 0, 0], "f": "0", "f_dot": "0", "f_ddot": "0"}
            for k, c in enumerate(np.eye(3).tolist())
        ),
        {"name": "axis_1", "type": "DP1", "body_i": 7, "body_j": 3, "a_bar_i": [1, 0, 0], "a_bar_j": [0, 1, 0],
         "f": "0"},
        {"name": "axis_2", "type": "DP1", "body_i": 7, "body_j": 3, "a_bar_i": [0, 0, 1], "a_bar_j": [0, 1, 0],
         "f": "0"},
        {"name": "driving", "type": "DP1", "body_i": 3, "body_j": 7, "a_bar_i": [1, 0, 0], "a_bar_j": [1, 0, 0],
         "f": "cos(pi/6 + 2*t)", "f_dot": "-2*sin(pi/6 + 2*t)", "f_ddot": "-4*cos(pi/6 + 2*t)"},
    ],
}  # fmt: skip


def written(folder: Path, change: Any = None, name: str = "bar.mdl") -> Path:
    data = copy.deepcopy(BAR)
    if change is not None:
        change(data)
    path = folder / name
    path.write_text(json.dumps(data))
    return path


def notes(mech: Mechanism) -> str:
    return "\n".join(mech.lower().notes)


@pytest.mark.parametrize("name", ["bar.mdl", "bar.json"])
def test_bodies_and_rows_come_over(name: str, tmp_path: Path) -> None:
    mech = load(written(tmp_path, name=name))
    lowered = mech.lower()
    assert [row.kind for row in lowered.rows] == ["CD", "CD", "CD", "DP1", "DP1", "ANGLE"]
    assert {(row.body_i, row.body_j) for row in lowered.rows} == {(0, -1), (-1, 0)}
    assert_allclose(lowered.rows[1].s_i, [-1.5, 0, 0])
    assert_allclose(lowered.rows[1].a_i, [0, 1, 0])
    A = lowered.bodies[0].rotation
    assert np.abs(A.T @ A - np.eye(3)).max() < 1e-15
    assert "orthonormal only to" in notes(mech)
    assert "omega_dot not used" in notes(mech)
    assert lowered.bodies[0].mass is None


def test_positions_and_velocities_come_over_as_they_stand(tmp_path: Path) -> None:
    def move(data: Any) -> None:
        data["bodies"][0] |= {"r": [0.5, -1, 2], "r_dot": [3, 0, -4], "omega": [0, 7, 1]}

    (bar,) = load(written(tmp_path, move)).lower().bodies
    assert_allclose(bar.position, [0.5, -1, 2])
    assert_allclose(bar.velocity, [3, 0, -4])
    assert_allclose(bar.angular_velocity, [0, 7, 1])


def test_a_driver_that_disagrees_with_the_start_is_reported(tmp_path: Path) -> None:
    (found,) = load(written(tmp_path)).driver_mismatches()
    assert found.name == "driving"
    assert found.rate_differs  # the file is at rest
    assert not found.value_differs


def test_a_driver_without_motion_is_pointed_out(tmp_path: Path) -> None:
    def stop(data: Any) -> None:
        data["constraints"][-1] |= {"f": "0", "f_dot": "0", "f_ddot": "0"}

    mech = load(written(tmp_path, stop))
    assert "'driving' is a driver with the constant f = 0" in notes(mech)
    (found,) = mech.driver_mismatches()
    assert found.value == pytest.approx(np.cos(np.pi / 6))


def test_written_derivatives_are_checked(tmp_path: Path) -> None:
    assert "derivative" not in notes(load(written(tmp_path)))

    def slip(data: Any) -> None:
        data["constraints"][-1]["f_ddot"] = "4*cos(pi/6 + 2*t)"
        data["constraints"][0]["f_dot"] = "import os"

    said = notes(load(written(tmp_path, slip)))
    assert "'driving': f_ddot is written as '4*cos(pi/6 + 2*t)', which is not the derivative" in said
    assert "'pin_0': f_dot is not a formula" in said


SIDE = """
bodies:
  bar: {mass: 2.5, inertia: [1e-3, 2, 2], angular_velocity: [0, 2, 0], velocity: [-1.5, 0, -2.59807621]}
constraints:
  driving: {f: cos(pi/6 + 2*t)}
"""


def test_a_side_file_beside_the_model_is_found(tmp_path: Path) -> None:
    (tmp_path / "bar.side.yaml").write_text(SIDE)
    mech = load(written(tmp_path))
    body = mech.lower().bodies[0]
    assert body.mass == 2.5
    assert_allclose(np.diag(body.inertia), [1e-3, 2, 2])  # type: ignore[arg-type]
    assert mech.driver_mismatches() == []
    assert "bar.side.yaml" in notes(mech)


def test_a_side_can_be_given_as_path_or_data(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SIDE)
    assert load(written(tmp_path), side=other).element("bar").mass == 2.5
    data = {
        "bodies": {"bar": {"shape": {"type": "rod", "length": 3, "density": 2}}},
        "constraints": {"driving": {"f": 0.5}},
    }
    mech = load(written(tmp_path), side=data)
    assert mech.lower().bodies[0].mass == 6.0
    assert mech.element("driving").f == 0.5


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ({"bodies": {"br": {"mass": 1}}}, "did you mean 'bar'?"),
        ({"bodies": {"bar": {"mas": 1}}}, "did you mean 'mass'?"),
        ({"bodies": {"bar": {"mass": -1}}}, "must not be negative"),
        ({"bodies": {"bar": 3}}, "must be a mapping"),
        ({"bodies": []}, "must map names"),
        ({"bodys": {}}, "did you mean 'bodies'?"),
        ({"constraints": {"driving": {"f": "sin(x)"}}}, "the name 'x' is not known"),
        ({"constraints": {"driving": {"a_i": [1, 0, 0]}}}, "a side file cannot give 'a_i'"),
        (["a"], "holds bodies and constraints"),
        ("missing.yaml", "does not exist"),
    ],
)
def test_a_wrong_side_is_refused_by_name(side: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load(written(tmp_path), side=side)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("bodies", 0, "A"), [[1, 0, 0], [0, 1, 0], [0, 0, 1.1]], "bodies[0] 'bar': rotation is not a rotation"),
        (("bodies", 0, "A"), [[1, 0, 0], [0, 1, 0], [0, 0, -1]], "left-handed"),
        (("bodies", 0, "A"), None, "rotation must be a list of 3"),
        (("bodies", 0, "id"), "seven", "has the id 'seven'"),
        (("bodies", 1, "id"), 7, "which body 'bar' has already"),
        (("bodies", 0, "mass"), 3, "has no key 'mass'"),
        (("constraints", 0, "body_i"), 9, "body_i is 9, but the bodies have the ids 7, 3"),
        (("constraints", 0, "type"), "CDD", "did you mean 'CD'?"),
        (("constraints", 0, "c"), [0, 0, 0], "zero vector"),
        (("constraints", 5, "f"), "eval('1')", "is not a formula"),
        (("constraints", 5, "a_bar"), [0, 0, 1], "did you mean"),
        (("constraints",), None, "needs a list of constraints"),
        (("forces",), [], "which this layout does not have"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(path: Any, value: Any, words: str, tmp_path: Path) -> None:
    def spoil(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    with pytest.raises(ModelError) as caught:
        load(written(tmp_path, spoil))
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_names_used_twice_are_numbered(tmp_path: Path) -> None:
    def double(data: Any) -> None:
        data["constraints"][1]["name"] = "pin_0"

    mech = load(written(tmp_path, double))
    assert [c.name for c in mech.constraints][:2] == ["pin_0", "pin_0 (2)"]
    assert "is called 'pin_0 (2)'" in notes(mech)
