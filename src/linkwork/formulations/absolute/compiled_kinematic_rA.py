"""The entries of rA that only a kinematics analysis needs, compiled."""

from __future__ import annotations

from linkwork.formulations.absolute import rotation_matrix_kernels as kernels
from linkwork.kernels.jit import entry
from linkwork.problems.signatures import ASSEMBLE, EVALUATE

assemble_kinematic = entry(ASSEMBLE)(kernels.assemble_kinematic)
constrain = entry(EVALUATE)(kernels.constrain)
