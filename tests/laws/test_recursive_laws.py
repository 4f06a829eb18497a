"""Runs of canonical and articulated-body: the motion of others, momenta that are momenta, loops that stay closed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.studies.generated import bricard, ladder

TIGHT = {"integrator": "dop853", "rtol": 1e-10, "atol": 1e-10, "accept_drivers": True}
MODELS = {
    "kissel2021_double_pendulum": 1.0,
    "muller2013_floating_pair": 1.0,
    "planar_four_bar": 1.0,
    "rolling_disc": 1.0,
    "spatial_slider_crank_spring": 0.5,
    "stewart_platform": 0.5,
}
RECURSIVE = ("canonical", "articulated-body")


@pytest.mark.parametrize("formulation", RECURSIVE)
@pytest.mark.parametrize("model", MODELS)
def test_motion_and_reactions_are_those_of_bodies_on_a_group(model: str, formulation: str) -> None:
    mech, t_end = lw.load(model), MODELS[model]
    wanted = lw.simulate(mech, t_end, t_end / 10.0, "lie-mixed", **TIGHT)
    found = lw.simulate(mech, t_end, t_end / 10.0, formulation, **TIGHT)
    for name, within in (("position", 1e-7), ("velocity", 1e-6), ("acceleration", 1e-5), ("reaction_force", 1e-5)):
        scale = max(1.0, float(np.max(np.abs(wanted[name]))))
        assert np.max(np.abs(found[name] - wanted[name])) < within * scale, name


def test_velocities_of_canonical_meet_closed_loops_to_rounding() -> None:
    mech = lw.load("stewart_platform")
    momenta = lw.simulate(mech, 0.5, 2e-3, "canonical", "rk4")
    rates = lw.simulate(mech, 0.5, 2e-3, "articulated-body", "rk4")
    assert np.max(momenta["velocity_violation"]) < 1e-13
    assert np.max(momenta["position_violation"]) < np.max(rates["position_violation"])


def test_sigma_left_to_grow_changes_nothing_but_rounding() -> None:
    mech = lw.load("stewart_platform")
    grown = lw.simulate(mech, 0.3, 2e-3, "canonical", "rk4", sigma="grow")
    reset = lw.simulate(mech, 0.3, 2e-3, "canonical", "rk4")
    assert np.max(np.abs(grown["position"] - reset["position"])) < 1e-9
    assert np.max(np.abs(grown["acceleration"] - reset["acceleration"])) < 1e-6


@pytest.mark.parametrize("model", ["kissel2021_double_pendulum", "muller2013_floating_pair", "muller2013_heavy_top"])
def test_recorded_momenta_are_the_mass_matrix_times_rates(model: str) -> None:
    mech = lw.load(model)
    result = lw.simulate(mech, 0.2, 0.01, "canonical", "rk4", frames="joints")
    state = lw.State.of(result, -1)
    M = lw.mass_matrix(mech, state)
    p, v = result["joint_momentum"][-1], result["joint_rate"][-1]
    assert np.allclose(p, M @ v, rtol=1e-10, atol=1e-10 * np.max(np.abs(p)))
    assert np.allclose(lw.joint_coordinates(mech, state).rates, v, rtol=1e-9, atol=1e-9)


def test_rates_of_momenta_are_those_of_mass_matrix_times_rates() -> None:
    """Along the motion of articulated-body: another code, another state."""
    mech, h = lw.load("muller2013_spherical_double_pendulum"), 1e-4
    rates = lw.simulate(mech, 4 * h, h, "articulated-body", "rk4", frames="joints")
    p = [lw.mass_matrix(mech, lw.State.of(rates, k)) @ rates["joint_rate"][k] for k in range(5)]
    momenta = lw.simulate(mech, 4 * h, h, "canonical", "rk4", frames="joints")
    assert np.allclose(momenta["joint_momentum"], p, rtol=1e-8, atol=1e-9)


def test_frames_do_not_change_the_motion() -> None:
    mech = lw.load("stewart_platform")
    one = lw.simulate(mech, 0.2, 2e-3, "articulated-body", "rk4", frames="screws")
    other = lw.simulate(mech, 0.2, 2e-3, "articulated-body", "rk4", frames="joints")
    assert np.max(np.abs(one["position"] - other["position"])) < 1e-12


def test_any_root_gives_the_same_motion() -> None:
    mech = lw.load("muller2013_floating_pair")
    one = lw.simulate(mech, 0.2, 1e-3, "canonical", "rk4", root="body 1")
    other = lw.simulate(mech, 0.2, 1e-3, "canonical", "rk4", root="body 2")
    assert np.max(np.abs(one["position"] - other["position"])) < 1e-9


def test_unknown_options_are_refused_by_name() -> None:
    with pytest.raises(lw.errors.UsageError, match="frames 'corners'"):
        lw.simulate(lw.load("muller2013_heavy_top"), 0.1, 0.01, "canonical", "rk4", frames="corners")


def test_a_freedom_without_inertia_is_refused() -> None:
    mech = lw.load("kissel2021_four_link")
    thin = mech.to_dict()
    for body in thin["bodies"]:
        body.pop("shape", None)
        body["inertia"] = [1.0, 0.0, 1.0]
        body.pop("velocity")
    thin["joints"] = [
        {"name": f"ball {k}", "type": "spherical", "first": "ground", "second": body["name"], "point": body["position"]}
        for k, body in enumerate(thin["bodies"])
    ]
    thin["drivers"], thin["constraints"], thin["forces"] = [], [], []
    with pytest.raises(lw.errors.SingularPositionError):
        lw.accelerations(lw.Mechanism.from_dict(thin), formulation="articulated-body")


@pytest.mark.parametrize("formulation", RECURSIVE)
def test_a_floating_base_without_inertia_is_refused_however_it_is_turned(formulation: str) -> None:
    """A hinge leaves it one turn that nothing resists: its pivot is rounding, not nought."""
    for angle in (0.3, 0.7, 1.9):
        mech = lw.Mechanism("arm", gravity=[0, 0, -9.81])
        turned = {"axis": [1, 0.4, 0.2], "angle": angle}
        mech.body("base", mass=0.0, inertia=[0.0, 0.0, 0.0], rotation=turned)
        mech.body("arm", mass=2.0, inertia=[0.03, 0.03, 0.002], rotation=turned, centre_of_mass=[0, 0, 0.2])
        mech.joint("hinge", "revolute", "base", "arm", point=[0, 0, 0], axis=[0.1, 1, angle])
        mech.joint("base of the robot", "free", "ground", "base")
        with pytest.raises(lw.errors.SingularPositionError, match="not determined"):
            lw.accelerations(mech, formulation=formulation)


@pytest.mark.parametrize("formulation", RECURSIVE)
@pytest.mark.parametrize(
    ("integrator", "step", "how"), [("rk4", 1e-3, {}), ("dop853", 0.05, {"rtol": 1e-9, "project_every": 1})]
)
def test_rank_losses_are_passed(integrator: str, step: float, how: dict, formulation: str) -> None:
    """A four-bar of equal links, flat on the way: its rows lose rank there."""
    mech = ladder(1)
    wanted = lw.simulate(mech, 2.0, 0.1, "lie-product", "dop853", rtol=1e-10, project_every=1)
    found = lw.simulate(mech, 2.0, step, formulation, integrator, every=round(0.1 / step) if step < 0.01 else 2, **how)
    assert np.max(np.abs(found["position"] - wanted["position"])) < 1e-5
    energy = found["kinetic_energy"] + found["potential_energy"]
    assert np.ptp(energy) < 1e-6


@pytest.mark.parametrize("formulation", RECURSIVE)
@pytest.mark.parametrize(
    ("integrator", "step", "within", "how"),
    [("rk4", 1e-3, 1e-7, {"every": 100}), ("dop853", 0.1, 1e-5, {"rtol": 1e-8}), ("dp54", 0.1, 1e-5, {"rtol": 1e-8})],
)
@pytest.mark.parametrize("closing", ["point-in-line", "revolute"])
def test_ladders_of_ten_pass_their_rank_losses_without_projection(
    closing: str, integrator: str, step: float, within: float, how: dict, formulation: str
) -> None:
    """All cranks stay parallel, to the end; where a row vanishes ten do at once."""
    found = lw.simulate(ladder(10, closing), 10.0, step, formulation, integrator, **how)
    tips = [found.position(f"crank {k}") - [k, 0, 0] for k in (0, 5, 10)]
    assert max(np.max(np.abs(tip - tips[0])) for tip in tips) < within
    angle = solve_ivp(
        lambda _, y: [y[1], -9.81 * 15.5 / (11 / 3 + 10) * np.cos(y[0])], (0.0, 10.0), [np.pi / 2, -1.0], "DOP853",
        found.time, rtol=1e-12, atol=1e-13,
    ).y[0]  # fmt: skip
    assert np.max(np.abs(2.0 * tips[0][:, :2] - np.stack([np.cos(angle), np.sin(angle)], axis=1))) < within
    assert np.ptp(found.energy) < 10.0 * within


@pytest.mark.parametrize("formulation", RECURSIVE)
@pytest.mark.parametrize("integrator", ["dp54", "dop853"])
def test_bricards_redundant_row_may_change_without_projection(integrator: str, formulation: str) -> None:
    """Which row is left out changes where it is needed: the run is projected there."""
    for rtol in (1e-6, 1e-8):
        found = lw.simulate(bricard(), 10.0, 0.125, formulation, integrator, rtol=rtol)
        end = found.position("bar 2")[-1] + found.rotation("bar 2")[-1] @ [0.5, 0.0, 0.0]
        assert np.max(np.abs(end - [0.999730987, -0.999999964, -2.6898e-4])) < 100 * rtol
        assert np.ptp(found.energy) < 1e3 * rtol


@pytest.mark.parametrize("formulation", RECURSIVE)
def test_what_is_recorded_at_a_rank_loss_is_what_others_find(formulation: str) -> None:
    """Accelerations and reactions, at the loss itself and next to it."""
    times = [1.2, 1.228, 1.2285, 1.3]
    how = {"integrator": "dop853", "rtol": 1e-11, "atol": 1e-12, "t_eval": times}
    found = lw.simulate(ladder(1), 1.5, 0.1, formulation, **how)
    wanted = lw.simulate(ladder(1), 1.5, 0.1, "range-space", project_every=1, **how)
    for name in ("acceleration", "angular_acceleration", "reaction_force", "reaction_torque"):
        scale = max(1.0, float(np.max(np.abs(wanted[name]))))
        assert np.max(np.abs(found[name] - wanted[name])) < 1e-5 * scale, name


def test_projection_leaves_alone_what_is_met_to_rounding() -> None:
    """Forty four-bars pass a rank loss at 1.24 s: corrections of rounding there cost momenta twenty times their error
    in energy, though their velocities meet all rows by themselves."""
    lost = {}
    for way in ("none", "projection"):
        result = lw.simulate(ladder(40), 1.4, 1e-3, "canonical", "rk4", stabilisation=way, every=50)
        lost[way] = float(np.abs(result.energy - result.energy[0]).max())
        assert result["position_violation"].max() < 1e-13
    assert lost["none"] < 1e-8
    assert lost["projection"] < 3.0 * lost["none"]
