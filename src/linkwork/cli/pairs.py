"""NAME=VALUE words of options that may be repeated."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.errors import UsageError


def pairs_of(option: str, words: Sequence[str] | None, form: str = "NAME=VALUE") -> dict[str, str]:
    """name -> value, in order. Raises UsageError for a word of another form, and for a name that is given twice."""
    found: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=") if form == "NAME=VALUE" else word.rpartition("=")
        if not equals or not name or not value:
            raise UsageError(f"{option} {word!r} is not of the form {form}.")
        if name in found:
            raise UsageError(f"{option} gives {name!r} twice.")
        found[name] = value
    return found


def numbers_of(option: str, words: Sequence[str] | None) -> dict[str, float]:
    """name -> number, likewise."""
    found = {}
    for name, value in pairs_of(option, words, "NAME=NUMBER").items():
        try:
            found[name] = float(value)
        except ValueError:
            raise UsageError(f"{option} {f'{name}={value}'!r} is not of the form NAME=NUMBER.") from None
    return found
