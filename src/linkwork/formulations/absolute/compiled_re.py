"""The entries of re, compiled with the signatures that all absolute formulations share."""

from __future__ import annotations

from linkwork.formulations.absolute import euler_angle_kernels as kernels
from linkwork.kernels.jit import entry
from linkwork.problems.signatures import ASSEMBLE, EVALUATE

begin = entry(EVALUATE)(kernels.begin)
place = entry(EVALUATE)(kernels.place)
evaluate = entry(EVALUATE)(kernels.evaluate)
assemble = entry(ASSEMBLE)(kernels.assemble)
