"""Where the formulation's own arrays stand in the table that entries receive: last of all."""

from __future__ import annotations

from linkwork.formulations.rotation_matrix.work import ElementWork
from linkwork.problems.blocks import block_of, readers

OWN = block_of(ElementWork, "f2x18 f2x24 f2x9 f2x9 f2x9 f2x9 f2x9 f2x18 f2x9 f1 i1 i1")
(elements_of,) = readers(-OWN.room, OWN)
