"""MuJoCo's fixed tendons: sums of joint coordinates that springs, dampers and actuators pull at.

A tendon of length L = sum c_k q_k exerts c_k F on each of its joints. Its own law is, x how far L is beyond the range
`springlength` and v its rate, F = -(k x + k2 x^2 + k3 x^3) - (c v + c2 v |v| + c3 v^3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.io.formats.mjcf.acting import Law, powers_of
from linkwork.io.formats.smooth_laws import Effort

if TYPE_CHECKING:
    from linkwork.io.formats.mjcf.bodies import Compiled


def coefficients(model: Any, mujoco: Any, tendon: int) -> dict[int, float] | None:
    """Joint -> coefficient of a fixed tendon; None of another one, nothing of none."""
    if tendon < 0:
        return {}
    found: dict[int, float] = {}
    first = int(model.tendon_adr[tendon])
    for k in range(first, first + int(model.tendon_num[tendon])):
        if int(model.wrap_type[k]) != int(mujoco.mjtWrap.mjWRAP_JOINT):
            return None
        joint = int(model.wrap_objid[k])
        found[joint] = found.get(joint, 0.0) + float(model.wrap_prm[k])
    return found


def law_of(compiled: Compiled, tendon: int) -> Law:
    """What a tendon has, as far as the file's flags leave it switched on."""
    model, spring, damper = compiled.model, not compiled.off("SPRING"), not compiled.off("DAMPER")
    return Law(
        float(model.tendon_stiffness[tendon]) * spring,
        float(model.tendon_damping[tendon]) * damper,
        [float(x) * spring for x in powers_of(model, "tendon_stiffnesspoly", model.ntendon)[tendon]],
        [float(x) * damper for x in powers_of(model, "tendon_dampingpoly", model.ntendon)[tendon]],
    )


def pulling(compiled: Compiled) -> list[dict[str, Any]]:
    """Forces of type `tendon`: springs and dampers, and friction and limits where smooth laws of them are asked for.

    Writes compiled.of_tendons."""
    model, forces = compiled.model, list[dict[str, Any]]()
    for t in range(model.ntendon):
        law, title = law_of(compiled, t), compiled.model.tendon(t).name or f"tendon {t + 1}"
        friction = 0.0 if compiled.off("FRICTIONLOSS") else float(model.tendon_frictionloss[t])
        lower, upper = (float(x) for x in model.tendon_range[t])
        limited = bool(model.tendon_limited[t]) and not compiled.off("LIMIT")
        effort = Effort(friction, *((lower, upper) if limited else (None, None)))
        smooth = compiled.laws.law("length", effort)
        why = _refused(compiled, t, law, friction)
        if why:
            compiled.of_tendons[t] = why
            continue
        if compiled.laws.unstopped(effort):
            compiled.unstopped.append(title)
        if law.acts or smooth or friction != 0.0:
            compiled.of_tendons[t] = ""
        if not (law.acts or smooth):
            continue
        terms = [f"({k!r})*stretch^{n + 2}" for n, k in enumerate(law.more_stiffness) if k]
        terms += [f"({c!r})*rate*abs(rate)^{n + 1}" for n, c in enumerate(law.more_damping) if c]
        low, high = (float(x) for x in model.tendon_lengthspring[t])
        more: dict[str, Any] = {"stiffness": law.stiffness, "damping": law.damping, "free": low, "slack": high - low}
        if terms or smooth:
            more["force"] = " + ".join([*terms, *([smooth] if smooth else [])])
        forces.append({"name": compiled.names.new(title, "force"), **along(compiled, t), **more})
    return forces


def along(compiled: Compiled, tendon: int) -> dict[str, Any]:
    """The keys of a force of type `tendon` that say what it is along."""
    found = coefficients(compiled.model, compiled.mujoco, tendon) or {}
    at_zero = sum(c * float(compiled.model.qpos0[compiled.model.jnt_qposadr[j]]) for j, c in found.items())
    joints = [compiled.joint_names[j] for j in found]
    return {"type": "tendon", "coordinates": joints, "factors": list(found.values()), "offset": at_zero}


def _refused(compiled: Compiled, t: int, law: Law, friction: float) -> str:
    """Why a tendon cannot be represented; nothing where it can, or does nothing."""
    model = compiled.model
    inertia = bool(np.any(model.tendon_armature[t]))
    if coefficients(model, compiled.mujoco, t) is None:
        acts = law.acts or inertia or friction != 0.0
        return (
            "linkwork has no tendons over sites and bodies, only those that are sums of joint coordinates"
            if acts
            else ""
        )
    if inertia:
        return "linkwork has no inertia of tendons"
    if np.any(getattr(model, "tendon_springyield", np.zeros(model.ntendon))[t]):
        return "linkwork's springs do not yield"
    return ""
