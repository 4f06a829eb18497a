"""The scene of a mechanism inside a report: the page of `view` in a frame, whose scripts alone may run there."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.result import Result

MOST_FRAMES = 500


@dataclass(frozen=True)
class Moving:
    """A frame to be put into a page. scripts : for the page's content security policy, which the frame inherits.

    why : in place of the frame, why there is none.
    """

    caption: str
    frame: str = ""
    scripts: tuple[str, ...] = ()
    why: str = ""


def moving(what: Result | Mechanism, caption: str) -> Moving:
    """The scene of a result, or of a mechanism at its start pose; words where there is nothing to draw."""
    try:
        page = what.view(most_frames=MOST_FRAMES)
    except LinkworkError as error:
        return Moving(caption, why=f"It cannot be drawn: {error.message}")
    return Moving(caption, Markup(page.frame), page.scripts)  # escaped by the page that makes it


def policy(scenes: list[Moving]) -> str:
    """What a page's content security policy allows besides style and pictures: the scripts of its scenes, by hash."""
    scripts = sorted({one for scene in scenes for one in scene.scripts})
    return f" blob:; script-src {' '.join(scripts)}" if scripts else ""
