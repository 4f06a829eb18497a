"""Bodies: shapes, rotations, inertias, and what is said about unusual ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from linkwork.errors import ModelError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.rotation import rotation_matrix, turn
from linkwork.mechanism.shapes import SHAPES

SAMPLES: dict[str, tuple[dict[str, Any], Any]] = {
    # fields, and whether a point (n, 3) of the bounding cube of half size 1 lies inside
    "box": ({"size": [1.0, 1.6, 0.8]}, lambda p: (np.abs(p) < [0.5, 0.8, 0.4]).all(1)),
    "cylinder": (
        {"radius": 0.7, "length": 1.2, "axis": "x"},
        lambda p: (np.hypot(p[:, 1], p[:, 2]) < 0.7) & (abs(p[:, 0]) < 0.6),
    ),
    "tube": (
        {"radius": 0.9, "inner_radius": 0.5, "length": 1.8, "axis": "y"},
        lambda p: (np.hypot(p[:, 0], p[:, 2]) < 0.9) & (np.hypot(p[:, 0], p[:, 2]) > 0.5) & (abs(p[:, 1]) < 0.9),
    ),
    "sphere": ({"radius": 0.9}, lambda p: (p * p).sum(1) < 0.81),
    "ellipsoid": ({"radii": [0.9, 0.6, 0.4]}, lambda p: ((p / [0.9, 0.6, 0.4]) ** 2).sum(1) < 1),
    "rod": ({"length": 1.6, "axis": "y"}, lambda p: (abs(p[:, 1]) < 0.8) & (np.hypot(p[:, 0], p[:, 2]) < 0.02)),
    "plate": (
        {"width": 1.8, "height": 1.0},
        lambda p: (abs(p[:, 0]) < 0.9) & (abs(p[:, 1]) < 0.5) & (abs(p[:, 2]) < 0.01),
    ),
    "disc": ({"radius": 0.9, "axis": "x"}, lambda p: (np.hypot(p[:, 1], p[:, 2]) < 0.9) & (abs(p[:, 0]) < 0.01)),
    "capsule": (
        {"radius": 0.4, "length": 1.0, "axis": "x"},
        lambda p: (p[:, 1:] ** 2).sum(1) + np.maximum(abs(p[:, 0]) - 0.5, 0.0) ** 2 < 0.16,
    ),
    "cone": (
        {"radius": 0.8, "length": 1.2, "axis": "y"},
        lambda p: (np.hypot(p[:, 0], p[:, 2]) < 0.8 * (0.9 - p[:, 1]) / 1.2) & (p[:, 1] > -0.3),
    ),
}
FLAT = {"rod": {"0": 0.04, "2": 0.04}, "plate": {"2": 0.02}, "disc": {"0": 0.02}}


@pytest.mark.parametrize("kind", list(SHAPES))
def test_a_shapes_inertia_is_that_of_its_points(kind: str) -> None:
    fields, inside = SAMPLES[kind]
    rng = np.random.default_rng(3)
    p = rng.uniform(-1, 1, size=(400_000, 3))
    for axis, width in FLAT.get(kind, {}).items():  # squeeze the sampling where the shape is thin
        p[:, int(axis)] *= width / 2.0
    p = p[inside(p)]
    J = np.diag(
        [(p[:, [1, 2]] ** 2).sum(1).mean(), (p[:, [0, 2]] ** 2).sum(1).mean(), (p[:, [0, 1]] ** 2).sum(1).mean()]
    )
    shape = SHAPES.load(kind).model_validate({"type": kind, **fields})
    assert_allclose(shape.inertia(1.0), J, atol=4e-3)


def test_densities_multiply_volume_area_or_length() -> None:
    masses = {
        kind: SHAPES.load(kind).model_validate({"type": kind, **SAMPLES[kind][0], "density": 2.0}).mass()
        for kind in SHAPES
    }
    assert masses["box"] == pytest.approx(2 * 1.28)
    assert masses["cylinder"] == pytest.approx(2 * np.pi * 0.49 * 1.2)
    assert masses["tube"] == pytest.approx(2 * np.pi * (0.81 - 0.25) * 1.8)
    assert masses["sphere"] == pytest.approx(2 * 4 / 3 * np.pi * 0.729)
    assert masses["ellipsoid"] == pytest.approx(2 * 4 / 3 * np.pi * 0.216)
    assert masses["rod"] == pytest.approx(3.2)
    assert masses["plate"] == pytest.approx(3.6)
    assert masses["disc"] == pytest.approx(2 * np.pi * 0.81)
    assert masses["capsule"] == pytest.approx(2 * (np.pi * 0.16 + 4 / 3 * np.pi * 0.064))
    assert masses["cone"] == pytest.approx(2 * np.pi * 0.64 * 1.2 / 3)
    units = {kind: SHAPES.load(kind).unit for kind in SHAPES}
    flat = {"rod": "kg/m", "plate": "kg/m^2", "disc": "kg/m^2"}
    assert units == {kind: flat.get(kind, "kg/m^3") for kind in SHAPES}


angles = st.floats(-7, 7)


@given(phi=angles, theta=angles, psi=angles)
def test_all_ways_to_write_a_rotation_agree(phi: float, theta: float, psi: float) -> None:
    z, x = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    A = turn(z, phi) @ turn(x, theta) @ turn(z, psi)
    half = theta / 2
    p = [
        np.cos(half) * np.cos((phi + psi) / 2),
        np.sin(half) * np.cos((phi - psi) / 2),
        np.sin(half) * np.sin((phi - psi) / 2),
        np.cos(half) * np.sin((phi + psi) / 2),
    ]
    mech = Mechanism("m")
    for name, rotation in {"a": A, "b": {"euler_zxz": [phi, theta, psi]}, "c": {"quaternion": p}}.items():
        body = mech.body(name, rotation=rotation)
        assert_allclose(rotation_matrix(body.rotation)[0], A, atol=1e-12)


def test_axis_and_angle_is_a_right_handed_turn() -> None:
    body = Mechanism("m").body("b", rotation={"axis": [0, 0, 5], "angle": np.pi / 2})
    assert_allclose(rotation_matrix(body.rotation)[0] @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rotation": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}, "left-handed"),
        ({"rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]]}, "orthonormal only to 0.002"),
        ({"rotation": [[1, 0, 0], [0, 1, 0]]}, "list of 3"),
        ({"rotation": {"quaternion": [1, 1, 0, 0]}}, "length 1.414"),
        ({"rotation": {"quaternion": [1, 0, 0]}}, "list of 4"),
        ({"rotation": {"quat": [1, 0, 0, 0]}}, "did you mean 'quaternion'?"),
        ({"rotation": {"axis": [0, 0, 1]}}, "needs 'angle'"),
        ({"rotation": 3}, "rotation must be a list of 3, not 3"),
        ({"mass": -2}, "mass must not be negative (-2)"),
        ({"mass": "2"}, "mass must be a number, not '2'"),
        ({"mass": True}, "mass must be a number"),
        ({"mass": float("inf")}, "finite"),
        ({"mass": 1e200}, "too large"),
        ({"inertia": [1, 2]}, "3 principal moments or a 3 x 3 matrix"),
        ({"inertia": [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]}, "not symmetric"),
        ({"shape": {"type": "bx"}}, "did you mean 'box'?"),
        ({"shape": {"type": "box", "size": [1, 1, 0]}}, "shape.size[2] must be positive"),
        ({"shape": {"type": "tube", "radius": 1, "inner_radius": 1, "length": 1}}, "inner radius"),
        ({"shape": {"type": "sphere", "radius": 1, "density": 1}, "mass": 1}, "both a mass and a shape"),
        ({"shape": {"type": "sphere", "radius": 1}, "inertia": [1, 1, 1]}, "both an inertia and a shape"),
        ({"position": [0, 0]}, "position must be a list of 3"),
        ({"name": "ground"}, "has the name 'ground'"),
        ({"name": ""}, "printable name"),
        ({"colour": "red"}, "has no key 'colour'"),
    ],
)
def test_a_wrong_body_is_refused_by_name(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError) as caught:
        Mechanism("m").body(**({"name": "b"} | fields))
    assert words in str(caught.value)
    assert caught.value.element is not None
    assert caught.value.element.startswith("bodies[0]")


def test_a_nearly_orthonormal_rotation_is_replaced_and_said() -> None:
    A = turn(np.array([0.6, 0.8, 0.0]), 1.0)
    mech = Mechanism("m", bodies=[{"name": "b", "rotation": A.round(8)}])
    found = mech.lower().bodies[0].rotation
    assert np.abs(found.T @ found - np.eye(3)).max() < 4e-15
    assert_allclose(found, A, atol=1e-8)
    assert "body 'b': its rotation was orthonormal only to" in mech.notes[0]


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        ([4, 2, 0], "exceeds the sum"),
        ([1, 1, -0.1], "not positive semidefinite"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "not positive semidefinite"),
        ([1, 1, 2], None),
        ([0, 1, 1], None),
    ],
)
def test_an_inertia_no_body_has_is_a_warning(inertia: Any, words: str | None) -> None:
    mech = Mechanism("m", bodies=[{"name": "plate", "mass": 1, "inertia": inertia}])
    notes = mech.lower().notes
    assert (words is None) == (notes == ())
    assert words is None or (words in notes[0] and "'plate'" in notes[0])


def test_mass_and_inertia_may_be_missing() -> None:
    mech = Mechanism(
        "m", bodies=[{"name": "a"}, {"name": "b", "mass": 1}, {"name": "c", "shape": {"type": "rod", "length": 1}}]
    )
    assert [(b.mass, b.inertia) for b in mech.lower().bodies] == [(None, None), (1.0, None), (None, None)]


@pytest.mark.parametrize("value", [[1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0], [0.0, 0.0, 1.57]])
def test_numbers_in_a_row_are_no_rotation(value: list[float]) -> None:
    with pytest.raises(ModelError, match=r"must be 3 rows of 3 numbers, or \{quaternion"):
        Mechanism("m").body("b", rotation=value)
