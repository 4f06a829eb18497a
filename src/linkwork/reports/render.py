"""Templates to text: everything from outside is escaped, and a name that the caller forgot is an error."""

from __future__ import annotations

import itertools
import math
import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from linkwork.reports.embed import picture
from linkwork.reports.moving import policy


@cache
def environment() -> Environment:
    """The templates beside this file; `base.html` is the frame of every page, `parts.html` has its pieces."""
    made = Environment(
        loader=PackageLoader("linkwork.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(cell=cell, numeric=numeric)
    return made


def render(template: str, **values: Any) -> str:
    """A template of this room, filled in.

    A template that extends `base.html` sets its blocks `title` and `body`; `picture(source, caption)` embeds a picture.
    Of `scenes`, a list of `Moving`, scripts may run.
    """
    counter = itertools.count(1)

    def embed(source: str | bytes, caption: str) -> Markup:
        return picture(source, caption, f"f{next(counter)}-")

    return environment().get_template(template).render(**values, picture=embed, policy=policy(values.get("scenes", [])))


def numeric(value: Any) -> bool:
    """Whether a cell belongs to the right."""
    return value is None or (hasattr(value, "__float__") and not isinstance(value, str))


def cell(value: Any) -> Markup:
    """A word as it is, a number in four digits, a dash for none; powers of ten as people write them."""
    if not numeric(value):
        return escape(value)
    if value is None or math.isnan(float(value)):
        return Markup("&ndash;")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6:
        return Markup(str(value))
    text = f"{float(value):.4g}".replace("-", "\N{MINUS SIGN}")
    found = re.fullmatch(r"(.*)e([+\N{MINUS SIGN}])0*(\d+)", text)
    if found is None:
        return Markup(text)
    mantissa, sign, power = found.groups()
    factor = "" if mantissa == "1" else f"{mantissa}&thinsp;&times;&thinsp;"
    return Markup(f"{factor}10<sup>{sign.replace('+', '')}{power}</sup>")
