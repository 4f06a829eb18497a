"""The shapes in which formulations hand themselves to integrators, by name. A pair fits where it shares one."""

from __future__ import annotations

EXPLICIT = "explicit"
IMPLICIT = "implicit index 3"
MOMENTA = "momenta and constraints"
