"""Entries that only some runs need, shared by rA, rp and re; each is compiled when first asked for."""

from __future__ import annotations

from functools import cache
from typing import Any

from linkwork.formulations.absolute import variations
from linkwork.kernels.jit import entry
from linkwork.problems.signatures import ASSEMBLE, EVALUATE


@cache
def apply(forced: bool) -> Any:
    """The applied forces other than weight, or nothing."""
    return entry(EVALUATE)(variations.apply if forced else variations.no_forces)


@cache
def vary_forces(forced: bool) -> Any:
    """Their derivatives, or nothing."""
    return entry(ASSEMBLE)(variations.vary_forces if forced else variations.no_variation)


@cache
def vary_reactions(wanted: bool) -> Any:
    """The reactions' first-order variation, or nothing."""
    return entry(ASSEMBLE)(variations.vary_reactions if wanted else variations.no_variation)
