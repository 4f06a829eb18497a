"""Momenta at the start, compiled for a call from Python."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import start
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.kernels.jit import compiled


def gather_from(context: Any) -> None:
    """`start.gather` of a problem's arrays."""
    start.gather(links_of(context), own_of(context))


gather = compiled(gather_from)
