"""The tables of links that kernels read, and the names that people read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from linkwork.kernels.tables import Floats, Ints, ShortInts

# kinds of elementary joints: no freedom; pin about z; any other screw about z; ball; translation along x, y and z
HELD, TURN, SCREW, BALL, SLIDES = range(5)
FREEDOMS = (0, 1, 1, 3, 3)

# columns of Links.what
KIND, PARENT, GENERAL, DOF, TURNED, DRIVE, BODY, CHILD_SIDE, LEAF, LAST_CHILD = range(10)
# columns of Links.screw
A_X, COS, SIN, TWICE_COS, CC, SS, CS, SHIFT_0, PER_TURN, PER_SLIDE = range(10)
# columns of Links.general and Links.place: a turn (9) and a shift (3)
R_, P_ = 0, 9


class Links(NamedTuple):
    """n links, parents before children; row n stands for ground.

    From the parent's frame to the link's: a general constant displacement (what[GENERAL] = 1), or a shift and a turn
    about x; then a shift d and a turn theta about z, theta = angle_0 + per_turn q, d = shift_0 + per_slide q, for HELD,
    TURN and SCREW; for BALL a turn R, for SLIDES a shift. q is what[DRIVE] >= 0's f(t), that row's, or coordinate
    what[DOF] on.
    """

    what: ShortInts  # (n, 10) kind, parent (n: ground), general, first coordinate, number of the ball or slides, row of
    # its driver or -1, body that the link carries or -1 (massless), 1 if the joint's second body is the child, 1 if no
    # link follows, 1 if none of its parent's other children comes later
    screw: Floats  # (n, 10) a, cos, sin, 2 cos, cos^2, sin^2, cos sin of the turn about x, shift_0, per_turn, per_slide
    # (of pins: 1 and 0)
    angle_0: Floats  # (n,)
    general: Floats  # (n, 12)
    rigid: Floats  # (n, 10) of the body in the link's frame: inertia about its origin, first moment, mass
    place: Floats  # (n, 12) the body's frame in the link's
    link: Ints  # (nb + 1,) the link that carries each body; n for ground
    joint_start: Ints  # (n + 1,) rows that the joint leading to a body's link holds: joint_row[start[k] : start[k + 1]]
    joint_row: Ints
    joint_side: Ints  # where the child stands in each: 0 for body i, 1 for body j
    closing: Ints  # rows that no joint of the tree holds
    others: ShortInts  # links that something else than a pin leads to


@dataclass(frozen=True)
class LinkTree:
    """Links of a mechanism, and names.

    coordinates : name of each coordinate, (dofs,); units : 'rad' or 'm'. quasi : whether its rate is a component of
    a ball joint's angular velocity, so that no angle belongs to it. sense (dofs,) : the joint's coordinate is that many
    times the link's own; -1 where the tree takes a pin joint from its second body to its first.
    names : of the links, joint by joint. roots : bodies that the trees start with.
    """

    links: Links
    coordinates: tuple[str, ...]
    units: tuple[str, ...]
    quasi: tuple[bool, ...]
    sense: Floats
    names: tuple[str, ...]

    @property
    def dofs(self) -> int:
        """Coordinates, and rates."""
        return len(self.coordinates)

    @property
    def balls(self) -> int:
        """Ball joints and free translations: what has more than one coordinate."""
        return int((self.links.what[:, KIND] >= BALL).sum())
