"""The four mechanisms of section 4 and the three formulations, by the names that they have here."""

from __future__ import annotations

from linkwork.studies.published import published

PUBLISHED = published("kissel2021")
SINGLE = "kissel2021_single_pendulum"
DOUBLE = "kissel2021_double_pendulum"
FOUR_LINK = "kissel2021_four_link"
SLIDER_CRANK = "kissel2021_slider_crank"
LABELS = {SINGLE: "single pendulum", DOUBLE: "double pendulum", FOUR_LINK: "four link", SLIDER_CRANK: "slider crank"}
DRIVEN = (SINGLE, FOUR_LINK, SLIDER_CRANK)
FORMULATIONS = ("rA", "rp", "re")
STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)  # s, of figures over the step; the paper's own are not at hand
EULER = "implicit-euler"
