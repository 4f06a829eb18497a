"""Momenta at the start, compiled for a call from Python."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive import double_double, start
from linkwork.formulations.recursive.context import links_of, own_of
from linkwork.kernels.jit import direct_entry
from linkwork.kernels.sincos import turns
from linkwork.problems.addresses import NOTHING, TABLE


@direct_entry(NOTHING(TABLE))
def gather(context: Any) -> None:
    """`start.gather` of a problem's arrays; cosines and sines to the last digit those of the recursions."""
    links, own = links_of(context), own_of(context)
    turns(links.what.shape[0], own.angle, own.cos, own.sin)
    start.gather(links, own)


@direct_entry(NOTHING(TABLE))
def gather_finely(context: Any) -> None:
    """`fine.start_finely` of a problem's arrays."""
    double_double.start_finely(links_of(context), own_of(context))
