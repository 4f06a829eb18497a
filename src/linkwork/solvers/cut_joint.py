"""Tree and cut joints [Mufti 1983, eqs. 62, 65-73]: all rows of joints in the tree are taken, those of cut joints left.

The tree's own matrix J of eq. 73 is never formed: it is eliminated joint by joint, in a time that grows with the number
of bodies. Only H^T J^-1 H for the multipliers of the cut joints is dense.
"""

from __future__ import annotations

from typing import Any

from linkwork.solvers.tree import eliminate
from linkwork.solvers.tree.parts import ALL
from linkwork.system import CompiledMechanism


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Arrays of the solver. root : body that the tree starts with."""
    return eliminate.new_arrays(mechanism, group, droppable, ALL, root)
