"""All constraint rows of a mechanism at once: values, Jacobian parts, nu, gamma and their variations.

Shapes, with nb bodies (index nb is ground) and nc rows:
r (nb + 1, 3) m; A (nb + 1, 9) body -> global; v (nb + 1, 3) m/s global; w (nb + 1, 3) rad/s body components;
drive (nc, 3) = f, f', f''. A row's Jacobian part for one body is six numbers, (translation global 3, rotation
body 3); the velocity u they multiply is (rdot global, omega body). Position-level rows have phi and f'';
velocity-level rows have phi = 0, nu = f, and f' in gamma.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9
from linkwork.kernels.rows import angle, cd, d, dp1, dp2, knife, pfaffian, rolling, screw
from linkwork.kernels.rows.blocks import THETA_I, ZERO, add_part, put_part
from linkwork.kernels.rows.kinds import VELOCITY_LEVEL
from linkwork.kernels.tables import ANGLE, CD, DP1, DP2, KNIFE, PFAFFIAN, ROLL_HEIGHT, ROLL_SLIP, SCREW, D
from linkwork.kernels.vec3 import get3, neg


@kernel
def evaluate_rows(rows: Any, r: Any, A: Any, drive: Any, phi: Any, G_i: Any, G_j: Any) -> None:
    """Write phi (nc,) and the Jacobian parts G_i, G_j (nc, 6) of every row [Kissel 2021, eqs. 1-4, Table 2]."""
    for k in range(rows.kind.shape[0]):
        kind = rows.kind[k]
        i, j = rows.body_i[k], rows.body_j[k]
        A_i, A_j = get9(A, i), get9(A, j)
        a_i = get3(rows.a_i, k)
        if kind == CD:
            value, Pi_i, Pi_j = cd.row(get3(r, i), A_i, get3(r, j), A_j, a_i, get3(rows.s_i, k), get3(rows.s_j, k))
            phi[k] = value - drive[k, 0]
            put_part(G_i, k, neg(a_i), Pi_i)
            put_part(G_j, k, a_i, Pi_j)
        elif kind == DP1:
            value, Pi_i, Pi_j = dp1.row(A_i, A_j, a_i, get3(rows.a_j, k))
            phi[k] = value - drive[k, 0]
            put_part(G_i, k, ZERO, Pi_i)
            put_part(G_j, k, ZERO, Pi_j)
        elif kind == DP2:
            value, a, Pi_i, Pi_j = dp2.row(get3(r, i), A_i, get3(r, j), A_j, a_i, get3(rows.s_i, k), get3(rows.s_j, k))
            phi[k] = value - drive[k, 0]
            put_part(G_i, k, neg(a), Pi_i)
            put_part(G_j, k, a, Pi_j)
        elif kind == D:
            value, a, Pi_i, Pi_j = d.row(get3(r, i), A_i, get3(r, j), A_j, get3(rows.s_i, k), get3(rows.s_j, k))
            phi[k] = value - drive[k, 0]
            put_part(G_i, k, neg(a), Pi_i)
            put_part(G_j, k, a, Pi_j)
        elif kind == ANGLE:
            e = angle.normal(drive[k, 0], a_i, get3(rows.b_i, k))
            value, Pi_i, Pi_j = dp1.row(A_i, A_j, e, get3(rows.a_j, k))
            phi[k] = value
            put_part(G_i, k, ZERO, Pi_i)
            put_part(G_j, k, ZERO, Pi_j)
        elif kind == SCREW:
            b_i, a_j, n = get3(rows.b_i, k), get3(rows.a_j, k), get3(rows.n, k)
            s_i, s_j, f, p = get3(rows.s_i, k), get3(rows.s_j, k), drive[k, 0], rows.scalar[k]
            phi[k], a, Pi_i, Pi_j = screw.row(get3(r, i), A_i, get3(r, j), A_j, a_i, b_i, a_j, n, s_i, s_j, f, p)
            put_part(G_i, k, neg(a), Pi_i)
            put_part(G_j, k, a, Pi_j)
        elif kind == ROLL_HEIGHT:
            n = get3(rows.n, k)
            value, Pi_i = rolling.height_row(get3(r, i), A_i, a_i, n, get3(rows.s_j, k), rows.scalar[k])
            phi[k] = value - drive[k, 0]
            put_part(G_i, k, n, Pi_i)
            put_part(G_j, k, ZERO, ZERO)
        elif kind == ROLL_SLIP:
            a_j = get3(rows.a_j, k)
            phi[k] = 0.0
            put_part(G_i, k, a_j, rolling.slip_row(A_i, a_i, get3(rows.n, k), a_j, rows.scalar[k]))
            put_part(G_j, k, ZERO, ZERO)
        elif kind == KNIFE:
            a, Pi_i = knife.row(A_i, a_i, get3(rows.s_i, k))
            phi[k] = 0.0
            put_part(G_i, k, a, Pi_i)
            put_part(G_j, k, ZERO, ZERO)
        elif kind == PFAFFIAN:
            phi[k] = 0.0
            pfaffian.put_row(rows, k, G_i, G_j)


@kernel
def rows_nu(rows: Any, r: Any, A: Any, drive: Any, nu: Any) -> None:
    """Write nu (nc,), the right-hand side of G u = nu [Kissel 2021, eq. 17]; ANGLE and SCREW rows look at the pose."""
    for k in range(rows.kind.shape[0]):
        kind = rows.kind[k]
        if kind in VELOCITY_LEVEL:
            nu[k] = drive[k, 0]
        elif kind == ANGLE:
            A_i, A_j = get9(A, rows.body_i[k]), get9(A, rows.body_j[k])
            a_i, b_i, a_j = get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k)
            nu[k] = angle.nu(drive[k, 0], drive[k, 1], A_i, A_j, a_i, b_i, a_j)
        elif kind == SCREW:
            i, j = rows.body_i[k], rows.body_j[k]
            A_i, A_j = get9(A, i), get9(A, j)
            n, s_i, s_j = get3(rows.n, k), get3(rows.s_i, k), get3(rows.s_j, k)
            u = screw.turned(get3(r, i), A_i, get3(r, j), A_j, n, s_i, s_j, drive[k, 0], rows.scalar[k])
            a_i, b_i, a_j = get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k)
            nu[k] = drive[k, 1] * screw.slope(u, A_i, A_j, a_i, b_i, a_j)
        else:
            nu[k] = drive[k, 1]


@kernel
def rows_gamma(rows: Any, r: Any, A: Any, v: Any, w: Any, drive: Any, gamma: Any) -> None:
    """Write gamma (nc,), the right-hand side of G udot = gamma [Kissel 2021, eq. 18]."""
    for k in range(rows.kind.shape[0]):
        kind = rows.kind[k]
        i, j = rows.body_i[k], rows.body_j[k]
        A_i, A_j = get9(A, i), get9(A, j)
        w_i, w_j = get3(w, i), get3(w, j)
        a_i = get3(rows.a_i, k)
        s_i, s_j = get3(rows.s_i, k), get3(rows.s_j, k)
        if kind == CD:
            gamma[k] = drive[k, 2] - cd.turning(A_i, w_i, A_j, w_j, a_i, s_i, s_j)
        elif kind == DP1:
            gamma[k] = drive[k, 2] - dp1.turning(A_i, A_j, w_i, w_j, a_i, get3(rows.a_j, k))
        elif kind == DP2:
            r_i, r_j, v_i, v_j = get3(r, i), get3(r, j), get3(v, i), get3(v, j)
            gamma[k] = drive[k, 2] - dp2.turning(r_i, A_i, v_i, w_i, r_j, A_j, v_j, w_j, a_i, s_i, s_j)
        elif kind == D:
            r_i, r_j, v_i, v_j = get3(r, i), get3(r, j), get3(v, i), get3(v, j)
            gamma[k] = drive[k, 2] - d.turning(r_i, A_i, v_i, w_i, r_j, A_j, v_j, w_j, s_i, s_j)
        elif kind == ANGLE:
            f, f1, f2 = get3(drive, k)
            gamma[k] = angle.gamma(f, f1, f2, A_i, A_j, w_i, w_j, a_i, get3(rows.b_i, k), get3(rows.a_j, k))
        elif kind == SCREW:
            f, f1, f2 = get3(drive, k)
            places, rates = (get3(r, i), A_i, get3(r, j), A_j), (get3(v, i), w_i, get3(v, j), w_j)
            b_i, a_j, n = get3(rows.b_i, k), get3(rows.a_j, k), get3(rows.n, k)
            gamma[k] = screw.gamma(places, rates, a_i, b_i, a_j, n, s_i, s_j, f, f1, f2, rows.scalar[k])
        elif kind == ROLL_HEIGHT:
            gamma[k] = drive[k, 2] - rolling.height_turning(A_i, w_i, a_i, get3(rows.n, k), rows.scalar[k])
        elif kind == ROLL_SLIP:
            n, a_j = get3(rows.n, k), get3(rows.a_j, k)
            gamma[k] = drive[k, 1] - rolling.slip_turning(A_i, w_i, a_i, n, a_j, rows.scalar[k])
        elif kind == KNIFE:
            gamma[k] = drive[k, 1] - knife.turning(A_i, get3(v, i), w_i, a_i)
        elif kind == PFAFFIAN:
            gamma[k] = drive[k, 1]


@kernel
def row_variation(rows: Any, k: int, lam: Any, r: Any, A: Any, drive: Any, out: Any) -> None:
    """Add to out (12, 12) the variation of +G^T lam of row k: derivatives of its generalised forces on
    (r_i, theta_i, r_j, theta_j) by the same, theta a body-fixed rotation [Kissel 2021, Tables 3-6].
    """
    i, j = rows.body_i[k], rows.body_j[k]
    _vary(
        out,
        rows.kind[k],
        lam,
        drive[k, 0],
        (get3(r, i), get3(r, j)),
        (get9(A, i), get9(A, j)),
        (get3(rows.a_i, k), get3(rows.b_i, k), get3(rows.a_j, k)),
        (get3(rows.s_i, k), get3(rows.s_j, k)),
        (get3(rows.n, k), rows.scalar[k]),
    )


@kernel
def _vary(out: Any, kind: Any, lam: Any, f: Any, origins: Any, turns: Any, axes: Any, points: Any, disc: Any) -> None:
    """The branches of `row_variation`, on numbers alone: branching on a table of arrays costs five times the work."""
    (r_i, r_j), (A_i, A_j), (a_i, b_i, a_j), (s_i, s_j), (n, R) = origins, turns, axes, points, disc
    if kind == CD:
        cd.add_variation(out, lam, A_i, A_j, a_i, s_i, s_j)
    elif kind == DP1:
        dp1.add_variation(out, lam, A_i, A_j, a_i, a_j)
    elif kind == DP2:
        dp2.add_variation(out, lam, r_i, A_i, r_j, A_j, a_i, s_j)
    elif kind == D:
        d.add_variation(out, lam, r_i, A_i, r_j, A_j, s_i, s_j)
    elif kind == ANGLE:
        dp1.add_variation(out, lam, A_i, A_j, angle.normal(f, a_i, b_i), a_j)
    elif kind == SCREW:
        screw.add_variation(out, lam, (r_i, A_i, r_j, A_j), a_i, b_i, a_j, n, s_i, s_j, f, R)
    elif kind == ROLL_HEIGHT:
        rolling.height_add_variation(out, lam, A_i, a_i, n, R)
    elif kind == ROLL_SLIP:
        rolling.slip_add_variation(out, lam, A_i, a_i, n, a_j, R)
    elif kind == KNIFE:
        knife.add_variation(out, lam, A_i, a_i)


@kernel
def rate_variation(rows: Any, k: int, r: Any, A: Any, v: Any, w: Any, drive: Any, out: Any) -> None:
    """Add to out (12,) the variation of G u of velocity-level row k with (r_i, theta_i, r_j, theta_j), u held.

    Position-level rows are met as phi = 0 and add nothing; PFAFFIAN rows are constant.
    """
    i = rows.body_i[k]
    kind, A_i, v_i, w_i = rows.kind[k], get9(A, i), get3(v, i), get3(w, i)
    a_i, a_j, n, R = get3(rows.a_i, k), get3(rows.a_j, k), get3(rows.n, k), rows.scalar[k]
    if kind == KNIFE:
        add_part(out, THETA_I, knife.rate_variation(A_i, v_i, a_i))
    elif kind == ROLL_SLIP:
        add_part(out, THETA_I, rolling.slip_rate_variation(A_i, w_i, a_i, n, a_j, R))
