"""Inertia of rotors in joint space: on coordinates of the tree by itself, elsewhere by the Jacobian of what turns them.

A rotor's rate is s = w^T u, u = (rdot, omega) of the two bodies that its joint joins. Its kinetic energy I s^2 / 2
adds I j j^T to the mass matrix, and I j sdot to the efforts: j = J^T w are the efforts of the wrenches w.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.couplings import GAMMA, INERTIA, coupling_gammas
from linkwork.mechanism.joint_coordinates import ROTATION
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import placed, spread
from linkwork.system.links import LinkTree

Array = NDArray[np.float64]


def places(tree: LinkTree, on: str) -> list[str]:
    """A joint's coordinate, 'hip.angle', as the tree names it: of a ball all three turns."""
    joint, _, coordinate = on.rpartition(".")
    return [on] if coordinate != ROTATION else [f"{joint}.turn_{c}" for c in "xyz"]


def elsewhere(compiled: CompiledMechanism, tree: LinkTree) -> list[int]:
    """Those couplings that are rotors on what is no coordinate of the tree."""
    known, rotors = set(tree.coordinates), range(compiled.rigid, len(compiled.couplings.about))
    return [k for k in rotors if not known.issuperset(places(tree, compiled.lowered.couplings[k].on))]


def in_tree(compiled: CompiledMechanism, tree: LinkTree) -> Array:
    """(dofs,) inertia that the other rotors add to each coordinate."""
    found, n = np.zeros(tree.dofs), {name: k for k, name in enumerate(tree.coordinates)}
    for k in range(compiled.rigid, len(compiled.couplings.about)):
        one = compiled.lowered.couplings[k]
        names = places(tree, one.on)
        if n.keys() >= set(names):  # of a ball's three rows, each about an axis of its own, every one a third
            found[[n[name] for name in names]] += one.inertia * one.terms[0].polynomial[0] ** 2 / len(names)
    return found


def rows_elsewhere(
    compiled: CompiledMechanism, tree: LinkTree, at: Any, efforts: Callable[[Array], Array]
) -> tuple[list[int], Array, Array]:
    """Of rotors that are no coordinate of the tree: which, I (n,) and j (n, dofs).

    at : poses of all bodies. efforts : of wrenches (nb, 6), force global and torque in the body, on all bodies.
    """
    which = elsewhere(compiled, tree)
    if not which:
        return which, np.zeros(0), np.zeros((0, tree.dofs))
    rows = spread(compiled, placed(compiled, at.r, at.A, _still(compiled)), rotors=True)
    return which, compiled.couplings.number[which, INERTIA], np.array([efforts(rows[k, :-1]) for k in which])


def spin_rates(compiled: CompiledMechanism, which: list[int], at: Any, accelerations: Array) -> Array:
    """(n,) rates of the rates s of these rotors, where bodies accelerate by (nb, 6)."""
    rows = placed(compiled, at.r, at.A, _still(compiled))
    coupling_gammas(compiled.system, compiled.couplings, at.r, at.A, at.v, at.w, rows)
    W = spread(compiled, rows, rotors=True)[which, :-1]
    return np.asarray(np.tensordot(W, accelerations, 2) - rows.row[which, GAMMA])


def _still(compiled: CompiledMechanism) -> Array:
    return np.zeros((compiled.nc, 3))
