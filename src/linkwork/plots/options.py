"""Which options a plot has: its own, and what lines can look like."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from linkwork.errors import UsageError
from linkwork.mechanism.elements import did_you_mean


def check_options(
    kind: str, draw: Callable[..., Any], parts: Iterable[Callable[..., Any]], given: Mapping[str, Any]
) -> None:
    """Raise UsageError, naming the nearest option, for one that neither the plot nor a line has.

    draw : the plot; parts : the plots to which it hands options on.
    """
    if not given:
        return
    own = sorted({name for one in (draw, *parts) for name in _keywords(one)})
    for name in given:
        if name in own or name in line_properties():
            continue
        hint = did_you_mean(name, [*own, *line_properties()])
        raise UsageError(
            f"the plot {kind!r} has no option {name!r}{hint or '.'}",
            remedy=f"Its own: {', '.join(own)}; besides, what Matplotlib's lines have, such as linewidth or color."
            if own
            else "It takes what Matplotlib's lines have, such as linewidth or color.",
        )


def _keywords(draw: Callable[..., Any]) -> list[str]:
    """The keywords of a `draw` function, those for composing plots left out."""
    found = inspect.signature(draw).parameters.values()
    return [one.name for one in found if one.kind is one.KEYWORD_ONLY and one.name not in ("with_legend", "size")]


@cache
def line_properties() -> tuple[str, ...]:
    """What Matplotlib's lines can be given, short names included."""
    from matplotlib.artist import ArtistInspector
    from matplotlib.lines import Line2D

    inspector = ArtistInspector(Line2D)
    names = set(inspector.get_setters())
    return tuple(sorted(names | {short for name in names for short in inspector.aliasd.get(name, ())}))
