"""Sphinx's settings; `docs/site/build.py` writes the pages that it reads."""

from __future__ import annotations

import re
from pathlib import Path

_SOURCE = Path(__file__).resolve().parents[2] / "src" / "linkwork" / "source.py"

project = "linkwork"
author = "The linkwork authors"
copyright = author
release = re.search(r'__version__ = "(.*?)"', _SOURCE.read_text(encoding="utf-8"))[1]  # type: ignore[index]  # it is there
version = release

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 6  # as the repository's pages are linked
# SI and files elsewhere are told in the pages; nothing is fetched while building
nitpicky = False
highlight_language = "text"

html_theme = "furo"
html_title = f"linkwork {release}"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
add_module_names = False
toc_object_entries = False
