"""Names for the elements of a mechanism where a foreign format lets names repeat, be empty or hold anything."""

from __future__ import annotations

from linkwork.mechanism.elements import GROUND


class UniqueNames:
    """Hands out names that a mechanism can have, each once."""

    def __init__(self) -> None:
        self._taken = {GROUND}

    def new(self, name: str, kind: str) -> str:
        """`name`, or one made of it and `kind` where it is taken or cannot be a name."""
        plain = "".join(c if c.isprintable() else " " for c in name).strip()[:180] or kind
        unique, n = plain, 2
        while unique in self._taken:
            unique, n = (f"{plain} {kind}" if n == 2 else f"{plain} {kind} {n - 1}"), n + 1
        self._taken.add(unique)
        return unique
