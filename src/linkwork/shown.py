"""What a prompt, a notebook and `print` show of what an analysis found: never pages of numbers.

    @dataclass(frozen=True, repr=False)
    class Modes(Shown):
        def told(self) -> str:
            return f"of {self.mechanism.name!r}: {len(self.eigenvalues)} modes"

`repr` is one line, ``<Modes of 'crane': 4 modes>``; `print` shows the text of what has one (`text()`), else that line.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

FEW = 4  # names in one line


class Shown:
    """Shown in one line, and printed as its text where it has one."""

    @abstractmethod
    def told(self) -> str:
        """Of what it is, in a few words, such as "of 3 bodies"."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.told()}>"

    def __str__(self) -> str:
        text = getattr(self, "text", None)
        return repr(self) if text is None else str(text())


def counted(count: int, what: str) -> str:
    """As in '1 body', '3 freedoms', '2 bodies'."""
    if count == 1:
        return f"1 {what}"
    return f"{count} {what[:-1]}ies" if what.endswith("y") else f"{count} {what}s"


def parts_counted(parts: Mapping[str, int]) -> str:
    """As in '2 bodies, 3 joints, 1 driver'; none of what is neither body nor joint is not told."""
    return ", ".join(counted(n, what) for what, n in parts.items() if n or what in ("body", "joint"))


def some(names: Sequence[str]) -> str:
    """The first few names, and how many there are besides."""
    left = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {left} more" if left > 0 else "")
