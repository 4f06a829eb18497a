"""Numbers that callers pass: checked once, in the same words."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from numbers import Real
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


MOST = sys.float_info.max  # of a finite float
MOST_WHOLE = 2**53  # of a whole number: compiled code holds 64 bits, and nothing is counted beyond


def is_number(value: Any) -> bool:
    """Whether it is a real number, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def numbers_in(value: Any) -> Vector | None:
    """`value` as an array of floats; None where it holds anything but real numbers, such as words and truth values."""
    try:
        found = np.asarray(value) if isinstance(value, np.ndarray) else np.asarray(value, dtype=object)
    except (TypeError, ValueError):
        return None
    plain = found.dtype.kind in "iuf" or (found.dtype == object and all(is_number(one) for one in found.ravel()))
    return np.array(found, dtype=float) if plain else None


def finite_number(name: str, value: Any, unit: str = "") -> float:
    """`value` as a finite float. Raises UsageError naming the argument."""
    if not (is_number(value) and -MOST <= value <= MOST):
        raise UsageError(f"{name} must be a finite number{f' of {unit}' if unit else ''}, not {value!r}.")
    return float(value)


def positive_number(name: str, value: Any, unit: str = "") -> float:
    """`value` as a positive, finite float. Raises UsageError naming the argument."""
    kind = f" of {unit}" if unit else ""
    if not is_number(value):
        raise UsageError(f"{name} must be a number{kind}, not {value!r}.")
    if not 0.0 < value <= MOST:  # not `isfinite`, which whole numbers beyond 64 bits do not have
        raise UsageError(f"{name} must be a positive number{kind}, not {value!r}.")
    return float(value)


def number_within(name: str, value: Any, least: float | None, most: float | None) -> float:
    """`value` as a float from least to most, where these are given. Raises UsageError naming the argument."""
    a, b = -np.inf if least is None else least, np.inf if most is None else most
    if not (is_number(value) and a <= value <= b):
        within = f" from {a:g} to {b:g}" if np.isfinite([a, b]).all() else ""
        raise UsageError(f"{name} must be a number{within}, not {value!r}.")
    return float(value)


def whole_number(name: str, value: Any, least: int = 1, most: int | None = MOST_WHOLE) -> int:
    """`value` as a whole number from `least` to `most`. Raises UsageError naming the argument."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < least:
        raise UsageError(f"{name} must be a whole number, at least {least}, not {value!r}.")
    if most is not None and value > most:
        raise UsageError(f"{name} must be a whole number, at most {most}, not {value!r}.")
    return int(value)


def yes_or_no(name: str, value: Any) -> bool:
    """`value` as a bool, which it must be. Raises UsageError naming the argument."""
    if not isinstance(value, bool | np.bool_):
        raise UsageError(f"{name} must be true or false, not {value!r}.")
    return bool(value)


def path_of(value: Any, what: str = "a file") -> Path:
    """`value` as a path. Raises UsageError for what is no name of a file, telling what is wanted."""
    if not isinstance(value, str | PathLike):
        raise UsageError(f"{what} is wanted, not {type(value).__name__}.")
    return Path(value)


def names_of(what: str, value: Any) -> tuple[str, ...]:
    """`value` as names, one alone as the only one. Raises UsageError naming the argument."""
    if isinstance(value, str):
        return (str(value),)
    try:
        found = tuple(value)
    except TypeError:
        raise UsageError(f"{what} must be a list of names, not {value!r}.") from None
    if isinstance(value, Mapping):  # what its values say would be left out
        raise UsageError(f"{what} must be a list of names, not the mapping {value!r}.")
    for one in found:
        if not isinstance(one, str):
            raise UsageError(f"{what} must be a list of names; {one!r} is none.")
    return tuple(map(str, found))  # NumPy's texts say in messages what they are


def three_numbers(name: str, value: Any, unit: str = "") -> Vector:
    """`value` as three finite floats. Raises UsageError naming the argument."""
    found = numbers_in(value)
    if found is None or found.shape != (3,) or not np.all(np.isfinite(found)):
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


def function(name: str, value: Any) -> Any:
    """Something to be called now and then, or nothing. Raises UsageError for anything else."""
    if value is not None and not callable(value):
        raise UsageError(f"{name} is a function that is called now and then, not {value!r}.")
    return value


def need_file_to_replace(force: bool, out: Any) -> None:
    """Raise UsageError for leave to replace a file where none is written."""
    if force and out is None:
        raise UsageError(
            "force replaces a file, and no file is written.", remedy="Give out='NAME.nc', or leave it out."
        )
