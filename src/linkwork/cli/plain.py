"""Plain command lines, read without the parser of all others, whose import takes longer than many a check.

Plain is a verb, a model, and options of the few kinds below, each at most once. Whatever else there is, wrong values
included, goes to the parser, which understands these lines in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def word(token: str) -> str | None:
    """A name."""
    return token if re.fullmatch(r"[A-Za-z0-9][\w-]*", token, re.ASCII) else None


def positive(token: str) -> float | None:
    """A positive number in decimal digits."""
    value = float(token) if NUMBER.fullmatch(token) else 0.0
    return value if 0.0 < value < float("inf") else None


Reader = Callable[[str], Any] | None  # None: the option is a switch
OPTIONS: Mapping[str, Mapping[str, Reader]] = {
    "check": {"--json": None},
    "kinematics": {"--formulation": word, "--t-end": positive, "--step": positive, "--json": None, "--quiet": None},
    "run": {
        "--formulation": word,
        "--integrator": word,
        "--t-end": positive,
        "--step": positive,
        "--json": None,
        "--quiet": None,
    },
}


def plain(tokens: Sequence[str]) -> tuple[str, dict[str, Any]] | None:
    """The model and the options by the names of the verb's parameters; None if the line is not a plain one."""
    if len(tokens) < 2 or tokens[0] not in OPTIONS or not tokens[1] or tokens[1].startswith("-"):
        return None
    known, found, waiting = OPTIONS[tokens[0]], dict[str, Any](), list(tokens[2:])
    while waiting:
        option = waiting.pop(0)
        name = option.lstrip("-").replace("-", "_")
        if option not in known or name in found:
            return None
        read = known[option]
        value = True if read is None else read(waiting.pop(0)) if waiting else None
        if value is None:
            return None
        found[name] = value
    return tokens[1], found


def carry_out(verb: str, model: str, options: Mapping[str, Any]) -> int:
    """Call the verb."""
    status: int = getattr(import_module(f"linkwork.cli.{verb}"), verb)(model, **options)
    return status
