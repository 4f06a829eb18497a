"""temporary"""
from __future__ import annotations
from typing import Any, NamedTuple
import numpy as np
from linkwork.kernels.jit import kernel

class Dep(NamedTuple):
    keep: Any

def new_dependence(mechanism, droppable):
    return Dep(np.ones(mechanism.nc, dtype=np.int64))

@kernel
def find_dependent(tables: Any, work: Any, dependence: Any) -> int:
    return 0

@kernel
def take_out_rows(matrix: Any, dependence: Any) -> None:
    pass

@kernel
def reduce_rows(work: Any, first: Any, dependence: Any, rhs: Any) -> None:
    for c in range(rhs.shape[0]):
        rhs[c] = work.residual[c]

@kernel
def minimum_norm_multipliers(z: Any, first: Any, dependence: Any) -> None:
    pass
