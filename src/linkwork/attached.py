"""What low floors offer as a convenience and higher floors carry out: drawing, saving, checking, verifying.

A low floor asks for it by its own name (`attached("Result.plot")`) and knows no place above it. The front door, which
sees all floors, says where each is (`linkwork/__init__.py`); it is imported when first asked for.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from linkwork.errors import UsageError

_PLACES: dict[str, str] = {}


def attach(places: Mapping[str, str]) -> None:
    """Say where conveniences are carried out: name -> ``package.module:function``."""
    _PLACES.update(places)


def attached(name: str) -> Any:
    """The function that carries a convenience out."""
    return found_at(_PLACES[name])


def found_at(place: str) -> Any:
    """What stands at ``package.module:name``, or the module where no name is said, imported if it is not yet.

    Meanwhile Python's garbage collector is held, and what there is then counts as old: modules make thousands of
    objects that stay, and looking for cycles among them, again and again, is a sixth of a first run."""
    module, _, attribute = place.partition(":")
    if module in sys.modules or not gc.isenabled():
        found = import_module(module)
    else:
        gc.disable()
        try:
            found = import_module(module)
        finally:
            gc.enable()
            if not gc.get_freeze_count():  # nobody else keeps objects from it
                gc.freeze()
                gc.unfreeze()
    return getattr(found, attribute) if attribute else found


def attached_with(name: str, options: Mapping[str, Any]) -> Any:
    """The same, for a call with these options by name. Raises UsageError for one that it does not take."""
    from inspect import signature

    function = attached(name)
    known = [one.name for one in signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            raise UsageError(f"{name} takes no {option!r}.", remedy=f"It takes {', '.join(known)}.")
    return function
