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
from linkwork.io.formats.sdf.worlds import OTHER_SETTING, flag, model_of, rest, truth
from linkwork.io.formats.smooth_laws import SmoothLaws, about_limits, smooth_laws
from linkwork.io.formats.text import holds
from linkwork.io.formats.urdf.reading import check_options
from linkwork.io.formats.xml_tree import Node, read_xml
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import GROUND, did_you_mean

MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
USUAL = {"gravity": True, "kinematic": False}
UNUSUAL = {
    "gravity": "a link without gravity, which acts on all bodies alike",
    "kinematic": "a link that no force moves",
}


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
        work = _Reading(ledger, laws)
        document = work.document()
        mechanism = Mechanism.from_dict(document, file=str(path), locate=lines_of(document, root))
        account = ledger.close()
        notes = [*ledger.notes, *about_limits(work.joints.unstopped)]
        keep_account(mechanism, account, str(path), on_unsupported, notes)
        return mechanism


class _Reading:
    """One file's translation into a document."""

    def __init__(self, ledger: Ledger, laws: SmoothLaws) -> None:
        self.ledger, self.names, self.places = ledger, UniqueNames(), Places(ledger)
        self.bodies: dict[str, dict[str, Any]] = {}
        self.fixed_to: dict[str, str] = {}  # what each frame and joint, and the model as a frame, is fixed to
        self.static = False
        self.joints = Joints(ledger, self.names, self.places, self._body, laws)

    def document(self) -> dict[str, Any]:
        """The same model as a linkwork document."""
        model, gravity = model_of(self.ledger)
        self.ledger.mapped(model)
        if "namespace" in model.attributes:
            self.ledger.approximated(model, "namespace", how=OTHER_SETTING)
        pose, relative_to = read_pose(self.ledger, model)
        self.places.add(MODEL, model, pose, relative_to or WORLD)
        if "placement_frame" in model.attributes:
            how = "a pose of another frame than the model's own, which is not read"
            self.ledger.refused(model, "placement_frame", how=how)
        self._fix_model(model)
        for node in model.children:
            if node.tag in ("link", "joint", "frame"):
                self._placed(node)
        for node in model.all("link"):
            self._link(node)
        for node in model.all("joint"):
            self.joints.read(node, *(self._end(node, tag) for tag in ("parent", "child")))
            rest(self.ledger, node)
        self.joints.finish()
        self._hold()
        rest(self.ledger, model)
        if not self.bodies:
            raise self.ledger.wrong(model, "holds no link.")
        name = " ".join(self.ledger.text(model, "name").split())[:200] or "model"
        found = self.joints
        return {"name": name, "gravity": gravity, "bodies": [*self.bodies.values(), *found.between],
                "joints": found.joints, "forces": found.forces, "couplings": found.couplings}  # fmt: skip

    def _placed(self, node: Node) -> None:
        """Enter a link, joint or frame by where it is."""
        self.ledger.mapped(node)
        pose, relative_to = read_pose(self.ledger, node)
        base = relative_to or MODEL
        name = self.ledger.text(node, "name")
        if node.tag == "frame":
            if "attached_to" in node.attributes:
                self.ledger.mapped(node, "attached_to")
            self.fixed_to[name] = node.attributes.get("attached_to") or MODEL
            base = relative_to or self.fixed_to[name]
        if node.tag == "joint":
            self.fixed_to[name] = self._end(node, "child")
            base = relative_to or self.fixed_to[name]
        self.places.add(name, node, pose, base)

    def _fix_model(self, model: Node) -> None:
        """The model's frame is its first link's, or that of the one it names; a static model's is the world's."""
        links = [one.attributes.get("name", "") for one in model.all("link")]
        canonical = model.attributes.get("canonical_link", "")
        if "canonical_link" in model.attributes:
            self.ledger.mapped(model, "canonical_link")
        if canonical and canonical not in links:
            raise self.ledger.wrong(
                model, f"its link {canonical[:60]!r} does not exist{did_you_mean(canonical, links)}"
            )
        self.static, _ = flag(self.ledger, model, "static")
        self.fixed_to[MODEL] = WORLD if self.static else canonical or next(iter(links), WORLD)

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
        for tag, usual in USUAL.items():
            told, one = flag(self.ledger, node, tag)
            if one is not None and told != usual:
                self.ledger.refused(one, how=UNUSUAL[tag])
        rest(self.ledger, node)

    def _inertial(self, node: Node) -> dict[str, Any]:
        self.ledger.mapped(node)
        if "auto" in node.attributes:
            asked = truth(self.ledger, node, node.attributes["auto"])
            how = "inertias are not made of collisions: write them out"
            (self.ledger.refused if asked else self.ledger.mapped)(node, "auto", how=how if asked else "")
        (R, p), relative_to = read_pose(self.ledger, node)
        if relative_to is not None:
            self.ledger.refused(node.all("pose")[0], "relative_to", how="an inertial's pose is relative to its link")
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
        """Of a link, or of the link that a frame, a joint or the model as a frame is fixed to."""
        passed = set[str]()
        while name in self.fixed_to and name not in passed:
            passed.add(name)
            name = self.fixed_to[name]
        if name == WORLD:
            return GROUND
        if name in passed:
            raise self.ledger.wrong(node, f"speaks of the frame {name[:60]!r}, which is attached to itself.")
        if name not in self.bodies:
            known = [*self.bodies, *self.fixed_to]
            raise self.ledger.wrong(node, f"its link {name[:60]!r} does not exist{did_you_mean(name, known)}")
        return str(self.bodies[name]["name"])

    def _hold(self) -> None:
        """A static model does not move."""
        for fields in self.bodies.values() if self.static else ():
            name = self.names.new(f"{fields['name']} static", "joint")
            self.joints.joints.append({"name": name, "type": "fixed", "first": GROUND, "second": fields["name"]})
