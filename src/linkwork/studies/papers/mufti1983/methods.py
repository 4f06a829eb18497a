"""The paper's methods under the names that they have here, and the mechanisms on which they are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkwork.mechanism import Mechanism
from linkwork.studies.generated import bricard, chain, ladder, tree
from linkwork.studies.published import published
from linkwork.studies.runs import Runs

PUBLISHED = published("mufti1983")
BASES = ("qr", "svd", "partition", "graph")
WAYS: dict[str, dict[str, Any]] = {
    **{name: {"formulation": name} for name in ("augmented", "range-space", "partial", "penalty")},
    **{f"null-space, {basis}": {"formulation": "null-space", "options": {"basis": basis}} for basis in BASES},
    **{name: {"formulation": name} for name in ("joint-rates", "barycentric", "cut-joint")},
}
NEEDS_INERTIA = ("range-space", "penalty")

MADE: dict[str, Callable[[], Mechanism]] = {
    "chain of 10": lambda: chain(10),
    "chain of 50": lambda: chain(50),
    "tree of 31": lambda: tree(31),
    "ladder of 5": lambda: ladder(5, "point-in-line"),
    "Bricard": bricard,
}
SHIPPED = (
    "muller2013_heavy_top", "muller2013_spherical_double_pendulum", "muller2013_floating_pair", "muller2013_three_bar",
    "gyroscope", "rolling_disc", "planar_four_bar", "kissel2021_slider_crank", "spatial_slider_crank_spring",
    "stewart_platform",
)  # fmt: skip
MECHANISMS = (*SHIPPED, *MADE)


def mechanism(runs: Runs, name: str) -> Mechanism:
    """A shipped mechanism or one of `MADE`."""
    return MADE[name]() if name in MADE else runs.mechanism(name)


def short(name: str) -> str:
    """Without the paper that it comes from, in words."""
    head, _, tail = name.partition("_")
    return (tail if head[-4:].isdigit() else name).replace("_", " ")
