"""Derivatives of runs: against complex steps through the same kernels and integrators, and against differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.complex_runs import ComplexRun, keep_small, settle_newton

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import AT_ONCE, Moving, carried_out
from linkwork.errors import UsageError
from linkwork.integrators.implicit_kernels import ADVANCE
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
STEPS, SIZE, IMPLICIT_SIZE = 4, 1e-2, 2e-2  # s; rounding of positions over h^2 is that of implicit accelerations
PENDULUM = "kissel2021_double_pendulum"
CRANK = "spatial_slider_crank_spring"
OF_PENDULUM = ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]", "bar 2.angular_velocity[0]"]
OF_CRANK = ["slider.mass", "spring.stiffness", "spring.on_first.point[0]", "connecting rod.inertia[1]"]
RUNS = [
    (PENDULUM, OF_PENDULUM, "canonical", "rk4"),
    (CRANK, OF_CRANK, "null-space", "rk4"),
    (CRANK, OF_CRANK, "articulated-body", "rk4"),
    (PENDULUM, OF_PENDULUM, "rA", "generalized-alpha"),
    (CRANK, OF_CRANK, "rA", "generalized-alpha"),
    (CRANK, OF_CRANK, "rA", "implicit-euler"),
]


def moving_of(name: str, to: list[str], formulation: str, integrator: str) -> Moving:
    """A short run of a shipped mechanism, moving with some numbers."""
    mech = lw.load(MECHANISMS / f"{name}.yaml")
    sharp = {} if integrator == "rk4" else {"tolerance": 1e-11}  # so that both come to the same values
    h = IMPLICIT_SIZE if sharp else SIZE
    nominal = carried_out(mech, STEPS * h, h, formulation, integrator, None, sharp)
    return Moving(nominal, numbers_of(mech, to))


@pytest.mark.parametrize(("name", "to", "formulation", "integrator"), RUNS)
def test_tangents_are_those_of_complex_steps_through_the_same_map(
    name: str, to: list[str], formulation: str, integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving = moving_of(name, to, formulation, integrator)
    several = [moving.samples, moving.dual_samples()]  # compiled, before anything is replaced
    assert len(moving.samples["time"]) == STEPS + 1
    keep_small(monkeypatch)
    settle_newton(monkeypatch)
    for k in range(len(to)):
        prepared = moving.nominal.prepared(moving.nominal.ready.compiled)
        run = ComplexRun(prepared, moving.starts[:, k])
        if prepared.implicit:
            assert run.call(SOLVE_ACCELERATIONS) == 0
            assert not prepared.run.perturbed or run.call(PERTURB) == 0
            status, samples = run.call(ADVANCE, STEPS)
        else:
            assert run.call(prepared.run._compiled(), START)[0] == 0
            status, samples = run.call(prepared.run._compiled(), STEPS)
        assert (status, samples) == (0, STEPS)
        for of in ("motion", "multiplier"):
            wanted = run.imaginary(getattr(prepared.block, of))[:STEPS]
            size = np.max(np.abs(wanted), initial=0.0)
            off = max(np.max(np.abs(found[of][1:, ..., 1 + k] - wanted), initial=0.0) for found in several)
            # generalized-alpha divides rounding of positions by h^2, and in its perturbed start by a fraction of h
            bound = 1e-10 if integrator == "generalized-alpha" else 1e-12
            assert off <= bound * size, (of, to[k], off, size)


def test_tangents_are_found_where_newton_ends_early() -> None:
    """Dual numbers go on until tangents change no more, whatever is left of the values."""
    mech, h = lw.load(MECHANISMS / f"{CRANK}.yaml"), IMPLICIT_SIZE
    nominal = carried_out(mech, STEPS * h, h, "rA", "implicit-euler", None, {"tolerance": 1e-5})
    moving = Moving(nominal, numbers_of(mech, OF_CRANK))
    recorded, dual = moving.samples["motion"][..., 1:], moving.dual_samples()["motion"][..., 1:]
    assert moving.way == "recorded steps"
    assert np.max(np.abs(recorded - dual)) <= 1e-7 * np.max(np.abs(dual))


def test_more_numbers_than_one_run_carries() -> None:
    to = [*(f"{body}.mass" for body in ("crank", "connecting rod", "slider")), "spring.stiffness", "gravity[2]"]
    to += [f"connecting rod.inertia[{k}]" for k in range(3)]
    assert len(to) > AT_ONCE
    several = moving_of(CRANK, to, "rA", "implicit-euler").dual_samples()["motion"]
    alone = moving_of(CRANK, to[AT_ONCE:], "rA", "implicit-euler").dual_samples()["motion"]
    assert several.shape[-1] == 1 + len(to)
    np.testing.assert_array_equal(several[..., 0], alone[..., 0])
    np.testing.assert_array_equal(several[..., 1 + AT_ONCE :], alone[..., 1:])


@pytest.mark.parametrize(("name", "to", "formulation", "integrator"), RUNS[:1])
def test_whatever_is_asked_of_a_result_agrees_with_differences(
    name: str, to: list[str], formulation: str, integrator: str
) -> None:
    mech = lw.load(MECHANISMS / f"{name}.yaml")

    how: dict[str, Any] = {
        "t_end": 0.1,
        "step": 1e-2,
        "accept_changes": True,
        "formulation": formulation,
        "integrator": integrator,
    }

    def work(res: lw.Result) -> Any:
        return np.trapezoid(np.sin(res.time) * res.joint("elbow")["angle"], res.time)

    asked = ["position", "kinetic_energy", "pivot.force", "elbow.angle_rate", work]
    found = lw.sensitivities(mech, **how, of=asked, to=to)
    for k, number in enumerate(numbers_of(mech, to)):
        step = 1e-5 * max(abs(number.value), 1.0)
        above, below = (lw.sensitivities(number.moved(by), **how, of=asked, to=to).values for by in (step, -step))
        for of, derivative in found.derivatives.items():
            near = (above[of] - below[of]) / (2.0 * step)
            assert np.max(np.abs(derivative[..., k] - near)) <= 1e-6 * max(1e-3, np.max(np.abs(near))), (
                of,
                number.name,
            )


def test_start_numbers_without_effect_and_those_that_a_length_hangs_on() -> None:
    """Numbers that assembly takes back have no derivatives but zero; the largest of several lengths is no corner."""
    mech = lw.load(MECHANISMS / f"{CRANK}.yaml")
    how: dict[str, Any] = {"t_end": 0.03, "step": 1e-2, "formulation": "articulated-body", "integrator": "rk4"}
    to = ["slider.position[1]", "slider.velocity[1]", "crank.angular_velocity[1]", "crank.position[0]"]
    found = lw.sensitivities(mech, **how, of=["position", "velocity"], to=to)
    for of in found.of:
        assert np.max(np.abs(found[of][..., :3])) <= 1e-12
    (number,) = numbers_of(mech, to[3])
    above, below = (
        lw.simulate(number.moved(by), **how, accept_changes=True)["position"] for by in (1e-5, -1e-5)
    )  # fmt: skip
    near = (above - below) / 2e-5
    assert np.max(np.abs(near)) > 0.1
    assert np.max(np.abs(found["position", to[3]] - near)) <= 1e-6 * np.max(np.abs(near))


def parallelogram() -> lw.Mechanism:
    """Bars of 1 m on pins 2 m apart that turn at 4 rad/s, without weight: flat after 0.1 s, where rank is lost."""
    mech, turn, rate = lw.Mechanism("parallelogram", gravity=(0.0, 0.0, 0.0)), 0.4, 4.0
    along, across = np.array([np.cos(turn), 0.0, np.sin(turn)]), rate * np.array([np.sin(turn), 0.0, -np.cos(turn)])
    for name, x in (("left", 0.0), ("right", 2.0)):
        mech.body(
            name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=tuple(0.5 * along + np.array([x, 0.0, 0.0])),
            rotation={"axis": [0, 1, 0], "angle": -turn}, velocity=tuple(0.5 * across), angular_velocity=(0, rate, 0),
        )  # fmt: skip
    mech.body(
        "coupler", mass=1.0, inertia=(0.1, 0.1, 0.1), position=tuple(along + np.array([1.0, 0.0, 0.0])),
        velocity=tuple(across), angular_velocity=(0, 0, 0),
    )  # fmt: skip
    pins: list[tuple[str, str, Any]] = [
        ("ground", "left", (0, 0, 0)),
        ("ground", "right", (2, 0, 0)),
        ("left", "coupler", along),
    ]
    pins.append(("coupler", "right", along + np.array([2.0, 0.0, 0.0])))
    for k, (one, other, at) in enumerate(pins):
        mech.joint(f"pin {k}", "revolute", one, other, point=tuple(at), axis=(0, 1, 0))
    return mech


def test_a_loss_of_rank_on_the_way_ends_derivatives() -> None:
    arguments: dict[str, Any] = {"formulation": "articulated-body", "integrator": "rk4", "of": "left.position"}
    lw.sensitivities(parallelogram(), 0.05, 1e-3, to="left.mass", **arguments)
    with pytest.raises(UsageError, match="change rank on the way"):
        lw.sensitivities(parallelogram(), 0.2, 1e-3, to="left.mass", **arguments)


def test_tangents_go_through_the_control_of_step_sizes() -> None:
    """Against differences: tolerances are tight, so that steps of other sizes change little."""
    mech, how = lw.load(PENDULUM), {"formulation": "canonical", "integrator": "dop853", "rtol": 1e-8, "atol": 1e-10}
    found = lw.sensitivities(mech, 0.1, 1e-2, of="position", to="gravity[2]", **how)
    (number,) = numbers_of(mech, "gravity[2]")
    ends = [lw.simulate(number.moved(by), 0.1, 1e-2, **how)["position"] for by in (1e-4, -1e-4)]
    wanted = (ends[0] - ends[1]) / 2e-4
    assert np.max(np.abs(found["position", "gravity[2]"] - wanted)) <= 1e-8 * np.max(np.abs(wanted))


def test_a_start_velocity_at_rest_has_derivatives() -> None:
    """Refused as not smooth: the largest speed, by which errors of adaptive steps are measured, has a corner."""

    def rod(rate: float) -> lw.Mechanism:
        mech = lw.Mechanism("rod")
        mech.body("rod", mass=1.2, inertia=[0.04, 0.04, 0.001], position=[0, 0, -0.3], angular_velocity=[0, rate, 0])
        mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
        return mech

    run = (0.05, 5e-3, "lie-mixed")
    asked: dict[str, Any] = {"of": ["position", "velocity"], "to": "rod.angular_velocity[1]"}
    found = lw.sensitivities(rod(0.0), *run, "rk4", **asked)
    faster, slower = (lw.simulate(rod(rate), *run, "rk4") for rate in (1e-3, -1e-3))
    for name in ("position", "velocity"):
        wanted = (faster[name] - slower[name]) / 2e-3
        np.testing.assert_allclose(found[name][..., 0], wanted, atol=1e-6 * np.abs(wanted).max())
    with pytest.raises(UsageError, match="measured by the largest speed at the start, which has a corner there"):
        lw.sensitivities(rod(0.0), *run, "dop853", rtol=1e-6, **asked)


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_sensors_are_differentiated_like_the_motion_that_they_read(mode: str) -> None:
    """Against differences of runs; what sensors read was not among the quantities."""
    mech = lw.Mechanism("pendulum on a spring")
    mech.body("rod", mass=1.2, inertia=[0.04, 0.04, 0.001], position=[0, 0, -0.3], angular_velocity=[0, 1.5, 0])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("coil", "torsion", joint="hinge", stiffness=3.0)
    mech.sensor("height", "position('rod', 'z', [0, 0, -0.1])")
    mech.sensor("above", "height + 0.4")
    mech.sensor("unit", type="imu", body="rod", point=[0, 0, -0.1])
    how = {"formulation": "canonical", "integrator": "rk4"}
    names = {"height": "height", "above": "above"} | ({} if mode == "adjoint" else {"felt": "unit.acceleration"})
    of = {name: lw.Final(one) if mode == "adjoint" else one for name, one in names.items()}
    found = lw.sensitivities(mech, 0.2, 2e-3, **how, mode=mode, of=of, to=["coil.stiffness", "rod.mass"])
    for k, (name, value, h) in enumerate((("coil.stiffness", 3.0, 1e-4), ("rod.mass", 1.2, 1e-4))):
        ahead, behind = (lw.compile(mech, **how).run(0.2, 2e-3, parameters={name: value + s}) for s in (h, -h))
        for one, read in names.items():
            want = (ahead[read][-1] - behind[read][-1]) / (2 * h)
            got = found[one] if mode == "adjoint" else found[one][-1]
            np.testing.assert_allclose(got[..., k], want, atol=1e-8 * max(1.0, np.abs(want).max()))
            assert np.abs(want).max() > 1e-4


def rubbing(friction: str, k: float = 4.0) -> lw.Mechanism:
    """A block on a slide between a spring, a shaker and friction."""
    mech = lw.Mechanism("rubbing", gravity=(0, 0, 0))
    mech.parameter("k", k)
    mech.body("block", mass=1.0, inertia=[1, 1, 1], position=[0, 0, 0.5])
    mech.joint("guide", "translational", "ground", "block", point=[0, 0, 0], axis=[0, 0, 1])
    pull = f"{friction} - k*position('block', 'z') + 3*cos(3*t)"
    mech.force("pull", "force", body="block", components=[0, 0, pull])
    return mech


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_a_force_that_jumps_on_the_way_takes_all_digits(mode: str) -> None:
    """Dry friction turns round where the block does: 0.178 m per N/m came out where it is 0.148, with 13 digits."""
    asked: dict[str, Any] = {"of": "final(block.position.z)", "to": "k", "mode": mode, "t_end": 2.0, "step": 1e-2}
    how: dict[str, Any] = {"formulation": "lie-mixed", "integrator": "rk4"}
    with pytest.warns(RuntimeWarning, match=r"force 'pull'.* jumps at t = 0\.\d+ s"):
        found = lw.sensitivities(rubbing("-0.5*sign(velocity('block', 'z'))"), **asked, **how)
    assert found.digits == 0
    smooth = lw.sensitivities(rubbing("-0.5*tanh(velocity('block', 'z')/0.1)"), **asked, **how)
    assert smooth.digits is not None
    assert smooth.digits > 6
    bent = lw.sensitivities(rubbing("-0.5*if(velocity('block', 'z') > 0, 2, 1)*velocity('block', 'z')"), **asked, **how)
    assert bent.digits is not None
    assert bent.digits > 4


def test_a_jump_between_two_samples_is_told() -> None:
    """A floor with a damper is met for 4.4 ms between samples 10 ms apart: -20 m/m came out where it is 1.45, with 12
    digits. Without the damper nothing jumps."""
    how: dict[str, Any] = {"formulation": "lie-mixed", "integrator": "dop853", "rtol": 1e-9}
    asked: dict[str, Any] = {"of": "final(ball.position.z)", "to": "ball.position[2]", "t_end": 0.8, "step": 1e-2}
    made = {}
    for damping in (5.0, 0.0):
        mech = lw.Mechanism("ball", gravity=[0, 0, -9.81])
        mech.body("ball", mass=0.1, inertia=[4e-5] * 3, position=[0, 0, 1])
        depth, rate = "(0.03 - position('ball', 'z'))", "velocity('ball', 'z')"
        floor = f"if({depth} > 0, max(0, 5e4*{depth} - {damping}*{rate}), 0)"
        mech.force("floor", "force", body="ball", components=["0", "0", floor])
        made[damping] = mech
    with pytest.warns(RuntimeWarning, match=r"force 'floor' jumps at t = 0\.44"):
        assert lw.sensitivities(made[5.0], **asked, **how).digits == 0


@pytest.mark.parametrize(
    ("method", "step", "mode"),
    [("rk4", 1e-4, "tangent"), ("rk4", 1e-4, "adjoint"), ("dop853", 1e-2, "tangent"), ("dop853", 1e-2, "adjoint")],
)
def test_a_kink_that_steps_meet_elsewhere_is_told(method: str, step: float, mode: str) -> None:
    """A ball on an elastic floor: 9 m/m came out with 13 digits by rk4, -1e6 by dop853, where it is 0.57."""
    mech = lw.Mechanism("ball", gravity=[0, 0, -9.81])
    mech.body("ball", mass=0.1, inertia=[4e-5] * 3, position=[0, 0, 1])
    floor = "5e4*max(0, 0.03 - position('ball', 'z'))"
    mech.force("floor", "force", body="ball", components=["0", "0", floor])
    how: dict[str, Any] = {"rtol": 1e-8} if method == "dop853" else {}
    asked: dict[str, Any] = {"of": "final(ball.position.z)", "to": "ball.position[2]", "step": step, "mode": mode}
    with pytest.warns(RuntimeWarning, match=r"force 'floor' has a kink at t = 0\.44"):
        found = lw.sensitivities(mech, 0.8, formulation="canonical", integrator=method, **asked, **how)
    assert found.digits == 0
    before = lw.sensitivities(mech, 0.4, formulation="canonical", integrator=method, **asked, **how)
    assert before.digits is not None
    assert before.digits > 10


def test_a_quantity_that_reads_the_number_is_no_reason_for_a_doubt_over_a_kink() -> None:
    """The force of a spring by its stiffness: runs to either side have their own."""
    mech = lw.Mechanism("spring and stop", gravity=[0, 0, 0])
    mech.body("block", mass=0.1, inertia=[1e-3] * 3, velocity=[1, 0, 0], position=[1, 0, 0])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    ends: dict[str, Any] = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    mech.force("coil", "spring", first="ground", second="block", stiffness=0.5, length=0.9, **ends)
    mech.force("stop", "motor", joint="rail", effort="-0.01*max(0, displacement('rail') - 0.1)")
    how: dict[str, Any] = {"formulation": "canonical", "integrator": "rk4", "step": 1e-3}
    found = lw.sensitivities(mech, 0.3, of="final(coil.force)", to="coil.stiffness", **how)
    assert found.messages == ()
    assert found.digits is not None
    assert found.digits > 9


def test_a_fast_oscillation_over_a_kink_is_no_reason_for_a_doubt() -> None:
    """A body between two springs, one stiffer: 64 oscillations, so that a change of a mass by a hundredth turns it by
    two radians, and differences of runs by so much are far off."""
    mech = lw.Mechanism("between springs", gravity=[0, 0, 0])
    mech.body("block", mass=0.1, inertia=[1e-3] * 3, velocity=[1, 0, 0])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("springs", "motor", joint="rail", effort="-2e4*displacement('rail') - 1e3*abs(displacement('rail'))")
    how: dict[str, Any] = {"formulation": "canonical", "integrator": "rk4", "step": 1e-3}
    found = lw.sensitivities(mech, 0.9, of="final(rail.displacement)", to="block.mass", **how)
    assert found.messages == ()
    assert found.digits is not None
    assert found.digits > 9


def test_kinks_that_leave_derivatives_as_they_are_are_not_told() -> None:
    """A spring that is stiffer in compression is met slowly, of three hundred steps."""
    mech = rubbing("-0.3*velocity('block', 'z') - 2*max(0, position('block', 'z'))")
    asked: dict[str, Any] = {"of": "final(block.position.z)", "to": "k", "t_end": 2.0, "step": 1e-3}
    found = lw.sensitivities(mech, **asked, formulation="lie-mixed", integrator="rk4")
    assert found.messages == ()
    assert found.digits is not None
    assert found.digits > 6
