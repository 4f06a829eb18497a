"""Müller and Terze 2013, SE(3) or SO(3) x R3 as configuration space: their figures, and questions of ours."""

from __future__ import annotations

from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers.muller2013 import (
    energies,
    generalized_alpha,
    groups,
    orders,
    stabilisation,
    top_energy,
    violations,
)
from linkwork.studies.papers.muller2013.examples import PUBLISHED

PAPER = Paper(
    key="muller2013",
    citation="Müller, Terze: DETC2013-12151",
    title="Is there an optimal choice of configuration space for Lie group integration schemes applied to constrained "
    "MBS?",
    items=(
        Item("figure 2", "Heavy top: violation of the pivot", violations.figure_2),
        Item("figure 3", "Heavy top: drift of the kinetic energy", top_energy.figure_3),
        Item("figure 5", "Spherical double pendulum: violation of joint 1", violations.figure_5),
        Item("figure 6", "Spherical double pendulum: violation of joint 2", violations.figure_6),
        Item("figure 7", "Spherical double pendulum: drift of the total energy", energies.figure_7),
        Item("figure 9", "Floating pair: violation of the ball", violations.figure_9),
        Item("figure 10", "Floating pair: drift of the kinetic energy", energies.figure_10),
        Item("figure 12", "Three-bar linkage: violation of joint 1", violations.figure_12),
        Item("figure 13", "Three-bar linkage: violation of joint 2", violations.figure_13),
        Item("figure 14", "Three-bar linkage: violation of joint 3", violations.figure_14),
        Item("figure 15", "Three-bar linkage: drift of the total energy", energies.figure_15),
        Item("groups", "What each choice of group costs and keeps", groups.groups),
        Item("orders", "Measured orders of the Munthe-Kaas methods", orders.orders),
        Item(
            "generalized-alpha", "Orders of generalized-alpha in q, v and lambda", generalized_alpha.generalized_alpha
        ),
        Item("stabilisation", "Violations and energy with and without stabilisation", stabilisation.stabilisation),
    ),
    doubts=PUBLISHED.doubts,
)
