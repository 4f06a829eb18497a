"""All formulations, and the ways to solve that are options of one: what tests of agreement go through."""

from __future__ import annotations

from typing import Any

from linkwork.formulations import FORMULATIONS

Way = tuple[str, dict[str, Any]]
BASES = tuple(("null-space", {"basis": basis}) for basis in ("svd", "partition", "graph"))
SWEPT = (("rotation-matrix", {"elimination": "one-shot"}),)
WAYS: tuple[Way, ...] = (*((name, {}) for name in FORMULATIONS), *BASES, *SWEPT)
TREES = ("joint-rates", "barycentric", "cut-joint")


def word(way: Way) -> str:
    """For naming a test."""
    return " ".join([way[0], *map(str, way[1].values())])
