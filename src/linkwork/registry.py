"""Registries: visible dictionaries from a name to the place that implements it, loaded when asked for."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from linkwork.errors import UsageError


class Registry(Mapping[str, str]):
    """Names of one kind of thing and where each lives, as ``"package.module:attribute"``.

    Other packages add entries through an entry-point group, ``linkwork.<kinds>``: ``linkwork.joints``,
    ``linkwork.formulations``, ``linkwork.result_formats``, ... (the singular is found, too). Nothing is imported before
    `load`.
    """

    def __init__(self, kind: str, entries: dict[str, str], *, plural: str | None = None) -> None:
        """kind : in words, for messages. plural : of the kind, where it is not made by an s."""
        self.kind = kind
        singular = kind.replace(" ", "_")
        self.groups = (
            f"linkwork.{plural or f'{singular}s'}",
            f"linkwork.{singular}",
        )
        self._entries = dict(entries)
        self._looked_outside = False

    def _all(self) -> dict[str, str]:
        if not self._looked_outside:
            self._looked_outside = True
            for group in self.groups:
                for point in entry_points(group=group):
                    self._entries.setdefault(point.name, point.value)
        return self._entries

    def __getitem__(self, name: str) -> str:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def load(self, name: str) -> Any:
        """The object registered under `name`. Raises UsageError with the nearest names if there is none."""
        entries = self._all()
        if not isinstance(name, str):
            raise UsageError(f"a {self.kind} is named by a word, not {name!r}.", remedy=f"Known: {', '.join(entries)}.")
        if name not in entries:
            near = difflib.get_close_matches(name, entries, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(entries)}."
            raise UsageError(f"there is no {self.kind} {name!r}.", remedy=hint)
        module, _, attribute = entries[name].partition(":")
        return getattr(import_module(module), attribute)
