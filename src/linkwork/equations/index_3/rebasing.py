"""Three coordinates of a rotation near their singularity: written anew from another reference rotation."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.quaternion import Quad
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at4, at9, set4, set9
from linkwork.problems.implicit import ALPHA, REF, A, Q, W, Work
from linkwork.system.packed import Tables

STRIDE = 6  # unknowns per body: rddot and the coordinates' second derivatives


def rebasing_of(space: ModuleType) -> Callable[[Tables, Work], int]:
    """What takes bodies of a space of three coordinates away from its singularity, before a step."""
    retract, coordinates_of, needs_rebase, rebase = (
        space.retract,
        space.coordinates_of,
        space.needs_rebase,
        space.rebase,
    )
    carry_over = carrying_of(space)

    @kernel
    def rebase_bodies(tables: Tables, work: Work) -> int:
        """Bodies near the singularity get a new reference rotation unless all keep theirs (request.keeps_reference).

        Returns how many. Writes their part of motion, rate, z, z_old and carried in the new coordinates, and in
        rate_star rates with which the next step ends where it would have in the old ones.
        """
        m, behind = work.motion, work.request.behind[0]
        rebased, fixed = 0, work.request.keeps_reference[0] != 0
        if behind != 0.0:
            for k in range(work.rate.shape[0]):
                work.rate_star[k] = work.rate[k]
        for b in range(tables.body.shape[0] - 1):
            if not fixed and needs_rebase(at4(m, b, Q)):
                end, _ = retract(at9(m, b, A), at9(m, b, REF), at4(m, b, Q), predicted(work, b))
                reference, q, qd, qdd = rebase(at9(m, b, A), at3(m, b, W), at3(m, b, ALPHA))
                carry_over(work, b, reference, work.carried, work.request.lag[0])
                carry_over(work, b, reference, work.z_old, work.request.behind[0])
                set9(m, b, REF, reference)
                set4(m, b, Q, q)
                for c in range(3):
                    work.rate[STRIDE * b + 3 + c] = work.rate_star[STRIDE * b + 3 + c] = qd[c]
                    work.z[STRIDE * b + 3 + c] = qdd[c]
                if behind != 0.0:
                    q_end, dq = coordinates_of(end, reference), predicted(work, b)
                    for c in range(3):
                        work.rate_star[STRIDE * b + 3 + c] += (q_end[c] - q[c] - dq[c]) / -behind
                rebased += 1
        return rebased

    return rebase_bodies


@kernel
def predicted(work: Work, b: int) -> Quad:
    """The coordinates' increment over the next step, four wide with a zero, second derivatives going on evenly."""
    k, request = STRIDE * b + 3, work.request
    d = (0.0, 0.0, 0.0)
    for c in range(3):
        x = work.z[k + c]
        dq = (
            -request.behind[0] * work.rate[k + c]
            + request.c_step[0] * x
            + request.c_change[0] * (x - work.z_old[k + c])
        )
        d = (d[1], d[2], dq)
    return (d[0], d[1], d[2], 0.0)


def carrying_of(space: ModuleType) -> Callable[[Work, int, Mat, Floats, float], None]:
    """What takes second derivatives over to a new reference rotation."""
    retract, omega, alpha, coordinates_of = space.retract, space.omega, space.alpha, space.coordinates_of
    rates_from, accelerations_from = space.rates_from, space.accelerations_from

    @kernel
    def carry_over(work: Work, b: int, reference: Mat, second: Floats, s: float) -> None:
        """Second derivatives (npos,) of the coordinates at another instant, s from now, to a new reference rotation.

        Both sets of coordinates are taken to that instant by Taylor series.
        """
        k = STRIDE * b + 3
        q = at4(work.motion, b, Q)
        x = (work.z[k], work.z[k + 1], work.z[k + 2], 0.0)
        v = (work.rate[k], work.rate[k + 1], work.rate[k + 2], 0.0)
        a = (second[k], second[k + 1], second[k + 2], 0.0)
        qd = (v[0] + s * x[0], v[1] + s * x[1], v[2] + s * x[2], 0.0)
        h = 0.5 * s * s
        dq = (s * v[0] + h * x[0], s * v[1] + h * x[1], s * v[2] + h * x[2], 0.0)
        A_, q = retract(at9(work.motion, b, A), at9(work.motion, b, REF), q, dq)
        w, al = omega(q, qd), alpha(q, qd, a)
        q = coordinates_of(A_, reference)
        a = accelerations_from(q, rates_from(q, w), w, al)
        for c in range(3):
            second[k + c] = a[c]

    return carry_over
