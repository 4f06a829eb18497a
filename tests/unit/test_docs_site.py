"""The documentation site's own pages: docstrings as Markdown, contents from links, what the reference covers."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import linkwork
from linkwork.mechanisms import shipped

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))

import api  # noqa: E402
import build  # noqa: E402
import contents  # noqa: E402
import docstrings  # noqa: E402
import moving  # noqa: E402


def test_parameters_equations_and_signs_survive() -> None:
    shown = docstrings.markdown(
        """What it does for `a*b` and a*b.

        Parameters
        ----------
        x, y : numbers < 3,
            or none.

            J = M x_i*
        """
    )
    assert "What it does for `a*b` and a\\*b." in shown
    assert "**Parameters**" in shown
    assert "`x, y`\n: numbers \\< 3," in shown
    assert "```text\nJ = M x_i*\n```" in shown


def test_signatures_keep_what_a_caller_writes() -> None:
    function = ast.parse("def f(self, a: int, *, b: str = 'x') -> float: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert docstrings.signature(function, bound=True) == "(a: int, *, b: str='x') -> float"
    assert docstrings.signature(function, short=True) == "(self, a, *, b='x')"


def test_the_reference_has_every_public_name() -> None:
    page = api.public()
    places = api.names()
    for name in linkwork.__all__:
        if ":" in places.get(name, ""):
            assert f"linkwork.{name}(" in page or f"{{py:class}} linkwork.{name}" in page, name


def test_contracts_and_kernels_are_found() -> None:
    page = api.contracts()
    assert "linkwork.problems.explicit.ExplicitProblem" in page
    rooms = api.rooms()
    assert sum(len(kernels) for modules in rooms.values() for _, kernels in modules) > 500
    assert "kernels.rows" in rooms


def test_every_page_of_the_site_is_linked(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    build.stage(pages)
    text = (pages / "index.md").read_text(encoding="utf-8")
    assert ":caption: Extend it" in text
    assert "examples/index" in text
    assert (pages / "api" / "kernels" / "kernels.rows.md").exists()
    (pages / "lost.md").write_text("# Lost\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"no page links to lost\.md"):
        contents.write(pages)


def test_a_link_to_nowhere_is_an_error(tmp_path: Path) -> None:
    link = build.LINK.search("see [this](nowhere/at/all.py)")
    assert link is not None
    with pytest.raises(SystemExit, match="nowhere/at/all"):
        build.relinked(link, tmp_path / "page.md", tmp_path)


def test_the_gallery_opens_a_page_for_every_mechanism(tmp_path: Path) -> None:
    gallery = tmp_path / "gallery.md"
    gallery.write_text((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"), encoding="utf-8")
    moving.link(gallery)
    text = gallery.read_text(encoding="utf-8")
    for name in shipped():
        assert text.count(f'href="pages/{name}.html"') == 1
