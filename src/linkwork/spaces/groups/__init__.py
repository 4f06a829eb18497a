"""Lie groups on which a body's pose (A, r) moves: one module per group, all with the same names.

An increment X = (w, v) is an element of the group's algebra, two 3-tuples [rad, m], angular part first. It multiplies
on the right: (A, r) -> (A, r) exp(X). What the linear part means is where the groups differ: on SE(3) it is in body
components and turns along, on SO(3) x R^3 it is global and moves apart from the rotation.

    SIZE                               dimension of the group
    exp(w, v), log(A, p)               increment to pose, and back (|w| <= pi)
    compose(A, r, w, v)                the pose (A, r) exp(X)
    difference(A0, r0, A1, r1)         X with compose(A0, r0, X) = (A1, r1)
    dexp(w, v, y_w, y_v)               dexp_X Y, where exp(X + dX) = exp(dexp_X dX) exp(X) to first order
    dexp_inv(w, v, y_w, y_v)           dexp_X^-1 Y; singular at |w| = 2 pi
    increment_rate(w, v, V_w, V_v)     dexp_{-X}^-1 V: the rate of X when compose(A0, r0, X) moves with velocity V
    tangent(w, v)                      dexp_{-X} as its 3 x 3 blocks (angular, linear from angular, linear)
    tangent_inv(w, v)                  dexp_{-X}^-1 likewise
    velocity_of(A, rdot), rdot_of(A, v)    the linear part of the group's velocity from the global one, and back

The angular part of a velocity is the body angular velocity in every group. All are kernels on tuples, matrices
row-major tuples of nine; none fails, and all pass complex steps. [Müller 2013, section 2]
"""

from __future__ import annotations

from types import ModuleType

from linkwork.spaces.groups import product, se3, so3

GROUPS: dict[str, ModuleType] = {
    "SO(3)": so3,
    "SE(3)": se3,
    "SO(3)xR3": product,
}
