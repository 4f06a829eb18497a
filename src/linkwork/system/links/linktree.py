"""The tables of links that kernels read, and the names that people read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.tables import Floats, Ints, ShortInts

# kinds of elementary joints: no freedom, driven or not; turn about z; slide along z, or both; rotation; translation
FIXED, REVOLUTE, HELICAL, SPHERICAL, TRANSLATION = range(5)
FREEDOMS = (0, 1, 1, 3, 3)  # coordinates of each kind
FIRST_ANGLE = -3.3  # rad: where the whole turn begins that a coordinate is measured in: of half a turn it has no jump

# columns of Links.numbers, and groups of columns of Links.screws (shift, cos, sin; 2 cos, cos^2, sin^2, cos sin), for
# recursions that take several of them from one row
KIND, PARENT, IS_GENERAL, DOF = 0, 1, 2, 3
IS_LEAF, IS_LAST_CHILD = 7, 8
X_STEP, X_PRODUCTS = 0, 3


class Links(NamedTuple):
    """n links, parents before children; row n stands for ground.

    From the parent's frame to the link's: a general fixed displacement (is_general = 1), or a shift and a turn about x;
    then, for FIXED, REVOLUTE and HELICAL, a shift z_shift_0 + slide_per_q q and a turn angle_0 + turn_per_q q about z;
    for SPHERICAL a rotation, for TRANSLATION a shift. q is f(t) of row driver >= 0, or coordinate `dof` on.
    """

    numbers: Annotated[ShortInts, Shape("n", 10), "", "all of these:"]
    kind: Annotated[ShortInts, Columns("numbers"), "", "of its elementary joint: FIXED, REVOLUTE, ..."]
    parent: Annotated[ShortInts, Columns("numbers"), "", "link; n: ground"]
    is_general: Annotated[ShortInts, Columns("numbers"), "", "1: the displacement before the joint is `fixed`"]
    dof: Annotated[ShortInts, Columns("numbers"), "", "its first coordinate"]
    pose_index: Annotated[ShortInts, Columns("numbers"), "", "number among joints of three freedoms"]
    driver: Annotated[ShortInts, Columns("numbers"), "", "row that prescribes q, or -1"]
    body: Annotated[ShortInts, Columns("numbers"), "", "that the link carries, or -1 (massless)"]
    is_leaf: Annotated[ShortInts, Columns("numbers"), "", "1: no link follows"]
    is_last_child: Annotated[ShortInts, Columns("numbers"), "", "1: none of its parent's other children comes later"]
    screws: Annotated[Floats, Shape("n", 10), "", "all of these:"]
    x_shift: Annotated[Floats, Columns("screws"), "m", "before the joint, along x"]
    x_cos: Annotated[Floats, Columns("screws"), "1", "cosine of the turn about x"]
    x_sin: Annotated[Floats, Columns("screws"), "1", "its sine"]
    x_twice_cos: Annotated[Floats, Columns("screws"), "1", "2 cos"]
    x_cos2: Annotated[Floats, Columns("screws"), "1", "cos^2"]
    x_sin2: Annotated[Floats, Columns("screws"), "1", "sin^2"]
    x_cos_sin: Annotated[Floats, Columns("screws"), "1", "cos sin"]
    z_shift_0: Annotated[Floats, Columns("screws"), "m", "shift along z at q = 0"]
    turn_per_q: Annotated[Floats, Columns("screws"), "rad per unit of q", "turn about z; 1 of revolute joints"]
    slide_per_q: Annotated[Floats, Columns("screws"), "m per unit of q", "shift along z; 0 of revolute joints"]
    angle_0: Annotated[Floats, Shape("n"), "rad", "turn about z at q = 0"]
    fixed: Annotated[Floats, Shape("n", 12), "1, m", "general fixed displacement before the joint: R, p"]
    rigid: Annotated[
        Floats, Shape("n", 10), "kg m^2, kg m, kg", "of the body: I about the link's origin, first moment, mass"
    ]
    body_frame: Annotated[Floats, Shape("n", 12), "1, m", "the body's frame in the link's: R, p"]
    link_of_body: Annotated[Ints, Shape("nb + 1"), "", "the link that carries each body; n for ground"]
    joint_start: Annotated[
        Ints, Shape("n + 1"), "", "rows of the joint that leads to link k: joint_row[start[k] : start[k + 1]]"
    ]
    joint_row: Annotated[Ints, Shape("held"), "", "rows that joints of the tree hold"]
    joint_side: Annotated[Ints, Shape("held"), "", "where the child stands in each: 0 for body i, 1 for body j"]
    closing: Annotated[Ints, Shape("m"), "", "rows that no joint of the tree holds"]
    not_revolute: Annotated[ShortInts, Shape("others"), "", "links that another joint than a revolute one leads to"]


@dataclass(frozen=True)
class LinkTree:
    """Links of a mechanism, and names.

    coordinates : name of each coordinate, (dofs,); units : 'rad' or 'm'. quasi : whether its rate is a component of
    a spherical joint's angular velocity, so that no angle belongs to it. sense (dofs,) : the joint's coordinate is that
    many times the link's; -1 where the tree takes a revolute joint from its second body to its first.
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
    def poses(self) -> int:
        """Spherical joints and free translations: what has more than one coordinate."""
        return int((self.links.kind >= SPHERICAL).sum())
