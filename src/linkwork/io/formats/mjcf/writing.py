"""A mechanism as MJCF: what MuJoCo can hold, and an account of the rest.

Bodies' frames are at their centres of mass, in the start pose, which is MuJoCo's reference; coordinates of hinges and
slides are those of our joints there (`ref`). A massless body between two joints becomes a body with both joints.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.io.formats.mjcf.compilable import compilable, fixed_to
from linkwork.io.formats.outward import APPROXIMATED, MAPPED, REFUSED, Arc, Outward, escaped, number
from linkwork.kernels.rows.kinds import NUMBER, VELOCITY_LEVEL
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import Account
from linkwork.mechanism.couplings.mimic import about_zero
from linkwork.mechanism.elements import GROUND, Array
from linkwork.mechanism.motions import Ball, Slide, Turn
from linkwork.mechanism.rotation import rotation_matrix

SOFT = "closed softly by MuJoCo"
WORLD = "world"


def write_mjcf(mechanism: Mechanism, file: str) -> tuple[str, Account]:
    """The text, and what became of each element."""
    work = Outward(mechanism, "MJCF", file)
    work.reserve(WORLD)
    children: dict[str, list[Arc]] = {}
    for arc in work.tree:
        children.setdefault(arc.parent, []).append(arc)
    lines = [
        f'<mujoco model="{escaped(mechanism.name)}">',
        '  <compiler angle="radian"/>',
        f'  <option gravity="{number(*mechanism.gravity)}"/>',
        "  <worldbody>",
    ]
    for arc in children.get(GROUND, []):
        lines += _body(work, children, arc.child, [arc], "    ")
    for name in work.loose:
        lines += _body(work, children, name, [], "    ")
    lines.append("  </worldbody>")
    closing = [line for joint in work.closing for line in _closed(work, joint)]
    tendons, tying = _tied(work)
    if tendons:
        lines += ["  <tendon>", *tendons, "  </tendon>"]
    if closing or tying:
        lines += ["  <equality>", *closing, *tying, "  </equality>"]
    work.rest()
    return "\n".join([*lines, "</mujoco>", ""]), work.account()


def _body(work: Outward, children: dict[str, list[Arc]], name: str, arcs: list[Arc], indent: str) -> list[str]:
    """A body with all that hangs on it; `arcs`: the joints that lead to it from the body it stands in."""
    body, below = work.mechanism.element(name), children.get(name, [])
    mass, inertia = body.mass_properties()
    free = any(a.joint.type == "free" for a in arcs)
    if mass == 0.0 and not np.any(inertia) and len(below) == 1 and arcs and not body.visual and not free:
        work.say("body", name, MAPPED, "it has no mass: its joints are the next body's")
        return _body(work, children, below[0].child, [*arcs, *below], indent)
    A, r = work.pose(name)
    B, s = work.pose(arcs[0].parent) if arcs else (np.eye(3), np.zeros(3))
    placed = f'pos="{number(*(B.T @ (r - s)))}" quat="{number(*_quaternion(B.T @ A))}"'
    lines = [f'{indent}<body name="{escaped(work.called(name))}" {placed}>']
    joints = _joints(work, arcs, name)
    lines += [f"{indent}  {line}" for line in joints]
    if mass is None or inertia is None:
        work.say("body", name, REFUSED, "has no mass or inertia")
    else:
        (a, b, c), outcome, how = compilable(
            mass, np.array(inertia), carried=not joints or fixed_to(work, children, name)
        )
        full = number(a[0], b[1], c[2], a[1], a[2], b[2])
        if mass > 0.0:
            lines.append(f'{indent}  <inertial pos="0 0 0" mass="{number(mass)}" fullinertia="{full}"/>')
        work.say("body", name, outcome, how)
    for visual in body.visual:
        drawn = _drawn(visual, np.array(body.centre))
        if drawn:
            lines.append(f"{indent}  {drawn}")
        else:
            work.say("visual of body", name, APPROXIMATED, "not drawn: meshes and such shapes are not written")
    if body.velocity or body.angular_velocity:
        work.say("velocity of body", name, APPROXIMATED, "MJCF holds the pose of the start, not its velocities")
    for arc in below:
        lines += _body(work, children, arc.child, [arc], f"{indent}  ")
    return [*lines, f"{indent}</body>"]


def _joints(work: Outward, arcs: list[Arc], name: str) -> list[str]:
    """The joints by which a body hangs in the one it stands in."""
    if not arcs:
        return ["<freejoint/>"]
    return [line for arc in arcs for line in _joint(work, arc, name)]


def _joint(work: Outward, arc: Arc, name: str) -> list[str]:
    """One of our joints, its axes and points in components of the body `name` at the start."""
    joint, title = arc.joint, escaped(arc.joint.name)
    if joint.type == "free":
        if arc.parent != GROUND:
            work.say("joint", joint.name, REFUSED, "MuJoCo's bodies are free of ground alone")
            return []
        work.say("joint", joint.name, MAPPED)
        at_frame = joint.first == GROUND and not np.any(arc.p_child)  # MuJoCo's rates are those of the body's frame
        if at_frame and (armature := work.rotors(joint.name, on_all=True)):
            return [f'<joint name="{title}" type="free" armature="{number(armature)}"/>']
        return [f'<freejoint name="{title}"/>']
    markers = joint.markers(work.poses)
    moves = joint.moves(*markers)
    others = any(type(move) not in (Turn, Slide, Ball) for move in moves)
    if others or any(NUMBER[row.kind] in VELOCITY_LEVEL for row in joint.locks(*markers)):  # those of rolling
        work.say("joint", joint.name, REFUSED, f"MJCF has no {joint.type} joint: it is left out, and the body is fixed")
        return []
    work.say("joint", joint.name, MAPPED)
    A, r = work.pose(name)
    B, s = work.pose(arc.child)
    point = number(*(A.T @ (s + B @ arc.p_child - r)))
    single = len(moves) == 1 and len(joint.coordinates) == 1
    more = _acting(work, arc) if single else ""
    lines = []
    for k, move in enumerate(moves if arc.parent == joint.first else tuple(reversed(moves))):
        label = title if len(moves) == 1 else escaped(work.fresh(f"{joint.name} {k + 1}"))
        if isinstance(move, Ball):
            single = len(moves) == 1
            acting = _spring_and_damper(work, arc, at_reference=True) + _armature(work, arc) if single else ""
            lines.append(f'<joint name="{label}" type="ball" pos="{point}"{acting}/>')
            continue
        owner = joint.second if getattr(move, "on_second", False) else joint.first
        axis = number(*(A.T @ work.pose(owner)[0] @ np.array(getattr(move, "axis", ()))))
        kind = "hinge" if isinstance(move, Turn) else "slide"
        lines.append(f'<joint name="{label}" type="{kind}" axis="{axis}" pos="{point}"{more}/>')
    return lines


def _acting(work: Outward, arc: Arc) -> str:
    """Reference, spring and damper of a joint with one coordinate."""
    return f' ref="{number(work.coordinate(arc))}"' + _spring_and_damper(work, arc) + _armature(work, arc)


def _armature(work: Outward, arc: Arc) -> str:
    armature = work.rotors(arc.joint.name)
    return f' armature="{number(armature)}"' if armature else ""


def _spring_and_damper(work: Outward, arc: Arc, *, at_reference: bool = False) -> str:
    """at_reference : whether the spring is free in the reference pose, as MuJoCo's balls are."""
    acting = work.acting.get(arc.joint.name)
    if acting is None:
        return ""
    work.say("spring or damper of joint", arc.joint.name, MAPPED)
    rest = "" if at_reference else f' springref="{number(acting.rest)}"'
    return f' stiffness="{number(acting.stiffness)}" damping="{number(acting.damping)}"{rest}'


def _tied(work: Outward) -> tuple[list[str], list[str]]:
    """Fixed tendons and equality constraints of couplings: of two joints by a polynomial, of more by first powers."""
    at = {arc.joint.name: work.coordinate(arc) for arc in work.tree if len(arc.joint.coordinates) == 1}
    tendons: list[str] = []
    equalities: list[str] = []
    for coupling in work.couplings():
        rows = work.tied(coupling)
        if not rows or any((len(row.joints) > 2 and not row.linear) or any(row.powers[0][1:]) for row in rows):
            continue
        for n, row in enumerate(rows):
            name = escaped(coupling.name if len(rows) == 1 else work.fresh(f"{coupling.name} {n + 1}"))
            if len(row.joints) == 2:
                (one, two), ((p, *_), powers) = row.joints, row.powers
                about = about_zero((row.constant, *powers), -at[two])  # in powers of q2 - ref2
                coefficients = number(-about[0] / p - at[one], *(-c / p for c in about[1:]))
                joints = f'joint1="{escaped(one)}" joint2="{escaped(two)}"'
                equalities.append(f'    <joint name="{name}" {joints} polycoef="{coefficients}"/>')
                continue
            rest = -row.constant - sum(p[0] * at[joint] for joint, p in zip(row.joints, row.powers, strict=True))
            parts = "".join(f'<joint joint="{escaped(joint)}" coef="{number(p[0])}"/>'
                            for joint, p in zip(row.joints, row.powers, strict=True))  # fmt: skip
            tendons.append(f'    <fixed name="{name}">{parts}</fixed>')
            equalities.append(f'    <tendon name="{name}" tendon1="{name}" polycoef="{number(rest)} 0 0 0 0"/>')
        work.wrote(coupling, "held softly by MuJoCo")
    return tendons, equalities


def _closed(work: Outward, joint: Any) -> list[str]:
    """A joint that closes a loop, as soft constraints."""
    first, second = joint.markers(work.poses)
    ends = [(name, np.array(m.point), np.array(m.z)) for name, m in ((joint.first, first), (joint.second, second))]
    if joint.first == GROUND:
        ends.reverse()
    (one, p, z), (two, _, _) = ends
    names = f'body1="{escaped(work.called(one))}" body2="{WORLD if two == GROUND else escaped(work.called(two))}"'
    title = joint.name
    if joint.type == "spherical":
        points = {title: p}
    elif joint.type == "revolute":
        points = {title: p, work.fresh(f"{title} axis"): p + 0.1 * z}
    else:
        work.say("joint", joint.name, REFUSED, f"MJCF cannot close a loop with a {joint.type} joint")
        return []
    how = SOFT if joint.type == "spherical" else f"{SOFT}, as two points of the axis"
    work.say("joint", joint.name, APPROXIMATED, how)
    return [f'    <connect name="{escaped(n)}" {names} anchor="{number(*at)}"/>' for n, at in points.items()]


def _drawn(visual: Any, centre: Array) -> str | None:
    """A geom without mass and contact."""
    shape = visual.shape
    if shape is None:
        return None
    if shape.type == "box":
        size = [x / 2.0 for x in shape.size]
    elif shape.type == "sphere":
        size = [shape.radius]
    elif shape.type == "cylinder" and shape.axis == "z":
        size = [shape.radius, shape.length / 2.0]
    elif shape.type == "ellipsoid":
        size = list(shape.radii)
    else:
        return None
    turned = number(*_quaternion(rotation_matrix(visual.rotation)[0]))
    at = number(*(np.array(visual.position) - centre))
    what = f'type="{shape.type}" size="{number(*size)}" pos="{at}" quat="{turned}"'
    return f'<geom {what} mass="0" contype="0" conaffinity="0"/>'


def _quaternion(R: Array) -> Array:
    """Scalar first, of a rotation matrix, by its largest component."""
    trace = float(R.trace())
    k = int(np.argmax([trace, R[0, 0], R[1, 1], R[2, 2]]))
    if k == 0:
        q = np.array([1.0 + trace, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        q = np.zeros(4)
        q[0] = R[m, j] - R[j, m]
        q[1 + i] = 1.0 + R[i, i] - R[j, j] - R[m, m]
        q[1 + j], q[1 + m] = R[j, i] + R[i, j], R[m, i] + R[i, m]
    return np.asarray(q / np.linalg.norm(q))
