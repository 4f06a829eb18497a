"""All constraint rows of a mechanism at once: values, Jacobian parts, nu, gamma and their variations.

Shapes, with nb bodies (index nb is ground) and nc rows:
r (nb + 1, 3) m; A (nb + 1, 9) body -> global; v (nb + 1, 3) m/s global; w (nb + 1, 3) rad/s body components;
drive (nc, 3) = f, f', f''. A row's Jacobian part for one body is six numbers, (translation global 3, rotation
body 3); the velocity u they multiply is (rdot global, omega body). Position-level rows have phi and f'';
velocity-level rows have phi = 0, nu = f, and f' in gamma. Each kind of row is one file (`kind.RowKind`).
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.blocks import put_part
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.switch import Switch

row = Switch([kind.row for kind in KINDS])
nu_of = Switch([kind.nu for kind in KINDS])
gamma_of = Switch([kind.gamma for kind in KINDS])
add_variation = Switch([kind.add_variation for kind in KINDS])
add_rate_variation = Switch([kind.add_rate_variation for kind in KINDS])


@kernel
def evaluate_rows(rows: Any, r: Any, A: Any, drive: Any, phi: Any, G_i: Any, G_j: Any) -> None:
    """Write phi (nc,) and the Jacobian parts G_i, G_j (nc, 6) of every row [Kissel 2021, eqs. 1-4, Table 2]."""
    for k in range(rows.kind.shape[0]):
        phi[k], along_i, about_i, along_j, about_j = row(rows.kind[k], rows, k, r, A, drive)
        put_part(G_i, k, along_i, about_i)
        put_part(G_j, k, along_j, about_j)


@kernel
def rows_nu(rows: Any, r: Any, A: Any, drive: Any, nu: Any) -> None:
    """Write nu (nc,), the right-hand side of G u = nu [Kissel 2021, eq. 17]."""
    for k in range(rows.kind.shape[0]):
        nu[k] = nu_of(rows.kind[k], rows, k, r, A, drive)


@kernel
def rows_gamma(rows: Any, r: Any, A: Any, v: Any, w: Any, drive: Any, gamma: Any) -> None:
    """Write gamma (nc,), the right-hand side of G udot = gamma [Kissel 2021, eq. 18]."""
    for k in range(rows.kind.shape[0]):
        gamma[k] = gamma_of(rows.kind[k], rows, k, r, A, v, w, drive)


@kernel
def row_variation(rows: Any, k: int, lam: Any, r: Any, A: Any, drive: Any, out: Any) -> None:
    """Add to out (12, 12) the variation of +G^T lam of row k: derivatives of its generalised forces on
    (r_i, theta_i, r_j, theta_j) by the same, theta a body-fixed rotation [Kissel 2021, Tables 3-6].
    """
    add_variation(rows.kind[k], out, lam, rows, k, r, A, drive)


@kernel
def rate_variation(rows: Any, k: int, r: Any, A: Any, v: Any, w: Any, drive: Any, out: Any) -> None:
    """Add to out (12,) the variation of G u of velocity-level row k with (r_i, theta_i, r_j, theta_j), u held."""
    add_rate_variation(rows.kind[k], out, rows, k, r, A, v, w)
