"""The signatures that all absolute formulations share, so that an integrator is compiled once for all of them."""

from __future__ import annotations

import numba
import numpy as np

from linkwork.kernels.jit import activate
from linkwork.problems.implicit import Matrix, Work
from linkwork.system.packed import Tables

activate()


def _floats(dimensions: int) -> np.ndarray:
    return np.zeros((2,) * dimensions)


def _whole(dimensions: int) -> np.ndarray:
    return np.zeros((2,) * dimensions, dtype=np.int64)


TABLES = Tables(
    body=_floats(2), gravity=_floats(1), row_int=_whole(2), row=_floats(2), program_start=_whole(1),
    program_ops=_whole(1), program_args=_floats(1), program_depth=_whole(1), load_int=_whole(2), load=_floats(2),
    spring_int=_whole(2), spring=_floats(2), torsion_int=_whole(2), torsion=_floats(2),
)  # fmt: skip
WORK = Work(
    motion=_floats(2), base=_floats(2), row=_floats(2), G=_floats(2), e=_floats(2), z=_floats(1),
    residual=_floats(1), coef=_floats(1), load_values=_floats(2), spring_values=_floats(1),
    torsion_values=_floats(1), torsion_angles=_floats(1), stack=_floats(2),
)  # fmt: skip
MATRIX = Matrix(
    values=_floats(1), flags=_whole(1), pair=_whole(2), pair_pos=_whole(3), G_pos=_whole(3), GT_pos=_whole(3),
    norm_pos=_whole(3), drop_pos=_whole(1), row_pair=_whole(2), spring_pair=_whole(2), torsion_pair=_whole(2),
    blocks=_floats(2), tangent=_floats(2), scratch=_floats(2), rate=_floats(1),
)  # fmt: skip

EVALUATE = numba.int64(numba.typeof(TABLES), numba.typeof(WORK))
ASSEMBLE = numba.int64(numba.typeof(TABLES), numba.typeof(WORK), numba.typeof(MATRIX))
