"""re: Euler angles, re-based before they become singular [Kissel 2021, section 3.3].

The unknowns are rddot and the second derivatives of the ZXZ angles.
"""

from __future__ import annotations

from linkwork.equations.index_3.absolute import absolute_kernels, entries_of
from linkwork.spaces import euler_angles

KERNELS = absolute_kernels(euler_angles)
BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN = entries_of(KERNELS, __name__)
