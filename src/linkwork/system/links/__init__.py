"""A mechanism as links: bodies along a spanning tree, each led to by elementary joints from its parent.

What recursive methods work on. `links_of` makes a `LinkTree`: every joint of the tree becomes elementary joints, one
freedom each (revolute about z; or helical: a slide along z, or both), or three (spherical, or free translation), with
links without mass in between; frames are laid so that between two screws only a shift along x and a turn about x stand,
as Denavit and Hartenberg do. Joints that close loops, and whatever has no such form, keep their constraint rows.
"""

from linkwork.system.links.build import LinkPlan, links_of, set_rigid_bodies
from linkwork.system.links.coordinates import coordinates_at
from linkwork.system.links.linktree import Links, LinkTree

__all__ = ["LinkPlan", "LinkTree", "Links", "coordinates_at", "links_of", "set_rigid_bodies"]
