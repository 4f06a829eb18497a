"""The arrays of recursive formulations besides the links: base, placed state, and what recursions leave behind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.kernels.sincos import LANES
from linkwork.kernels.tables import Floats, Ints
from linkwork.system.links import LinkTree

LINE = 64  # bytes that caches hold together
# columns of Own.now
D, RATE, RATE2 = range(3)
# entries of Own.flags: whether there is weight, other applied forces; whether closing rows may depend on each other,
# how many were taken, whether they are chosen and factored for the placed state; whether sigma is left to grow; the
# most rows that have counted so far
WEIGHT, FORCED, DEPENDENT, RANK, READY, GROWING, USUAL = range(7)


class Own(NamedTuple):
    """n links (row n: ground), d coordinates, b balls and free translations, m closing rows.

    What the recursions need of a link stands side by side in one row, and so does what they need of a coordinate: a
    row is found from one address, and is in the cache at once. What is only written, or read where rows are not, stands
    apart: long chains wait for memory.
    """

    base: Floats  # (2 d, 2) coordinates (those of balls and translations stay zero), then rates or momenta; what
    # rounding took from them
    base_pose: Floats  # (b, 12) R of balls, shift of free translations
    pose: Floats  # (b, 12) the same, placed
    angle: Floats  # (n or some more) turns about z, those of pins and screws,
    cos: Floats  # and their cosines
    sin: Floats  # and sines
    link: Floats  # (n + 1, 40) all of these, what goes down last:
    acc: Floats  # (n + 1, 21) articulated inertias; after elimination without what the joint's freedoms take up: of
    # pins 15 numbers and differences of them, or those alone that are needed (`eliminate.ALL`, ...). Of the 15 those
    # come last that momenta need: I (xx yy), H (xx xy yx yy), M (xx yy zz); I xy, H (xz yz), M (xy xz yz)
    P: Floats  # (n + 1, 6) momentum remainders, or bias wrenches
    moment: Floats  # (n + 1, 3) first mass moments of branches
    g: Floats  # (n + 1, 3) weight per mass in the links' frames
    V: Floats  # (n + 1, 6) twists
    now: Floats  # (n + 1, 3) shift along z, rate and second rate of what is driven
    a: Floats  # (n + 1, 6) second twists, gravity taken off; in slopes of canonical, wrenches on whole branches
    mass: Floats  # (n + 1,) masses of branches
    freedom: Floats  # (d, 8) all of these:
    w: Floats  # (d, 6) A E / (E^T A E), of what is left when the freedoms before it are gone; the 1 of pins is not kept
    over: Floats  # (d,) 1 / (E^T A E)
    e: Floats  # (d,) the part of a rate (or second rate) that the parent's twist does not change
    rate: Floats  # (d,)
    second: Floats  # (d,)
    momentum: Floats  # (d,) placed
    world: Floats  # (n + 1, 12) frames of the links: R, r
    fine: Floats  # (n + 1, 24) or none: twists and momenta in numbers of twice the digits
    F: Floats  # (n + 1, 6) applied wrenches, on the bodies of links
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
    flags: Ints  # (7,) see above
    usual: Floats  # (1,) share of its own that the weakest closing row had in the first factors, 0 before
    report: Floats  # (2,) the smallest pivot when elimination failed, and the link
    extra: Floats  # (nb + 1, x) recorded: coordinates, rates, momenta one after the other, as long as it takes


def on_lines(rows: int, columns: int) -> Floats:
    """Zeros that begin where a line of the caches does: rows of whole lines then take no line more than they fill."""
    spare = LINE // 8
    whole = np.zeros(rows * columns + spare)
    first = -whole.ctypes.data % LINE // 8
    found: Floats = whole[first : first + rows * columns].reshape(rows, columns)
    return found


def new_own(tree: LinkTree, nb: int, *, fine: bool = False) -> Own:
    """Room for a mechanism of nb bodies. fine : with room for numbers of twice the digits."""
    n, d, b, m = len(tree.links.what), tree.dofs, tree.balls, len(tree.links.closing)
    pose, world, link, freedom = np.zeros((b, 12)), np.zeros((n + 1, 12)), on_lines(n + 1, 40), on_lines(d, 8)
    wide = -(-n // LANES) * LANES
    pose[:, [0, 4, 8]] = 1.0
    world[n, [0, 4, 8]] = 1.0
    return Own(
        base=np.zeros((2 * d, 2)), base_pose=pose, pose=pose.copy(), angle=np.zeros(wide), cos=np.zeros(wide),
        sin=np.zeros(wide), link=link, acc=link[:, :21], P=link[:, 21:27], moment=link[:, 27:30],
        g=link[:, 30:33], V=link[:, 33:39], now=np.zeros((n + 1, 3)), a=np.zeros((n + 1, 6)), mass=np.zeros(n + 1),
        freedom=freedom, w=freedom[:, :6],
        over=freedom[:, 6], e=freedom[:, 7], rate=np.zeros(d), second=np.zeros(d), momentum=np.zeros(d),
        world=world, fine=np.zeros((n + 1 if fine else 0, 24)), F=np.zeros((n + 1, 6)), Z=np.zeros((m, d)),
        sigma=np.zeros(m), residual=np.zeros(m), row=np.zeros((m, 6)), G=np.zeros((m, 12)),
        row_int=np.zeros((m, 5), dtype=np.int64), row_data=np.zeros((m, 20)), size=np.zeros(m),
        taken=np.ones(m, dtype=np.int64), before=np.ones(m, dtype=np.int64), blocks=np.zeros((12, 12)),
        small=np.zeros((6, 7)), measure=np.ones(2 * d), flags=np.zeros(7, dtype=np.int64), usual=np.zeros(1),
        report=np.array([1.0, -1.0]), extra=np.zeros((nb + 1, -(-3 * d // nb))),
    )  # fmt: skip
