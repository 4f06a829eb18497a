"""Figures as SVG text, for pages that hold their pictures themselves."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import matplotlib as mpl

from linkwork.plots.style import applied

if TYPE_CHECKING:
    from matplotlib.figure import Figure


DECIMALS = re.compile(r"(\.\d\d)\d+")  # hundredths of a point are finer than any screen


def svg_text(figure: Figure) -> str:
    """A figure as SVG; letters stay letters: small, searchable. The same figure gives the same text."""
    stream = io.StringIO()
    with applied(), mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return re.sub(r' d="[^"]*"', lambda path: DECIMALS.sub(r"\1", path[0]), stream.getvalue())
