"""The numbers of Radau IIA methods: collocation at the right Radau points [Hairer, Wanner 1996, IV.5, IV.8].

With s stages, order 2s - 1. Newton's method is solved in eigenvectors of A: one real system, and a complex one for each
of the (s - 1)/2 pairs of eigenvalues.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
from numpy.polynomial import Legendre, Polynomial

from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats


class Collocation(NamedTuple):
    """A method's numbers, for compiled code."""

    c: Annotated[Floats, Shape("stages"), "abscissae"]
    A: Annotated[Floats, Shape("stages", "stages"), "weights of the stages"]
    inverse: Annotated[Floats, Shape("stages", "stages"), "of A"]
    error: Annotated[Floats, Shape("stages + 1"), "weights of the estimate: of the step's start, then of the stages"]
    basis: Annotated[Floats, Shape("stages", "stages"), "Lagrange's polynomials through c, ascending powers"]
    eigenvalues: Annotated[
        Floats, Shape("stages"), "of A: the real one, then real and imaginary part of one of each pair"
    ]
    into: Annotated[
        Floats,
        Shape(3, "stages", "stages"),
        "residuals of the stages to those of the eigenvectors, real and imaginary parts apart; each row over 1, the "
        "eigenvalue and its square",
    ]
    back: Annotated[Floats, Shape("stages", "stages"), "corrections of the eigenvectors to those of the stages"]


@cache
def radau_iia(stages: int) -> Collocation:
    """The method with this odd number of stages. Its arrays are shared: read-only."""
    if stages < 1 or stages % 2 == 0:
        raise ValueError(f"{stages} stages: the eigenvalues want an odd number")
    c = radau_points(stages)
    basis = lagrange(c)
    integrals = [one.integ() for one in basis]
    A = np.array([[one(t) for one in integrals] for t in c])
    values, vectors = np.linalg.eig(A)
    real = int(np.argmin(np.abs(values.imag)))
    upper = sorted((k for k in range(stages) if values[k].imag > 1e-9), key=lambda k: values[k].imag)
    inverse = np.linalg.inv(vectors)
    into, back, said = np.zeros((3, stages, stages)), np.zeros((stages, stages)), np.zeros(stages)
    turn = vectors[np.argmax(np.abs(vectors[:, real])), real]  # eigenvectors are known up to a factor
    said[0], back[:, 0] = values[real].real, (vectors[:, real] / turn).real
    for power in range(3):
        into[power, 0] = (inverse[real] * turn).real / values[real].real ** power
    for number, k in enumerate(upper):
        x, y = 2 * number + 1, 2 * number + 2
        said[x], said[y] = values[k].real, values[k].imag
        back[:, x], back[:, y] = 2.0 * vectors[:, k].real, -2.0 * vectors[:, k].imag
        for power in range(3):
            row = inverse[k] * values[k] ** -power
            into[power, x], into[power, y] = row.real, row.imag
    moments = np.vander(c, increasing=True).T  # of the powers 0, 1, ...
    error = np.append(said[0], np.linalg.solve(moments, -said[0] * np.eye(stages)[0]))
    powers = np.array([np.pad(one.coef, (0, stages - len(one.coef))) for one in basis])
    found = Collocation(c, A, np.linalg.inv(A), error, powers, said, into, back)
    for array in found:
        array.flags.writeable = False
    return found


def radau_points(stages: int) -> Floats:
    """Zeros of P_s - P_{s-1} on [0, 1]; the last is 1."""
    zeros = Legendre([0.0] * (stages - 1) + [-1.0, 1.0])
    slope = zeros.deriv()
    x = np.sort(zeros.roots().real)
    for _ in range(3):
        x -= zeros(x) / slope(x)
    x[-1] = 1.0
    points: Floats = 0.5 * (x + 1.0)
    return points


def lagrange(c: Floats) -> list[Polynomial]:
    """The polynomials that are 1 at one of the points and 0 at all others."""
    found = []
    for j, node in enumerate(c):
        others = np.delete(c, j)
        found.append(Polynomial.fromroots(others) / np.prod(node - others) if len(others) else Polynomial([1.0]))
    return found
