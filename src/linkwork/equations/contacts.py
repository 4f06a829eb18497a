"""Where the profiles of cam pairs touch at given poses, compiled: the parameters that their rows find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.jit import kernel
from linkwork.kernels.profiles import CURVES, contact
from linkwork.kernels.records import Shape
from linkwork.kernels.rows.contact import bodies_of, placed
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.system.packed import Tables, rows_of

Array = NDArray[np.float64]


class Touching(NamedTuple):
    """Poses, and where profiles touch there. Ground is the last body."""

    rows: Annotated[Ints, Shape("pairs"), "a row of each cam pair"]
    r: Annotated[Floats, Shape("n", "nb + 1", 3), "m", "positions of bodies"]
    A: Annotated[Floats, Shape("n", "nb + 1", 9), "rotation matrices"]
    found: Annotated[Floats, Shape("n", "pairs", 2), "parameters of the points on both profiles; written"]


@kernel
def find_contacts(tables: Tables, touching: Touching) -> int:
    """Write the parameters at all poses; not numbers where none are found. Returns how many poses there were."""
    rows = rows_of(tables)
    for n in range(touching.r.shape[0]):
        for m in range(touching.rows.shape[0]):
            k = touching.rows[m]
            first = int(rows.scalar[k])
            seen = placed(rows, k, bodies_of(rows, k, touching.r[n], touching.A[n]))
            u, s = contact(rows.curves, first, first + CURVES, seen)
            touching.found[n, m, 0], touching.found[n, m, 1] = u, s
    return int(touching.r.shape[0])


TABLES, TOUCHING = slots(Tables, Touching)
FIND_CONTACTS = direct_entry(find_contacts, TABLES, TOUCHING)


def contacts_at(tables: Tables, rows: Sequence[int], poses: Array) -> Array:
    """(n, pairs, 2) parameters of the points of contact.

    tables : of the mechanism. rows : one of each cam pair. poses : (n, nb + 1, 12) position [m] and rotation of all
    bodies, ground last."""
    found = np.zeros((len(poses), len(rows), 2))
    r, A = (np.ascontiguousarray(part) for part in (poses[..., :3], poses[..., 3:]))
    touching = Touching(np.array(rows, dtype=np.int64), r, A, found)
    FIND_CONTACTS(address_table((tables, touching)))
    return found
