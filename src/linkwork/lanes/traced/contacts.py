"""Where the profiles of cam pairs touch, in a converged step that is recorded.

Compiled kernels search for the points of contact, by polygons and then by Newton's method (`kernels.profiles`), and a
recorded step can follow no search. The parameters (u, s) at the end of each step are found by the same kernels and kept
with the step's row. What is recorded begins with them, and takes steps of Newton's method on the conditions of
contact G:

    (u, s) <- (u, s) - J^-1 G,    whose tangents are -J^-1 G' where G = 0, by the implicit function theorem.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.contacts import contacts_at
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.kernels.profiles import CLOSE, Placed, conditions, extent, profile, seen_profile
from linkwork.kernels.profiles import contact as searched
from linkwork.kernels.rows.contact import Bodies
from linkwork.kernels.rows.contact import placed as seen_by_row
from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import Curves, Rows
from linkwork.lanes.memory import Span
from linkwork.lanes.traced.numbers import Condition

Array = NDArray[np.float64]
POSE = 12  # numbers of a body's motion: position and rotation matrix
STEPS = 3  # of Newton's method: from the end of a step to where it was predicted to end


class Contacts:
    """Memory beside the run's, of its cam pairs.

    rows : one of each. number : of a pair, by its rows. found : (pairs, 2) parameters, as `look` found them."""

    def __init__(self, run: ImplicitRun) -> None:
        self.run, rows = run, run.problem.mechanism.system.rows
        every = [k for k, kind in enumerate(rows.kind) if KINDS[kind].one_by_one]
        first: dict[bytes, int] = {}
        for k in every:  # a pair that rolls has two rows of the same places and profiles
            first.setdefault(self._about(rows, k), k)
        self.rows = list(first.values())
        self.number = {k: self.rows.index(first[self._about(rows, k)]) for k in every}
        self.found = np.zeros((len(self.rows), 2))

    @staticmethod
    def _about(rows: Rows, k: int) -> bytes:
        """What the point of contact of a row follows from, poses aside."""
        return b"".join(getattr(rows, name)[k].tobytes() for name in ("body_i", "body_j", "scalar", *VECTORS))

    @property
    def spans(self) -> tuple[Span, ...]:
        """Of what stands beside."""
        return (Span(self.found.ctypes.data, self.found.nbytes, True),) if self.rows else ()

    def look(self) -> None:
        """Where profiles touch now."""
        if self.rows:
            self.found[:] = self.at(self.run.run.motion[None, :, :POSE])[0]

    def at(self, poses: Array) -> Array:
        """(n, pairs, 2) of poses (n, nb + 1, POSE)."""
        return contacts_at(self.run.problem.mechanism.bare.tables, self.rows, poses)


class ContactsOfSteps:
    """Writes what is kept of steps' ends with the parameters there.

    columns : (pairs, 2) where these are kept. poses : (nb + 1, POSE) where poses are, -1 for what stays as it is in
    `values`."""

    def __init__(self, contacts: Contacts, columns: NDArray[np.int64], poses: NDArray[np.int64], values: Array) -> None:
        self.contacts, self.columns, self.poses, self.values = contacts, columns, poses, values

    def write(self, rows: Array) -> None:
        """rows : (steps, numbers kept)."""
        motion = np.tile(self.values, (len(rows), 1, 1))
        moves = self.poses >= 0
        motion[:, moves] = rows[:, self.poses[moves]]
        rows[:, self.columns.ravel()] = self.contacts.at(motion).reshape(len(rows), -1)


class ContactRecorder:
    """In the place of the search while a step is recorded. cells : (pairs, 2)."""

    def __init__(self, contacts: Contacts, cells: NDArray[np.object_]) -> None:
        self.contacts, self.cells, self._pair = contacts, cells, 0

    @property
    def instead(self) -> dict[str, tuple[Any, Any]]:
        """Kernels by name, and what is recorded in their place."""
        return {"placed": (seen_by_row, self.placed), "contact": (searched, self.contact)}

    def placed(self, rows: Rows, k: int, at: Bodies) -> Placed:
        """`kernels.rows.contact.placed`, behind which row k asks for its point of contact."""
        self._pair = self.contacts.number[int(k)]
        return seen_by_row(rows, k, at)

    def contact(self, curves: Curves, p: int, q: int, at: Placed) -> tuple[Any, Any]:
        """Parameters (u, s) where profiles p and q touch; a guard says whether they have settled."""
        u, s = self.cells[self._pair]
        for step in range(STEPS):
            G, J, _, _ = conditions(profile(curves, p, u), seen_profile(curves, q, s, at))
            determinant = J[0] * J[3] - J[1] * J[2]
            du = (J[1] * G[1] - J[3] * G[0]) / determinant
            ds = (J[2] * G[0] - J[0] * G[1]) / determinant
            if step == STEPS - 1:
                need_settled(abs(du) <= CLOSE * extent(curves, p))
                need_settled(abs(ds) <= CLOSE * extent(curves, q))
            u, s = u + du, s + ds
        return u, s


def need_settled(small: object) -> None:
    """A guard that this be true of every run of the record; where it is made the step has not converged yet."""
    if isinstance(small, Condition):
        small.graph.guards[small.node] = True
