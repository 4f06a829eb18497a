"""Pictures inside a page: SVG as elements of the page, PNG as data; nothing is fetched from anywhere."""

from __future__ import annotations

import base64
import re

from markupsafe import Markup, escape

PNG = b"\x89PNG\r\n"
PROLOGUE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
NAMESPACES = re.compile(r'\s+xmlns(:\w+)?="[^"]*"')
OPENING = re.compile(r"<svg\b([^>]*)>")
REFERENCE = re.compile(r'(\bid="|\bxlink:href="#|\bhref="#|url\(#)')
FORBIDDEN = re.compile(r"<script|<foreignObject|\bon\w+=|href=\"(?!#)", re.IGNORECASE)


def picture(source: str | bytes, caption: str, prefix: str) -> Markup:
    """An element that shows SVG text or PNG bytes.

    prefix : put before the picture's ids, which must differ from those of other pictures on the page.
    Raises ValueError for what is neither, and for SVG that runs scripts or points elsewhere.
    """
    if isinstance(source, bytes):
        return _png(source, caption)
    return _svg(source, caption, prefix)


def _png(data: bytes, caption: str) -> Markup:
    if not data.startswith(PNG):
        raise ValueError("the picture is not PNG")
    text = base64.b64encode(data).decode("ascii")
    return Markup('<img alt="{}" src="data:image/png;base64,{}">').format(caption, Markup(text))


def _svg(text: str, caption: str, prefix: str) -> Markup:
    """The drawing without what only a file needs; it scales with the page, since only its viewBox is kept."""
    text = NAMESPACES.sub("", PROLOGUE.sub("", text)).strip()
    opening = OPENING.match(text)
    if opening is None:
        raise ValueError("the picture is not SVG")
    if FORBIDDEN.search(text):
        raise ValueError("the picture runs scripts or points elsewhere")
    box = re.search(r'viewBox="([^"]*)"', opening[1])
    if box is None:
        raise ValueError("the picture has no viewBox")
    width = float(box[1].split()[2])
    inside = REFERENCE.sub(lambda found: found[1].replace("xlink:", "") + prefix, text[opening.end() :])
    label = escape(caption)
    head = f'<svg viewBox="{escape(box[1])}" style="max-width:{1.6 * width:.0f}px" role="img" aria-label="{label}">'
    return Markup(head + inside)
