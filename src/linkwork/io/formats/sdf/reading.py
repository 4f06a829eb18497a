"""An SDF file with one model as a mechanism, with the account of everything in it.

All joints are taken as they stand, whether they form a tree or close loops: links have poses of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.ledger import Ledger, keep_account, lines_of
from linkwork.io.formats.names import UniqueNames
from linkwork.io.formats.sdf.joints import Joints
from linkwork.io.formats.sdf.places import MODEL, WORLD, Places, read_pose
from linkwork.io.formats.smooth_laws import SmoothLaws, smooth_laws
from linkwork.io.formats.text import holds
from linkwork.io.formats.urdf.reading import check_options
from linkwork.io.formats.xml_tree import Node, read_xml
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import MAPPED
from linkwork.mechanism.elements import GROUND, did_you_mean

OTHER_SETTING = "a setting of another simulator"
CONTACT = "contact is not simulated"
WITHOUT_EFFECT = {
    "plugin": OTHER_SETTING, "sensor": "no sensor is simulated", "visual": "SDF's shapes are not drawn",
    "collision": CONTACT, "self_collide": CONTACT, "allow_auto_disable": OTHER_SETTING, "physics": OTHER_SETTING,
    "enable_wind": OTHER_SETTING, "velocity_decay": OTHER_SETTING, "light": "not drawn", "material": "not drawn",
}  # fmt: skip
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class Sdf(ModelFormat):
    """`.sdf`."""

    name: ClassVar[str] = "SDF"
    suffixes: ClassVar[tuple[str, ...]] = (".sdf",)
    options: ClassVar[tuple[str, ...]] = ("friction", "on_unsupported", "stops")

    def sniff(self, path: Path) -> bool:
        return holds(path, "<sdf")

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """`options`: friction, on_unsupported, stops."""
        no_side(side, path)
        on_unsupported = options.get("on_unsupported", "error")
        check_options(on_unsupported)
        laws = smooth_laws(options)
        root = read_xml(path)
        ledger = Ledger(self.name, str(path), root)
        document = _Reading(ledger, laws).document()
        mechanism = Mechanism.from_dict(document, file=str(path), locate=lines_of(document, root))
        account = ledger.close()
        keep_account(mechanism, account, str(path), on_unsupported)
        return mechanism


class _Reading:
    """One file's translation into a document."""

    def __init__(self, ledger: Ledger, laws: SmoothLaws) -> None:
        self.ledger, self.names, self.places = ledger, UniqueNames(), Places(ledger)
        self.bodies: dict[str, dict[str, Any]] = {}
        self.joints = Joints(ledger, self.names, self.places, self._body, laws)

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
            self.joints.read(node, *(self._end(node, tag) for tag in ("parent", "child")))
            self._rest(node)
        self.joints.finish()
        self._static(model)
        self._rest(model)
        if not self.bodies:
            raise self.ledger.wrong(model, "holds no link.")
        name = " ".join(self.ledger.text(model, "name").split())[:200] or "model"
        found = self.joints
        return {"name": name, "gravity": gravity, "bodies": [*self.bodies.values(), *found.between],
                "joints": found.joints, "forces": found.forces, "couplings": found.couplings}  # fmt: skip

    def _model(self) -> tuple[Node, list[float]]:
        """The one model of the file, alone or in a world."""
        root = self.ledger.root
        if root.tag != "sdf":
            raise self.ledger.wrong(root, f"holds <{root.tag[:40]}>, not <sdf>: this is no SDF.")
        self.ledger.mapped(root)
        version = self.ledger.text(root, "version") if "version" in root.attributes else "1.7"
        major, _, minor = version.partition(".")  # 1.10 comes after 1.9
        if not (major.isdecimal() and minor.isdecimal() and len(version) < 10):
            raise self.ledger.wrong(root, f"has the version {version[:20]!r}, which is not of the form 1.9.")
        if (int(major), int(minor)) < (1, 5):
            raise self.ledger.wrong(root, f"is of version {version}; linkwork reads 1.5 and later.")
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

    def _body(self, node: Node, name: str) -> str:
        if name == WORLD:
            return GROUND
        if name not in self.bodies:
            raise self.ledger.wrong(node, f"its link {name[:60]!r} does not exist{did_you_mean(name, self.bodies)}")
        return str(self.bodies[name]["name"])

    def _static(self, model: Node) -> None:
        """A static model does not move."""
        found = self.ledger.only(model, "static")
        if found is None:
            return
        self.ledger.mapped(found)
        if found.text in ("true", "1"):
            for fields in self.bodies.values():
                name = self.names.new(f"{fields['name']} static", "joint")
                self.joints.joints.append({"name": name, "type": "fixed", "first": GROUND, "second": fields["name"]})

    def _rest(self, node: Node) -> None:
        """What no motion depends on."""
        for one in node.children:
            if one.tag in WITHOUT_EFFECT:
                self.ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
