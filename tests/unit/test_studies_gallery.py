"""Every paper that is reproduced has a page with its pictures, item by item."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from linkwork.studies.papers import PAPERS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("key", PAPERS)
def test_every_item_of_a_paper_has_its_picture_and_the_page_can_be_found(key: str) -> None:
    """`docs/make_gallery.py papers FOLDER` makes them from what `linkwork reproduce` left in the folder."""
    elsewhere = runpy.run_path(str(DOCS / "make_gallery.py"))["WALL"]
    page = (DOCS / "gallery" / f"{key}.md").read_text(encoding="utf-8")
    for item in PAPERS.load(key).items:
        if item.name not in elsewhere:
            assert (DOCS / "images" / "gallery" / f"{key}_{item.slug}.png").stat().st_size < 80_000
            assert f"## {item.name}: {item.title}\n\n![{item.name}](../images/gallery/{key}_{item.slug}.png)" in page
    assert "depend on the machine" in page
    assert f"(../reproducing-{key}.md)" in page
    assert f"(gallery/{key}.md)" in (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert f"(gallery/{key}.md)" in (DOCS / f"reproducing-{key}.md").read_text(encoding="utf-8")
