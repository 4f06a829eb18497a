"""Functions that formulas of the state may use and formulas of time may not: they have no derivative somewhere."""

from __future__ import annotations

from collections.abc import Callable

from linkwork.kernels import state_formula as machine
from linkwork.kernels.jets import Jet


def select(which: Jet, u: Jet, v: Jet) -> Jet:
    """u where `which` is positive, else v."""
    return machine.select(which[0].real > 0.0, u, v)


CHOICES: dict[str, Callable[..., Jet]] = {
    "abs": machine.jet_abs,
    "sign": machine.jet_sign,
    "min": lambda u, v: machine.of_two(machine.MIN, u, v),
    "max": lambda u, v: machine.of_two(machine.MAX, u, v),
    "hypot": machine.jet_hypot,
    "atan2": machine.jet_atan2,
    "if": select,
}
"""Rules on jets, as of the tree; the operations of a program are in OPERATIONS."""

OPERATIONS = {
    "abs": machine.ABS,
    "sign": machine.SIGN,
    "min": machine.MIN,
    "max": machine.MAX,
    "hypot": machine.HYPOT,
    "atan2": machine.ATAN2,
    "if": machine.SELECT,
}
