"""`Topology`: what is joined to what, by names for people and by tables for kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.mechanism.elements import GROUND, did_you_mean
from linkwork.shown import Shown, counted
from linkwork.system.topology import matrices
from linkwork.system.topology.arcs import Arc
from linkwork.system.topology.labels import Ints, Tree
from linkwork.system.topology.loops import Cuts, loop
from linkwork.system.topology.spanning import Search

FEW = 12  # bodies up to which `to_dict` writes matrices out
MANY = 100_000  # entries in all loops together up to which `to_dict` names them


@dataclass(frozen=True, eq=False, repr=False)
class Topology(Shown):
    """Joint graph, spanning tree, labels, cut joints and loops of a mechanism.

    name      of the mechanism
    bodies    names of the bodies by number, nb of them; `tree.body` turns labels into numbers
    arcs      joints and raw constraints with their drivers, in the order of the description
    tree      the spanning forest by label
    cuts      the arcs that are not in it
    number    (nb,) label of each body by number: the inverse of `tree.body`
    row_arc   (nc,) the arc that each constraint row belongs to
    grounded  per part, whether an arc ties it to ground
    search    how the tree was grown: 'breadth' or 'depth'
    """

    name: str
    bodies: tuple[str, ...]
    arcs: tuple[Arc, ...]
    tree: Tree
    cuts: Cuts
    number: Ints
    row_arc: Ints
    grounded: tuple[bool, ...]
    search: Search

    def told(self) -> str:
        """Of what, and how large."""
        parts = (len(self.bodies), "body"), (len(self.arcs), "joint"), (len(self.cuts.arc), "cut joint")
        return f"of {self.name!r}: {', '.join(counted(*part) for part in parts)}"

    @property
    def height(self) -> int:
        """Bodies on the longest way from a base to the end of a branch."""
        return int(self.tree.depth.max(initial=-1)) + 1

    @property
    def bases(self) -> Ints:
        """Labels of the bodies that hang on ground and of the roots of floating trees."""
        return np.flatnonzero(self.tree.parent < 0)

    @property
    def floating(self) -> Ints:
        """Labels of the roots that nothing leads to."""
        return np.flatnonzero(self.tree.arc < 0)

    def body(self, k: int) -> str:
        """Name of the body of label k; 'ground' for -1."""
        return self.bodies[self.tree.body[k]] if k >= 0 else GROUND

    def label(self, name: str) -> int:
        """Label of a body by name. Raises UsageError with the nearest name if there is none."""
        return int(self.number[number_of(self.bodies, name)])

    def children(self, k: int) -> Ints:
        """Labels of the bodies that hang on that of label k."""
        return self.tree.child[self.tree.start[k] : self.tree.start[k + 1]]

    def subtree(self, k: int) -> range:
        """Labels of the body of label k and of all that hangs on it."""
        return range(k, k + int(self.tree.size[k]))

    def loop(self, c: int) -> tuple[list[int], list[int]]:
        """The tree arcs that cut joint c closes a loop over, h_k as k, and their signs (`loops.loop`)."""
        return loop(self.tree, int(self.cuts.i[c]), int(self.cuts.j[c]), int(self.cuts.meet[c]))

    def C(self, *, dense: bool = False) -> Any:
        """Incidence matrix of the arcs between bodies in the tree [Mufti 1983, eq. 1], SciPy CSR or an array."""
        return matrices.C(self.tree, dense)

    def S(self, *, dense: bool = False) -> Any:
        """Incidence matrix of all arcs that lead to a body, square [Mufti 1983, eq. 22 and Remark 3]."""
        return matrices.S(self.tree, dense)

    def T(self, *, dense: bool = False) -> Any:
        """Path matrix, the inverse of S [Mufti 1983, eqs. 23-25]; nearly dense for chains."""
        return matrices.T(self.tree, dense)

    def C_star(self, *, dense: bool = False) -> Any:
        """Incidence matrix of the cut joints [Mufti 1983, eq. 62]."""
        return matrices.C_star(self.tree, self.cuts, dense)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, labels from 1 as on paper. Matrices only for few bodies, loops unless they are very long."""
        tree, cuts = self.tree, self.cuts
        whole = int(cuts.length.sum()) <= MANY
        data: dict[str, Any] = {
            "name": self.name,
            "search": self.search,
            "height": self.height,
            "parts": [
                {"grounded": tied, "bodies": [self.body(int(k)) for k in np.flatnonzero(tree.part == p)]}
                for p, tied in enumerate(self.grounded)
            ],
            "tree": [
                {"label": k + 1, "body": self.body(k), "parent": self.parent(k), "depth": int(tree.depth[k])}
                | self._arc(int(tree.arc[k]))
                for k in range(len(tree.body))
            ],
            "cut": [
                {"label": len(tree.body) + c, "first": self.body(int(cuts.i[c])), "second": self.body(int(cuts.j[c]))}
                | self._arc(int(cuts.arc[c]))
                | {"meet": self.body(int(cuts.meet[c])), "loop": self._loop(c) if whole else None}
                for c in range(len(cuts.arc))
            ],
        }
        if len(tree.body) <= FEW:
            data["matrices"] = {
                "C": self.C(dense=True).tolist(),
                "S": self.S(dense=True).tolist(),
                "T": self.T(dense=True).tolist(),
                "C*": self.C_star(dense=True).tolist(),
            }
        return data

    def parent(self, k: int) -> str | None:
        """Name of the body that label k hangs on; None for the root of a floating tree."""
        return None if self.tree.arc[k] < 0 else self.body(int(self.tree.parent[k]))

    def _arc(self, a: int) -> dict[str, Any]:
        if a < 0:
            return {"joint": None, "type": None, "rows": 0, "drivers": 0}
        arc = self.arcs[a]
        return {"joint": arc.name, "type": arc.type, "rows": len(arc.rows), "drivers": arc.drivers}

    def _loop(self, c: int) -> list[dict[str, Any]]:
        names = (self.arcs[a].name if (a := int(self.tree.arc[k])) >= 0 else None for k in self.loop(c)[0])
        return [{"joint": name, "sign": sign} for name, sign in zip(names, self.loop(c)[1], strict=True)]


def number_of(bodies: tuple[str, ...], name: str) -> int:
    """Number of a body by name. Raises UsageError with the nearest name if there is none."""
    if name not in bodies:
        raise UsageError(f"body {name!r} does not exist{did_you_mean(name, bodies)}")
    return bodies.index(name)
