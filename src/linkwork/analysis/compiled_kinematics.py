"""The kinematics kernels, compiled once for every formulation."""

from __future__ import annotations

from linkwork.analysis import kinematics_kernels as kernels
from linkwork.kernels.jit import compiled

advance = compiled(kernels.advance)
