"""`--set NAME=VALUE`: a model with other values of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism


def with_set(mechanism: Mechanism, words: list[str] | None) -> Mechanism:
    """The mechanism with other values of its parameters, from NAME=VALUE words. Raises UsageError."""
    values: dict[str, float | str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"--set {word!r} is not of the form NAME=VALUE.")
        if name in values:
            raise UsageError(f"--set gives {name!r} twice.")
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = value
    return mechanism.with_parameters(**values) if values else mechanism
