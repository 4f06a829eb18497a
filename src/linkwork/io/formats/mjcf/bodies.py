"""MuJoCo's compiled model as bodies, joints and forces.

A body with several joints hangs on a chain of massless bodies, one joint each, whose frames coincide at the start.
Coordinates are MuJoCo's less their reference, so that they are zero in the pose in which the file is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import ModelError
from linkwork.io.formats.mjcf import acting
from linkwork.io.formats.mjcf.actuators import actuators
from linkwork.io.formats.mjcf.tendons import coefficients, pulling
from linkwork.io.formats.names import UniqueNames
from linkwork.io.formats.smooth_laws import SmoothLaws
from linkwork.mechanism.elements import GROUND, Array
from linkwork.mechanism.markers import direction, perpendicular

ORIGIN = [0.0, 0.0, 0.0]


class Compiled:
    """Reads one compiled model. `file`: for messages. laws : of dry friction and limits. actuated : with actuators."""

    def __init__(self, model: Any, mujoco: Any, file: str, laws: SmoothLaws, *, actuated: bool = False) -> None:
        self.model, self.mujoco, self.file, self.laws = model, mujoco, file, laws
        self.kind = {getattr(mujoco.mjtJoint, f"mjJNT_{name.upper()}").value: name
                     for name in ("free", "ball", "slide", "hinge")}  # fmt: skip
        self.data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, self.data)
        self.names = UniqueNames()
        self.body = [GROUND] + [
            self.names.new(model.body(b).name or f"body {b}", "body") for b in range(1, model.nbody)
        ]
        self.bodies: list[dict[str, Any]] = []
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []
        self.couplings: list[dict[str, Any]] = []
        self.drivers: list[dict[str, Any]] = []
        self.inputs: dict[str, float] = {}
        self.inexact = ""  # why equalities of tendons are not all there
        self.of_tendons: dict[int, str] = {}  # those that act -> why they are refused, nothing of those that are not
        self.of_actuators: dict[int, str] | None = None  # the same of those that are refused; None: none is to act
        self.unstopped: list[str] = []  # joints and tendons with limits at which nothing stops them
        self.idle_actuators = set[int]()  # switched off in the file
        self.joint_names: dict[int, str] = {}  # of MuJoCo's joints
        for b in range(1, model.nbody):
            self._body(b)
        for e in range(0 if self.off("EQUALITY") else model.neq):
            if int(model.eq_type[e]) == int(mujoco.mjtEq.mjEQ_JOINT):
                self._couple(e)
            elif int(model.eq_type[e]) == int(mujoco.mjtEq.mjEQ_TENDON):
                self._tie(e)
            else:
                self._close(e)
        self.forces += pulling(self)
        if actuated:
            found = actuators(self)
            self.forces += found.forces
            self.inputs, self.of_actuators, self.idle_actuators = found.inputs, found.refused, found.off

    def document(self, name: str) -> dict[str, Any]:
        """The same model as a linkwork document."""
        gravity = [0.0, 0.0, 0.0] if self.off("GRAVITY") else [float(x) for x in self.model.opt.gravity]
        parts = {"bodies": self.bodies, "joints": self.joints, "forces": self.forces}
        return {
            "name": name,
            "gravity": gravity,
            **parts,
            "couplings": self.couplings,
            "drivers": self.drivers,
            **({"inputs": self.inputs} if self.inputs else {}),
        }

    def off(self, name: str) -> bool:
        """Whether the file's <option><flag .../> switches something off, alone or with all constraints."""
        names = (name, *(("CONSTRAINT",) if name in ("EQUALITY", "FRICTIONLOSS", "LIMIT") else ()))
        bits = sum(int(getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{one}")) for one in names)
        return bool(self.model.opt.disableflags & bits)

    def _body(self, b: int) -> None:
        """A body, with what carries it."""
        model = self.model
        p, R = self.data.xpos[b].tolist(), self.data.xmat[b].reshape(3, 3).tolist()
        parent = self.body[int(model.body_parentid[b])]
        at, turn = np.array(model.body_pos[b]), _matrix(model.body_quat[b])
        first, count = int(model.body_jntadr[b]), int(model.body_jntnum[b])
        for k in range(count):
            last = k == count - 1
            child = self.body[b] if last else self.names.new(f"{self.body[b]} carrier {k + 1}", "body")
            if not last:
                fields = {"name": child, "mass": 0.0, "inertia": ORIGIN, "position": p, "rotation": R}
                self.bodies.append(fields)
            self._joint(first + k, parent, child, at, turn)
            parent, at, turn = child, np.zeros(3), np.eye(3)
        inertia = _matrix(model.body_iquat[b])
        inertia = inertia @ np.diag(model.body_inertia[b]) @ inertia.T
        self.bodies.append(
            {
                "name": self.body[b],
                "mass": float(model.body_mass[b]),
                "inertia": (0.5 * (inertia + inertia.T)).tolist(),
                "centre_of_mass": model.body_ipos[b].tolist(),
                "position": p,
                "rotation": R,
                **self._drawn(b),
            }
        )
        if count == 0:
            name = self.names.new(f"{self.body[b]} fixed", "joint")
            self._join(name, "fixed", parent, self.body[b], at, turn, np.zeros(3), np.array([0.0, 0.0, 1.0]))

    def _joint(self, j: int, parent: str, child: str, at: Array, turn: Array) -> None:
        model = self.model
        kind = self.kind[int(model.jnt_type[j])]
        name = self.joint_names[j] = self.names.new(model.joint(j).name or f"{child} {kind}", "joint")
        if kind == "free":
            frame_here = {"point": ORIGIN, "axis": [0.0, 0.0, 1.0], "x": [1.0, 0.0, 0.0]}
            ends = {"first": parent, "second": child, "on_first": frame_here, "on_second": frame_here}
            self.joints.append({"name": name, "type": "free", **ends})
            self._armature(j, name)
            self.forces += acting.on_free(self, j, name, child)
            return
        type = {"ball": "spherical", "slide": "translational", "hinge": "revolute"}[kind]
        anchor, axis = np.array(model.jnt_pos[j]), np.array(model.jnt_axis[j])
        self._join(name, type, parent, child, at, turn, anchor, axis)
        self._armature(j, name)
        if kind == "ball":
            self.forces += acting.on_ball(self, j, name, turn)
            return
        if kind == "hinge":
            self.forces += acting.on_hinge(self, j, name)
        else:
            ends = {"first": parent, "second": child}
            self.forces += acting.on_slide(self, j, name, ends, at + turn @ anchor, turn @ axis, anchor)
        self.forces += acting.smooth(self, j, name, "angle" if kind == "hinge" else "displacement")

    def _armature(self, j: int, name: str) -> None:
        """What it adds to the inertia of all of the joint's rates: of balls and free joints to that of every turn."""
        if (armature := float(self.model.dof_armature[self.model.jnt_dofadr[j]])) != 0.0:
            rotor = self.names.new(f"{name} armature", "rotor")
            self.couplings.append({"name": rotor, "type": "rotor", "joint": name, "inertia": armature})

    def _join(
        self, name: str, type: str, parent: str, child: str, at: Array, turn: Array, anchor: Array, axis: Array
    ) -> None:
        """A joint at a place of the child that stands at (at, turn) in the parent."""
        first: dict[str, Any] = {"point": (at + turn @ anchor).tolist()}
        second: dict[str, Any] = {"point": anchor.tolist()}
        if type != "spherical":
            if not np.linalg.norm(axis) > 1e-12:
                message = "has an axis without a direction, or too long a one."
                raise ModelError(message, file=self.file, element=f"joint {name!r}")
            z = direction(axis)
            x = perpendicular(z)
            first |= {"axis": (turn @ z).tolist(), "x": (turn @ x).tolist()}
            second |= {"axis": list(z), "x": list(x)}
        ends = {"first": parent, "second": child, "on_first": first, "on_second": second}
        self.joints.append({"name": name, "type": type, **ends})

    def _couple(self, e: int) -> None:
        """A joint equality: a coordinate that follows another by a polynomial, or stays where it is put."""
        model = self.model
        first, second = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        if not model.eq_active0[e]:
            return
        name = self.names.new(model.equality(e).name or f"{self.joint_names[first]} coupling", "coupling")
        polynomial = [float(c) for c in model.eq_data[e, :5]]
        if second < 0:
            self.drivers.append({"name": name, "joint": self.joint_names[first], "f": polynomial[0]})
            return
        ends = {"joint": self.joint_names[first], "joint2": self.joint_names[second]}
        self.couplings.append({"name": name, "type": "mimic", **ends, "polynomial": polynomial})

    def _tie(self, e: int) -> None:
        """An equality of fixed tendons, whose lengths are sums of coordinates: exact where they are tied linearly."""
        model = self.model
        if not model.eq_active0[e]:
            return
        first, second = (coefficients(model, self.mujoco, int(t)) for t in (model.eq_obj1id[e], model.eq_obj2id[e]))
        polynomial = [float(c) for c in model.eq_data[e, :5]]
        if first is None or second is None or (second and any(polynomial[2:])):
            self.inexact = "linkwork ties tendons that are sums of joint coordinates, linearly"
            return
        factors = dict(first)
        for joint, c in second.items():
            factors[joint] = factors.get(joint, 0.0) - polynomial[1] * c
        factors = {joint: c for joint, c in factors.items() if c != 0.0}
        if not factors:
            self.inexact = "it ties no coordinate"
            return
        name = self.names.new(model.equality(e).name or f"tendon equality {e + 1}", "coupling")
        joints = [self.joint_names[joint] for joint in factors]
        if len(joints) == 1:
            self.drivers.append({"name": name, "joint": joints[0], "f": polynomial[0] / sum(factors.values())})
            return
        tied = {"joints": joints, "factors": list(factors.values()), "offset": polynomial[0]}
        self.couplings.append({"name": name, "type": "cable", **tied})

    def _close(self, e: int) -> None:
        """A joint of an equality constraint that holds two points or two frames together."""
        model, mujoco = self.model, self.mujoco
        kind = int(model.eq_type[e])
        if not model.eq_active0[e] or kind not in (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD)):
            return
        welded = kind == int(mujoco.mjtEq.mjEQ_WELD)
        ids, data = (int(model.eq_obj1id[e]), int(model.eq_obj2id[e])), np.array(model.eq_data[e])
        name = self.names.new(model.equality(e).name or f"{'weld' if welded else 'connect'} {e + 1}", "joint")
        if int(model.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE):
            bodies = tuple(int(model.site_bodyid[i]) for i in ids)
            points = [np.array(model.site_pos[i]) for i in ids]
            frames = [_matrix(model.site_quat[i]) for i in ids]
        else:
            bodies = ids
            points = [data[3:6], data[0:3]] if welded else [data[0:3], data[3:6]]
            frames = [_matrix(data[6:10]) if welded else np.eye(3), np.eye(3)]
        markers: list[dict[str, Any]] = [{"point": point.tolist()} for point in points]
        if welded:
            for marker, frame in zip(markers, frames, strict=True):
                marker |= {"axis": frame[:, 2].tolist(), "x": frame[:, 0].tolist()}
        ends = {"first": self.body[bodies[0]], "second": self.body[bodies[1]]}
        closing = {"name": name, "type": "fixed" if welded else "spherical", **ends}
        self.joints.append({**closing, "on_first": markers[0], "on_second": markers[1]})

    def _drawn(self, b: int) -> dict[str, Any]:
        """The body's geoms that linkwork can draw."""
        model, types, found = self.model, self.mujoco.mjtGeom, []
        start = int(model.body_geomadr[b])
        for g in range(start, start + int(model.body_geomnum[b])):
            kind, size = int(model.geom_type[g]), [float(x) for x in model.geom_size[g]]
            shape: dict[str, Any]
            if kind == int(types.mjGEOM_BOX):
                shape = {"type": "box", "size": [2.0 * x for x in size]}
            elif kind == int(types.mjGEOM_SPHERE):
                shape = {"type": "sphere", "radius": size[0]}
            elif kind in (int(types.mjGEOM_CYLINDER), int(types.mjGEOM_CAPSULE)):
                shape = {"type": "cylinder", "radius": size[0], "length": 2.0 * size[1]}
            elif kind == int(types.mjGEOM_ELLIPSOID):
                shape = {"type": "ellipsoid", "radii": size}
            else:
                continue
            turn = _matrix(model.geom_quat[g]).tolist()
            colour = "#" + "".join(f"{round(255 * min(1.0, max(0.0, float(x)))):02x}" for x in model.geom_rgba[g][:3])
            drawn = {"shape": shape, "position": model.geom_pos[g].tolist(), "rotation": turn, "colour": colour}
            found.append(drawn)
        return {"visual": found} if found else {}


def _matrix(quaternion: Any) -> Array:
    """The rotation of a quaternion, scalar first, of any length."""
    e0, e1, e2, e3 = np.array(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
        ]
    )
