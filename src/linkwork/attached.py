"""What low floors offer as a convenience and higher floors carry out: drawing, saving, checking, verifying.

A low floor asks for it by its own name (`attached("Result.plot")`) and knows no place above it. The front door, which
sees all floors, says where each is (`linkwork/__init__.py`); it is imported when first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_PLACES: dict[str, str] = {}


def attach(places: Mapping[str, str]) -> None:
    """Say where conveniences are carried out: name -> ``package.module:function``."""
    _PLACES.update(places)


def attached(name: str) -> Any:
    """The function that carries a convenience out."""
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(import_module(module), attribute)
