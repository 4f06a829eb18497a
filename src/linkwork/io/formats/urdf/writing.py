"""A mechanism as URDF: what the format can hold, and an account of the rest.

A link's frame sits where its joint leads to it, its axes those of the body; the root link is called `world`, with a
number where an element is called so. Joints of two freedoms are written as two, with a link without mass between them;
loops as <loop> elements of URDF+.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.io.formats.outward import APPROXIMATED, MAPPED, REFUSED, Acting, Arc, Outward, escaped, number
from linkwork.io.formats.urdf.closing import closing_types
from linkwork.io.formats.urdf.frames import to_rpy
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import Account
from linkwork.mechanism.document import STANDARD_GRAVITY
from linkwork.mechanism.elements import GROUND, Array
from linkwork.mechanism.motions import Slide, Turn
from linkwork.mechanism.rotation import rotation_matrix

WIDE = 'lower="-1e6" upper="1e6" effort="1e6" velocity="1e6"'
URDF_PLUS = "written as a <loop> of URDF+, which few programs read"


def write_urdf(mechanism: Mechanism, file: str) -> tuple[str, Account]:
    """The text, and what became of each element."""
    work = Outward(mechanism, "URDF", file)
    origin: dict[str, Array] = {GROUND: np.zeros(3)}  # of a link's frame, from the centre of mass, in body axes
    root = work.fresh("world")
    lines = ['<?xml version="1.0"?>', f'<robot name="{escaped(mechanism.name)}">', f'  <link name="{root}"/>']
    joints: list[str] = []
    mimics = _mimics(work)
    origin |= {name: np.zeros(3) for name in work.loose}
    for arc in work.tree:
        origin[arc.child] = arc.p_child
        parent = root if arc.parent == GROUND else arc.parent
        joints += _joint(work, arc, parent, origin, mimics.get(arc.joint.name, ""))
    for name in work.loose:
        A, r = work.pose(name)
        joints += _element(work.fresh(f"{name} free"), "floating", root, name, r, A, None)
    for body in mechanism.bodies:
        lines += _link(work, body, origin.get(body.name, np.zeros(3)))
    lines += joints
    for joint in work.closing:
        lines += _loop(work, joint, root, origin)
    if tuple(mechanism.gravity) != STANDARD_GRAVITY:
        work.say("gravity of", mechanism.name, REFUSED, f"URDF has no gravity; programs take {STANDARD_GRAVITY}")
    work.rest()
    return "\n".join([*lines, "</robot>", ""]), work.account()


def _link(work: Outward, body: Any, origin: Array) -> list[str]:
    mass, inertia = body.mass_properties()
    lines = [f'  <link name="{escaped(body.name)}">']
    if mass is None or inertia is None:
        work.say("body", body.name, REFUSED, "has no mass or inertia")
    else:
        work.say("body", body.name, MAPPED)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
        if mass > 0.0 or np.any(inertia):
            moments = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
            written = " ".join(f'{name}="{number(x)}"' for name, x in moments.items())
            place = f'<origin xyz="{number(*-origin)}"/>'
            lines.append(f'    <inertial>{place}<mass value="{number(mass)}"/><inertia {written}/></inertial>')
    for visual in body.visual:
        drawn = _visual(visual, np.array(body.centre) + origin)
        if drawn:
            lines.append(f"    {drawn}")
        else:
            work.say("visual of body", body.name, APPROXIMATED, "not drawn: URDF has no such shape")
    if body.velocity or body.angular_velocity:
        work.say("velocity of body", body.name, APPROXIMATED, "URDF holds no state")
    return [*lines, "  </link>"]


def _mimics(work: Outward) -> dict[str, str]:
    """<mimic> by joint: of couplings of two coordinates by first powers; a joint has one at most."""
    found: dict[str, str] = {}
    for coupling in work.couplings():
        rows = work.tied(coupling)
        if not rows or any(len(row.joints) != 2 or not row.linear or row.joints[0] in found for row in rows):
            continue
        for row in rows:
            (joint, leader), ((p, *_), (r, *_)) = row.joints, row.powers
            values = f'multiplier="{number(-r / p)}" offset="{number(-row.constant / p)}"'
            found[joint] = f'<mimic joint="{escaped(leader)}" {values}/>'
        work.wrote(coupling, "")
    return found


def _joint(work: Outward, arc: Arc, parent: str, origin: dict[str, Array], mimic: str) -> list[str]:
    """One of our joints as one or two of URDF; `parent`: the link that it stands on."""
    joint = arc.joint
    at, turn = arc.p_parent - origin[arc.parent], arc.R_parent @ arc.R_child.T
    axis = arc.R_child[:, 2]
    types = {"revolute": "continuous", "translational": "prismatic", "prismatic": "prismatic", "fixed": "fixed",
             "planar": "planar", "free": "floating", "spherical": "spherical"}  # fmt: skip
    if joint.type in types:
        if joint.type == "free":
            work.say("joint", joint.name, APPROXIMATED, "the start pose of a free joint is not held")
        elif joint.type == "spherical":
            work.say("joint", joint.name, APPROXIMATED, "spherical is no type of URDF's, though some read it")
        else:
            work.say("joint", joint.name, MAPPED)
        if len(joint.coordinates) == 1 and abs(work.coordinate(arc)) > 1e-12:
            work.say("start of joint", joint.name, APPROXIMATED, "URDF holds no state: all coordinates are zero")
        acting = work.acting.get(joint.name)
        return _element(
            joint.name, types[joint.type], parent, arc.child, at, turn, axis, _dynamics(work, arc, acting) + mimic
        )
    moves = joint.moves(*joint.markers(work.poses))
    if len(moves) != 2 or any(type(move) not in (Turn, Slide) for move in moves):
        work.say("joint", joint.name, REFUSED, f"URDF has no {joint.type} joint; the link is fixed")
        return _element(joint.name, "fixed", parent, arc.child, at, turn, None)
    work.say("joint", joint.name, APPROXIMATED, "two joints with a link without mass between them; start pose is zero")
    A, B = work.pose(arc.parent)[0], work.pose(arc.child)[0]
    between = work.fresh(f"{joint.name} between")
    lines = [f'  <link name="{escaped(between)}"/>']
    places = [(parent, between, at, A.T @ B), (between, arc.child, np.zeros(3), np.eye(3))]
    for k, (move, (one, two, p, R)) in enumerate(
        zip(moves if arc.parent == joint.first else reversed(moves), places, strict=True)
    ):
        owner = joint.second if getattr(move, "on_second", False) else joint.first
        along = B.T @ work.pose(owner)[0] @ np.array(getattr(move, "axis", ()))
        kind = "continuous" if isinstance(move, Turn) else "prismatic"
        lines += _element(work.fresh(f"{joint.name} {k + 1}"), kind, one, two, p, R, along)
    return lines


def _dynamics(work: Outward, arc: Arc, acting: Acting | None) -> str:
    if acting is None:
        return ""
    if acting.stiffness:
        work.say("spring of joint", arc.joint.name, REFUSED, "URDF has no springs")
    work.say("damper of joint", arc.joint.name, MAPPED)
    return f'<dynamics damping="{number(acting.damping)}"/>'


def _element(
    name: str, type: str, parent: str, child: str, at: Array, turn: Array, axis: Any, more: str = ""
) -> list[str]:
    """A <joint>."""
    rpy = number(*to_rpy(turn))
    limit = f"<limit {WIDE}/>" if type == "prismatic" else ""
    along = "" if axis is None or type in ("fixed", "floating", "spherical") else f'<axis xyz="{number(*axis)}"/>'
    return [
        f'  <joint name="{escaped(name)}" type="{type}">',
        f'    <parent link="{escaped(parent)}"/><child link="{escaped(child)}"/>',
        f'    <origin xyz="{number(*at)}" rpy="{rpy}"/>{along}{limit}{more}',
        "  </joint>",
    ]


def _loop(work: Outward, joint: Any, root: str, origin: dict[str, Array]) -> list[str]:
    """A joint that closes a loop."""
    if joint.type not in closing_types() or "axis2" in joint.needs:
        work.say("joint", joint.name, REFUSED, f"URDF+ cannot close a loop with a {joint.type} joint")
        return []
    work.say("joint", joint.name, APPROXIMATED, URDF_PLUS)
    lines = [f'  <loop name="{escaped(joint.name)}" type="{joint.type}">']
    ends = zip(("predecessor", "successor"), (joint.first, joint.second), joint.markers(work.poses), strict=True)
    for tag, name, marker in ends:
        R = np.column_stack([marker.x, marker.y, marker.z])
        p = np.array(marker.point) - origin[name]
        link = escaped(root if name == GROUND else name)
        place = f'<origin xyz="{number(*p)}" rpy="{number(*to_rpy(R))}"/>'
        lines.append(f'    <{tag} link="{link}">{place}</{tag}>')
    return [*lines, '    <axis xyz="0 0 1"/>', "  </loop>"]


def _visual(visual: Any, origin: Array) -> str | None:
    """A <visual>; `origin`: of the link's frame in the body's described frame."""
    shape = visual.shape
    if visual.mesh is not None:
        scale = "" if visual.scale is None else f' scale="{number(*visual.scale)}"'
        what = f'<mesh filename="{escaped(visual.mesh)}"{scale}/>'
    elif shape.type == "box":
        what = f'<box size="{number(*shape.size)}"/>'
    elif shape.type == "sphere":
        what = f'<sphere radius="{number(shape.radius)}"/>'
    elif shape.type == "cylinder" and shape.axis == "z":
        what = f'<cylinder radius="{number(shape.radius)}" length="{number(shape.length)}"/>'
    else:
        return None
    R, _ = rotation_matrix(visual.rotation)
    at = np.array(visual.position) - origin
    place = f'<origin xyz="{number(*at)}" rpy="{number(*to_rpy(R))}"/>'
    return f"<visual>{place}<geometry>{what}</geometry></visual>"
