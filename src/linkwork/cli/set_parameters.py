"""`--set NAME=VALUE`: a model with other values of its parameters, and with other numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.cli.pairs import pairs_of

if TYPE_CHECKING:
    from linkwork.mechanism import Mechanism


def with_set(mechanism: Mechanism, words: list[str] | None) -> Mechanism:
    """The mechanism with other numbers, and other values or formulas of its parameters, from NAME=VALUE words.

    Raises UsageError, and ModelError for values that the description does not take."""
    values: dict[str, Any] = {}
    for name, value in pairs_of("--set", words).items():
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = value
    parameters = {name: value for name, value in values.items() if name in mechanism.parameters}
    numbers = {name: value for name, value in values.items() if name not in parameters}
    if parameters:
        mechanism = mechanism.with_parameters(**parameters)
    return mechanism.with_numbers(numbers) if numbers else mechanism
