"""Inertias of bodies about frames of links, beside exact rational numbers: what is lost here, recursions multiply."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from linkwork.system.links.build import rigid_bodies

ENTRIES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@pytest.mark.parametrize("centre", [(0.0185, 0.0, 0.1108), (1e-6, 2.0, 3e-3), (-0.3, 0.7, 0.2)])
def test_a_point_mass_has_its_moments_to_the_last_digits(centre: tuple[float, float, float]) -> None:
    """Of a point far along one axis the moment about it is small: as |c|^2 - c_z^2 it had lost digits (icub's head)."""
    place = np.concatenate([np.eye(3).ravel(), centre])[None, :]
    found = rigid_bodies(np.array([1.33687]), np.zeros((1, 3, 3)), place)[0]
    m, c = Fraction(1.33687), [Fraction(x) for x in centre]
    square = sum(x * x for x in c)
    for number, (i, j) in zip(found[:6], ENTRIES, strict=True):
        exact = m * (square * (i == j) - c[i] * c[j])
        assert abs(Fraction(number) - exact) <= Fraction(4e-16) * abs(exact)
    assert found[9] == 1.33687
    for number, x in zip(found[6:9], c, strict=True):
        assert abs(Fraction(number) - m * x) <= Fraction(2e-16) * abs(m * x)


def test_a_rigid_body_is_turned_and_shifted() -> None:
    """R J R^T and the point mass in it."""
    R = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    c, J = np.array([0.2, -0.4, 0.1]), np.array([[2.0, 0.1, 0.3], [0.1, 3.0, 0.2], [0.3, 0.2, 4.0]])
    found = rigid_bodies(np.array([2.0]), J[None], np.concatenate([R.ravel(), c])[None, :])[0]
    I = R @ J @ R.T + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    np.testing.assert_allclose(found[:6], [I[i, j] for i, j in ENTRIES], rtol=1e-14)
