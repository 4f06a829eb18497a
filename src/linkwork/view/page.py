"""One file that shows a mechanism moving: code, style and data in a page that asks nothing of any network."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from linkwork.errors import LinkworkError, UsageError
from linkwork.io.results.atomic import writing
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.scene import scene_of
from linkwork.view.data import document

ENDINGS = (".html", ".htm")
HEIGHT = 560  # pixels in a notebook
NOTEBOOK_FRAMES = 2_000  # so that a cell stays small


@dataclass(frozen=True)
class Page:
    """A page as text, and what is known of it.

    error : m, how far a shown point is from its result at most. size : of the mechanism, m. notes : what was left out.
    """

    html: str
    frames: int
    bodies: int
    error: float
    size: float
    notes: tuple[str, ...] = ()

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Page:
        """Write the file, whole or not at all.

        Raises UsageError (another ending than .html or .htm), OutputExistsError, ResultFileError.
        """
        check_ending(path)
        with writing(path, force=force) as temporary:
            temporary.write_text(self.html, encoding="utf-8")
        return self

    @property
    def summary(self) -> str:
        """The page in one line."""
        count = (
            f"{self.frames} frames of {self.bodies} bodies" if self.bodies != 1 else f"{self.frames} frames of a body"
        )
        exact = f"points shown to {self.error:.1e} m ({self.error / self.size:.1e} of the mechanism's size)"
        return "; ".join((count, f"{len(self.html.encode()) / 1e3:.0f} kB", exact, *self.notes))

    @property
    def scripts(self) -> tuple[str, ...]:
        """Sources of its two scripts, by hash, for the content security policy of a page that holds it in a frame."""
        first = self.html.rindex("<script>") + len("<script>")
        found = (self.html[first : self.html.rindex("</script>")].encode(), _source("page.js").encode())
        return tuple(f"'sha256-{base64.b64encode(sha256(text).digest()).decode('ascii')}'" for text in found)

    @property
    def frame(self) -> str:
        """The page in a frame, an element of HTML."""
        style = f"width:100%;height:{HEIGHT}px;border:1px solid #8884;border-radius:6px"
        return (
            f'<iframe srcdoc="{escape(self.html)}" style="{style}" sandbox="allow-scripts" '
            'loading="lazy" title="linkwork"></iframe>'
        )

    def _repr_html_(self) -> str:
        """The frame, for notebooks."""
        return self.frame

    def __repr__(self) -> str:
        return f"<Page: {self.summary}>"


def check_ending(path: str | PathLike[str]) -> None:
    """See that a page's name ends as pages do. Raises UsageError."""
    ending = Path(fspath(path)).suffix
    if ending.lower() not in ENDINGS:
        raise UsageError(f"pages are not written as {ending!r}.", file=fspath(path), remedy="Use .html.")


def page_of(
    what: Result | Mechanism, path: str | PathLike[str] | None = None, *, others: Sequence[Result] = (),
    trails: Sequence[tuple[str, Sequence[float]]] = (), most_frames: int | None = None,
    base: str | PathLike[str] | None = None, force: bool = False,
) -> Page:  # fmt: skip
    """The page of a result, or of a mechanism at its start pose; written to `path` if given.

    Parameters
    ----------
    others : results of the same bodies, drawn over the first as ghosts, with their distance plotted.
    trails : points whose paths are drawn: name of a body, and a point in its components about the centre of mass, m.
    most_frames : frames of each result that the page holds at most; left out, as many as it plays well.
    base : folder that meshes with relative names are looked for in; left out, the model file's own.

    Raises UsageError (results of other bodies, a result without its mechanism, a trail of no body, nothing but
    ground), ModelError (a mesh that is not there or cannot be read), OutputExistsError.
    """
    if path is not None:
        check_ending(path)
    if most_frames is not None and most_frames < 2:
        raise UsageError(f"most_frames must be 2 or more, not {most_frames}.")
    scene = scene_of(what, others, most_frames=most_frames, base=base)
    names = [body.name for body in scene.lowered.bodies]
    for body, point in trails:
        if body not in names:
            raise UsageError(
                f"there is no body {body!r} to draw a trail of.", remedy=f"There is {', '.join(names[:12])}."
            )
        if len(point) != 3:
            raise UsageError(f"a trail's point has three components, not {len(point)}.")
    data, error = document(scene, trails)
    page = Page(written(data), scene.frames, len(names), error, scene.size, tuple(data["notes"]))
    return page if path is None else page.save(path, force=force)


def in_notebook(what: Result | Mechanism) -> str:
    """The page in a frame; words where there is nothing to draw."""
    try:
        return page_of(what, most_frames=NOTEBOOK_FRAMES).frame
    except LinkworkError as error:
        return f"<pre>{escape(repr(what))}\n{escape(str(error))}</pre>"


def written(data: dict[str, Any]) -> str:
    """The page's text. Nothing of the data can end the element that it stands in."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    values = {"TITLE": escape(str(data["name"])), "STYLE": _source("page.css"), "CODE": _code(), "DATA": text}
    return re.sub("(TITLE|STYLE|CODE|DATA)_OF_PAGE", lambda found: values[found[1]], _source("page.html"))


@cache
def _source(name: str) -> str:
    return (files("linkwork.view") / name).read_text(encoding="utf-8")


@cache
def _code() -> str:
    """The built code, deflated, as base64."""
    return base64.b64encode(zlib.compress(_source("page.js").encode(), 9)).decode("ascii")
