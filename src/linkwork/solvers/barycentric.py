"""Absolute angular accelerations [Mufti 1983, eqs. 16, 28-38, 51]: translational rows of the tree's joints are taken.

Unknown are omegadot of every body, what joints let slide, and the translation of a floating base, which is eliminated
first: what it leaves is K = I + D~ M D~^T, the inertias of the augmented bodies about their barycentres. Left, with
their multipliers, are the rotational rows of the tree's joints and all rows of joints that close loops.
"""

from __future__ import annotations

from typing import Any

from linkwork.solvers.tree import reduced
from linkwork.solvers.tree.parts import TRANSLATIONS
from linkwork.system import CompiledMechanism


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Arrays of the solver. root : body that the tree starts with."""
    return reduced.new_arrays(mechanism, group, droppable, TRANSLATIONS, root)
