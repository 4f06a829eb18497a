"""The arrays of recursive formulations besides the links: base, placed state, and what recursions leave behind."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.tables import Floats, Ints
from linkwork.system.links import LinkTree

# columns of Own.now
C, S, D, TWICE_C, RATE, RATE2 = range(6)
# entries of Own.flags: whether there is weight, other applied forces; whether closing rows may depend on each other,
# how many were taken, whether they are chosen and factored for the placed state; whether sigma is left to grow; the
# most rows that have counted so far; whether pins on ground are eliminated like the others
WEIGHT, FORCED, DEPENDENT, RANK, READY, GROWING, USUAL, BASES = range(8)


class Own(NamedTuple):
    """n links (row n: ground), d coordinates, b balls and free translations, m closing rows."""

    base: Floats  # (2 d, 2) coordinates (those of balls and translations stay zero), then rates or momenta; what
    # rounding took from them
    base_pose: Floats  # (b, 12) R of balls, shift of free translations
    pose: Floats  # (b, 12) the same, placed
    now: Floats  # (n + 1, 6) cos, sin of the turn about z, shift along z, twice the cosine, rate and second rate of
    # what is driven
    world: Floats  # (n + 1, 12) frames of the links: R, r
    V: Floats  # (n + 1, 6) twists
    acc: Floats  # (n + 1, 21) articulated inertias; after elimination without what the joint's freedoms take up: of
    # pins 15 numbers, and differences of them
    w: Floats  # (d, 6) A E / (E^T A E), of what is left when the freedoms before it are gone
    over: Floats  # (d,) 1 / (E^T A E)
    e: Floats  # (d,) the part of a rate (or second rate) that the parent's twist does not change
    P: Floats  # (n + 1, 6) momentum remainders, or bias wrenches
    F: Floats  # (n + 1, 6) applied wrenches, on the bodies of links
    moment: Floats  # (n + 1, 3) first mass moments of branches
    mass: Floats  # (n + 1,) masses of branches
    g: Floats  # (n + 1, 3) weight per mass in the links' frames
    a: Floats  # (n + 1, 6) second twists, gravity taken off; in slopes of canonical, wrenches on whole branches
    rate: Floats  # (d,)
    second: Floats  # (d,)
    momentum: Floats  # (d,) placed
    Z: Floats  # (m, d) closing rows in coordinates, swept: E^T of what a unit of the multiplier leaves
    sigma: Floats  # (m,) multipliers of closing rows
    residual: Floats  # (m,)
    row: Floats  # (m, 6) of closing rows: f, f', f'', phi, nu, gamma
    G: Floats  # (m, 12)
    row_int: Ints  # (m, 5) the closing rows' columns of `Tables`
    row_data: Floats  # (m, 20)
    size: Floats  # (m,) what a row of Z sqrt(over) would be in norm, were the bodies at its ends free
    taken: Ints  # (m,) ones
    before: Ints  # (m,) which closing rows counted when they were chosen last
    blocks: Floats  # (12, 12) for variations of rows
    small: Floats  # (6, 7) for multipliers of one joint
    measure: Floats  # (2 d,) ExplicitProblem.weight
    flags: Ints  # (8,) see above
    usual: Floats  # (1,) share of its own that the weakest closing row had in the first factors, 0 before
    report: Floats  # (2,) the smallest pivot when elimination failed, and the link
    extra: Floats  # (nb + 1, x) recorded: coordinates, rates, momenta one after the other, as long as it takes


def new_own(tree: LinkTree, nb: int, dtype: type = float) -> Own:
    """Room for a mechanism of nb bodies."""
    n, d, b, m = len(tree.links.what), tree.dofs, tree.balls, len(tree.links.closing)

    def room(*shape: int) -> Any:
        return np.zeros(shape, dtype)

    pose = room(b, 12)
    pose[:, [0, 4, 8]] = 1.0
    world = room(n + 1, 12)
    world[n, [0, 4, 8]] = 1.0
    return Own(
        base=room(2 * d, 2), base_pose=pose, pose=pose.copy(), now=room(n + 1, 6), world=world, V=room(n + 1, 6),
        acc=room(n + 1, 21), w=room(d, 6), over=room(d), e=room(d), P=room(n + 1, 6), F=room(n + 1, 6),
        moment=room(n + 1, 3), mass=room(n + 1), g=room(n + 1, 3), a=room(n + 1, 6), rate=room(d), second=room(d),
        momentum=room(d), Z=room(m, d), sigma=room(m), residual=room(m), row=room(m, 6), G=room(m, 12),
        row_int=np.zeros((m, 5), dtype=np.int64), row_data=np.zeros((m, 20)), size=np.zeros(m),
        taken=np.ones(m, dtype=np.int64), blocks=room(12, 12), small=room(6, 7),
        before=np.ones(m, dtype=np.int64), measure=np.ones(2 * d), flags=np.zeros(8, dtype=np.int64), usual=room(1),
        report=np.array([1.0, -1.0]), extra=np.zeros((nb + 1, -(-3 * d // nb))),
    )  # fmt: skip
