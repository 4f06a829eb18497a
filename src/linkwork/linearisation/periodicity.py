"""Whether linear models along a motion tell its stability: it comes back after a period, and formulas of time with it,
and no force jumps on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.kernels.efforts import effort_now
from linkwork.linearisation.equations import Equations, diagonal
from linkwork.linearisation.newton import apart
from linkwork.linearisation.smoothness import bends_between, jumps_between
from linkwork.system.dense import drives

Array = NDArray[np.float64]
ROUND_OFF = "Round the jump off: tanh(x/width) for sign(x), smoothstep for if."
CLOSES = 1e-6  # of the typical length, 1 rad, and of speeds; of what a formula comes to
RETURNS = 1e-4  # of accelerations and of their derivatives, at the end of a motion that closes


def need_closed(e: Equations, end: Equations, period: float) -> float:
    """What the end of a period differs from its start e by, as a share. Raises UsageError where that is much, naming
    the body: of its pose, velocity or acceleration, which counted angles can change."""
    nb, at = e.at.nb, end.at
    off = np.abs(apart(at, e.at) / e.unit).reshape(nb, 6).max(axis=1)
    u = np.hstack([at.v[:nb], at.w[:nb]])
    speed = max(  # rad/s, and typical lengths in a second
        float(np.max(np.abs(e.u / e.unit), initial=0.0)),
        float(np.sqrt(np.linalg.norm(e.at.system.gravity) / e.at.extent)),
        1.0 / period,
    )
    off = np.maximum(off, np.abs((u - e.u.reshape(nb, 6)) / e.unit.reshape(nb, 6)).max(axis=1) / speed)
    name = f"mechanism {e.at.lowered.name!r}"
    if float(off.max()) > CLOSES:
        raise UsageError(
            f"the motion has not the period {period:g} s: body '{e.at.body_names[int(np.argmax(off))]}' comes back off "
            f"by {float(off.max()):.3g} of the sizes and speeds.",
            element=name,
            remedy="Start on the periodic motion (at=), and give its period.",
        )
    changed = _accelerations_that_differ(e, end, speed)
    if float(changed.max(initial=0.0)) > RETURNS:
        raise UsageError(
            f"the motion has not the period {period:g} s: body '{e.at.body_names[int(np.argmax(changed))]}' comes "
            f"back, and its acceleration, or that beside the motion, does not: it differs by "
            f"{float(changed.max()):.3g} of the largest.",
            element=name,
            remedy="Angles are counted with their turns: let what reads an angle repeat after a turn.",
        )
    return float(off.max())


def _accelerations_that_differ(e: Equations, end: Equations, speed: float) -> Array:
    """(nb,) accelerations and their derivatives, at the end less those at the start, as shares of the largest.

    speed : rad/s, of the motion."""
    nb, n = e.at.nb, e.size
    out = np.zeros(nb)
    before, after = ((one.accelerations()[0], rate_matrix(one)[n:] * np.tile(one.unit, 2)) for one in (e, end))
    for now, then, least in (
        (before[0][:, None], after[0][:, None], speed**2),
        (before[1][:, :n], after[1][:, :n], speed**2),
        (before[1][:, n:], after[1][:, n:], speed),
    ):
        size = np.abs(np.hstack([now, then]) / e.unit[:, None]).max(initial=least)
        off = np.abs((then - now) / e.unit[:, None]).reshape(nb, -1).max(axis=1, initial=0.0)
        out = np.maximum(out, off / size)
    return out


def rate_matrix(e: Equations) -> Array:
    """(12 nb, 12 nb) L in d(dq, du)/dt = L (dq, du), of all small motions that fit the rows."""
    udot, lam = e.accelerations()
    speeds, M, n = e.velocities, e.mass_matrix(), e.size
    Y = speeds.basis
    forced = speeds.least_change(np.hstack(e.second_rate_derivatives(udot)))
    rest = np.hstack([e.stiffness(lam, udot), e.damping()]) + M @ forced
    second = forced - Y @ np.linalg.solve(Y.T @ M @ Y, Y.T @ rest) if speeds.count else forced
    return np.vstack([np.hstack([-diagonal(e.turning), np.eye(n)]), second])


def need_periodic(instants: Sequence[Equations], period: float) -> None:
    """Raise UsageError for a formula of time that has not the period, by the name of what it belongs to.

    Looked at along the motion, at each state now and a period later: what drivers, couplings and loads prescribe, and
    of forces by formulas of the state value and slopes.
    """
    later = [list(_told(one, one.time + period)) for one in instants]
    found = [list(_told(one, one.time)) for one in instants]
    values = np.array([[x for _, x in one] for one in found])
    off = np.abs(np.array([[x for _, x in one] for one in later]) - values).max(axis=0, initial=0.0)
    size = np.abs(values).max(axis=0, initial=0.0)
    limit = CLOSES * np.maximum(size, CLOSES * size.max(initial=0.0))
    wrong = np.flatnonzero(~(off <= limit))
    if len(wrong):
        k = int(wrong[np.argmax(off[wrong] / np.maximum(size[wrong], 1e-300))])
        e = instants[0]
        raise UsageError(
            f"{found[0][k][0]} has not the period {period:g} s: a period later it differs by {off[k]:.3g}, of "
            f"{size[k]:.3g} at most.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Give the period that all formulas of time share.",
        )


def need_no_jump(instants: Sequence[Equations]) -> None:
    """Raise UsageError for a force that jumps on the way, by name: what is beside the motion meets the jump at another
    time, which linear models along it do not tell."""
    e = instants[0]
    times, operands = np.array([one.time for one in instants]), np.array([one.applied.operands for one in instants])
    for name, t in jumps_between(e.at, times, operands):
        raise UsageError(
            f"the formula of force '{name}' jumps at t = {t:.6g} s: small motions beside meet the jump at another "
            "time, and linear models along the motion do not tell what comes of it.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy=ROUND_OFF,
        )


def first_bend(instants: Sequence[Equations]) -> str:
    """Which force has a kink on the way first, and when, in words; none where none has."""
    times, operands = np.array([one.time for one in instants]), np.array([one.applied.operands for one in instants])
    found = sorted((t, name) for name, t in bends_between(instants[0].at, times, operands))
    return f"the formula of force '{found[0][1]}' has a kink at t = {found[0][0]:.6g} s" if found else ""


def _told(e: Equations, t: float) -> Iterator[tuple[str, float]]:
    """What formulas say at this state and a time, with the name of what each belongs to."""
    lowered, system = e.at.lowered, e.at.system
    for name, prescribed, by_speed in zip(e.at.row_names, drives(e.at, t), e.velocity_level, strict=True):
        for value in prescribed[:2] if by_speed else prescribed[1:]:  # an angle may grow by whole turns
            yield f"what row '{name}' prescribes", float(value)
    e.applied.at(e.at, t)
    work = e.applied.work
    named = [*((one.name, x) for one, x in zip(lowered.loads, work.load_values, strict=True))]
    named += [(one.name, x) for one, x in zip(lowered.elements, work.element_values, strict=True)]
    for owner, values in named:
        for value in np.atleast_1d(np.real(values)):
            yield f"the formula of force '{owner}'", float(value)
    stack = np.zeros((int(system.programs.depth[0]) + 1, 3)) if len(lowered.efforts) else np.zeros((1, 3))
    for k, effort in enumerate(lowered.efforts):
        first = system.efforts.first[k]
        reads = system.uses[first : first + system.efforts.reads[k]]
        part = f" ({effort.label})" if effort.label else ""
        for seed in (-1, *map(int, reads)):
            value, slope = effort_now(system, k, t, e.applied.operands, seed, stack)
            yield f"the formula of force '{effort.name}'{part}", float(value if seed < 0 else slope)
