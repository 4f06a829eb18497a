"""Friction that is steep in the rate (tanh): steps of implicit methods, tangents and adjoints through it."""

import math

import numpy as np
import pytest
from unit.sticking import STUCK, V, X, block, crank_and_block

import linkwork as lw
from linkwork.judgement.defects import largest_defect
from linkwork.kernels.jets import jet_tanh

FUNCTIONS = (
    f"tanh({V}) + sinh({V}/2) + cosh({V}/2) + log(3 + {V}) + atan({V}) + asin({V}/5) + acos({V}/7) + tan({V}/3)"
    f" + (2 + {V})^k + (3 + {V})^1.5"
)


@pytest.mark.parametrize("width", [1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize(
    ("formulation", "integrator", "error"),
    [("rA", "generalized-alpha", 1e-4), ("lie-mixed", "generalized-alpha", 1e-4), ("rp", "implicit-euler", 6e-3)],
)
def test_a_block_that_friction_stops_within_a_step(
    formulation: str, integrator: str, error: float, width: float
) -> None:
    """At 2 m/s^2 after 0.5 s, 0.25 m on. Newton's tangents there lead from one side of the jump to the other."""
    run = lw.simulate(block(f"-2*tanh({V}/{width})"), 1.0, 1e-2, formulation, integrator)
    assert run.success, run.messages
    assert abs(run.position("block")[-1][0] - 0.25) < error + width
    speed = np.abs(run.velocity("block")[:, 0])
    assert np.all(speed[run.time > 0.52] < 2e-3)  # which generalized-alpha damps from step to step
    assert speed[-1] < 1e-8


def test_a_block_that_sticks_and_slips() -> None:
    """Pushed by 5 sin 3t against friction of 2 N: steps of 10 ms against steps of 0.1 ms."""
    mech = block(f"-2*tanh({V}/1e-4) + 5*sin(3*t)")
    coarse = lw.simulate(mech, 4.0, 1e-2, "rA", "generalized-alpha")
    fine = lw.simulate(mech, 4.0, 1e-4, "rA", "generalized-alpha", every=100)
    assert coarse.success
    assert fine.success
    assert np.max(np.abs(coarse.position("block") - fine.position("block"))) < 1e-2  # of 2.9 m


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_derivatives_of_a_run_in_which_friction_is_steep(mode: str) -> None:
    """By friction and push, against differences of runs that are closer than kinks: tanh has none."""
    force = f"-mu*tanh({V}/1e-3) + push*sin(3*t)"
    at = {"mu": 2.0, "push": 5.0}
    how = 2.0, 1e-2, "rA", "generalized-alpha"
    found = lw.sensitivities(block(force, **at), *how, of="final(block.position.x)", to=["mu", "push"], mode=mode)
    for name, value in at.items():
        ends = [lw.simulate(block(force, **at | {name: value + h}), *how) for h in (1e-5, -1e-5)]
        difference = (ends[0].position("block")[-1][0] - ends[1].position("block")[-1][0]) / 2e-5
        assert abs(float(found["final(block.position.x)", name]) - difference) < 1e-5 * abs(difference)


def test_functions_of_formulas_in_reverse() -> None:
    mech = block(f"-k*({FUNCTIONS}) - 2*{X}", k=0.3)
    how = 1.0, 1e-2, "canonical", "rk4"
    of, to = "final(block.position.x)", ["k", "block.mass"]
    along, back = (lw.sensitivities(mech, *how, of=of, to=to, mode=mode) for mode in ("tangent", "adjoint"))
    for name in to:
        expected = float(along[of, name])
        assert abs(float(back[of, name]) - expected) < 1e-12 * abs(expected)


def test_slopes_of_tanh() -> None:
    """As 1/cosh^2 in its digits, and without overflow far out, its own slope by a complex step included."""
    for u in (-300.0, -40.0, -3.0, -1e-3, 0.0, 0.2, 5.0, 17.0, 300.0):
        _, slope, second = jet_tanh((u, 1.0, 0.0))
        assert math.isclose(slope, math.cosh(u) ** -2, rel_tol=1e-14)
        assert math.isclose(second, -2.0 * math.tanh(u) * math.cosh(u) ** -2, rel_tol=1e-14)
        moved = jet_tanh((complex(u, 1e-30), 1.0, 0.0))[1]
        assert math.isclose(moved.imag / 1e-30, second, rel_tol=1e-13)
    assert jet_tanh((complex(1e4, 1e-30), 1.0, 0.0))[1] == 0.0


@pytest.mark.parametrize("force", [f"-2*sign({V})", f"if({X} + {V}/2 > 0.3, -10, 10)"])
def test_formulas_that_jump_are_named_where_no_step_has_a_solution(force: str) -> None:
    with pytest.raises(
        lw.errors.ConvergenceError, match=r"formula of .*force.* jumps with the state.*Round it off"
    ) as raised:
        lw.simulate(block(f"{force} + 0.1*cos(3*t)"), 2.0, 1.3e-3, "rA", "generalized-alpha")
    assert len(raised.value.result.time) > 10


@pytest.mark.parametrize(
    ("formulation", "integrator", "step", "doubted"),
    [
        ("lie-mixed", "rk4", 1e-3, True),
        ("canonical", "dop853", 1e-3, True),
        ("augmented", "heun", 1e-2, True),
        ("lie-mixed", "rk4", 2e-5, False),
        ("rA", "generalized-alpha", 1e-2, False),
        ("rp", "implicit-euler", 1e-4, False),
    ],
)
def test_explicit_steps_wider_than_friction_decays_in_are_doubted(
    formulation: str, integrator: str, step: float, doubted: bool
) -> None:
    """Where the block sticks, their velocities do not follow their accelerations; energies balance nevertheless."""
    run = lw.simulate(block(STUCK), 4.0, step, formulation, integrator, limits={"energy": 1.0})
    found = [verdict for verdict in run.verdicts if verdict.kind == "defect"]
    assert bool(found) == doubted
    for verdict in found:
        assert "'block'" in verdict.text
        assert verdict.value > 0.5
        assert run.success


@pytest.mark.parametrize("every", [1, 10])
@pytest.mark.parametrize("radius", [0.01, 0.3])
def test_of_several_bodies_the_one_that_does_not_follow_is_named(radius: float, every: int) -> None:
    """Beside a crank of 36 m/s^2, and of 1080 m/s^2."""
    run = lw.simulate(crank_and_block(STUCK, radius), 4.0, 1e-3, "lie-mixed", "rk4", every=every)
    (verdict,) = run.verdicts
    assert verdict.kind == "defect"
    assert "body 'block'" in verdict.text


def test_defects_are_those_of_steps_in_a_row() -> None:
    """A blow within a step, and one that takes two, are none; a zigzag is, and so is a body that goes on where its
    accelerations say that it stops. What is small beside the largest change of the body, or of any, does not matter."""
    n = 120
    time = 1e-2 * np.arange(n)

    def of(v: np.ndarray, a: np.ndarray, of_another: float = 0.0) -> float:
        speeds, rates = np.zeros((n, 12)), np.zeros((n, 12))
        speeds[:, 0], rates[:, 0] = v, a
        speeds[:, 4], rates[:, 4] = of_another * time, of_another
        found = largest_defect(time, speeds, rates, 1.0)
        return 0.0 if found is None else found.fraction

    fall = 9.81 * time
    steady = np.full(n, 9.81)
    assert of(fall, steady) < 1e-12
    assert of(np.sin(30 * time), 30 * np.cos(30 * time)) < 0.01
    assert of(np.where(time > 0.3, -fall, fall), np.where(time > 0.3, -steady, steady)) < 0.01
    late = (time > 0.3).astype(float)
    assert of(np.zeros(n), late * steady) == pytest.approx(1.0)
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)
    assert of(late * 0.05 * sign, -late * steady * sign) == pytest.approx(0.1 / 0.0981, rel=1e-3)
    assert of(np.zeros(n), late * steady, 9e3) == pytest.approx(1.0)
    assert of(np.zeros(n), late * steady, 1.1e4) < 1e-12
    slow = np.where(time < 0.3, 1.0, 0.0)
    for largest, missing in (90.0, 1.0), (110.0, 0.0):  # of the body's own; 1 m/s^2 that velocities do not show
        found = of(largest * np.minimum(time - 0.3, 0.0), largest * slow + (1.0 - slow))
        assert found == pytest.approx(missing)
    assert largest_defect(time[:36], np.zeros((36, 6)), np.zeros((36, 6)), 1.0) is None
    assert largest_defect(time, np.zeros((n, 0)), np.zeros((n, 0)), 1.0) is None


@pytest.mark.parametrize(
    "law", ["2*atan({v}/1e-5)/asin(1)", "2*{v}/(abs({v}) + 1e-5)", "2*sign({v})", "2*max(-1, min(1, {v}/1e-4))"]
)
@pytest.mark.parametrize(
    ("formulation", "integrator"), [("canonical", "rk4"), ("lie-mixed", "bs32"), ("canonical", "euler")]
)
def test_friction_of_any_law_that_steps_do_not_follow(law: str, formulation: str, integrator: str) -> None:
    """Held by a spring as well: chatter that goes well for four steps and leaps back in two, too."""
    friction = law.format(v=V)
    mech = block(f"-({friction}) - 8*(position('block', 'x') - 0.4)")
    run = lw.simulate(mech, 2.0, 1e-3, formulation, integrator, limits={"energy": math.inf})
    assert "defect" in [verdict.kind for verdict in run.verdicts]


def test_the_limit_of_defects_can_be_set() -> None:
    run = lw.simulate(block(STUCK), 4.0, 1e-3, "lie-mixed", "rk4", limits={"defect": math.inf})
    assert not run.verdicts
    assert run.info["limits"] == {"defect": math.inf}
