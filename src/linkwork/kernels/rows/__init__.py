"""Constraint rows: one file per kind, with its kernels and its facts (`kind.RowKind`); `table` runs over all rows.

Everything is written in r, A and the body-fixed rotation theta (A -> A exp(skew(theta))), so that it serves every
choice of coordinates: a space pulls a rotation part back to its own (phi_q = Pi B(q)).
"""

from linkwork.registry import Registry

_HERE = "linkwork.kernels.rows"
ROWS = Registry(
    "row",
    {
        "DP1": f"{_HERE}.dp1:KIND",
        "DP2": f"{_HERE}.dp2:KIND",
        "D": f"{_HERE}.d:KIND",
        "CD": f"{_HERE}.cd:KIND",
        "ANGLE": f"{_HERE}.angle:KIND",
        "PFAFFIAN": f"{_HERE}.pfaffian:KIND",
        "KNIFE": f"{_HERE}.knife:KIND",
        "ROLL_HEIGHT": f"{_HERE}.rolling:HEIGHT",
        "ROLL_SLIP": f"{_HERE}.rolling:SLIP",
        "SCREW": f"{_HERE}.screw:KIND",
        "CV": f"{_HERE}.constant_velocity:KIND",
        "CONTACT": f"{_HERE}.contact:GAP",
        "CONTACT_SLIP": f"{_HERE}.contact:SLIP",
    },
)
