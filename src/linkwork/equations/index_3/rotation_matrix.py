"""Rotations by increments in SO(3), no coordinates: rA, and groups without SE(3) [Kissel 2021, section 3.1].

The unknowns are rddot and omegadot; A = A_n exp(h omega~) within a step.
"""

from __future__ import annotations

from linkwork.equations.index_3.absolute import absolute_kernels, entries_of
from linkwork.equations.index_3.increment_rate import INCREMENT_RATE
from linkwork.spaces import rotation_matrix

KERNELS = absolute_kernels(rotation_matrix)
BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN = entries_of(KERNELS, __name__)

__all__ = [
    "ASSEMBLE",
    "ASSEMBLE_KINEMATIC",
    "BEGIN",
    "CONSTRAIN",
    "EVALUATE",
    "INCREMENT_RATE",
    "KERNELS",
    "SET_STATE",
]
