"""All kinds of quantity, by number."""

from __future__ import annotations

from linkwork.kernels.quantities import QUANTITIES
from linkwork.kernels.quantities.kind import QuantityKind

KINDS: tuple[QuantityKind, ...] = tuple(QUANTITIES.load(name) for name in QUANTITIES)
NUMBER = {name: number for number, name in enumerate(QUANTITIES)}
