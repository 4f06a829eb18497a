"""Where frames of links lie: worked out of what stands before and behind their joints, and anew where some of that is
other.

A frame depends on its link's joint and on its children's alone, so that with another length a few links are laid anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from linkwork.system.links.displacements import Displacement, Screw, about_z, compose, inverse, three_screws
from linkwork.system.links.linktree import HELICAL, Links

STILL: Screw = (0.0, 0.0)


class Joined(NamedTuple):
    """Numbers of a link as its joint has them. before : what leads to its elementary joint, from its parent's body, or
    from its parent where that has none. body : from the link to its body. turn, slide : per unit of its coordinate."""

    before: Displacement
    body: Displacement
    turn: float
    slide: float

    def like(self, other: Joined) -> bool:
        """Whether all of it has the same bits."""
        a, b = self, other
        pairs = *zip(a.before, b.before, strict=True), *zip(a.body, b.body, strict=True)
        numbers = (a.turn is b.turn and a.slide is b.slide) or repr(a[2:]) == repr(b[2:])
        return numbers and all(x is y or x.tobytes() == y.tobytes() for x, y in pairs)


class Laid(NamedTuple):
    """Links with their frames laid, one entry for each.

    joined : of what. reached : what leads to the elementary joint, from the parent's own frame; before, body : the same
    and `Joined.body` where frames have moved. screw : about x, in place of `before`, of the child that its parent's
    frame moved for; ahead : how far it did, about and along z; behind : how far the child's did.
    """

    joined: list[Joined]
    reached: list[Displacement]
    before: list[Displacement]
    body: list[Displacement]
    screw: list[Screw | None]
    ahead: list[Screw]
    behind: list[Screw]


class Frames:
    """How frames of a tree of links are laid.

    parents : of each link, -1 for ground. kinds : of elementary joints. carries : whether a link has a body. screws :
    move frames along and about the z axes of revolute and helical joints, so that the way to a child is one screw about
    x. A link's frame can serve one child so, the first that such a joint leads to.
    """

    def __init__(self, parents: Sequence[int], kinds: Sequence[int], carries: Sequence[bool], screws: bool) -> None:
        self.parents, self.kinds, self.carries, self.screws = parents, kinds, carries, screws
        self.children: list[list[int]] = [[] for _ in parents]
        for k, parent in enumerate(parents):
            if parent >= 0:
                self.children[parent].append(k)

    def laid(self, joined: list[Joined]) -> Laid:
        """All links, of these numbers."""
        n = len(joined)
        reached = [self._reached(joined, k) for k in range(n)]
        body = [one.body for one in joined]
        made = Laid(joined, reached, [*reached], body, [None] * n, [STILL] * n, [STILL] * n)
        for k in range(n):
            self._lay(made, k)
        return made

    def laid_anew(self, known: Laid, others: dict[int, Joined]) -> tuple[Laid, set[int]]:
        """The same with other numbers of some links, and the links that have other ones in the end."""
        made = Laid(*[[*some] for some in known])
        reached, parents = set(others), set(others)
        for k, one in others.items():
            made.joined[k] = one
            if self.carries[k]:
                reached.update(self.children[k])
        for k in reached:
            made.reached[k] = made.before[k] = self._reached(made.joined, k)
            if self.parents[k] >= 0:
                parents.add(self.parents[k])
        for k in parents:
            self._lay(made, k)
            if made.body[k] is not known.body[k] or made.ahead[k] is not known.ahead[k]:
                reached.update((k, *self.children[k]))
        return made, reached

    def _reached(self, joined: list[Joined], k: int) -> Displacement:
        """From the parent's link, which need not be where its body is."""
        parent, before = self.parents[k], joined[k].before
        return compose(joined[parent].body, before) if parent >= 0 and self.carries[parent] else before

    def _lay(self, made: Laid, k: int) -> None:
        """The frame of link k, and what leads from it to its children."""
        body, below = made.joined[k].body, self.children[k]
        made.body[k], made.ahead[k] = body, STILL
        for child in below:
            made.before[child], made.screw[child], made.behind[child] = made.reached[child], None, STILL
        for child in below if self.screws and self.kinds[k] <= HELICAL else ():
            split = three_screws(made.reached[child]) if self.kinds[child] <= HELICAL else None
            if split is not None:
                made.ahead[k], made.screw[child], made.behind[child] = split
                back = inverse(about_z(*split[0]))
                made.body[k] = compose(back, body)
                for one in below:
                    made.before[one] = compose(back, made.reached[one])
                return


def write_links(links: Links, laid: Laid, some: Iterable[int]) -> None:
    """The numbers of some links, but for inertias."""
    screws, angle, fixed, body_frame = links.screws, links.angle_0, links.fixed, links.body_frame
    for k in some:
        (turn, x), (ahead, up), (behind, on) = laid.screw[k] or STILL, laid.ahead[k], laid.behind[k]
        c, s, one = math.cos(turn), math.sin(turn), laid.joined[k]
        screws[k] = (x, c, s, 2.0 * c, c * c, s * s, c * s, 0.0 + on + up, one.turn, one.slide)
        angle[k] = 0.0 + behind + ahead
        R, p = laid.before[k]
        fixed[k, :9], fixed[k, 9:] = R.ravel(), p
        R, p = laid.body[k]
        body_frame[k, :9], body_frame[k, 9:] = R.ravel(), p
