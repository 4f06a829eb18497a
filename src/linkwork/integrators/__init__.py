"""Integrators: they move a state, and know neither mechanisms nor formulations (only the shapes in problems.py)."""

from __future__ import annotations

from linkwork.registry import Registry

INTEGRATORS = Registry("integrator", {"implicit-euler": "linkwork.integrators.implicit_euler:IMPLICIT_EULER"})
