"""Implicit midpoint and Störmer-Verlet, compiled once for every formulation of the explicit shape."""

from __future__ import annotations

from linkwork.integrators import symmetric_kernels as kernels
from linkwork.kernels.jit import compiled

advance = compiled(kernels.advance)
