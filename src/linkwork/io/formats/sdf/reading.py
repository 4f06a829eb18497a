"""An SDF file with one model as a mechanism, with the account of everything in it.

All joints are taken as they stand, whether they form a tree or close loops: links have poses of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.ledger import Ledger, strict
from linkwork.io.formats.names import UniqueNames
from linkwork.io.formats.sdf.places import MODEL, WORLD, Places, read_pose
from linkwork.io.formats.text import holds
from linkwork.io.formats.urdf.reading import check_options
from linkwork.io.formats.xml_tree import Node, read_xml
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import MAPPED
from linkwork.mechanism.elements import GROUND, did_you_mean

TYPES = {"revolute": "revolute", "continuous": "revolute", "prismatic": "translational", "fixed": "fixed",
         "ball": "spherical"}  # fmt: skip
OTHER_SETTING = "a setting of another simulator"
CONTACT = "contact is not simulated"
WITHOUT_EFFECT = {
    "plugin": OTHER_SETTING, "sensor": "no sensor is simulated", "visual": "SDF's shapes are not drawn",
    "collision": CONTACT, "self_collide": CONTACT, "allow_auto_disable": OTHER_SETTING, "physics": OTHER_SETTING,
    "enable_wind": OTHER_SETTING, "velocity_decay": OTHER_SETTING, "light": "not drawn", "material": "not drawn",
}  # fmt: skip
LIMITS = "nothing stops the joint there: limits are not simulated"
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class Sdf(ModelFormat):
    """`.sdf`."""

    name: ClassVar[str] = "SDF"
    suffixes: ClassVar[tuple[str, ...]] = (".sdf",)
    options: ClassVar[tuple[str, ...]] = ("on_unsupported",)

    def sniff(self, path: Path) -> bool:
        return holds(path, "<sdf")

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """`options`: on_unsupported."""
        no_side(side, path)
        on_unsupported = options.get("on_unsupported", "error")
        check_options(on_unsupported)
        root = read_xml(path)
        ledger = Ledger(self.name, str(path), root)
        mechanism = Mechanism.from_dict(_Reading(ledger).document(), file=str(path))
        account = ledger.close()
        if on_unsupported == "error":
            strict(account, str(path))
        mechanism.account = account
        return mechanism


class _Reading:
    """One file's translation into a document."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.names, self.places = ledger, UniqueNames(), Places(ledger)
        self.bodies: dict[str, dict[str, Any]] = {}
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []

    def document(self) -> dict[str, Any]:
        """The same model as a linkwork document."""
        model, gravity = self._model()
        self.ledger.mapped(model)
        pose, relative_to = read_pose(self.ledger, model)
        self.places.add(MODEL, model, pose, relative_to or WORLD)
        canonical = model.attributes.get("canonical_link")
        if canonical is not None:
            self.ledger.mapped(model, "canonical_link")
        for node in model.children:
            if node.tag in ("link", "joint", "frame"):
                self._placed(node)
        for node in model.all("link"):
            self._link(node)
        for node in model.all("joint"):
            self._joint(node)
        self._static(model)
        self._rest(model)
        if not self.bodies:
            raise self.ledger.wrong(model, "holds no link.")
        name = " ".join(self.ledger.text(model, "name").split())[:200] or "model"
        return {"name": name, "gravity": gravity, "bodies": list(self.bodies.values()), "joints": self.joints,
                "forces": self.forces}  # fmt: skip

    def _model(self) -> tuple[Node, list[float]]:
        """The one model of the file, alone or in a world."""
        root = self.ledger.root
        if root.tag != "sdf":
            raise self.ledger.wrong(root, f"holds <{root.tag[:40]}>, not <sdf>: this is no SDF.")
        self.ledger.mapped(root)
        version = self.ledger.text(root, "version") if "version" in root.attributes else "1.7"
        try:
            if float(version) < 1.5:
                raise self.ledger.wrong(root, f"is of version {version[:20]}; linkwork reads 1.5 and later.")
        except ValueError:
            raise self.ledger.wrong(root, f"has the version {version[:20]!r}, which is no number.") from None
        world = self.ledger.only(root, "world")
        gravity = [0.0, 0.0, -9.81]
        if world is not None:
            self.ledger.mapped(world)
            if "name" in world.attributes:
                self.ledger.mapped(world, "name")
            found = self.ledger.only(world, "gravity")
            if found is not None:
                self.ledger.mapped(found)
                gravity = list(self.ledger.parsed(found, found.text, "<gravity> ", 3))
            self._rest(world)
        models = (world or root).all("model")
        if len(models) != 1:
            raise self.ledger.wrong(world or root, f"holds {len(models)} models; linkwork reads files with one.")
        return models[0], gravity

    def _placed(self, node: Node) -> None:
        """Enter a link, joint or frame by where it is."""
        self.ledger.mapped(node)
        pose, relative_to = read_pose(self.ledger, node)
        base = relative_to or MODEL
        if node.tag == "frame" and "attached_to" in node.attributes:
            self.ledger.mapped(node, "attached_to")
            base = relative_to or node.attributes["attached_to"] or MODEL
        if node.tag == "joint":
            base = relative_to or self._end(node, "child")
        self.places.add(self.ledger.text(node, "name"), node, pose, base)

    def _end(self, node: Node, tag: str) -> str:
        found = self.ledger.only(node, tag)
        if found is None or not found.text:
            raise self.ledger.wrong(node, f"needs <{tag}>, which is missing.")
        self.ledger.mapped(found)
        return found.text

    def _link(self, node: Node) -> None:
        """A link as a body whose frame is the link's."""
        name = node.attributes["name"]
        R, p = self.places.pose(name, node)
        fields: dict[str, Any] = {"name": self.names.new(name, "link"), "position": p.tolist(), "rotation": R.tolist()}
        fields |= {"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}  # SDF's defaults
        inertial = self.ledger.only(node, "inertial")
        if inertial is None:
            self.ledger.mapped(node, how="of unit mass and inertia, as SDF has it where nothing is said")
        else:
            fields |= self._inertial(inertial)
        self.bodies[name] = fields
        for tag in ("gravity", "kinematic"):
            one = self.ledger.only(node, tag)
            if one is not None and one.text in (("true", "1") if tag == "gravity" else ("false", "0")):
                self.ledger.below(one, MAPPED, "")
        self._rest(node)

    def _inertial(self, node: Node) -> dict[str, Any]:
        self.ledger.mapped(node)
        (R, p), _ = read_pose(self.ledger, node)
        mass = self._number(node, "mass", 1.0)
        if mass < 0.0:
            raise self.ledger.wrong(node, f"has a negative mass ({mass:g} kg).")
        tensor = self.ledger.only(node, "inertia")
        local = np.eye(3)
        if tensor is not None:
            self.ledger.mapped(tensor)
            xx, yy, zz, xy, xz, yz = (self._number(tensor, key, float(key in MOMENTS[:3])) for key in MOMENTS)
            local = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = R @ local @ R.T
        return {"mass": mass, "inertia": (0.5 * (inertia + inertia.T)).tolist(), "centre_of_mass": p.tolist()}

    def _number(self, node: Node, tag: str, default: float) -> float:
        """The number in a child element."""
        found = self.ledger.only(node, tag)
        if found is None:
            return default
        self.ledger.mapped(found)
        (value,) = self.ledger.parsed(found, found.text, f"<{tag}> ", 1)
        return value

    def _joint(self, node: Node) -> None:
        """A joint, its place and axis given once in the world at the start."""
        given = self.ledger.text(node, "type")
        ends = [self._body(node, self._end(node, tag)) for tag in ("parent", "child")]
        if ends[0] == ends[1]:
            raise self.ledger.wrong(node, "joins a link to itself.")
        R, p = self.places.pose(node.attributes["name"], node)
        name = self.names.new(node.attributes["name"], "joint")
        if given not in TYPES:
            if given not in ("universal", "revolute2", "screw", "gearbox"):
                message = f"has the type {given[:40]!r}, which does not exist{did_you_mean(given, TYPES)}"
                raise self.ledger.wrong(node, message)
            self.ledger.again(node, "refused", f"joints of type {given} are not read")
            return
        fields: dict[str, Any] = {"name": name, "type": TYPES[given], "first": ends[0], "second": ends[1]}
        fields["point"] = p.tolist()
        axis = self.ledger.only(node, "axis")
        if TYPES[given] in ("revolute", "translational"):
            fields["axis"] = self._axis(node, axis, R)
            if axis is not None:
                self._acting(axis, fields, p)
        elif axis is not None:
            self.ledger.without_effect(axis, f"a {given} joint has no axis")
        self.joints.append(fields)
        self._rest(node)

    def _body(self, node: Node, name: str) -> str:
        if name == WORLD:
            return GROUND
        if name not in self.bodies:
            raise self.ledger.wrong(node, f"its link {name[:60]!r} does not exist{did_you_mean(name, self.bodies)}")
        return str(self.bodies[name]["name"])

    def _axis(self, joint: Node, node: Node | None, R: np.ndarray[Any, Any]) -> list[float]:
        """The axis in the world: of the joint's frame, or of the frame it is expressed in."""
        xyz = None if node is None else self.ledger.only(node, "xyz")
        if node is None or xyz is None:
            raise self.ledger.wrong(joint, "needs <axis> with <xyz>, which is missing.")
        self.ledger.mapped(node)
        self.ledger.mapped(xyz)
        frame = R
        if xyz.attributes.get("expressed_in"):
            self.ledger.mapped(xyz, "expressed_in")
            frame, _ = self.places.pose(xyz.attributes["expressed_in"], xyz)
        old = self.ledger.only(node, "use_parent_model_frame")
        if old is not None:
            self.ledger.mapped(old)
            if old.text in ("true", "1"):
                frame, _ = self.places.pose(MODEL, old)
        axis = frame @ np.array(self.ledger.parsed(xyz, xyz.text, "<xyz> ", 3))
        if not np.linalg.norm(axis) > 1e-12:
            raise self.ledger.wrong(xyz, "is a zero vector, which has no direction.")
        return [float(x) for x in axis]

    def _acting(self, axis: Node, joint: dict[str, Any], point: np.ndarray[Any, Any]) -> None:
        """Limits are told, dampers and springs act."""
        limit = self.ledger.only(axis, "limit")
        if limit is not None:
            self.ledger.without_effect(limit, LIMITS)
        node = self.ledger.only(axis, "dynamics")
        if node is None:
            return
        self.ledger.mapped(node)
        damping = self._number(node, "damping", 0.0)
        stiffness, rest = self._number(node, "spring_stiffness", 0.0), self._number(node, "spring_reference", 0.0)
        friction = self._number(node, "friction", 0.0)
        if friction != 0.0:
            self.ledger.refused(node.child("friction") or node, how="linkwork has no dry friction in joints")
        if not (damping or stiffness):
            return
        force = {"name": self.names.new(f"{joint['name']} spring", "force"), "stiffness": stiffness, "damping": damping}
        if joint["type"] == "revolute":
            self.forces.append({**force, "type": "torsion", "joint": joint["name"], "angle": rest})
            return
        far = 100.0  # m: between two points of the axis it acts along it exactly while they stay apart
        back = point - far * np.array(joint["axis"]) / np.linalg.norm(joint["axis"])
        ends = {"first": joint["first"], "second": joint["second"], "point": back.tolist(), "point2": point.tolist()}
        self.forces.append({**force, "type": "spring", **ends, "length": far + rest})

    def _static(self, model: Node) -> None:
        """A static model does not move."""
        found = self.ledger.only(model, "static")
        if found is None:
            return
        self.ledger.mapped(found)
        if found.text in ("true", "1"):
            for fields in self.bodies.values():
                name = self.names.new(f"{fields['name']} static", "joint")
                self.joints.append({"name": name, "type": "fixed", "first": GROUND, "second": fields["name"]})

    def _rest(self, node: Node) -> None:
        """What no motion depends on."""
        for one in node.children:
            if one.tag in WITHOUT_EFFECT:
                self.ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
