"""A URDF file as a mechanism, with the account of everything in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import ModelError, UsageError
from linkwork.io.formats.base import ModelFormat
from linkwork.io.formats.ledger import Ledger, keep_account, lines_of
from linkwork.io.formats.smooth_laws import SmoothLaws, about_limits, smooth_laws
from linkwork.io.formats.text import holds
from linkwork.io.formats.urdf.acting import Acting, forces_in, read_acting
from linkwork.io.formats.urdf.closing import read_constraint, read_loop
from linkwork.io.formats.urdf.coupled import read_coupling
from linkwork.io.formats.urdf.extended import Extended, extended_of
from linkwork.io.formats.urdf.joints import UrdfJoint, read_joint
from linkwork.io.formats.urdf.links import read_link, read_material
from linkwork.io.formats.urdf.meshes import Folders
from linkwork.io.formats.urdf.tree import ordered, placed
from linkwork.io.formats.xml_tree import Node, read_xml
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import Account
from linkwork.mechanism.elements import GROUND, LARGEST, did_you_mean, shown

BASES = ("fixed", "floating", "planar")
WITHOUT_EFFECT = {
    "gazebo": "a setting of another simulator",
    "transmission": "no actuator is simulated",
    "ros2_control": "no controller acts",
    "sensor": "no sensor is simulated",
    "mujoco": "a setting of another simulator",
}
XACRO = "Expand it first: xacro model.urdf.xacro > model.urdf."

ELASTIC, BY_ITSELF = "coupling", "free"
Following = tuple[float, float] | str | None  # exactly; with stiffness and damping; or not at all


class Urdf(ModelFormat):
    """`.urdf`, and `.xml` whose root is <robot>."""

    name: ClassVar[str] = "URDF"
    suffixes: ClassVar[tuple[str, ...]] = (".urdf", ".xacro", ".xml")
    writes: ClassVar[tuple[str, ...]] = (".urdf",)
    options: ClassVar[tuple[str, ...]] = ("base", "friction", "mimic", "on_unsupported", "search", "stops")

    def sniff(self, path: Path) -> bool:
        return path.suffix.lower() != ".xml" or holds(path, "<robot")

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """`side`: the YAML file of an Extended URDF. `options`: those above."""
        base, search = options.get("base", "fixed"), options.get("search", ())
        on_unsupported = options.get("on_unsupported", "error")
        check_options(on_unsupported, base)
        mimic, laws = _following(options.get("mimic")), smooth_laws(options)
        root = read_xml(path)
        _not_xacro(root, path)
        if root.tag != "robot":
            raise ModelError(
                f"holds <{root.tag[:40]}>, not <robot>: this is no URDF.", file=str(path), element=f"line {root.line}"
            )
        ledger, extended = Ledger(self.name, str(path), root), extended_of(path, side)
        work = _Reading(ledger, Folders(path, search), laws, base, mimic, extended)
        document = work.document()
        mechanism = Mechanism.from_dict(document, file=str(path), locate=lines_of(document, root))
        account = ledger.close()
        if extended is not None:
            account = Account(self.name, str(path), (*account, *extended.entries))
        keep_account(mechanism, account, str(path), on_unsupported, [*ledger.notes, *about_limits(work.unstopped)])
        return mechanism

    def write(self, mechanism: Mechanism, path: Path) -> tuple[str, Account]:
        from linkwork.io.formats.urdf.writing import write_urdf

        return write_urdf(mechanism, str(path))


def check_options(on_unsupported: str, base: str = "fixed") -> None:
    """Raise UsageError for words that do not exist."""
    if on_unsupported not in ("error", "report"):
        raise UsageError(f"on_unsupported is {on_unsupported!r}; there is 'error' and 'report'.")
    if base not in BASES:
        raise UsageError(f"base {base!r} does not exist{did_you_mean(base, BASES)}")


def _following(given: Any) -> Following:
    """How joints that mimic others follow. Raises UsageError."""
    if given is None or (isinstance(given, str) and given == BY_ITSELF):
        return given
    try:
        stiffness, damping = (float(x) for x in given)
    except (TypeError, ValueError):
        wanted = f"two numbers, stiffness and damping, or {BY_ITSELF!r}"
        raise UsageError(f"mimic is {shown(given)}; it is {wanted}.") from None
    if not (0.0 < stiffness < LARGEST and 0.0 <= damping < LARGEST):
        raise UsageError("mimic needs a positive stiffness and a damping that is not negative.")
    return stiffness, damping


def _not_xacro(root: Node, path: Path) -> None:
    """Recognise a file that is to be expanded first."""
    for node in root.walk():
        macro = node.tag.startswith("xacro:")
        if macro or any("${" in text or "$(" in text for text in node.attributes.values()):
            raise ModelError(
                "is a xacro file, from which a URDF is made, not a URDF.",
                file=str(path),
                element=f"line {node.line}, {node.path()}",
                remedy=XACRO,
            )


def _ties(node: Node) -> bool:
    """Whether it is a <coupling> by another name: with the ratio of two ways through the tree."""
    return node.tag == "constraint" and node.child("ratio") is not None and node.child("predecessor") is not None


class _Reading:
    """One file's translation into a document."""

    def __init__(
        self,
        ledger: Ledger,
        folders: Folders,
        laws: SmoothLaws,
        base: str,
        mimic: Following = None,
        extended: Extended | None = None,
    ) -> None:
        self.ledger, self.folders, self.laws = ledger, folders, laws
        self.base, self.mimic, self.extended = base, mimic, extended
        self._taken: dict[str, Node | None] = {GROUND: None}
        self._called: dict[str, str] = {}  # link -> body
        self._materials: dict[str, str] = {}
        self.unstopped: list[str] = []  # joints with limits at which nothing stops them

    def document(self) -> dict[str, Any]:
        """The same robot as a linkwork document."""
        root = self.ledger.root
        self.ledger.mapped(root)
        for name in ("name", "version"):
            if name in root.attributes:
                self.ledger.mapped(root, name)
        version = root.attributes.get("version", "1.0")
        if not re.fullmatch(r"1(\.\d{1,3})?", version):
            raise self.ledger.wrong(root, f"is of version {shown(version)}; linkwork reads 1.0 and later ones of 1.")
        self._read_materials(root)
        links = self._links(root)
        joints = [read_joint(self.ledger, node, self.laws) for node in root.all("joint")]
        if self.extended is not None:
            self.extended.change_joints(self.ledger, {joint.name: joint for joint in joints})
        first, tree = ordered(self.ledger, {name: node for name, (node, _) in links.items()}, joints)
        named = {joint.name: joint for joint in joints}
        for joint in joints:
            joint.name = self._unique_name(joint.node, joint.name, "joint")
        tying = [node for node in root.children if node.tag == "coupling" or _ties(node)]
        loops = [node for node in root.children if node.tag in ("loop", "constraint") and not _ties(node)]
        closing, forces = list(map(self._closing, loops)), list[dict[str, Any]]()
        for node, fields in zip(loops, closing, strict=True):
            endless = node.attributes["type"] == "continuous"
            acting = read_acting(self.ledger, node, fields["type"], self.laws, endless=endless)
            forces += self._acting(node, fields, acting)
        if self.extended is not None:
            closing += [self._named_joint(root, one) for one in self.extended.closings(named, links)]
        for node in root.children:
            if node.tag in WITHOUT_EFFECT:
                self.ledger.without_effect(node, WITHOUT_EFFECT[node.tag])
        poses = placed(first, tree)
        couplings = [one for joint in tree if joint.mimic and (one := self._coupling(joint, named))]
        couplings += [one for node in tying if (one := self._tied(node, tree, links))]
        bodies = [self._body(fields, *poses[name]) for name, (_, fields) in links.items()]
        carrying = list(map(self._joint, tree))
        for joint, fields in zip(tree, carrying, strict=True):
            forces += self._acting(joint.node, fields, joint.acting)
        return {
            "name": " ".join(root.attributes.get("name", "").split())[:200] or "robot",
            "bodies": bodies,
            "joints": [*self._base(first), *carrying, *closing],
            "forces": [*forces, *(one for one in couplings if one["type"] == ELASTIC)],
            "couplings": [one for one in couplings if one["type"] != ELASTIC],
        }

    def _read_materials(self, root: Node) -> None:
        for node in root.all("material"):
            name, colour = self.ledger.text(node, "name"), read_material(self.ledger, node)
            if colour:
                self._materials[name] = colour

    def _links(self, root: Node) -> dict[str, tuple[Node, dict[str, Any]]]:
        found: dict[str, tuple[Node, dict[str, Any]]] = {}
        for node in root.all("link"):
            fields = read_link(self.ledger, node, self.folders, self._materials)
            name = fields["name"]
            if name in found:
                first = found[name][0].line
                raise self.ledger.wrong(node, f"has a name that the link in line {first} has already.")
            fields["name"] = self._called[name] = self._unique_name(node, name, "link")
            found[name] = (node, fields)
        if not found:
            raise self.ledger.wrong(root, "holds no link.")
        return found

    def _unique_name(self, node: Node, name: str, kind: str) -> str:
        """The name, or one made of it where it is taken or cannot be a name here."""
        plain = "".join(c if c.isprintable() else " " for c in name).strip()[:180] or kind
        unique, n = plain, 2
        while unique in self._taken:
            other = self._taken[unique]
            if kind == "joint" and other is not None and other.tag == "joint":
                raise self.ledger.wrong(node, f"has a name that the joint in line {other.line} has already.")
            unique, n = (f"{plain} {kind}" if n == 2 else f"{plain} {kind} {n - 1}"), n + 1
        if unique != name and "name" in node.attributes and kind != "damper":
            self.ledger.mapped(node, "name", how=f"called {unique!r} here: names are unique in a mechanism")
        self._taken[unique] = node
        return unique

    def _body(self, fields: dict[str, Any], R: np.ndarray[Any, Any], p: np.ndarray[Any, Any]) -> dict[str, Any]:
        return {**fields, "position": p.tolist(), "rotation": R.tolist()}

    def _base(self, root: str) -> list[dict[str, Any]]:
        """How the root is held."""
        type = {"fixed": "fixed", "floating": "free", "planar": "planar"}[self.base]
        origin: dict[str, Any] = {"point": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0], "x": [1.0, 0.0, 0.0]}
        name = self._unique_name(self.ledger.root, "base", "of the robot")
        ends = {"first": GROUND, "second": self._called[root]}
        return [{"name": name, "type": type, **ends, "on_first": origin, "on_second": origin}]

    def _acting(self, node: Node, joint: dict[str, Any], acting: Acting) -> list[dict[str, Any]]:
        """Force elements in a joint, whose fields are given."""
        if self.laws.unstopped(acting.effort):
            self.unstopped.append(joint["name"])
        return forces_in(joint, acting, self.laws, lambda name: self._unique_name(node, name, "damper"))

    def _joint(self, joint: UrdfJoint) -> dict[str, Any]:
        ends = {"first": self._called[joint.parent], "second": self._called[joint.child]}
        return {"name": joint.name, "type": joint.type, **ends, **joint.attachment()}

    def _coupling(self, joint: UrdfJoint, named: dict[str, UrdfJoint]) -> dict[str, Any] | None:
        """A joint that follows another: exactly, elastically, or not at all."""
        node = joint.node.child("mimic") or joint.node
        leader = named.get(joint.mimic["joint"])
        moving = ("revolute", "translational")
        if leader is None:
            name = joint.mimic["joint"]
            how = f"its joint {shown(name)} does not exist{did_you_mean(name, named)}: the joint moves by itself"
            self.ledger.again(node, "refused", how)
            return None
        if leader is joint:
            raise self.ledger.wrong(node, "couples a joint to itself.")
        if joint.type not in moving or leader.type not in moving:
            self.ledger.again(node, "refused", "couples joints that have no single coordinate")
            return None
        if self.mimic == BY_ITSELF:
            self.ledger.again(node, "approximated", "as asked for, the joint moves by itself")
            return None
        name = self._unique_name(joint.node, f"{joint.name} mimic", "damper")
        if self.mimic is None:
            polynomial = [joint.mimic["offset"], joint.mimic["multiplier"]]
            ends = {"joint": joint.name, "joint2": leader.name}
            return {"name": name, "type": "mimic", **ends, "polynomial": polynomial}
        assert not isinstance(self.mimic, str)
        stiffness, damping = self.mimic
        self.ledger.again(node, "approximated", f"an elastic coupling of stiffness {stiffness:g}, damping {damping:g}")
        return {
            "name": name,
            "type": ELASTIC,
            "joint": joint.name,
            "joint2": leader.name,
            "ratio": joint.mimic["multiplier"],
            "offset": joint.mimic["offset"],
            "stiffness": stiffness,
            "damping": damping,
        }

    def _tied(self, node: Node, tree: list[UrdfJoint], links: Any) -> dict[str, Any] | None:
        """A <coupling> of URDF+."""
        fields = read_coupling(self.ledger, node, tree, links)
        return fields and {"name": self._unique_name(node, self.ledger.text(node, "name"), "coupling"), **fields}

    def _closing(self, node: Node) -> dict[str, Any]:
        plus = node.tag == "loop" or node.child("predecessor") is not None  # programs write <loop> as <constraint>, too
        return self._named_joint(node, read_loop(self.ledger, node) if plus else read_constraint(self.ledger, node))

    def _named_joint(self, node: Node, fields: dict[str, Any]) -> dict[str, Any]:
        """A closing joint's fields, its links and itself by their names here."""
        for key in ("first", "second"):
            if fields[key] not in self._called:
                raise self.ledger.wrong(
                    node, f"its link {fields[key][:80]!r} does not exist{did_you_mean(fields[key], self._called)}"
                )
            fields[key] = self._called[fields[key]]
        if fields["first"] == fields["second"]:
            raise self.ledger.wrong(node, f"joins link {fields['first'][:80]!r} to itself.")
        fields["name"] = self._unique_name(node, fields["name"], "joint")
        return fields
