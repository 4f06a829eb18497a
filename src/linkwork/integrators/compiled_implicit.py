"""The kernels of implicit methods, compiled once for every method and every formulation with an index-3 problem."""

from __future__ import annotations

from linkwork.integrators import implicit_kernels, start
from linkwork.kernels.jit import compiled

advance = compiled(implicit_kernels.advance)
solve_accelerations = compiled(start.solve_accelerations)
perturb = compiled(start.perturb)
