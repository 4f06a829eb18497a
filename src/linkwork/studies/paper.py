"""A paper as a study: its key, its title, and the items that can be reproduced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from linkwork.errors import UsageError, nearest
from linkwork.studies.finding import Finding
from linkwork.studies.runs import Runs


@dataclass(frozen=True)
class Item:
    """One figure, table or question: `name` as people cite it ("figure 2"), and what makes its finding."""

    name: str
    title: str
    run: Callable[[Runs], Finding]

    @property
    def slug(self) -> str:
        """The name as a file's name begins with it."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


@dataclass(frozen=True)
class Paper:
    """A paper and its items, in the order in which they are carried out."""

    key: str
    citation: str
    title: str
    items: tuple[Item, ...]
    doubts: tuple[str, ...] = ()  # what the paper leaves open, and what is taken

    def chosen(self, names: Iterable[str] | None = None) -> tuple[Item, ...]:
        """The items of these names in the paper's order; all where none is named. Raises UsageError.

        "figure 2", "Figure 2", "fig. 2" and "figure-2" are one name.
        """
        wanted = [self._of(name) for name in names or ()]
        return tuple(item for item in self.items if item in wanted) if wanted else self.items

    def _of(self, name: str) -> Item:
        slug = re.sub(r"^fig(ure)?[-. ]*(?=\d)", "figure-", name.strip().lower())
        slug = re.sub(r"^tab(le)?[-. ]*(?=\d)", "table-", slug)
        slug = re.sub(r"[^a-z0-9]+", "-", slug).strip("-")
        for item in self.items:
            if item.slug == slug:
                return item
        near = nearest(slug, [item.slug for item in self.items])
        names = {item.slug: item.name for item in self.items}
        hint = f"Did you mean {names[near]!r}?" if near else f"Known: {', '.join(names.values())}."
        raise UsageError(f"{self.key} has no item {name!r}.", remedy=hint)
