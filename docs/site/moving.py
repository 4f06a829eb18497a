"""The pages that the gallery opens: every shipped mechanism in three dimensions, moving."""

from __future__ import annotations

import re
from pathlib import Path

MOST_FRAMES = 600
LINK = '<p><a href="pages/{name}.html">See it move, in three dimensions</a></p>'


def link(gallery: Path) -> None:
    """Put a link to its page below each mechanism's picture."""
    text = gallery.read_text(encoding="utf-8")
    picture = re.compile(r"^!\[(\w+)\]\(images/gallery/\1\.png\)$", re.MULTILINE)
    gallery.write_text(picture.sub(lambda found: f"{found[0]}\n\n{LINK.format(name=found[1])}", text), encoding="utf-8")


def write(folder: Path) -> int:
    """Run every shipped mechanism over its own span, at most four seconds, and write its page. Returns how many."""
    import linkwork as lw
    from linkwork.mechanisms import shipped

    folder.mkdir(parents=True, exist_ok=True)
    for name in shipped():
        mech = lw.load(name)
        t_end = min(mech.run.t_end or 4.0, 4.0) if name != "muller2013_spherical_double_pendulum" else 1.5
        lw.simulate(mech, t_end).view(folder / f"{name}.html", most_frames=MOST_FRAMES, force=True)
    return len(shipped())
