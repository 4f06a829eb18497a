"""Implicit Euler's kernels, compiled once for every formulation that hands itself over as an index-3 problem."""

from __future__ import annotations

from linkwork.integrators import implicit_euler_kernels as kernels
from linkwork.kernels.jit import compiled

advance = compiled(kernels.advance)
