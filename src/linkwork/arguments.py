"""Numbers that callers pass: checked once, in the same words."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError

Vector = NDArray[np.float64]

SHORTEST, LONGEST = 1e-12, 1e12  # s
MOST_STEPS = 1e12
MOST_ADAPTIVE = 2e9  # steps that a largest one may come to: hours at a microsecond each


def positive_number(name: str, value: Any, unit: str = "") -> float:
    """`value` as a positive, finite float. Raises UsageError naming the argument."""
    kind = f" of {unit}" if unit else ""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.floating | np.integer):
        raise UsageError(f"{name} must be a number{kind}, not {value!r}.")
    if not (np.isfinite(value) and value > 0):
        raise UsageError(f"{name} must be a positive number{kind}, not {value!r}.")
    return float(value)


def number_within(name: str, value: Any, least: float | None, most: float | None) -> float:
    """`value` as a float from least to most, where these are given. Raises UsageError naming the argument."""
    a, b = -np.inf if least is None else least, np.inf if most is None else most
    number = isinstance(value, int | float | np.floating | np.integer) and not isinstance(value, bool)
    if not (number and a <= value <= b):
        within = f" from {a:g} to {b:g}" if np.isfinite([a, b]).all() else ""
        raise UsageError(f"{name} must be a number{within}, not {value!r}.")
    return float(value)


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """`value` as a whole number of at least `least`. Raises UsageError naming the argument."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < least:
        raise UsageError(f"{name} must be a whole number, at least {least}, not {value!r}.")
    return int(value)


def path_of(value: Any, what: str = "a file") -> Path:
    """`value` as a path. Raises UsageError for what is no name of a file, telling what is wanted."""
    if not isinstance(value, str | PathLike):
        raise UsageError(f"{what} is wanted, not {type(value).__name__}.")
    return Path(value)


def three_numbers(name: str, value: Any, unit: str = "") -> Vector:
    """`value` as three finite floats. Raises UsageError naming the argument."""
    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (3,) or not np.all(np.isfinite(found)):
        raise UsageError(f"{name} must be three finite numbers{f', {unit}' if unit else ''}, not {value!r}.")
    return found


def duration(name: str, value: Any) -> float:
    """`value` as seconds, from 1e-12 to 1e12. Raises UsageError naming the argument."""
    found = positive_number(name, value, "seconds")
    if not SHORTEST <= found <= LONGEST:
        raise UsageError(
            f"{name} must lie between {SHORTEST:g} and {LONGEST:g} seconds, not {found:g}.",
            remedy="Times are in seconds; scale a mechanism whose times are shorter or longer.",
        )
    return found


def step_count(t_end: float, step: float, most: float = MOST_STEPS) -> int:
    """How many steps reach t_end, the last one perhaps passing it. Raises UsageError for more than `most`."""
    ratio = t_end / step
    if ratio > most:
        raise UsageError(
            f"{ratio:.3g} steps are too many: at most {most:g}.", remedy="Take a larger step or a shorter time."
        )
    return max(1, int(np.ceil(ratio * (1 - 1e-12) - 1e-9)))
