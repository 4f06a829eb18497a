"""The arcs of the joint graph: which element joins which two bodies, and how readily it may be cut.

Every joint and every raw constraint that locks something is an arc of its own, also where several join the same two
bodies: one of them can carry the tree, the others close loops of a single tree joint. A driver adds its row to the arc
of its joint. Springs and forces lock nothing and are no arcs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from linkwork.mechanism.lowered import LoweredJoint
from linkwork.system.compiled import CompiledMechanism


@dataclass(frozen=True)
class Arc:
    """A joint or a raw constraint between two bodies (-1: ground), with the drivers on it.

    rows : numbers of its rows, those of the drivers last. elements : numbers in `Lowered.joints`, likewise.
    locks : how many of its own rows hold positions (rolling and knife edges hold velocities besides).
    """

    name: str
    type: str
    kind: str  # 'joint' or 'constraint', as in LoweredJoint ('driver': one whose joint is not there)
    body_i: int
    body_j: int
    rows: tuple[int, ...]
    elements: tuple[int, ...]
    locks: int

    @property
    def drivers(self) -> int:
        """How many drivers are on it."""
        return len(self.elements) - 1


WeightOf = Callable[[Arc], "int | None"]
"""What an arc is worth as a joint of the tree: the heaviest are kept, the lightest cut; None: it is always cut."""


def any_element(arc: Arc) -> int:
    """The rows that a joint locks and that drivers prescribe on it; 0 for raw constraints, which are cut first.

    Cut joints have as few rows as can be, then. A raw constraint carries the tree where nothing else joins two bodies.
    """
    return arc.locks + arc.drivers if arc.kind == "joint" else 0


def joints_only(arc: Arc) -> int | None:
    """As `any_element`, but rods, raw constraints and whatever else locks a single row always close loops.

    For methods that move along the tree by the joints' free motions; bodies held by such elements alone float.
    """
    return any_element(arc) if arc.kind == "joint" and arc.locks > 1 else None


def arcs_of(mechanism: CompiledMechanism) -> tuple[Arc, ...]:
    """All arcs, in the order of the elements."""
    elements, position = mechanism.lowered.joints, mechanism.system.rows.nonholonomic == 0
    arcs: list[Arc] = []
    drivers: list[tuple[int, LoweredJoint]] = []
    for k, one in enumerate(elements):
        if one.kind == "driver":
            drivers.append((k, one))
        elif one.rows:
            locks = int(sum(position[row] for row in one.rows))
            arcs.append(Arc(one.name, one.type, one.kind, one.body_i, one.body_j, one.rows, (k,), locks))
    joints: dict[object, int] = {}
    for a, arc in enumerate(arcs):
        if arc.kind == "joint":
            joints.setdefault(_place(elements[arc.elements[0]]), a)
    for k, one in drivers:
        a = joints.get(_place(one), -1)
        if a < 0:
            arcs.append(Arc(one.name, one.type, one.kind, one.body_i, one.body_j, one.rows, (k,), len(one.rows)))
        else:
            arcs[a] = replace(arcs[a], rows=arcs[a].rows + one.rows, elements=(*arcs[a].elements, k))
    return tuple(arcs)


def _place(element: LoweredJoint) -> object:
    """What a driver shares with its joint: the bodies in their order, and the point on the second."""
    return element.body_i, element.body_j, element.s_j
