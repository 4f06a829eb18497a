"""Where the arrays of recursive formulations stand in the table that entries receive: last of all."""

from __future__ import annotations

from linkwork.formulations.recursive.workspace import Own
from linkwork.problems.blocks import block_of, readers, room_of
from linkwork.problems.shared_blocks import ROW_FACTORS
from linkwork.system.links import Links

LINKS = block_of(Links, "h2x10 f2x10 f1 f2x12 f2x10 f2x12 i1 i1 i1 i1 i1 h1")
OWN = block_of(
    Own,
    "f2x2 f2x12 f2x12 f1 f1 f1",  # as far as sin
    "f2x40 +21 +6 +3 +3 +6 f2x3 f2x6 f1 f2x8 +6 + + f1 f1 f1",  # as far as momentum
    "f2x12 f2x24 f2x6 f2 f1 f1 f2x6 f2x12 i2x5 f2x20 f1 i1 i1 f2x12 f2x7 f1 i1 f1 f1 f2",
)
links_of, own_of, factors_of = readers(-room_of(LINKS, OWN, ROW_FACTORS), LINKS, OWN, ROW_FACTORS)
