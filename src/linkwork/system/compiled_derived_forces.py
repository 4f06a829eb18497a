"""The forces' part of the derived variables, compiled."""

from __future__ import annotations

from linkwork.kernels.jit import compiled
from linkwork.system import derived_force_kernels

add_forces = compiled(derived_force_kernels.add_forces, what="energies of springs and loads")
