"""Momenta of a state whose twists are known, and what inertia each freedom moves."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import ENTRY_OF, fill_inertias, freedom
from linkwork.formulations.recursive.link_transforms import inertia_upwards, link_at, up
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.inertias import add_to21, get21, rigid_times
from linkwork.kernels.spatial.vectors import add_to6, get6, put6
from linkwork.system.links.linktree import FREEDOMS


@kernel
def gather(links: Any, own: Any) -> None:
    """own.momentum from own.V: p = E^T P, P of whole branches; own.second: E^T I E, I of whole branches with joints at
    rest. own.P and own.acc are work space.
    """
    n, acc, P, inertia = links.what.shape[0], own.acc, own.P, own.second
    fill_inertias(links, own)
    for k in range(n):
        put6(P, k, rigid_times(links.rigid, k, 0, get6(own.V, k)))
    for k in range(n - 1, -1, -1):
        link = link_at(links, own, k)
        kind, i, p = link.kind, link.dof, link.parent
        for j in range(FREEDOMS[kind]):
            turn, slide, about = freedom(links, k, kind, j)
            own.momentum[i + j] = turn * P[k, about] + slide * P[k, 5]
            inertia[i + j] = turn * turn * acc[k, ENTRY_OF[about][about]] + slide * slide * acc[k, 20]
            if slide != 0.0:
                inertia[i + j] += 2.0 * turn * slide * acc[k, ENTRY_OF[about][5]]
        if link.inner:
            add_to6(P, p, up(links, own, k, link, get6(P, k)))
            add_to21(acc, p, inertia_upwards(links, own, k, get21(acc, k)))
