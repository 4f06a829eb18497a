"""What leads to a body of the tree: a joint in elementary joints, and the same joint with other points."""

from __future__ import annotations

from operator import is_

import numpy as np

from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.markers import Marker
from linkwork.system.links.displacements import Displacement, of_marker
from linkwork.system.links.elementary import Chain, constants, leading, trailing
from linkwork.system.links.laying import Joined


class Branch:
    """The joint that leads to a label of the tree.

    element : the joint, by number. chain : it in elementary joints. forward : whether the tree takes it from its first
    body to its second. first : its first link. driven : whether drivers prescribe some of it. One thread at a time uses
    it.
    """

    def __init__(self, label: int, element: int, chain: Chain, forward: bool, first: int, driven: bool) -> None:
        self.label, self.element, self.chain, self.forward = label, element, chain, forward
        self.first, self.driven = first, driven
        self._alike: tuple[object, ...] = ()  # facts of the last joint that differs in markers alone
        self._seen: list[tuple[Marker | None, Displacement]] = [(None, end) for end in chain.markers]
        self._on_parent, self._on_child = chain.markers if forward else chain.markers[::-1]  # of the known links

    def with_points(self, joint: LoweredJoint, known: LoweredJoint, links: list[Joined]) -> list[Joined] | None:
        """Numbers of these links of a joint that differs in points alone; None where it may differ in more.

        known : the joint that the links are of."""
        if self.driven or joint.markers is None:
            return None
        facts = joint.name, joint.type, joint.kind, joint.rows, joint.moves
        if not (self._alike and all(map(is_, facts, self._alike))):
            if repr(facts) != repr((known.name, known.type, known.kind, known.rows, known.moves)):
                return None
            self._alike = facts
        ends = self._ends_of(joint)
        if ends is None:
            return None
        if not self.chain.steps:
            before, after = constants(self.chain, ends, self.forward)
            return [one._replace(before=T, body=after) for one, T in zip(links, before, strict=True)]
        on_parent, on_child = ends if self.forward else ends[::-1]
        made = [*links]
        if on_parent is not self._on_parent:
            made[0] = made[0]._replace(before=leading(self.chain, on_parent, self.forward))
        if on_child is not self._on_child:
            made[-1] = made[-1]._replace(body=trailing(self.chain, on_child, self.forward))
        return made

    def _ends_of(self, joint: LoweredJoint) -> tuple[Displacement, Displacement] | None:
        """Its markers as displacements; None where their axes are others."""
        assert joint.markers is not None
        found = []
        for n, marker in enumerate(joint.markers):
            seen, end = self._seen[n]
            if seen is None or not (marker.x is seen.x and marker.y is seen.y and marker.z is seen.z):
                turn, point = of_marker(marker)
                if turn.tobytes() != end[0].tobytes():
                    return None
                self._seen[n] = marker, end if point.tobytes() == end[1].tobytes() else (end[0], point)
            elif marker is not seen:
                end = end[0], np.array(marker.point)
            found.append(self._seen[n][1] if marker is self._seen[n][0] else end)
        return found[0], found[1]
