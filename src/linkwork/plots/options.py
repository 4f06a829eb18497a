"""Which options a plot has: its own, and what lines can look like."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from linkwork.errors import UsageError
from linkwork.mechanism.elements import did_you_mean


def check_options(
    kind: str, draw: Callable[..., Any], parts: Iterable[Callable[..., Any]], given: Mapping[str, Any]
) -> None:
    """Raise UsageError for an option that neither the plot nor a line has, naming the nearest, and for a line's value
    that Matplotlib refuses.

    draw : the plot; parts : the plots to which it hands options on.
    """
    if not given:
        return
    known = sorted({name for one in (draw, *parts) for name in _keywords(one)})
    for name, value in given.items():
        if name in known:
            continue
        if name in line_properties():
            _check_line(kind, name, value)
            continue
        hint = did_you_mean(name, [*known, *line_properties()])
        raise UsageError(
            f"the plot {kind!r} has no option {name!r}{hint or '.'}",
            remedy=f"Its own: {', '.join(known)}; besides, what Matplotlib's lines have, such as linewidth or color."
            if known
            else "It takes what Matplotlib's lines have, such as linewidth or color.",
        )


def _check_line(kind: str, name: str, value: Any) -> None:
    from matplotlib.lines import Line2D

    with in_words(kind, {name: value}):
        Line2D([], [], **{name: value})


@contextmanager
def in_words(kind: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Turn what Matplotlib raises over a value into a UsageError that names the options given, where there are any."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
        if not given:
            raise
        said = ", ".join(f"{name}={value!r}" for name, value in given.items())
        text = f"the plot {kind!r} cannot be drawn with {said}: {str(error).rstrip('.') or type(error).__name__}."
        raise UsageError(text) from error


def check_page(size: Any, dpi: Any) -> None:
    """Raise UsageError for a size or a resolution that no page has."""
    numbers = [dpi, *(() if size is None else size if isinstance(size, (tuple, list)) else (size, size))]
    if len(numbers) not in (1, 3) or not all(isinstance(x, (int, float)) and 0.0 < x < math.inf for x in numbers):
        raise UsageError(f"size must be two positive numbers in inches, and dpi one, not {size!r} and {dpi!r}.")


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
