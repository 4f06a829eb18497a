"""Momenta at the start, compiled for a call from Python."""

from __future__ import annotations

from linkwork.formulations.recursive import start
from linkwork.kernels.jit import compiled

gather = compiled(start.gather)
