"""Adaptive steps and dense output, compiled when a run asks for them."""

from __future__ import annotations

from linkwork.integrators import dense_output_kernels as kernels
from linkwork.kernels.jit import compiled

advance_to = compiled(kernels.advance_to)
guess_step = compiled(kernels.guess_step)
