"""How the numbers of a tableau are written down: exactly, as fractions or decimals."""

from __future__ import annotations

from fractions import Fraction

Number = Fraction | float | int
Row = tuple[Number, ...]
Rows = tuple[Row, ...]


def numbers(text: str) -> tuple[Fraction, ...]:
    """The numbers in `text`, separated by blanks, each exact: ``"1/3 0.25 -2"``."""
    return tuple(Fraction(word) for word in text.split())
