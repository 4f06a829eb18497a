"""Stated start values that assembly could not leave as they are: which, of which body, from what to what."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.system.assembled import Assembled
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import crossed

Array = NDArray[np.float64]

ROUNDED = 1e-5  # of the fastest motion: what a stated velocity may change by, start data often having few digits
COMPUTED = 1e-3  # the same of a sample of a run, whose method may meet rows of velocities to its error alone
MARGIN = 4.0  # of bounds
LARGE_MOVE, LARGE_ROTATION = 0.5, np.pi / 4  # lengths, rad: further from its stated pose a body starts in another place


@dataclass(frozen=True)
class Altered:
    """A stated value of a body and the nearest one that fits; vectors (3,), or the turn [rad] of a rotation."""

    body: str
    quantity: str
    unit: str
    stated: Array | None
    found: Array | float

    def __str__(self) -> str:
        if self.stated is None:
            degrees = np.degrees(float(self.found))
            return f"body {self.body!r} has to turn by {degrees:.4g} degrees from its stated {self.quantity}"
        return (
            f"body {self.body!r} cannot have its stated {self.quantity} {_vector(self.stated, self.found)} {self.unit};"
            f" the nearest that fits is {_vector(self.found, self.stated)}"
        )


def altered(
    mechanism: CompiledMechanism, assembled: Assembled, *, velocities: bool = True, computed: bool = False
) -> list[Altered]:
    """Stated velocities that changed beyond rounding (of computed ones: beyond a method's error), and stated poses that
    changed far; of the described frames."""
    found: list[Altered] = []
    share = COMPUTED if computed else ROUNDED
    nb, L = mechanism.nb, mechanism.length
    if assembled.stands or _within_rounding(mechanism, assembled, share):
        return found
    sizes = assembled.moved, assembled.turned, assembled.velocity_change, assembled.spin_change
    changed = np.flatnonzero(np.any(np.stack(sizes) > 0.0, axis=0)).tolist()
    v, w = assembled.rates.v[:nb], assembled.rates.w[:nb]
    fastest = max(_largest(array) for array in (v, mechanism.v, L * w, L * mechanism.w))
    for k in changed:
        body = mechanism.lowered.bodies[k]
        c = np.array(body.centre)
        A0, A1 = (pose.A[k].reshape(3, 3) for pose in (assembled.start, assembled.pose))
        r0, r1 = assembled.start.r[k] - A0 @ c, assembled.pose.r[k] - A1 @ c
        if body.stated.position and np.linalg.norm(r1 - r0) > LARGE_MOVE * L:
            found.append(Altered(body.name, "position", "m", r0, r1))
        if body.stated.rotation and assembled.turned[k] > LARGE_ROTATION:
            found.append(Altered(body.name, "rotation", "rad", None, float(assembled.turned[k])))
        if not velocities:
            continue
        v0 = mechanism.v[k] - A0 @ crossed(mechanism.w[k], c)
        v1 = v[k] - A1 @ crossed(w[k], c)
        if body.stated.velocity and np.linalg.norm(v1 - v0) > share * fastest:
            found.append(Altered(body.name, "velocity", "m/s", v0, v1))
        if body.stated.angular_velocity and L * np.linalg.norm(w[k] - mechanism.w[k]) > share * fastest:
            found.append(Altered(body.name, "angular velocity", "rad/s", mechanism.w[k], w[k]))
    return found


def _within_rounding(mechanism: CompiledMechanism, assembled: Assembled, share: float) -> bool:
    """Whether bounds say that no stated value of any body changed beyond rounding: of its origin at most by what its
    centre of mass did, and by the change of its turning about that."""
    L, (v, w) = mechanism.length, assembled.rates
    reach = max(math.hypot(*body.centre) for body in mechanism.lowered.bodies)
    moved, turned = float(assembled.moved.max()), float(assembled.turned.max())
    sped, spun = float(assembled.velocity_change.max()), float(assembled.spin_change.max())
    spin = float(np.abs(w).max())
    fastest = max(float(np.abs(v).max()), L * spin)  # or faster
    if not (MARGIN * (moved + reach * turned) < LARGE_MOVE * L and MARGIN * turned < LARGE_ROTATION):
        return False
    return MARGIN * (sped + max(L, reach) * spun + reach * spin * turned) < share * fastest


def summary(mechanism: CompiledMechanism, assembled: Assembled) -> dict[str, Any]:
    """What assembly did, as numbers for a run's record: the largest changes, and the bodies that made them.

    length : the mechanism's own [m], to judge moves by. Empty where nothing changed.
    """
    kinds = {
        "moved": assembled.moved,
        "turned": assembled.turned,
        "velocity_change": assembled.velocity_change,
        "angular_velocity_change": assembled.spin_change,
    }
    out: dict[str, Any] = {}
    for name, sizes in kinds.items():
        if sizes.any():
            k = int(np.argmax(sizes))
            out[name] = {"body": mechanism.body_names[k], "largest": float(sizes[k])}
    return {"length": mechanism.length, **out} if out else {}


def _vector(x: Any, other: Any) -> str:
    """A vector in words; what is rounding beside it and another is zero."""
    x, small = np.asarray(x), 1e-9 * float(np.max(np.abs([x, other])))
    return f"({', '.join(f'{part:.6g}' for part in np.where(np.abs(x) > small, x, 0.0))})"


def _largest(x: Array) -> float:
    return float(np.max(np.linalg.norm(x, axis=1), initial=0.0))
