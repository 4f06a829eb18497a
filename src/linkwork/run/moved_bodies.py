"""What assembly moved on the way to a consistent start, in words."""

from __future__ import annotations

import numpy as np

from linkwork.mechanism.lowered import LoweredBody
from linkwork.system import CompiledMechanism
from linkwork.system.assembled import Assembled

WORTH_SAYING = 1e-8  # m, rad, m/s, rad/s
FEW = 12  # bodies named in one message


def moved(compiled: CompiledMechanism, assembled: Assembled) -> list[str]:
    """What assembly moved, in words: bodies, what changed of their stated velocities, and whose it found."""
    out: list[str] = []
    sizes = assembled.moved, assembled.turned, assembled.velocity_change, assembled.spin_change
    if not any((size > WORTH_SAYING).any() for size in sizes):
        return out
    found = np.stack(sizes)
    stated = np.array([_told(body) for body in compiled.lowered.bodies], dtype=bool).reshape(-1, 2).T
    unknown = np.flatnonzero(np.any((found[2:] > WORTH_SAYING) & ~stated, axis=0))
    found[2:] *= stated
    for k in np.flatnonzero(np.any(found > WORTH_SAYING, axis=0)):
        name = compiled.lowered.bodies[k].name
        changes = [
            f"{what} by {size:.3g} {unit}"
            for what, size, unit in zip(
                ("moved", "turned", "velocity changed", "angular velocity changed"),
                found[:, k],
                ("m", "rad", "m/s", "rad/s"),
                strict=True,
            )
            if size > WORTH_SAYING
        ]
        out.append(f"assembly: body {name!r} {', '.join(changes)}")
    if len(unknown):
        names = ", ".join(f"'{compiled.lowered.bodies[k].name}'" for k in unknown[:FEW])
        others = f" and {len(unknown) - FEW} others" if len(unknown) > FEW else ""
        out.append(f"assembly: velocities that are not stated were found for {names}{others}")
    return out


def _told(body: LoweredBody) -> tuple[bool, bool]:
    """Whether a body's velocity (of its centre of mass) and angular velocity are stated."""
    said = body.stated
    return said.velocity and (said.angular_velocity or not any(body.centre)), said.angular_velocity
