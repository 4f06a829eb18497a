"""Mufti 1983, all ways of solving the constrained Newton-Euler system: the comparison that the paper does not make."""

from __future__ import annotations

from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers.mufti1983 import agreement, comparison, cost, drift, growth, loops, penalty
from linkwork.studies.papers.mufti1983.methods import PUBLISHED

PAPER = Paper(
    key="mufti1983",
    citation="Mufti: National Research Council Canada, NRC 22797, 1983",
    title="Equations of motion for rigid multibody systems",
    items=(
        Item("agreement", "Accelerations and reactions of all methods at the same states", agreement.agreement),
        Item("drift", "Drift off the constraints: alone, rebuilt, stabilised, projected", drift.drift),
        Item("cost", "Microseconds per evaluation", cost.cost),
        Item("growth", "Cost against the number of bodies", growth.growth),
        Item("penalty", "Error of the penalty method against its parameter", penalty.penalty),
        Item("redundant", "Redundant rows: who runs them", loops.redundant),
        Item("singular inertia", "Bodies without inertia about an axis: who runs them", loops.singular_inertia),
        Item("comparison", "All methods in one table", comparison.comparison),
    ),
    doubts=PUBLISHED.doubts,
)
