"""How joints are drawn, one function for each glyph that a joint can name (`Joint.glyph`); lengths in radii r of a rod.

A function gets the joint as it is seen and makes parts. `Seen` holds its two places, (body, marker), the radius r, the
mechanism's size, and how far a sliding joint goes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.scene.parts import Part, quaternion_of

Held = tuple[int, Any]  # a body and the joint's marker on it


class Seen(NamedTuple):
    """A joint's places on its bodies, and the measures it is drawn by, m."""

    first: Held
    second: Held
    r: float
    size: float
    travel: tuple[float, float]

    @property
    def moving(self) -> Held:
        """The second body's place, the first's where that is ground."""
        body, _ = self.second
        return self.second if body >= 0 else self.first


def solid(place: Held, kind: str, *size: float, role: str = "joint", up: float = 0.0) -> Part:
    """A part at a marker, long in its z axis, moved `up` along it."""
    body, marker = place
    at = np.array(marker.point) + up * np.array(marker.z)
    turned = quaternion_of(np.stack([marker.x, marker.y, marker.z], axis=1))
    return Part(body, kind, size, tuple(at.tolist()), turned, role=role)


def pin(joint: Seen) -> list[Part]:
    """A short cylinder along the axis."""
    return [solid(joint.moving, "cylinder", 1.9 * joint.r, 5.0 * joint.r)]


def ball(joint: Seen) -> list[Part]:
    """A ball."""
    return [solid(joint.moving, "sphere", 1.9 * joint.r)]


def cross(joint: Seen) -> list[Part]:
    """A bar along the axis on each body, with a ball between them."""
    bars = [solid(place, "cylinder", 0.8 * joint.r, 6.0 * joint.r) for place in (joint.first, joint.second)]
    return [solid(joint.moving, "sphere", 1.5 * joint.r), *bars]


def rail(joint: Seen) -> Part:
    """What the first body offers to slide on: as long as the way."""
    low, high = joint.travel
    long = max(high - low + 8.0 * joint.r, 10.0 * joint.r)
    return solid(joint.first, "cylinder", 0.55 * joint.r, long, role="rail", up=(low + high) / 2.0)


def block(joint: Seen) -> list[Part]:
    """A block on a rail."""
    return [rail(joint), solid(joint.second, "box", 3.6 * joint.r, 3.6 * joint.r, 5.0 * joint.r)]


def sleeve(joint: Seen) -> list[Part]:
    """A sleeve on a rail."""
    return [rail(joint), solid(joint.second, "tube", 2.0 * joint.r, 1.0 * joint.r, 5.0 * joint.r)]


def thread(joint: Seen) -> list[Part]:
    """A sleeve with threads on a rail."""
    threads = (-1.6, 0.0, 1.6)
    return [
        *sleeve(joint),
        *(solid(joint.second, "cylinder", 2.5 * joint.r, 0.5 * joint.r, up=k * joint.r) for k in threads),
    ]


def line(joint: Seen) -> list[Part]:
    """A ball on a rail."""
    return [rail(joint), solid(joint.second, "sphere", 1.7 * joint.r)]


def weld(joint: Seen) -> list[Part]:
    """A cube."""
    return [solid(joint.moving, "box", 3.0 * joint.r, 3.0 * joint.r, 3.0 * joint.r)]


def sheet(joint: Seen) -> list[Part]:
    """A ball on a sheet that is seen through."""
    wide = 0.3 * joint.size
    return [
        solid(joint.first, "box", wide, wide, 0.2 * joint.r, role="plane"),
        solid(joint.second, "sphere", 1.6 * joint.r),
    ]


def rod(joint: Seen) -> list[Part]:
    """A ball at each end; what is between them is drawn frame by frame."""
    return [solid(place, "sphere", 1.5 * joint.r) for place in (joint.first, joint.second)]


def blade(joint: Seen) -> list[Part]:
    """A thin blade."""
    return [solid(joint.second, "box", 5.0 * joint.r, 0.4 * joint.r, 2.5 * joint.r)]


def disc(joint: Seen) -> list[Part]:
    """Nothing: the body is the disc."""
    return []


GLYPHS = {
    make.__name__: make for make in (pin, ball, cross, block, sleeve, thread, line, weld, sheet, rod, blade, disc)
}
SLIDING = ("block", "sleeve", "thread")  # whose point along the axis makes no difference to the motion
