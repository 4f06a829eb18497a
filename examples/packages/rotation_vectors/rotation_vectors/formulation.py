"""rv: rotation vectors, counted from another rotation before they become singular.

The unknowns are rddot and the second derivatives of the rotation vectors.
"""

from __future__ import annotations

from linkwork.equations.index_3.absolute import absolute_kernels, entries_of
from linkwork.formulations.absolute.formulation import AbsoluteFormulation
from rotation_vectors import space

KERNELS = absolute_kernels(space)
BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN = entries_of(KERNELS, __name__)

FORMULATION = AbsoluteFormulation(
    name="rv",
    summary="absolute coordinates, rotation vectors that count from a new rotation after two radians",
    space_module="rotation_vectors.space",
    kernels_module=__name__,
    paper="",
)
