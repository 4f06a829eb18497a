"""Constant-velocity joints that went on beyond a bend of 180 degrees as another joint.

With e0 to e3 the Euler parameters of the second shaft in the first, e3 along the shafts, the joint is e3 = 0. Its row
R_21 - R_12 = 4 e0 e3 is met by e0 = 0, too: by every half turn, about whatever axis. The two meet where the bend is 180
degrees, the row's gradient is zero there, and a run may leave on either side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.tables import CV
from linkwork.system import CompiledMechanism
from linkwork.verdict import WRONG, Verdict

Array = NDArray[np.float64]
CURE = "End it before that bend, or take articulated-body or canonical, which go on through it in joints of their tree."


class BentShafts:
    """How far second shafts are turned about their axis against first ones, in samples that are looked at.

    limit : of e3, above which shafts do not turn together any more.
    """

    def __init__(self, mechanism: CompiledMechanism, limit: float) -> None:
        self.mechanism, self.limit, rows = mechanism, limit, mechanism.system.rows
        self._rows = np.flatnonzero(rows.kind == CV)
        self._found: tuple[float, float, int] | None = None  # s, e3, which joint: the first that is beyond the limit
        if len(self._rows):
            self._first, self._second = (
                np.stack([x[self._rows], y[self._rows], np.cross(x[self._rows], y[self._rows])], axis=2)
                for x, y in ((rows.a_i, rows.b_i), (rows.a_j, rows.n))
            )

    def look(self, time: Array, motion: Array) -> None:
        """At samples; time : (n,) s. motion : (n, nb, 24)."""
        if not len(self._rows) or self._found is not None:
            return
        rows, k, n = self.mechanism.system.rows, self._rows, len(motion)
        A = np.concatenate((motion[:, :, 3:12].reshape(n, -1, 3, 3), np.broadcast_to(np.eye(3), (n, 1, 3, 3))), axis=1)
        first, second = A[:, rows.body_i[k]] @ self._first, A[:, rows.body_j[k]] @ self._second
        x, y, z = np.einsum("tkac,tkac->ckt", first, second)
        e3 = 0.5 * np.sqrt(np.maximum(1.0 - x - y + z, 0.0))
        beyond = np.argwhere((e3 > self.limit).T)
        if len(beyond):
            t, joint = (int(one) for one in beyond[0])
            self._found = float(time[t]), float(e3[joint, t]), joint

    @property
    def verdict(self) -> Verdict | None:
        """On the first joint that has become another one."""
        if self._found is None:
            return None
        time, e3, joint = self._found
        row = self.mechanism.row_names[self._rows[joint]]
        turned = 2.0 * np.arcsin(min(e3, 1.0))
        text = (
            f"Joints are apart: row '{row}', of a constant-velocity joint, went on beyond a bend of 180 degrees as "
            f"that of another joint; by t = {time:.4g} s its shafts are turned by {turned:.2g} rad against each other."
        )
        return Verdict("violation", WRONG, text, CURE, e3, self.limit, time)
