"""Fixed-step Runge-Kutta, compiled once for every formulation that hands itself over as an explicit problem."""

from __future__ import annotations

from linkwork.integrators import runge_kutta_kernels as kernels
from linkwork.kernels.jit import compiled

advance = compiled(kernels.advance)
