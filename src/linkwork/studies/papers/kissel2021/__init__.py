"""Kissel, Taves and Negrut 2021, three ways to represent rotation in absolute coordinates: their tables and figures."""

from __future__ import annotations

from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers.kissel2021 import double_pendulum, iterations, orders, rows, speed
from linkwork.studies.papers.kissel2021.mechanisms import PUBLISHED

PAPER = Paper(
    key="kissel2021",
    citation="Kissel, Taves, Negrut: 2021",
    title="Constrained multibody kinematics and dynamics in absolute coordinates: a discussion of three approaches to "
    "representing rigid body rotation",
    items=(
        Item("table 7", "Basic constraints of each mechanism", rows.table_7),
        Item("table 8", "Kinematics: speed relative to rp", speed.table_8),
        Item("table 9", "Kinematics: Newton iterations of the position analysis", iterations.table_9),
        Item("table 10", "Dynamics: speed relative to rp", speed.table_10),
        Item("figure 2", "Four link, kinematics: iterations over the step", iterations.figure_2),
        Item("figure 3", "Double pendulum: off a reference solution", double_pendulum.figure_3),
        Item("figure 4", "Four link, dynamics: iterations over the step", iterations.figure_4),
        Item("figure 5", "Single pendulum: order of velocity and acceleration", orders.figure_5),
        Item("figure 6", "Slider crank: order of velocity and acceleration", orders.figure_6),
        Item("figure 7", "Four link: order of velocity and acceleration", orders.figure_7),
    ),
    doubts=PUBLISHED.doubts,
)
