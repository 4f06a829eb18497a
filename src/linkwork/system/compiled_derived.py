"""The derived variables' kernel, compiled."""

from __future__ import annotations

from linkwork.kernels.jit import compiled
from linkwork.system import derived_kernels

derive = compiled(derived_kernels.derive, what="reactions, energies and violations")
