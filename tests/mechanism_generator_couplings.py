"""Random mechanisms with the couplings and joints that `mechanism_generator.mechanism_with_elements` leaves out: belts,
racks, cables, differentials, cams, points on curves, rotors and springs of balls, cam pairs; and rotors everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mechanism_generator import _list, _WithElements

import linkwork as lw
from linkwork.mechanism.joint_coordinates import ROTATION, has_ball, names_of_joint

LIFTS = {
    "lift": {
        "x": [-2.0, -0.7, 0.0, 0.9, 2.1],
        "y": [0.5, 0.4, 0.0, -0.3, 0.2],
        "between": "cubic",
        "outside": "extend",
    },
    "wire": {
        "x": [-2.0, -0.8, 0.0, 1.1, 2.0],
        "y": [-0.3, 0.1, 0.0, 0.3, 0.1],
        "between": "cubic",
        "outside": "extend",
    },
}


def mechanism_with_couplings(seed: int) -> lw.Mechanism:
    """Three to five bodies, couplings of the kinds above, and what `mechanism_with_elements` makes of forces."""
    return _WithCouplings(seed).build()


def mechanism_with_rotors(seed: int) -> lw.Mechanism:
    """Three to five bodies on joints of several coordinates, in loops or not, driven or not, with rotors on three of
    five coordinates of every joint, those that close loops and those that are driven among them."""
    return _WithRotors(seed).build()


class _WithCouplings(_WithElements):
    """What spoils the mechanism is left out again."""

    def mechanism(self) -> lw.Mechanism:
        named = {"name": f"random {self.seed}", "gravity": self.gravity, "tables": LIFTS}
        return lw.Mechanism.from_dict({**named, **self.parts})

    def build(self) -> lw.Mechanism:
        kinds = ("revolute", "revolute", "translational", "cylindrical", "spherical", "spherical")
        for k in range(int(self.rng.integers(4, 7))):
            parent = "ground" if k == 0 else f"body {int(self.rng.integers(max(0, k - 2), k))}"
            joint = self.place("revolute" if k < 3 else str(self.rng.choice(kinds)), parent, f"body {k}")
            assert joint is not None
            self.parts["bodies"].append(self.body(f"body {k}", joint))
            self.parts["joints"].append(joint)
        names = [name.rpartition(".") for name in lw.joint_coordinates(self.mechanism()).names]
        self.coordinates = [(joint, one) for joint, _, one in names if one.startswith(("angle", "displacement"))]
        makers: list[Callable[[], dict[str, Any] | None]] = [
            self.belt, self.rack, self.cable, self.differential, self.cam, self.wire, self.turning_rotor,
        ]  # fmt: skip
        if self.rng.random() < 0.5:
            self.attempt("joints", self.touching())
        for k in self.rng.permutation(len(makers))[:4]:
            self.attempt("couplings", makers[k]())
        for make in (self.spring_of_a_ball, self.joint_spring, self.formula, self.bushing):
            if self.rng.random() < 0.6:
                self.attempt("forces", make())
        return lw.assemble(self.mechanism()).mechanism

    def of(self, which: str, count: int) -> list[str] | None:
        """Joints, each with a coordinate of that name."""
        found = [joint for joint, one in self.coordinates if one == which]
        return [found[k] for k in self.rng.permutation(len(found))[:count]] if len(found) >= count else None

    def factors(self, count: int) -> list[float]:
        return [float(x) * (-1.0) ** int(self.rng.integers(2)) for x in self.rng.uniform(0.4, 1.5, count).round(3)]

    def belt(self) -> dict[str, Any] | None:
        joints = self.of("angle", int(self.rng.integers(2, 4)))
        return joints and {
            "name": self.name("belt"),
            "type": "belt",
            "joints": joints,
            "radii": self.factors(len(joints)),
        }

    def rack(self) -> dict[str, Any] | None:
        racks, pinions = self.of("displacement", 1), self.of("angle", 1)
        if racks is None or pinions is None or racks == pinions:
            return None
        made = {"name": self.name("rack"), "type": "rack-and-pinion", "rack": racks[0], "pinion": pinions[0]}
        return made | {"radius": self.factors(1)[0]}

    def cable(self) -> dict[str, Any] | None:
        some = self.some(3)
        if some is None:
            return None
        joints = [f"{joint}.{one}" for joint, one in some]
        return {"name": self.name("cable"), "type": "cable", "joints": joints, "factors": self.factors(3)}

    def differential(self) -> dict[str, Any] | None:
        joints = self.of("angle", 3)
        named = None if joints is None else dict(zip(("input", "left", "right"), joints, strict=True))
        return named and {
            "name": self.name("differential"),
            "type": "differential",
            **named,
            "ratio": self.factors(1)[0],
        }

    def cam(self) -> dict[str, Any] | None:
        pair = self.some(2)
        if pair is None:
            return None
        (follower, one), (cam, other) = pair
        return {
            "name": self.name("cam"), "type": "cam", "follower": follower, "follower_coordinate": one, "cam": cam,
            "cam_coordinate": other, "table": "lift", "scale": self.factors(1)[0],
        }  # fmt: skip

    def wire(self) -> dict[str, Any]:
        """A point of one body on a curve of another, at the curve's zero at the start."""
        first, second = self.pair()
        (r_i, A_i), (r_j, A_j) = self.pose(first), self.pose(second)
        point, along = self.vector(0.3), self.direction()
        return {
            "name": self.name("wire"), "type": "point-on-curve", "first": first, "second": second, "table": "wire",
            "point": _list(point), "origin": _list(A_i.T @ (r_j + A_j @ point - r_i)), "along": _list(along),
            "across": _list(self.perpendicular(along)), "in_plane": bool(self.rng.random() < 0.7),
        }  # fmt: skip

    def balls(self) -> list[str]:
        return [joint["name"] for joint in self.parts["joints"] if joint["type"] == "spherical"]

    def turning_rotor(self) -> dict[str, Any] | None:
        """On a hinge or slide, or on all turns of a ball."""
        if not (balls := self.balls()) or self.rng.random() < 0.5:
            return self.rotor()
        made = {"name": self.name("rotor"), "type": "rotor", "joint": balls[0], "coordinate": "rotation"}
        return made | {"inertia": float(self.rng.uniform(0.02, 0.3)), "ratio": 1.3}

    def spring_of_a_ball(self) -> dict[str, Any] | None:
        if not (balls := self.balls()):
            return None
        free = {"axis": _list(self.direction()), "angle": float(self.rng.uniform(0.2, 1.5))}
        made = {"name": self.name("spring"), "type": "spherical-spring", "joint": balls[0], "free": free}
        return made | {"stiffness": 3.0, "damping": 0.4}

    def touching(self) -> dict[str, Any] | None:
        """Two circles that touch at the start."""
        first, second = self.pair()
        axis = self.direction()
        point, across = self.vector(0.5), self.perpendicular(axis)
        radii = self.rng.uniform(0.1, 0.6, 2)
        return {
            "name": self.name("touch"), "type": "cam-pair", "first": first, "second": second, "point": _list(point),
            "point2": _list(point + radii.sum() * across), "axis": _list(axis), "x": _list(across),
            "profile": {"radius": float(radii[0])}, "profile2": {"radius": float(radii[1])},
            "rolling": bool(self.rng.random() < 0.3),
        }  # fmt: skip


class _WithRotors(_WithCouplings):
    """Balls have springs, too."""

    def build(self) -> lw.Mechanism:
        kinds = ("universal", "planar", "cylindrical", "spherical", "spherical", "free", "screw", "revolute")
        for k in range(int(self.rng.integers(3, 6))):
            parent = "ground" if k == 0 else f"body {int(self.rng.integers(max(0, k - 2), k))}"
            joint = self.place(str(self.rng.choice(kinds)), parent, f"body {k}")
            assert joint is not None
            self.parts["bodies"].append(self.body(f"body {k}", joint))
            self.parts["joints"].append(joint | ({"lead": 0.3} if joint["type"] == "screw" else {}))
        names = [name.rpartition(".") for name in lw.joint_coordinates(self.mechanism()).names]
        self.coordinates = [(joint, one) for joint, _, one in names if one.startswith(("angle", "displacement"))]
        if self.rng.random() < 0.7:
            first, second = self.pair()
            self.attempt("joints", self.place(str(self.rng.choice(kinds[:4])), first, second))
        for make in (self.driven, self.driven):
            if self.rng.random() < 0.6:
                self.attempt("drivers", make())
        for make in (self.spring_of_a_ball, self.joint_spring, self.bushing):
            if self.rng.random() < 0.6:
                self.attempt("forces", make())
        for joint in self.mechanism().joints:
            for one in (*names_of_joint(joint), *([ROTATION] if has_ball(joint) else [])):
                if self.rng.random() < 0.6:
                    made = {"name": self.name("rotor"), "type": "rotor", "joint": joint.name, "coordinate": one}
                    inertia, ratio = self.rng.uniform(0.02, 0.4), self.rng.uniform(-2.0, 2.0)
                    self.parts["couplings"].append(made | {"inertia": float(inertia), "ratio": float(ratio)})
        return lw.assemble(self.mechanism()).mechanism

    def place(self, kind: str, first: str, second: str, axis: Any = None) -> dict[str, Any] | None:
        if kind == "free":
            return {"name": self.name("joint"), "type": kind, "first": first, "second": second}
        return super().place(kind, first, second, axis)
