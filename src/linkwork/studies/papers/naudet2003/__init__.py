"""Naudet, Lefeber and Terze 2003, forward dynamics in canonical momenta: what a recursion costs in operations."""

from __future__ import annotations

from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers.naudet2003 import drift, loops, table_1
from linkwork.studies.papers.naudet2003.table_1 import PUBLISHED

PAPER = Paper(
    key="naudet2003",
    citation="Naudet, Lefeber, Terze: 2003",
    title="General formulation of an efficient recursive algorithm based on canonical momenta for forward dynamics of "
    "open-loop multibody systems",
    items=(
        Item("table 1", "Operations of a chain of pins", table_1.table_1),
        Item("energy", "Energy over 1000 s: momenta and rates as state, symplectic methods", drift.energy_over_time),
        Item("loops", "Closed loops: velocity-level multipliers beside acceleration-level ones", loops.loops),
    ),
    doubts=PUBLISHED.doubts,
)
