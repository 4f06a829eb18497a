"""rp: Euler parameters and their normalisation constraints [Kissel 2021, section 3.2].

The unknowns are rddot and pddot, with one more multiplier per body for p . p = 1.
"""

from __future__ import annotations

from linkwork.equations.index_3.absolute import absolute_kernels, entries_of
from linkwork.spaces import euler_parameters

KERNELS = absolute_kernels(euler_parameters)
BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN = entries_of(KERNELS, __name__)
