"""Joint rates along the tree [Mufti 1983, eqs. 43, 54-61]: all rows of the joints in the tree are taken.

Unknown are the quasi-rates of these joints, as many as a joint has freedoms, and six for a floating base; no angles, so
that nothing locks. Left, with their multipliers, are the rows of joints that close loops.
"""

from __future__ import annotations

from typing import Any

from linkwork.solvers.tree import reduced
from linkwork.solvers.tree.parts import ALL
from linkwork.system import CompiledMechanism


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Arrays of the solver. root : body that the tree starts with."""
    return reduced.new_arrays(mechanism, group, droppable, ALL, root)
