"""Multipliers of least norm at a sample within a step, where rows depend on others.

How rows depend on each other changes with the pose. A step keeps what was found at its start; at a sample it is found
anew, and what the step keeps is put back, so that steps do not depend on where samples are wanted.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.dependence import ND, Dependence
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent


class KeptDependence(NamedTuple):
    """Copies of what a step uses of `Dependent`."""

    keep: Annotated[Ints, Shape("nc"), "`Dependence.keep`"]
    kept: Annotated[Ints, Shape("nc"), "`Dependence.kept`"]
    dropped: Annotated[Ints, Shape("nc"), "`Dependence.dropped`"]
    sizes: Annotated[Ints, Shape(2), "`Dependence.sizes`"]
    C: Annotated[Floats, Shape("nc", "nc"), "`Dependence.C`; empty where rows are searched sparsely"]
    K: Annotated[Floats, Shape("nc", "nc"), "`Dependence.K`, likewise"]
    before: Annotated[Ints, Shape("nc"), "`Dependent.before`"]


def new_kept_dependence(dependent: Dependent) -> KeptDependence:
    """Room for copies of what stands in these arrays."""
    found = dependent.found
    return KeptDependence(
        keep=np.zeros_like(found.keep),
        kept=np.zeros_like(found.kept),
        dropped=np.zeros_like(found.dropped),
        sizes=np.zeros_like(found.sizes),
        C=np.zeros_like(found.C),
        K=np.zeros_like(found.K),
        before=np.zeros_like(dependent.before),
    )


@kernel
def copy_ints(source: Ints, target: Ints) -> None:
    """Every entry of the one array becomes that of the other, (n,)."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@kernel
def copy_dependence(
    source: Dependence | KeptDependence, target: Dependence | KeptDependence, before: Ints, into: Ints
) -> None:
    """The lists of rows, and how they depend on each other; before into `into`."""
    copy_ints(source.keep, target.keep)
    copy_ints(source.kept, target.kept)
    copy_ints(source.dropped, target.dropped)
    copy_ints(source.sizes, target.sizes)
    copy_ints(before, into)
    for d in range(min(source.sizes[ND], source.C.shape[0])):
        for s in range(source.C.shape[1]):
            target.C[d, s] = source.C[d, s]
            target.K[d, s] = source.K[d, s]


@kernel
def share_least_norm(
    detect: EntryCall, minimum_norm: EntryCall, context: Ints, dependent: Dependent, kept: KeptDependence
) -> bool:
    """Give the multipliers among the unknowns the distribution of least norm at the pose last evaluated; whether its
    rows are finite. detect, minimum_norm : the problem's entries `detect_redundant_rows`, `minimum_norm_multipliers`.
    """
    copy_dependence(dependent.found, kept, dependent.before, kept.before)
    finite = bool(detect(context) >= 0)
    if finite:
        minimum_norm(context)
    copy_dependence(kept, dependent.found, kept.before, dependent.before)
    return finite
