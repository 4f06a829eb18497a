"""The verdicts on a run that is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.judgement.between_steps import missed
from linkwork.judgement.cures import closer, quieter
from linkwork.judgement.energy import AT_ONCE, EnergyFound
from linkwork.judgement.motion_watch import KinematicWatch, MotionWatch
from linkwork.judgement.watch import Watch
from linkwork.shown import some
from linkwork.system.assembled import Assembled
from linkwork.system.near_singular import nearly_dependent
from linkwork.verdict import DOUBTFUL, UNRESOLVED, WRONG, Verdict

MORE_SAMPLES = "Record samples closer to each other: a smaller step, or more times (t_eval)."
MORE_SAMPLES_THERE = MORE_SAMPLES.replace(":", " there:")
MOVED, TURNED = 0.02, 0.05  # of the mechanism's length, rad: what assembly may move a body by without a doubt


def verdicts(
    watch: Watch, info: Mapping[str, Any], assembled: Assembled, blocks: Sequence[Mapping[str, Any]] | None
) -> list[Verdict]:
    """Everything that is wrong or doubtful about a run of dynamics, the worst first.

    info : settings of the run, as in a result's header. blocks : what was recorded, where it is in memory.
    """
    watch.close()
    found = [*_ended(watch, info), *_assembly(watch, assembled), *_condition(watch)]
    if watch.ended is None and watch.seen_any:
        of_energy = [*_energy(watch, info, blocks)]
        found += [*(of_energy or _jump(watch)), *_violation(watch, info), *_slip(watch, info)]
        found += [*_speed(watch), *_turn(watch, info), *_missed(watch, info), *_defect(watch, info)]
    return sorted(found, key=lambda verdict: verdict.severity != WRONG)


def kinematic_verdicts(watch: KinematicWatch, info: Mapping[str, Any], assembled: Assembled) -> list[Verdict]:
    """The same about a run of kinematics, which has no energies, and whose steps may be of any size."""
    watch.close()
    found = [*_assembly(watch, assembled), *_condition(watch)]
    if watch.seen_any:
        found += [*_violation(watch, info), *_slip(watch, info), *_speed(watch)]
    return sorted(found, key=lambda verdict: verdict.severity != WRONG)


def _ended(watch: Watch, info: Mapping[str, Any]) -> Iterator[Verdict]:
    if watch.ended is not None:
        yield watch.ended.with_cure(closer(info) if watch.ended.kind == "apart" else quieter(info))


def _energy(watch: Watch, info: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]] | None) -> Iterator[Verdict]:
    found, limit = watch.energy(blocks), watch.limits.energy
    if found is None:
        return
    scale = f"{100 * found.fraction:.3g} % of the {found.exchanged:.3g} J exchanged (limit {100 * limit:g} %)"
    if found.fraction > limit and (doubt := _unknown(watch, found)):
        text = (
            f"The energy balance could not be judged: {doubt[0]} ({found.unexplained:.3g} J are unexplained, {scale})."
        )
        yield Verdict(UNRESOLVED, DOUBTFUL, text, doubt[1], found.fraction, limit, found.time)
    elif found.fraction > limit:
        text = f"{found.unexplained:.3g} J of energy are unexplained at t = {found.time:.4g} s, {scale}."
        yield Verdict("energy", WRONG, text, quieter(info), found.fraction, limit, found.time)
    elif found.unsure > limit * found.exchanged:
        text = (
            f"The energy balance could not be judged: between samples the work of drivers, loads and dampers is "
            f"uncertain by {found.sampling:.2g} J of {found.exchanged:.3g} J exchanged."
        )
        cure = "Take a smaller step." if info.get("every") == 1 else "Record samples closer to each other (every)."
        cure = cure if watch.fixed_steps else MORE_SAMPLES
        yield Verdict("sampling", DOUBTFUL, text, cure, found.sampling / found.exchanged, limit)


def _jump(watch: Watch) -> Iterator[Verdict]:
    found = watch.jump()
    if found is not None:
        amount, before, after, base = found
        share, limit = abs(amount) / base, AT_ONCE * watch.limits.energy
        text = (
            f"{abs(amount):.3g} J of energy {'come' if amount > 0.0 else 'go'} at once between t = {before:.6g} s and "
            f"{after:.6g} s, {100 * share:.3g} % of the {base:.3g} J exchanged, and next to none elsewhere (limit "
            f"{100 * limit:g} %): velocities jump there."
        )
        cure = (
            "Look at the motion there: a contact may leap to another part of a profile, or two bodies meet a dead end."
        )
        yield Verdict("jump", DOUBTFUL, text, cure, share, limit, before)


def _unknown(watch: Watch, found: EnergyFound) -> tuple[str, str] | None:
    """Why energy that is unexplained says nothing of the method, and what to do about it; None where it does."""
    if tilted := watch.tilted.worst:
        return (
            f"no joint keeps the bodies of torsion spring {tilted}, to its axis, and no potential accounts for "
            "its work",
            "Put it on a joint that keeps its bodies to the axis, such as revolute or cylindrical.",
        )
    if watch.turned > np.pi:
        return (
            f"torsion springs turn by up to {watch.turned:.2g} rad between two samples, and their turns are not known",
            MORE_SAMPLES,
        )
    if (time := watch.changes_account()) is not None:
        return (
            f"formulas of time change between samples, from t = {time:.6g} s on, and what work comes is not known",
            MORE_SAMPLES_THERE,
        )
    if (at_once := watch.comes_at_once()) is not None:
        time, owners = at_once
        return (
            f"energy comes and goes within few intervals of samples, from t = {time:.6g} s on, in which formulas of "
            f"the state ({some(owners)}) may act for a short time",
            MORE_SAMPLES_THERE,
        )
    if watch.unresolved(found):
        return (
            f"samples are so far apart beside the run's {watch.steps} steps that the work of drivers, loads and "
            "dampers between them is not known",
            MORE_SAMPLES,
        )
    return None


def _violation(watch: MotionWatch[Any], info: Mapping[str, Any]) -> Iterator[Verdict]:
    if turned := watch.bent_shafts.verdict:
        yield turned
    gap, length = watch.worst_gap, watch.mechanism.extent
    share = gap.size / length
    if gap.row >= 0 and share > watch.limits.violation:
        row = watch.mechanism.row_names[gap.row]
        text = (
            f"Joints are apart: row '{row}' is off by {gap.size:.3g} m at t = {gap.time:.4g} s, "
            f"{share:.2g} of the mechanism's length (limit {watch.limits.violation:g})."
        )
        yield Verdict("violation", WRONG, text, closer(info), share, watch.limits.violation, gap.time)


def _slip(watch: MotionWatch[Any], info: Mapping[str, Any]) -> Iterator[Verdict]:
    gap = watch.worst_slip
    share = gap.size / watch.fastest if watch.fastest > 0.0 else 0.0
    if gap.row >= 0 and share > watch.limits.slip:
        text = (
            f"Velocities do not fit the constraints: row '{watch.mechanism.row_names[gap.row]}' is off by "
            f"{gap.size:.3g} m/s at t = {gap.time:.4g} s, {share:.2g} of the largest speed "
            f"(limit {watch.limits.slip:g})."
        )
        yield Verdict("slip", DOUBTFUL, text, closer(info), share, watch.limits.slip, gap.time)


def _speed(watch: MotionWatch[Any]) -> Iterator[Verdict]:
    speed, body, time = watch.largest["speed"]
    if speed > watch.limits.speed:
        text = f"Body '{watch.mechanism.body_names[body]}' moves at {speed:.3g} m/s at t = {time:.4g} s."
        cure = "Lengths are in m, angles in rad, masses in kg: are the model's?"
        yield Verdict("speed", DOUBTFUL, text, cure, speed, watch.limits.speed, time)


def _turn(watch: Watch, info: Mapping[str, Any]) -> Iterator[Verdict]:
    if not watch.fixed_steps:
        return
    step, limit = float(info["step"]), watch.limits.turn_of(watch.order)
    spin, body, time = watch.largest["spin"]
    turn, rate = spin * step, watch.rate * step
    if turn > limit:
        text = (
            f"Steps are coarse: body '{watch.mechanism.body_names[body]}' turns by {turn:.2g} rad in a step at "
            f"t = {time:.4g} s (limit {limit:.2g})."
        )
        yield Verdict("turn", DOUBTFUL, text, _finer(step, turn, limit), turn, limit, time)
    elif rate > limit:
        least = 2 * np.pi / limit
        text = f"Steps are coarse: {2 * np.pi / rate:.2g} to a period of the motion (at least {least:.2g} are wanted)."
        yield Verdict("turn", DOUBTFUL, text, _finer(step, rate, limit), rate, limit)


def _missed(watch: Watch, info: Mapping[str, Any]) -> Iterator[Verdict]:
    limit, step = watch.limits.missed, float(info["step"]) if watch.fixed_steps else None
    if not np.isfinite(limit):
        return
    of_time = None if step is None else missed(watch.mechanism, float(watch.seen.time[0]), watch.t_end, step)
    found = max(
        (one for one in (of_time, watch.along.passed_over(watch.steps, step)) if one is not None),
        key=lambda one: one.difference,
        default=None,
    )
    if found is None or not found.difference > limit:
        return
    what = f"what the formula of {found.owner} does about t = {found.time:.6g} s, for {found.lasts:.2g} s"
    share = f"{100 * found.difference:.3g} % of its range (limit {100 * limit:g} %)"
    smaller = f"{0.2 * found.lasts:.1g}"
    if step is None:
        text = (
            f"Steps seem to have passed over {what}: it is off from what it is before and after by {share}, and "
            "velocities show nothing of it."
        )
        cure = f"Take smaller steps: max_step={smaller} (s)."
    else:
        text = (
            f"Steps of {step:g} s pass over {what}: it is off from all between its values at the ends of that step by "
            f"{share}."
        )
        cure = f"Take steps of {smaller} s"
        cure += ", or adaptive ones (rtol), which end where formulas of time change." if found is of_time else "."
    yield Verdict("missed", DOUBTFUL, text, cure, found.difference, limit, found.time)


def _defect(watch: Watch, info: Mapping[str, Any]) -> Iterator[Verdict]:
    limit = watch.limits.defect
    found = watch.defect() if np.isfinite(limit) else None
    if found is None or not found.fraction > limit:
        return
    name, part = watch.mechanism.body_names[found.body], f"{100 * found.fraction:.3g} %"
    text = (
        f"Steps of {float(info['step']):g} s do not follow how fast a force changes: from t = {found.time:.6g} s on "
        f"the velocity of body '{name}' changes otherwise than its accelerations say, by {part} of "
        f"what these come to (limit {100 * limit:g} %)."
    )
    cure = (
        "Take smaller steps, adaptive ones (rtol), or generalized-alpha, which follows a force that changes steeply "
        "with a velocity in steps of any size."
    )
    yield Verdict("defect", DOUBTFUL, text, cure, found.fraction, limit, found.time)


def _finer(step: float, turn: float, limit: float) -> str:
    wanted = step * limit / turn
    unit = 10.0 ** (np.floor(np.log10(wanted)) - 1.0)
    met = np.floor(wanted / unit * (1.0 - 1e-9)) * unit  # two digits that keep to the limit
    return f"Take steps of {met:.2g} s, or adaptive ones (rtol) of an explicit method."


def _condition(watch: MotionWatch[Any]) -> Iterator[Verdict]:
    limit = watch.limits.condition
    found = nearly_dependent(watch.mechanism, limit)
    if not found.condition > limit:
        return
    text = (
        f"The start is {found.told()} (limit {1.0 / limit:.2g}), so that the last digits of points and axes say "
        "whether they move."
    )
    cure = (
        "Give axes that are to be parallel the same digits, or a joint with fewer rows in the place of one of these "
        "(`linkwork check` suggests one); or start away from a dead centre."
    )
    yield Verdict("condition", DOUBTFUL, text, cure, found.condition, limit, 0.0)


def _assembly(watch: MotionWatch[Any], assembled: Assembled) -> Iterator[Verdict]:
    if assembled.stands:
        return
    shares = np.stack([assembled.moved / (MOVED * watch.mechanism.extent), assembled.turned / TURNED], axis=1)
    if not np.any(shares > 1.0):
        return
    told = [body.stated for body in watch.mechanism.lowered.bodies]
    stated = np.array([(each.position, each.rotation) for each in told], dtype=bool)
    shares = np.where(stated, shares, 0.0).max(axis=1)  # what is not stated is looked for, and found somewhere
    if shares.max() <= 1.0:
        return
    b = int(np.argmax(shares))
    text = (
        f"The start pose did not fit: assembly moved body '{watch.mechanism.body_names[b]}' by "
        f"{assembled.moved[b]:.3g} m and turned it by {assembled.turned[b]:.3g} rad."
    )
    cure = "Look at the start with `linkwork check`: places and axes of joints belong to the assembled mechanism."
    yield Verdict("assembly", DOUBTFUL, text, cure, float(shares[b]), 1.0, 0.0)
