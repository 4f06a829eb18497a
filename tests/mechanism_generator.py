"""Random mechanisms from a seed: trees and loops of every joint type, drivers, raw constraints, forces, redundant rows.

Joints are given in global coordinates at random poses, so that loops are closed by construction; velocities are made
consistent by assembly. What would lock the mechanism, contradict it or leave it near a singular position is left out
again, so that accelerations are well determined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.mechanism.rotation import turn
from linkwork.system import compile_mechanism
from linkwork.system.dense import Pose
from linkwork.system.rank import rank_at

WOOD = ("spherical", "universal", "cylindrical", "revolute", "revolute", "translational", "fixed")
TREE = (
    "spherical", "universal", "cylindrical", "revolute", "revolute", "translational", "fixed", "planar",
    "point-in-line", "point-in-plane", "distance", "perpendicular-1", "perpendicular-2", "knife-edge", "rolling-disc",
    "free",
)  # fmt: skip
LOOPS = ("spherical", "revolute", "universal", "point-in-line", "point-in-plane", "distance", "perpendicular-1")
COORDINATES = {"revolute": ("angle",), "cylindrical": ("angle", "displacement"), "translational": ("displacement",)}
WILD = 1e4  # m/s^2, near a singular position
REGULAR = 3e-3  # smallest singular value of an accepted mechanism


def random_mechanism(seed: int) -> lw.Mechanism:
    """A mechanism of one to four bodies at a consistent start state."""
    return _Builder(seed).build()


def large_mechanism(seed: int, bodies: int, *, loops: int = 0, base: str = "held") -> lw.Mechanism:
    """A random tree of lower pairs and ball and universal joints, closed by joints, rods and raw constraints.

    base : 'held' by a joint to ground, 'driven' by a motor there, or 'floating': then nothing touches ground.
    """
    builder = _Builder(seed)
    builder.wood(bodies, base)
    tries, closed = 0, 0
    while closed < loops and tries < 4 * loops:
        parts = builder.parts
        before = len(parts["joints"]) + len(parts["constraints"])
        kind = ("joints", "constraints")[tries % 2]
        builder.attempt(kind, builder.rod_or_loop(base) if kind == "joints" else builder.raw(base == "floating"))
        closed += len(parts["joints"]) + len(parts["constraints"]) - before
        tries += 1
    return lw.assemble(builder.mechanism()).mechanism


def _list(x: Any) -> list[float]:
    return [float(value) for value in x]


class _Builder:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.parts: dict[str, list[dict[str, Any]]] = {
            "bodies": [], "joints": [], "constraints": [], "drivers": [], "forces": []
        }  # fmt: skip
        self.gravity = _list(self.rng.normal(size=3) * 5.0)
        self.seed = seed

    def build(self) -> lw.Mechanism:
        self.tree(int(self.rng.integers(1, 5)))
        for _ in range(int(self.rng.integers(0, 3))):
            self.attempt("joints", self.loop())
        if self.rng.random() < 0.3:
            self.second_hinge()
        for _ in range(int(self.rng.integers(0, 3))):
            self.attempt("constraints", self.raw())
        for _ in range(int(self.rng.integers(0, 3))):
            self.attempt("drivers", self.driver())
        for _ in range(int(self.rng.integers(0, 4))):
            self.attempt("forces", self.force())
        return lw.assemble(self.mechanism()).mechanism

    def mechanism(self) -> lw.Mechanism:
        return lw.Mechanism(f"random {self.seed}", gravity=self.gravity, **self.parts)

    def attempt(self, kind: str, part: dict[str, Any] | None) -> None:
        """Keep a part unless it spoils the mechanism."""
        if part is None:
            return
        self.parts[kind].append(part)
        try:
            mechanism = self.mechanism()
            compiled = compile_mechanism(mechanism.lower())
            rank = rank_at(compiled, Pose(compiled.r, compiled.A))
            good = rank.nearly > REGULAR and (kind == "drivers" or rank.rank < 6 * compiled.nb)
            lw.assemble(mechanism)
        except LinkworkError:
            good = False
        if not good:
            self.parts[kind].pop()

    def name(self, kind: str) -> str:
        return f"{kind} {sum(len(some) for some in self.parts.values())}"

    def vector(self, size: float = 1.0) -> np.ndarray:
        return size * self.rng.normal(size=3)

    def direction(self) -> np.ndarray:
        x = self.vector()
        return x / np.linalg.norm(x)

    def perpendicular(self, a: np.ndarray) -> np.ndarray:
        x = np.cross(a, self.direction())
        return x / np.linalg.norm(x)

    def tree(self, nb: int) -> None:
        flat = self.direction() if self.rng.random() < 0.3 else None  # all hinges parallel: a planar mechanism
        for k in range(nb):
            kind = "revolute" if flat is not None else str(self.rng.choice(TREE))
            parent = (
                "ground" if k == 0 else str(self.rng.choice(["ground", *(b["name"] for b in self.parts["bodies"])]))
            )
            ground_only = kind in ("knife-edge", "rolling-disc")
            joint = self.place(kind, "ground" if ground_only else parent, f"body {k}", flat)
            self.parts["bodies"].append(self.body(f"body {k}", joint))
            if joint is not None:
                self.parts["joints"].append(joint)
        if flat is not None and nb >= 2:
            self.attempt("joints", self.place("revolute", "ground", f"body {nb - 1}", flat))

    def wood(self, nb: int, base: str) -> None:
        """Every body but the first on an earlier one, so that the tree has branches of several lengths."""
        for k in range(nb):
            parent = "ground" if k == 0 else f"body {int(self.rng.integers(max(0, k - 6), k))}"
            kind = {"floating": "free", "driven": "cylindrical"}.get(base) if k == 0 else None
            joint = self.place(kind or str(self.rng.choice(WOOD)), parent, f"body {k}")
            self.parts["bodies"].append(self.body(f"body {k}", joint))
            if joint is not None:
                self.parts["joints"].append(joint)
        if base == "driven":
            for coordinate, f in (("angle", "0.4*sin(1.3*t) + 0.2*t"), ("displacement", "0.3*t^2")):
                self.parts["drivers"].append(
                    {"name": f"{coordinate} motor", "joint": self.parts["joints"][0]["name"], "coordinate": coordinate}
                    | {"f": f}
                )

    def rod_or_loop(self, base: str) -> dict[str, Any] | None:
        """A joint between two bodies, ground among them unless the tree floats."""
        first, second = self.pair(base == "floating")
        return self.place(str(self.rng.choice(("distance", "spherical", "revolute", "universal"))), first, second)

    def body(self, name: str, joint: dict[str, Any] | None) -> dict[str, Any]:
        a, b = self.rng.uniform(0.05, 0.3, 2)
        turned = turn(self.direction(), float(self.rng.uniform(0, 3)))
        inertia = turned @ np.diag([a, b, (a + b) * self.rng.uniform(0.5, 0.95)]) @ turned.T
        made = {
            "name": name,
            "mass": float(self.rng.uniform(0.5, 3.0)),
            "inertia": [_list(row) for row in (inertia + inertia.T) / 2.0],
            "position": _list(self.vector(0.7)),
            "rotation": {"axis": _list(self.direction()), "angle": float(self.rng.uniform(-3.0, 3.0))},
            "velocity": _list(self.vector()),
            "angular_velocity": _list(self.vector()),
        }
        if joint is not None and joint["type"] == "rolling-disc":
            n, a2 = np.array(joint["axis"]), np.array(joint["axis2"])
            height = joint["radius"] * np.linalg.norm(n - (n @ a2) * a2)
            made["position"] = _list(np.array(joint["point"]) + height * n + 0.5 * np.cross(n, a2))
        elif self.rng.random() < 0.3:
            made["centre_of_mass"] = _list(self.vector(0.2))
        return made

    def place(self, kind: str, first: str, second: str, axis: np.ndarray | None = None) -> dict[str, Any] | None:
        if kind == "free":
            return None
        a = self.direction() if axis is None else axis
        made: dict[str, Any] = {"name": self.name("joint"), "type": kind, "first": first, "second": second}
        if kind != "perpendicular-1":
            made["point"] = _list(self.vector(0.7))
        if kind not in ("spherical", "distance"):
            made["axis"] = _list(a)
        if kind == "distance":
            made["point2"] = _list(np.array(made["point"]) + self.direction())
        if kind == "universal":
            made["axis2"] = _list(self.perpendicular(a))
        if kind == "rolling-disc":
            made |= {"radius": 0.4, "axis2": _list(np.cos(0.4) * self.perpendicular(a) + np.sin(0.4) * a)}
        return made

    def pair(self, floating: bool = False) -> tuple[str, str]:
        names = [*(() if floating else ("ground",)), *(b["name"] for b in self.parts["bodies"])]
        first, second = self.rng.choice(names, 2, replace=False)
        return str(first), str(second)

    def loop(self) -> dict[str, Any] | None:
        first, second = self.pair()
        return self.place(str(self.rng.choice(LOOPS)), first, second)

    def second_hinge(self) -> None:
        """A hinge twice on one axis, as on a door: five redundant rows."""
        hinges = [joint for joint in self.parts["joints"] if joint["type"] == "revolute"]
        if hinges:
            twin = dict(hinges[0])
            point = np.array(twin["point"]) + 0.5 * np.array(twin["axis"])
            self.attempt("joints", twin | {"name": self.name("joint"), "point": _list(point)})

    def raw(self, floating: bool = False) -> dict[str, Any]:
        """A raw constraint whose value is that of the start pose."""
        first, second = self.pair(floating)
        kind = str(self.rng.choice(["DP1", "DP2", "D", "CD", "PFAFFIAN"]))
        made: dict[str, Any] = {"name": self.name("constraint"), "type": kind, "body_i": first, "body_j": second}
        (r_i, A_i), (r_j, A_j) = self.pose(first), self.pose(second)
        a_i, a_j, s_i, s_j = (self.vector(0.6) for _ in range(4))
        d = (r_j + A_j @ s_j) - (r_i + A_i @ s_i)
        vectors, value = {
            "DP1": ({"a_i": a_i, "a_j": a_j}, (A_i @ a_i) @ (A_j @ a_j)),
            "DP2": ({"a_i": a_i, "s_i": s_i, "s_j": s_j}, (A_i @ a_i) @ d),
            "D": ({"s_i": s_i, "s_j": s_j}, d @ d),
            "CD": ({"c": a_i, "s_i": s_i, "s_j": s_j}, a_i @ d),
            "PFAFFIAN": ({"g_i": np.r_[a_i, a_j], "g_j": np.r_[s_i, s_j]}, 0.3),
        }[kind]
        f: Any = float(value)
        if kind in ("D", "CD") and self.rng.random() < 0.3:
            f = f"{float(value)!r} + 0.3*sin(1.1*t)"
        return made | {key: _list(x) for key, x in vectors.items()} | {"f": f}

    def pose(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Of the described frame."""
        if name == "ground":
            return np.zeros(3), np.eye(3)
        body = next(b for b in self.parts["bodies"] if b["name"] == name)
        return np.array(body["position"]), turn(np.array(body["rotation"]["axis"]), body["rotation"]["angle"])

    def driver(self) -> dict[str, Any] | None:
        driven = [joint for joint in self.parts["joints"] if joint["type"] in COORDINATES]
        if not driven:
            return None
        joint = driven[int(self.rng.integers(len(driven)))]
        coordinate = str(self.rng.choice(COORDINATES[joint["type"]]))
        a, b, c = self.rng.normal(size=3)
        f = f"{a:.3f}*sin({b:.3f}*t) + {c:.3f}*t^2"
        return {"name": self.name("driver"), "joint": joint["name"], "coordinate": coordinate, "f": f}

    def force(self) -> dict[str, Any]:
        kind = str(self.rng.choice(["force", "torque", "spring", "torsion"]))
        made: dict[str, Any] = {"name": self.name("force"), "type": kind}
        first, second = self.pair()
        k, c = (float(x) for x in self.rng.uniform(0.0, 20.0, 2))
        if kind in ("force", "torque"):
            body = second if second != "ground" else first
            components = [f"{x:.3f} + cos({y:.3f}*t)" for x, y in self.rng.normal(size=(3, 2))]
            made |= {"body": body, "components": components, "axes": str(self.rng.choice(["global", "body"]))}
            return made | ({"point": _list(self.vector(0.3))} if kind == "force" else {})
        made |= {"stiffness": k, "damping": c, "actuator": "2*sin(t + 1)"}
        hinges = [joint["name"] for joint in self.parts["joints"] if joint["type"] in ("revolute", "cylindrical")]
        if kind == "torsion" and hinges:
            return made | {"joint": hinges[0], "angle": 0.4}
        made |= {"first": first, "second": second}
        if kind == "torsion":
            return made | {"axis": _list(self.direction()), "angle": -0.3}
        point = self.vector(0.7)
        return made | {"point": _list(point), "point2": _list(point + self.direction()), "length": 0.7}


ELEMENTS = (
    "revolute", "revolute", "universal", "translational", "cylindrical", "spherical", "constant-velocity", "screw",
)  # fmt: skip


def mechanism_with_elements(seed: int) -> lw.Mechanism:
    """A random mechanism with elements of other kinds: rigid and elastic couplings of joint coordinates, rotors, joint
    springs, motors, bushings, constant-velocity and screw joints, drivers on any coordinate, formulas of the state."""
    return _WithElements(seed).build()


class _WithElements(_Builder):
    """Elements stand in the order in which they are tried; those that spoil the mechanism are left out."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.parts["couplings"] = []
        self.coordinates: list[tuple[str, str]] = []  # joint and its coordinate, of the tree

    def build(self) -> lw.Mechanism:
        for k in range(int(self.rng.integers(3, 6))):
            parent = "ground" if k == 0 else f"body {int(self.rng.integers(max(0, k - 2), k))}"
            joint = self.place(str(self.rng.choice(ELEMENTS)), parent, f"body {k}")
            assert joint is not None
            self.parts["bodies"].append(self.body(f"body {k}", joint))
            self.parts["joints"].append(joint | ({"lead": 0.3} if joint["type"] == "screw" else {}))
        names = [name.rpartition(".") for name in lw.joint_coordinates(self.mechanism()).names]
        known = {joint["name"] for joint in self.parts["joints"]}
        self.coordinates = [(joint, coordinate) for joint, _, coordinate in names if joint in known]
        if self.rng.random() < 0.5:
            self.attempt("joints", self.loop())
        for kind, makers in (
            ("couplings", (self.rigid, self.rotor)),
            ("drivers", (self.driven,)),
            ("forces", (self.bushing, self.joint_spring, self.motor, self.elastic, self.formula)),
        ):
            for make in makers:
                for _ in range(int(self.rng.integers(0, 3))):
                    self.attempt(kind, make())
        return lw.assemble(self.mechanism()).mechanism

    def attempt(self, kind: str, part: dict[str, Any] | None) -> None:
        super().attempt(kind, part)
        if (
            part is None
            or kind not in ("couplings", "drivers")
            or not self.parts[kind]
            or self.parts[kind][-1] is not part
        ):
            return
        try:  # rows of couplings are no rows of joints: ranks of these do not see them
            found = lw.accelerations(lw.assemble(self.mechanism()).mechanism, formulation="augmented")
            good = float(np.abs(found.rddot).max()) < WILD
        except LinkworkError:
            good = False
        if not good:
            self.parts[kind].pop()

    def some(self, count: int = 1, *kinds: str) -> list[tuple[str, str]] | None:
        """So many coordinates, each of another joint; of joints of these types."""
        types = {joint["name"]: joint["type"] for joint in self.parts["joints"]}
        fitting = [one for one in self.coordinates if not kinds or types[one[0]] in kinds]
        found: dict[str, str] = {}
        for k in self.rng.permutation(len(fitting)):
            found.setdefault(*fitting[k])
        return list(found.items())[:count] if len(found) >= count else None

    def rigid(self) -> dict[str, Any] | None:
        plain = ("revolute", "translational", "cylindrical")
        pair = self.some(2, *plain)
        if pair is None:
            return None
        (first, one), (second, other) = pair
        made = {
            "name": self.name("coupling"),
            "joint": first,
            "joint2": second,
            "coordinate": one,
            "coordinate2": other,
        }
        a, b, c = (round(float(x), 3) for x in self.rng.uniform(0.3, 1.5, 3))
        if self.rng.random() < 0.5:
            return made | {"type": "gear", "ratio": a - 2.0 * b}
        return made | {"type": "mimic", "polynomial": [0.0, a, 0.2 * b, -0.1 * c]}

    def rotor(self) -> dict[str, Any] | None:
        one = self.some(1, "revolute", "translational", "cylindrical")
        if one is None:
            return None
        ((joint, coordinate),) = one
        return {"name": self.name("rotor"), "type": "rotor", "joint": joint, "coordinate": coordinate} | {
            "inertia": float(self.rng.uniform(0.02, 0.3)), "ratio": float(self.rng.uniform(-3.0, 3.0)),
        }  # fmt: skip

    def driven(self) -> dict[str, Any] | None:
        one = self.some(1)
        if one is None:
            return None
        ((joint, coordinate),) = one
        found = lw.joint_coordinates(self.mechanism())
        values = dict(zip(found.names, found.values.tolist(), strict=True))
        value = values.get(f"{joint}.{coordinate}")  # none where a loop has taken the joint out of the tree
        if value is None:
            return None
        return {"name": self.name("driver"), "joint": joint, "coordinate": coordinate} | {
            "f": f"{value!r} + 0.4*t - 0.3*t^2"
        }

    def bushing(self) -> dict[str, Any]:
        first, second = self.pair()
        root = self.rng.normal(size=(2, 6, 6))
        full = [[_list(row) for row in 5.0 * (x @ x.T)] for x in root]
        return {
            "name": self.name("bushing"), "type": "bushing", "first": first, "second": second,
            "point": _list(self.vector(0.5)), "axis": _list(self.direction()), "stiffness": full[0],
            "damping": full[1] if self.rng.random() < 0.5 else [2.0, 0.5],
        }  # fmt: skip

    def joint_spring(self) -> dict[str, Any] | None:
        one = self.some(1)
        if one is None:
            return None
        ((joint, coordinate),) = one
        return {"name": self.name("spring"), "type": "joint-spring", "joint": joint, "coordinate": coordinate} | {
            "stiffness": 8.0, "damping": "0.3 + 0.1*abs(rate)", "free": 0.2,
        }  # fmt: skip

    def motor(self) -> dict[str, Any] | None:
        one = self.some(1)
        if one is None:
            return None
        ((joint, coordinate),) = one
        return {"name": self.name("motor"), "type": "motor", "joint": joint, "coordinate": coordinate} | {
            "position": "0.3*sin(2*t)", "stiffness": 12.0, "damping": 0.7, "ratio": 2.0, "limit": 4.0,
        }  # fmt: skip

    def elastic(self) -> dict[str, Any] | None:
        pair = self.some(2)
        if pair is None:
            return None
        (first, one), (second, other) = pair
        return {
            "name": self.name("elastic"), "type": "coupling", "joint": first, "coordinate": one, "joint2": second,
            "coordinate2": other, "ratio": -1.5, "offset": 0.1, "stiffness": 6.0, "damping": 0.4,
        }  # fmt: skip

    def formula(self) -> dict[str, Any]:
        names = [body["name"] for body in self.parts["bodies"]]
        first, last = names[0], names[-1]
        return {
            "name": self.name("force"), "type": "force", "body": last, "point": _list(self.vector(0.3)), "axes": "body",
            "components": [
                f"-0.4*velocity('{last}', 'x', 'body')", f"sin(position('{first}', 'y'))",
                f"0.2*distance('{first}', '{last}')",
            ],
        }  # fmt: skip
