"""What the verbs say of their options, put off until the parser of command lines asks: it is not needed for plain ones.

Annotations of verbs are text until then (`from __future__ import annotations`), so that a verb's file imports neither
the parser nor the descriptions of all options:

    if TYPE_CHECKING:
        from linkwork.cli import options
    else:
        options = Late("options")
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Late:
    """A module of this room that is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(f"linkwork.cli.{self._name}"), name)


def Parameter(*words: Any, **said: Any) -> Any:
    """The parser's own description of a parameter."""
    from cyclopts import Parameter

    return Parameter(*words, **said)
