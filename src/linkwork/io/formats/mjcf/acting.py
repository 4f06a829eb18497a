"""Springs and dampers of MuJoCo's joints as forces: linear, and by powers in hinges and slides.

MuJoCo's laws, x the coordinate less its spring reference, v its rate: of a hinge or slide
-(k x + k2 x^2 + k3 x^3) and -(c v + c2 v |v| + c3 v^3); of a ball the moment -(k phi + c omega) in the child's frame,
phi the rotation vector from the reference; of a free joint besides the force -(k x + c v) at the body's origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.io.formats.smooth_laws import Effort
from linkwork.mechanism.elements import GROUND, Array

if TYPE_CHECKING:
    from linkwork.io.formats.mjcf.bodies import Compiled

FAR = 100.0  # m: a spring or damper between two points of a sliding joint's axis acts along it exactly


class Law(NamedTuple):
    """Coefficients of one joint, the first powers apart from the higher ones."""

    stiffness: float
    damping: float
    more_stiffness: list[float]
    more_damping: list[float]

    @property
    def acts(self) -> bool:
        """Whether any is not zero."""
        return any((self.stiffness, self.damping, *self.more_stiffness, *self.more_damping))

    @property
    def linear(self) -> bool:
        """Whether there are first powers alone."""
        return not any((*self.more_stiffness, *self.more_damping))


def law_of(compiled: Compiled, j: int) -> Law:
    """What joint j has, as far as the file's flags leave it switched on."""
    model, dof = compiled.model, int(compiled.model.jnt_dofadr[j])
    spring, damper = not compiled.off("SPRING"), not compiled.off("DAMPER")
    more_stiffness, more_damping = higher_powers(model)
    return Law(
        float(model.jnt_stiffness[j]) * spring,
        float(model.dof_damping[dof]) * damper,
        [float(x) * spring for x in more_stiffness[j]],
        [float(x) * damper for x in more_damping[dof]],
    )


def higher_powers(model: Any) -> tuple[Array, Array]:
    """Coefficients of second and further powers of all joints and of all rates; none in versions without them."""
    return powers_of(model, "jnt_stiffnesspoly", model.njnt), powers_of(model, "dof_dampingpoly", model.nv)


def powers_of(model: Any, name: str, count: int) -> Array:
    """Coefficients of second and further powers, (count, m); m = 0 in versions of MuJoCo without them."""
    given = getattr(model, name, np.zeros(0))
    return np.reshape(given, (count, np.size(given) // max(1, count)))


def on_hinge(compiled: Compiled, j: int, name: str) -> list[dict[str, Any]]:
    """A torsion, or a joint spring with a formula."""
    law, rest = law_of(compiled, j), _rest(compiled, j)
    if not law.acts:
        return []
    if not law.linear:
        return [_by_formula(compiled, law, rest, name, "angle")]
    return [{**_linear(compiled, law, name), "type": "torsion", "joint": name, "angle": rest}]


def on_slide(
    compiled: Compiled, j: int, name: str, ends: dict[str, Any], point: Array, axis: Array, anchor: Array
) -> list[dict[str, Any]]:
    """A spring along the axis, or a joint spring with a formula. point, axis : in the parent; anchor : in the child."""
    law, rest = law_of(compiled, j), _rest(compiled, j)
    if not law.acts:
        return []
    if not law.linear:
        return [_by_formula(compiled, law, rest, name, "displacement")]
    back = point - FAR * axis / np.linalg.norm(axis)
    places = {"on_first": {"point": back.tolist()}, "on_second": {"point": anchor.tolist()}}
    return [{**_linear(compiled, law, name), "type": "spring", **ends, **places, "length": FAR + rest}]


def smooth(compiled: Compiled, j: int, name: str, coordinate: str) -> list[dict[str, Any]]:
    """Dry friction and limits of a hinge or slide, as far as smooth laws of them are asked for."""
    model = compiled.model
    friction = 0.0 if compiled.off("FRICTIONLOSS") else float(model.dof_frictionloss[model.jnt_dofadr[j]])
    lower = upper = None
    if model.jnt_limited[j] and not compiled.off("LIMIT"):
        lower, upper = (float(x - model.qpos0[model.jnt_qposadr[j]]) for x in model.jnt_range[j])
    effort = Effort(friction, lower, upper)
    if compiled.laws.unstopped(effort):
        compiled.unstopped.append(name)
    law = compiled.laws.law(coordinate, effort)
    if not law:
        return []
    title = compiled.names.new(f"{name} friction and limits", "force")
    return [{"name": title, "type": "joint-spring", "joint": name, "coordinate": coordinate, "force": law}]


def on_ball(compiled: Compiled, j: int, name: str, turn: Array) -> list[dict[str, Any]]:
    """A spherical spring; turn : of the child in the parent, at the reference. Higher powers are refused elsewhere."""
    law = law_of(compiled, j)
    if not (law.stiffness or law.damping):
        return []
    return [{**_linear(compiled, law, name), "type": "spherical-spring", "joint": name, "free": turn.tolist()}]


def on_free(compiled: Compiled, j: int, name: str, child: str) -> list[dict[str, Any]]:
    """A spherical spring, and a bushing at the body's origin that holds places and damps."""
    law, b = law_of(compiled, j), int(compiled.model.jnt_bodyid[j])
    forces: list[dict[str, Any]] = []
    if law.stiffness:
        free = compiled.data.xmat[b].reshape(3, 3).tolist()
        title = compiled.names.new(f"{name} torsion", "force")
        forces.append(
            {"name": title, "type": "spherical-spring", "joint": name, "stiffness": law.stiffness, "free": free}
        )
    if law.stiffness or law.damping:
        both = _linear(compiled, law, name)
        both |= {"stiffness": [law.stiffness, 0.0], "damping": [law.damping, law.damping]}
        at = compiled.data.xpos[b].tolist()
        forces.append({**both, "type": "bushing", "first": GROUND, "second": child, "point": at})
    return forces


def _rest(compiled: Compiled, j: int) -> float:
    """The coordinate at which the spring is free."""
    q = int(compiled.model.jnt_qposadr[j])
    return float(compiled.model.qpos_spring[q] - compiled.model.qpos0[q])


def _linear(compiled: Compiled, law: Law, name: str) -> dict[str, Any]:
    title = compiled.names.new(f"{name} spring and damper", "force")
    return {"name": title, "stiffness": law.stiffness, "damping": law.damping}


def _by_formula(compiled: Compiled, law: Law, rest: float, name: str, coordinate: str) -> dict[str, Any]:
    x = f"({coordinate} - ({rest!r}))"
    terms = [f"({k!r})*{x}^{n + 2}" for n, k in enumerate(law.more_stiffness) if k]
    terms += [f"({c!r})*rate*abs(rate)^{n + 1}" for n, c in enumerate(law.more_damping) if c]
    more = {"type": "joint-spring", "joint": name, "free": rest, "force": " + ".join(terms)}
    return {**_linear(compiled, law, name), **more}
