"""MuJoCo's actuators on hinges, slides and fixed tendons, as forces that follow inputs.

An actuator of gear g on a length q exerts g F, with l = g q and l' its rate [MuJoCo, computation, actuation model]:

    F = (a0 + a1 l + a2 l') u + b0 + b1 l + b2 l',

u its control, within ctrlrange, F within forcerange, where these are limited. The control is an input of the mechanism.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.io.formats.mjcf import tendons

if TYPE_CHECKING:
    from linkwork.io.formats.mjcf.bodies import Compiled

NO_LAW = "linkwork has actuators with gains and biases that are constant or affine in length and rate"
NO_PLACE = "linkwork has actuators on hinges, slides and fixed tendons"


class Acting(NamedTuple):
    """Forces and inputs of actuators; why others are refused, and which the file switches off, by their numbers."""

    forces: list[dict[str, Any]]
    inputs: dict[str, float]
    refused: dict[int, str]
    off: set[int]


def actuators(compiled: Compiled) -> Acting:
    """Every actuator of the model. An input is 0 where nothing is given, as MuJoCo's control."""
    found = Acting([], {}, {}, set())
    for a in range(compiled.model.nu):
        off = _switched_off(compiled, a)
        if why := _resists(compiled, a) if off else _refused(compiled, a):
            found.refused[a] = why
            continue
        if off:
            found.off.add(a)
            continue
        given = compiled.model.actuator(a).name or f"actuator_{a + 1}"
        title, name = compiled.names.new(given, "force"), _input_name(given, found.inputs)
        found.inputs[name] = 0.0
        found.forces.append({"name": title, **_force(compiled, a, name)})
    return found


def _input_name(given: str, taken: Collection[str]) -> str:
    """Letters, digits and _ alone, and none that is taken."""
    name = re.sub(r"\W", "_", given, flags=re.ASCII)
    name = name if name[:1].isalpha() else f"u_{name}"
    while name in taken:
        name += "_"
    return name


def _force(compiled: Compiled, a: int, name: str) -> dict[str, Any]:
    """The element of one actuator: a motor, or a tendon's force."""
    model = compiled.model
    target, gear = int(model.actuator_trnid[a, 0]), float(model.actuator_gear[a, 0])
    if _on_tendon(compiled, a):
        return {**tendons.along(compiled, target), "force": f"({-gear!r})*({_law(compiled, a, name, 'length')})"}
    coordinate = "angle" if compiled.kind[int(model.jnt_type[target])] == "hinge" else "displacement"
    zero = float(model.qpos0[model.jnt_qposadr[target]])
    law = _law(compiled, a, name, f"({coordinate} + ({zero!r}))")
    joint = {"type": "motor", "joint": compiled.joint_names[target], "coordinate": coordinate}
    if not model.jnt_actfrclimited[target]:
        return {**joint, "effort": law, "ratio": gear}
    low, high = (float(x) for x in model.jnt_actfrcrange[target])
    return {**joint, "effort": f"clip(({gear!r})*({law}), {low!r}, {high!r})"}


def _law(compiled: Compiled, a: int, name: str, along: str) -> str:
    """F as a formula; along : of the joint or tendon, whose rate formulas call `rate`."""
    model = compiled.model
    gear = float(model.actuator_gear[a, 0])
    u, length, v = f"input('{name}')", f"({gear!r})*{along}", f"({gear!r})*rate"
    if model.actuator_ctrllimited[a] and not compiled.off("CLAMPCTRL"):
        u = f"clip({u}, {float(model.actuator_ctrlrange[a, 0])!r}, {float(model.actuator_ctrlrange[a, 1])!r})"
    gain, bias = (_affine(values, length, v) for values in (model.actuator_gainprm[a], model.actuator_biasprm[a]))
    types = compiled.mujoco.mjtGain, compiled.mujoco.mjtBias
    if int(model.actuator_gaintype[a]) == int(types[0].mjGAIN_FIXED):
        gain = f"({float(model.actuator_gainprm[a, 0])!r})"
    law = f"({gain})*{u}"
    if int(model.actuator_biastype[a]) == int(types[1].mjBIAS_AFFINE):
        law = f"{law} + {bias}"
    if model.actuator_forcelimited[a]:
        law = f"clip({law}, {float(model.actuator_forcerange[a, 0])!r}, {float(model.actuator_forcerange[a, 1])!r})"
    return law


def _affine(values: Any, length: str, rate: str) -> str:
    terms = [(float(c), x) for c, x in zip(values, ("1", length, rate), strict=False)]
    return " + ".join(f"({c!r})*{x}" for c, x in terms if c != 0.0) or "0"


def _on_tendon(compiled: Compiled, a: int) -> bool:
    return int(compiled.model.actuator_trntype[a]) == int(compiled.mujoco.mjtTrn.mjTRN_TENDON)


def _joints_of(compiled: Compiled, a: int) -> list[int]:
    """The hinges and slides that an actuator acts on; none of other places, and of tendons that are no such sums."""
    model, kinds = compiled.model, compiled.mujoco.mjtTrn
    target = int(model.actuator_trnid[a, 0])
    if _on_tendon(compiled, a):
        return list(tendons.coefficients(model, compiled.mujoco, target) or {})
    if int(model.actuator_trntype[a]) not in (int(kinds.mjTRN_JOINT), int(kinds.mjTRN_JOINTINPARENT)):
        return []
    return [target] if compiled.kind[int(model.jnt_type[target])] in ("hinge", "slide") else []


def _refused(compiled: Compiled, a: int) -> str:
    """Why an actuator cannot be represented, if it cannot."""
    model, mujoco = compiled.model, compiled.mujoco
    joints, gain, bias = _joints_of(compiled, a), mujoco.mjtGain, mujoco.mjtBias
    if not joints:
        return NO_PLACE
    if int(model.actuator_dyntype[a]) != int(mujoco.mjtDyn.mjDYN_NONE):
        return "linkwork has no activation dynamics of actuators"
    if int(model.actuator_gaintype[a]) not in (int(gain.mjGAIN_FIXED), int(gain.mjGAIN_AFFINE)):
        return NO_LAW
    if int(model.actuator_biastype[a]) not in (int(bias.mjBIAS_NONE), int(bias.mjBIAS_AFFINE)):
        return NO_LAW
    if why := _resists(compiled, a):
        return why
    if np.any(getattr(model, "actuator_delay", np.zeros(model.nu))[a]):
        return "linkwork has no delay of actuators"
    if _on_tendon(compiled, a) and model.tendon_actfrclimited[int(model.actuator_trnid[a, 0])]:
        return "linkwork does not limit the sum of what actuators exert on a tendon"
    if any(model.jnt_actfrclimited[j] and _shared(compiled, j) for j in joints):
        return "linkwork limits what one actuator exerts on a joint, not the sum of several or of a tendon's"
    return ""


def _switched_off(compiled: Compiled, a: int) -> bool:
    """Whether the file's <option> switches an actuator off: with all of them, or with its group."""
    group = int(compiled.model.actuator_group[a])
    disabled = 0 <= group < 31 and bool(int(compiled.model.opt.disableactuator) >> group & 1)
    return disabled or compiled.off("ACTUATION")


def missed(compiled: Compiled) -> list[str]:
    """Names of actuators that exert something without an input, such as those that hold a position."""
    model, none = compiled.model, int(compiled.mujoco.mjtBias.mjBIAS_NONE)
    acting = (a for a in range(model.nu) if not _switched_off(compiled, a) and np.any(model.actuator_biasprm[a]))
    found = [a for a in acting if int(model.actuator_biastype[a]) != none]
    return [model.actuator(a).name or f"actuator_{a + 1}" for a in found]


def _resists(compiled: Compiled, a: int) -> str:
    """Why an actuator that exerts nothing cannot be represented: its damper and its inertia act by themselves."""
    for name, what in (("damping", "dampers"), ("dampingpoly", "dampers"), ("armature", "inertia")):
        if np.any(getattr(compiled.model, f"actuator_{name}", np.zeros(compiled.model.nu))[a]):
            return f"linkwork has no {what} of actuators"
    return ""


def _shared(compiled: Compiled, joint: int) -> bool:
    """Whether a joint has more than one actuator, or one of a tendon."""
    acting = (a for a in range(compiled.model.nu) if not _switched_off(compiled, a))
    on = [a for a in acting if joint in _joints_of(compiled, a)]
    return len(on) > 1 or any(_on_tendon(compiled, a) for a in on)
