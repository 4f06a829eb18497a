"""Raw primitive constraints, by type; one file each."""

from __future__ import annotations

from linkwork.registry import Registry

_HERE = "linkwork.mechanism.constraints"

CONSTRAINTS = Registry(
    "constraint",
    {
        "DP1": f"{_HERE}.dp1:DP1",
        "DP2": f"{_HERE}.dp2:DP2",
        "D": f"{_HERE}.d:D",
        "CD": f"{_HERE}.cd:CD",
        "PFAFFIAN": f"{_HERE}.pfaffian:Pfaffian",
    },
)
