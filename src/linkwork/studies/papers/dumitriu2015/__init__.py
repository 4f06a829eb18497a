"""Dumitriu and Mărgăritescu 2015, all nine elements of the rotation matrix: their figures, and what they leave open."""

from __future__ import annotations

from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers.dumitriu2015 import (
    drift,
    elimination,
    errors,
    figures,
    integrals,
    regulation,
    stewart,
    stewart_speed,
)
from linkwork.studies.papers.dumitriu2015.case import PUBLISHED

PAPER = Paper(
    key="dumitriu2015",
    citation="Dumitriu, Mărgăritescu: Bucharest 2015",
    title="Validation of new rigid body dynamics formulation using rotation matrices elements as dependent parameters: "
    "double pendulum case study",
    items=(
        Item("figure 2", "Angles of the double pendulum", figures.figure_2),
        Item("figure 3", "Elements of the multiplier matrix of bar 1", figures.figure_3),
        Item("figure 4", "Elements of the multiplier matrix of bar 2", figures.figure_4),
        Item("figure 5", "Multipliers of the ball at O", figures.figure_5),
        Item("figure 6", "Multipliers of the ball at H1", figures.figure_6),
        Item("errors", "Error over step, multipliers of every stage and held over the step", errors.errors),
        Item("drift", "Drift of R^T R = I and of the joints", drift.drift),
        Item("regulation", "What the equations do with an error of R^T R", regulation.regulation),
        Item("first-integrals", "What is constant when a body turns freely", integrals.first_integrals),
        Item("elimination", "Size and cost of both eliminations as bodies become more", elimination.elimination),
        Item("stewart", "Stewart platform: the same motion by all formulations", stewart.stewart),
        Item("stewart-speed", "Stewart platform: ten seconds within a millijoule", stewart_speed.stewart_speed),
    ),
    doubts=PUBLISHED.doubts,
)
