"""The site's contents, from the links of the pages: a page stands below the first page that links to it."""

from __future__ import annotations

import os
import re
from pathlib import Path

LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")


def write(pages: Path) -> None:
    """Add hidden tables of contents to the pages. A page that no page links to is an error."""
    below: dict[Path, list[Path]] = {}
    index = pages / "index.md"
    placed, waiting = {index}, [index]
    while waiting:
        page = waiting.pop(0)
        below[page] = []
        for path in LINK.findall(page.read_text(encoding="utf-8")):
            linked = (page.parent / path).resolve()
            if linked.exists() and linked not in placed:
                placed.add(linked)
                below[page].append(linked)
                waiting.append(linked)
    lost = sorted(str(page.relative_to(pages)) for page in set(pages.rglob("*.md")) - placed)
    if lost:
        raise SystemExit(f"no page links to {', '.join(lost)}")
    for page, children in below.items():
        if page != index and children:
            page.write_text(page.read_text(encoding="utf-8") + tree("", children, page.parent), encoding="utf-8")
    text = index.read_text(encoding="utf-8")
    _, *sections = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    trees = []
    for caption, part in zip(sections[::2], sections[1::2], strict=True):
        children = [(pages / path).resolve() for path in LINK.findall(part)]
        kept = [child for child in dict.fromkeys(children) if child in below[index]]
        below[index] = [child for child in below[index] if child not in kept]
        trees.append(tree(caption, kept, pages))
    index.write_text(text + "".join(trees), encoding="utf-8")


def tree(caption: str, children: list[Path], folder: Path) -> str:
    """One hidden table of contents."""
    names = [os.path.relpath(child, folder).removesuffix(".md").replace(os.sep, "/") for child in children]
    title = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{title}\n" + "".join(f"{name}\n" for name in names) + "```\n"
