"""All laws of force elements, by number: what lists elements asks here, and names no law itself."""

from __future__ import annotations

from linkwork.kernels.force_laws import FORCE_LAWS
from linkwork.kernels.force_laws.kind import ForceLaw

NAMES = tuple(FORCE_LAWS)
LAWS: tuple[ForceLaw, ...] = tuple(FORCE_LAWS.load(name) for name in NAMES)
NUMBER = {name: number for number, name in enumerate(NAMES)}


def law_of(name: str) -> ForceLaw:
    """A law by its name; KeyError for others."""
    return LAWS[NUMBER[name]]
