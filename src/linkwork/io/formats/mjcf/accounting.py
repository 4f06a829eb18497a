"""What becomes of each element and attribute of an MJCF file, given what its compiler made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.mjcf.acting import higher_powers
from linkwork.io.formats.mjcf.bodies import Compiled
from linkwork.io.formats.mjcf.pulling_accounts import ACTUATORS, Pulling
from linkwork.io.formats.smooth_laws import NO_FRICTION, NO_LIMITS
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import APPROXIMATED, MAPPED, REFUSED

CONTACT = "contact is not simulated"
EXACT = "loops are closed exactly, not softly"
NO_EFFECT = "no motion depends on it"
ACTUATOR = "no actuator acts"
PLACING = ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")
SECTIONS = {
    "visual": (APPROXIMATED, NO_EFFECT),
    "statistic": (APPROXIMATED, NO_EFFECT),
    "size": (APPROXIMATED, NO_EFFECT),
    "custom": (APPROXIMATED, NO_EFFECT),
    "contact": (APPROXIMATED, CONTACT),
    "actuator": (APPROXIMATED, ACTUATOR),
    "sensor": (APPROXIMATED, "no sensor is simulated"),
    "keyframe": (APPROXIMATED, "the start is the pose in which the file is written"),
    "deformable": (REFUSED, "linkwork has rigid bodies only"),
    "extension": (REFUSED, "linkwork runs no plugins"),
    "compiler": (MAPPED, "obeyed by MuJoCo's compiler"),
}
BODY = {
    **dict.fromkeys(("name", "childclass", *PLACING), (MAPPED, "")),
    **dict.fromkeys(("user", "sleep"), (APPROXIMATED, NO_EFFECT)),
}
FLAGS = (
    "gravity", "spring", "damper", "equality", "constraint", "frictionloss", "limit", "actuation", "clampctrl",
)  # fmt: skip
LIMITS = ("limited", "range", "margin", "solreflimit", "solimplimit")
JOINT = {
    **dict.fromkeys(("name", "class", "type", "pos", "axis", "ref", "springref", "align"), (MAPPED, "")),
    **dict.fromkeys(LIMITS, (APPROXIMATED, NO_LIMITS)),
    **dict.fromkeys(("actuatorfrclimited", "actuatorfrcrange", "actuatorgravcomp"), (APPROXIMATED, ACTUATOR)),
    **dict.fromkeys(("solreffriction", "solimpfriction", "user", "group"), (APPROXIMATED, NO_EFFECT)),
}
GEOM = {
    **dict.fromkeys(
        ("name", "class", "type", "size", "fromto", "mass", "density", "mesh", "shellinertia", "fitscale", *PLACING),
        (MAPPED, "in the body's mass and inertia"),
    ),
    **dict.fromkeys(
        ("contype", "conaffinity", "condim", "friction", "margin", "gap", "solref", "solimp", "solmix", "priority"),
        (APPROXIMATED, CONTACT),
    ),
    **dict.fromkeys(("rgba", "material", "group", "user", "hfield"), (APPROXIMATED, "drawn in linkwork's own way")),
    **dict.fromkeys(("fluidshape", "fluidcoef"), (APPROXIMATED, "there is no fluid")),
}
EQUALITIES = (
    "name", "class", "body1", "body2", "site1", "site2", "anchor", "relpose", "active", "joint1", "joint2", "polycoef",
    "tendon1", "tendon2",
)  # fmt: skip
EQUALITY = {
    **dict.fromkeys(EQUALITIES, (MAPPED, "")),
    **dict.fromkeys(("solref", "solimp", "torquescale"), (APPROXIMATED, EXACT)),
}
INERTIAL = dict.fromkeys(("mass", "diaginertia", "fullinertia", *PLACING), (MAPPED, ""))


class Accounting:
    """Goes through a file's tree; `found` is what was read of the model that MuJoCo's compiler made of all files."""

    def __init__(self, ledger: Ledger, found: Compiled) -> None:
        model, mujoco = found.model, found.mujoco
        self.ledger, self.model, self.laws, self.inexact = ledger, model, found.laws, found.inexact
        self.pulling = Pulling(ledger, found)
        turning = np.isin(model.jnt_type, (int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_FREE)))
        kinds = model.jnt_type[model.dof_jntid] if model.nv else np.zeros(0)
        free = np.isin(kinds, (int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_FREE)))
        stiffness, damping = higher_powers(model)
        stiff, damped = np.any(stiffness[turning]), np.any(damping[free])
        yields = np.any(getattr(model, "jnt_springyield", 0.0))
        self._of_joints = {
            "armature": (MAPPED, "a rotor"),
            "frictionloss": (MAPPED, "switched off") if found.off("FRICTIONLOSS") else self._friction(free),
            "stiffness": _if(stiff, "springs of balls and free joints are linear in linkwork"),
            "damping": _if(damped, "dampers of balls and free joints are linear in linkwork"),
            "springdamper": _if(stiff or damped, "springs of balls and free joints are linear in linkwork"),
            "springyield": _if(yields, "linkwork's springs do not yield"),
        }

    def _friction(self, free: Any) -> tuple[str, str]:
        """Of hinges and slides a smooth law, where it is asked for; free : rates of balls and free joints."""
        losses = self.model.dof_frictionloss
        if not np.any(losses):
            return MAPPED, ""
        if self.laws.rate is None:
            return REFUSED, NO_FRICTION
        if np.any(losses[free]):
            return REFUSED, "the smooth law is one of hinges and slides, not of balls and free joints"
        return APPROXIMATED, self.laws.friction()

    def file(self, root: Node) -> None:
        """The root of a file, and everything in it."""
        self.ledger.mapped(root)
        for name in ("model", *(["name"] if root.tag != "mujoco" else [])):
            if name in root.attributes:
                self.ledger.mapped(root, name)
        for section in root.children:
            self.section(section)

    def section(self, node: Node) -> None:
        if node.tag == "actuator" and self.pulling.actuated:
            self.pulling.actuators(node)
        elif node.tag in SECTIONS:
            self.ledger.below(node, *SECTIONS[node.tag])
        elif node.tag == "worldbody":
            self.body(node)
        elif node.tag == "option":
            self.option(node)
        elif node.tag == "asset":
            self.asset(node)
        elif node.tag == "default":
            self.default(node)
        elif node.tag == "equality":
            self.ledger.mapped(node)
            for one in node.children:
                self.equality(one)
        elif node.tag == "tendon":
            self.pulling.tendons(node)
        elif node.tag == "include":
            self.ledger.mapped(node)
            self.ledger.mapped(node, "file")
        elif node.tag in ("body", "frame", "geom", "site", "joint"):  # an included file may hold such
            self.in_body(node)

    def option(self, node: Node) -> None:
        """Gravity acts; a fluid would; how MuJoCo integrates is its own."""
        self.ledger.mapped(node)
        fluid = self.model.opt.density or self.model.opt.viscosity
        for name in node.attributes:
            if name in ("gravity", "actuatorgroupdisable"):
                self.ledger.mapped(node, name)
            elif name in ("density", "viscosity", "wind"):
                self._say(node, name, _if(fluid, "linkwork has no fluid"))
            else:
                self.ledger.approximated(node, name, how="a setting of MuJoCo's integration and its soft constraints")
        for one in node.children:
            for name in FLAGS:
                if name in one.attributes:
                    self.ledger.mapped(one, name)
            self.ledger.without_effect(one, "a setting of MuJoCo's integration and its soft constraints")

    def asset(self, node: Node) -> None:
        self.ledger.mapped(node)
        for one in node.children:
            if one.tag == "mesh":
                self.ledger.below(one, MAPPED, "in the masses and inertias that MuJoCo's compiler works out")
            elif one.tag == "model":
                self.ledger.below(one, MAPPED, "attached by MuJoCo's compiler; the file is accounted for by itself")
            else:
                self.ledger.without_effect(one, NO_EFFECT)

    def default(self, node: Node) -> None:
        """Defaults are applied by the compiler; here stands what their attributes mean."""
        self.ledger.mapped(node)
        if "class" in node.attributes:
            self.ledger.mapped(node, "class")
        for one in node.children:
            if one.tag == "default":
                self.default(one)
            elif one.tag in ("joint", "geom"):
                self.in_body(one)
            elif one.tag == "equality":
                self.ledger.below(one, APPROXIMATED, EXACT)
            elif one.tag == "mesh":
                self.ledger.below(one, MAPPED, "obeyed by MuJoCo's compiler")
            elif one.tag == "tendon":
                self.pulling.tendon(one)
            elif self.pulling.actuated and one.tag in ACTUATORS:
                self.pulling.actuator(one)
            else:
                self.ledger.without_effect(one, "a default of what has no effect in linkwork")

    def body(self, node: Node) -> None:
        """A body, a frame or the world."""
        self.ledger.mapped(node)
        self._attributes(node, BODY)
        if "mocap" in node.attributes:
            moved = node.attributes["mocap"] == "true"
            self._say(node, "mocap", _if(moved, "nothing moves a body from outside: it stands still"))
        if "gravcomp" in node.attributes:
            self._say(node, "gravcomp", _if(np.any(self.model.body_gravcomp), "gravity acts on all bodies in full"))
        for one in node.children:
            self.in_body(one)

    def in_body(self, node: Node) -> None:
        """What stands in a body."""
        if node.tag in ("body", "frame"):
            self.body(node)
        elif node.tag in ("joint", "freejoint"):
            self.ledger.mapped(node)
            self._attributes(node, JOINT)
            for name, said in self._of_joints.items():
                if name in node.attributes:
                    self._say(node, name, said)
            turning = node.attributes.get("type") == "ball" or node.tag == "freejoint"
            if self.laws.stops is not None and not turning:
                for name in ("limited", "range"):
                    if name in node.attributes:
                        self.ledger.approximated(node, name, how=self.laws.limits())
        elif node.tag == "geom":
            self.ledger.mapped(node)
            self._attributes(node, GEOM)
        elif node.tag == "inertial":
            self.ledger.mapped(node)
            self._attributes(node, INERTIAL)
        elif node.tag in ("site", "camera", "light"):
            self.ledger.without_effect(node, NO_EFFECT)
        elif node.tag in ("replicate", "attach", "composite"):
            self.ledger.mapped(node, how="written out by MuJoCo's compiler")
            for name in node.attributes:
                self.ledger.mapped(node, name, how="written out by MuJoCo's compiler")
            for one in node.children:
                self.in_body(one)
        elif node.tag == "include":
            self.section(node)

    def equality(self, node: Node) -> None:
        """Points that stay together and frames that do are joints."""
        if node.attributes.get("active") == "false":
            self.ledger.without_effect(node, "switched off in the file")
        elif node.tag == "tendon" and self.inexact:
            self.ledger.again(node, REFUSED, self.inexact)
        elif node.tag in ("connect", "weld", "joint", "tendon"):
            self.ledger.mapped(node)
            self._attributes(node, EQUALITY)

    def _attributes(self, node: Node, rules: dict[str, tuple[str, str]]) -> None:
        for name in node.attributes:
            if name in rules:
                self._say(node, name, rules[name])

    def _say(self, node: Node, name: str, said: tuple[str, str]) -> None:
        outcome, how = said
        say = {MAPPED: self.ledger.mapped, APPROXIMATED: self.ledger.approximated, REFUSED: self.ledger.refused}
        say[outcome](node, name, how=how)


def _if(acts: Any, why: str) -> tuple[str, str]:
    """Refused where it acts in the compiled model."""
    return (REFUSED, why) if acts else (MAPPED, "")
