"""Which group each body lives on: SE(3) or SO(3) x R^3 [Müller 2013, sections 3 and 6]."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.system import CompiledMechanism

NAMES = {"product": 0, "se3": 1}
GROUND = -1


def automatic(mechanism: CompiledMechanism) -> NDArray[np.int64]:
    """(nb,) 1 for bodies that a lower-pair joint ties to ground, whatever else hangs on them; 0 for all others.

    Such a body moves in a subgroup of SE(3), which increments on SE(3) never leave. A universal joint, a rod or a
    point on a line gives no subgroup. For bodies tied to nothing but other moving ones both groups do equally well,
    and the product costs less.
    """
    group = np.zeros(mechanism.nb, dtype=np.int64)
    for joint in mechanism.lowered.joints:
        if joint.lower_pair and GROUND in (joint.body_i, joint.body_j):
            group[max(joint.body_i, joint.body_j)] = 1
    return group


def chosen(mechanism: CompiledMechanism, choice: str, groups: Mapping[str, str] | None = None) -> NDArray[np.int64]:
    """(nb,) the group of each body: 1 for SE(3), 0 for SO(3) x R^3.

    choice : 'se3' or 'product' for all bodies, 'mixed' for the automatic choice.
    groups : body -> 'se3' or 'product', overriding it. Raises UsageError for unknown names.
    """
    group = automatic(mechanism) if choice == "mixed" else np.full(mechanism.nb, NAMES[choice], dtype=np.int64)
    names = mechanism.body_names
    if groups is not None and not isinstance(groups, Mapping):
        raise UsageError(f"groups wants a dictionary, body -> 'se3' or 'product', not {groups!r}.")
    for body, wanted in (groups or {}).items():
        if body not in names:
            raise UsageError(f"groups names body {body!r}, which does not exist.", remedy=near_names(body, names))
        if wanted not in NAMES:
            raise UsageError(f"groups gives body {body!r} the group {wanted!r}.", remedy="Known: 'se3', 'product'.")
        group[names.index(body)] = NAMES[wanted]
    return group


def in_words(mechanism: CompiledMechanism, group: NDArray[np.int64]) -> dict[str, str]:
    """body -> 'se3' or 'product'."""
    words = {number: name for name, number in NAMES.items()}
    return {name: words[int(g)] for name, g in zip(mechanism.body_names, group, strict=True)}
