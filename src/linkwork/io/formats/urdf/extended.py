"""Extended URDF: a YAML file beside the URDF that closes its loops, and makes joints of kinds that URDF lacks.

    closed_loop: [[left hand, right hand]]     # pairs of links (or joints, whose frame is their child link's)
    type: [6d]                                 # 6d: both frames are one; 3d: their origins are
    joint_name: [ankle]                        # joints of the URDF that are of another kind
    joint_type: [SPHERICAL]                    # or FIXED, UJOINT_XY, UJOINT_YZ, UJOINT_ZX
    name_mot: [motor 1]                        # joints with motors

The file beside MODEL.urdf is MODEL.yaml, if it has `closed_loop` or `joint_name`; another one is given as `side`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ModelError
from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.linkwork_yaml import LineNumbers, parse_yaml
from linkwork.io.formats.text import read_text
from linkwork.io.formats.urdf.acting import NOTHING, Acting
from linkwork.io.formats.urdf.joints import UrdfJoint
from linkwork.io.sources import reads
from linkwork.mechanism.account import APPROXIMATED, MAPPED, REFUSED, AccountEntry
from linkwork.mechanism.elements import did_you_mean, shown

LARGEST_FILE = 2**20
TYPES = {"6d": "fixed", "3d": "spherical"}
X, Y, Z = np.eye(3)
CROSSES = {"UJOINT_XY": (X, Y), "UJOINT_YZ": (Y, Z), "UJOINT_ZX": (Z, X)}
KINDS = ("SPHERICAL", "FIXED", *CROSSES)
LISTS = ("closed_loop", "type", "joint_name", "joint_type", "name_mot")
ORIGIN = {"point": [0.0, 0.0, 0.0]}


class Extended:
    """What the file says; `entries` is its part of the account."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.line_of = path, LineNumbers(text)
        self.entries: list[AccountEntry] = []
        data = parse_yaml(text, path)
        if not isinstance(data, dict):
            raise self.wrong((), f"holds {shown(data)}, not the keys of an Extended URDF.")
        for key, value in data.items():
            if key not in LISTS:
                self.say((str(key)[:60],), REFUSED, "nothing that linkwork knows of in this place", value)
            elif not isinstance(value, list):
                raise self.wrong((key,), f"must be a list, not {shown(value)}.")
            else:
                self.say((key,), MAPPED)
        self.data = {key: data.get(key, []) for key in LISTS}
        for one, other in (("closed_loop", "type"), ("joint_name", "joint_type")):
            if len(self.data[one]) != len(self.data[other]) and not (other == "type" and not self.data[other]):
                message = f"has {len(self.data[other])} entries where {one} has {len(self.data[one])}."
                raise self.wrong((other,), message)

    def say(self, place: tuple[str | int, ...], outcome: str, how: str = "", value: Any = "") -> None:
        """Enter what became of a part of the file."""
        shown_value = "" if value == "" else str(value)[:200]
        self.entries.append(
            AccountEntry(f"{self.path.name}/{_written(place)}", self.line_of(place) or 0, outcome, how, shown_value)
        )

    def wrong(self, place: tuple[str | int, ...], message: str) -> ModelError:
        """The error of a part of the file, to be raised."""
        element = f"line {self.line_of(place) or 1}{', ' if place else ''}{_written(place)}"
        return ModelError(message, file=str(self.path), element=element)

    def change_joints(self, ledger: Ledger, joints: Mapping[str, UrdfJoint]) -> None:
        """Make joints of the kinds that the file says; the account of the motors. Raises ModelError."""
        for k, (name, kind) in enumerate(zip(self.data["joint_name"], self.data["joint_type"], strict=True)):
            joint = joints[self._known(("joint_name", k), "joint", name, joints)]
            if kind not in KINDS:
                raise self.wrong(("joint_type", k), f"is {shown(kind)}; there is {', '.join(KINDS)}.")
            self.say(("joint_name", k), MAPPED, value=name)
            self.say(("joint_type", k), MAPPED, value=kind)
            before, joint.cross = joint.type, CROSSES.get(kind)
            joint.type = "universal" if joint.cross else str(kind).lower()
            axis = joint.node.child("axis")
            if axis is not None:
                ledger.again(axis, APPROXIMATED, f"{self.path.name} makes the joint {joint.type}")
            self._change_acting(ledger, joint, before)
        for k, name in enumerate(self.data["name_mot"]):
            self._known(("name_mot", k), "joint", name, joints)
            self.say(("name_mot", k), APPROXIMATED, "no actuator is simulated", name)

    def _change_acting(self, ledger: Ledger, joint: UrdfJoint, before: str) -> None:
        """The damping about the axis that the joint had acts on its every turn; limits and friction of it go."""
        dynamics, limit = (joint.node.child(tag) for tag in ("dynamics", "limit"))
        damping, acting = joint.acting.damping, joint.acting
        joint.acting = NOTHING
        for name in ("lower", "upper") if limit is not None else ():
            if limit is not None and name in limit.attributes:
                ledger.approximated(limit, name, how=f"{self.path.name} makes the joint {joint.type}")
        if dynamics is None or joint.type == "fixed":
            if dynamics is not None:
                ledger.again(dynamics, MAPPED, "nothing moves there")
            return
        if acting.effort.friction != 0.0:
            how = f"a {joint.type} joint has no single coordinate that it could be on"
            ledger.refused(dynamics, "friction", how=how)
        if damping != 0.0 and before == "revolute":
            ledger.approximated(dynamics, "damping", how=f"of every turn of the {joint.type} joint")
            joint.acting = Acting(damping)
        elif damping != 0.0:
            ledger.refused(dynamics, "damping", how=f"is along an axis, which a {joint.type} joint has not")

    def closings(self, joints: Mapping[str, UrdfJoint], links: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Fields of the joints that close loops, links by their names in the URDF. Raises ModelError."""
        found = []
        kinds = self.data["type"] or ["6d"] * len(self.data["closed_loop"])
        for k, (pair, kind) in enumerate(zip(self.data["closed_loop"], kinds, strict=True)):
            if not isinstance(pair, list) or len(pair) != 2:
                raise self.wrong(("closed_loop", k), f"must be a list of two frames, not {shown(pair)}.")
            type = TYPES.get(str(kind).lower())
            if type is None:
                raise self.wrong(("type", k), f"is {shown(kind)}; there is 6d and 3d.")
            frames = {**{name: joint.child for name, joint in joints.items()}, **{name: name for name in links}}
            ends = [frames[self._known(("closed_loop", k), "frame", name, frames)] for name in pair]
            self.say(("closed_loop", k), MAPPED, value=pair)
            if self.data["type"]:
                self.say(("type", k), MAPPED, value=kind)
            place = dict(ORIGIN) if type == "spherical" else {**ORIGIN, "axis": Z.tolist(), "x": X.tolist()}
            name = " and ".join(str(one) for one in pair)
            found.append({"name": name, "type": type, "first": ends[0], "second": ends[1],
                          "on_first": place, "on_second": place})  # fmt: skip
        return found

    def _known(self, place: tuple[str | int, ...], what: str, name: Any, known: Mapping[str, Any]) -> str:
        if not isinstance(name, str) or name not in known:
            raise self.wrong(place, f"its {what} {shown(name)} does not exist{did_you_mean(name, known)}")
        return name


def _written(place: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else part for part in place)


def extended_of(path: Path, side: Any) -> Extended | None:
    """The YAML file that is given, or the one beside a URDF; None where there is none. Raises ModelError."""
    if side is not None:
        if not isinstance(side, str | os.PathLike):
            raise ModelError(f"takes the path of its YAML file as side, not {shown(side)}.", file=str(path))
        file = Path(side)
        return Extended(file, read_text(file, LARGEST_FILE))
    for file in (path.with_suffix(".yaml"), path.with_suffix(".yml")):
        if file.is_file() and file != path:
            text = read_text(file, LARGEST_FILE, looking=True)
            if any(line.startswith(("closed_loop", "joint_name")) for line in text.splitlines()):
                reads(file)
                return Extended(file, text)
    return None
