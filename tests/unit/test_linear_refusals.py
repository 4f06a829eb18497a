"""What linear models, modes and their responses refuse, and in what words: states, names, arguments, poles, kinks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.test_linearise import pendulum

import linkwork as lw
from linkwork.errors import AssemblyError, SingularPositionError, UsageError


def test_what_is_refused_is_named() -> None:
    mech = pendulum()
    with pytest.raises(UsageError, match=r"input 'elbo' does not exist"):
        lw.linearise(mech, inputs=["elbo"])
    with pytest.raises(UsageError, match=r"output 'elbow.angel' does not exist: joint 'elbow' has elbow.angle"):
        lw.linearise(mech, outputs=["elbow.angel"])
    with pytest.raises(UsageError, match=r"output 'elbow.displacement' does not exist: joint 'elbow' has elbow.angle"):
        lw.linearise(mech, outputs=["elbow.displacement"])
    start = lw.State.start(mech)
    apart = lw.State(
        start.position + np.array([[0, 0, 0], [0.1, 0, 0]]), start.rotation, start.velocity, start.angular_velocity
    )
    with pytest.raises(AssemblyError, match="row 'elbow"):
        lw.linearise(mech, apart)
    aside = lw.forward_kinematics(mech, {"shoulder.angle": 0.3})
    with pytest.raises(UsageError, match="the state is no equilibrium"):
        lw.modes(mech, aside)
    with pytest.raises(UsageError, match="no steady one"):
        lw.modes(mech, aside, turning=(0, 0, 1))
    with pytest.raises(UsageError, match="count must be a whole number, at least 1"):
        lw.modes(mech, count=0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda mech: lw.linearise(mech, "here"), "a State, an equilibrium or a steady motion is wanted, not str"),
        (lambda mech: lw.modes(mech, count=1.5), "count must be a whole number, at least 1, not 1.5"),
        (lambda mech: lw.equilibrium(mech, t="now"), "the time must be a finite number of seconds, not 'now'"),
        (lambda mech: lw.equilibria(mech, most=0), "most must be a whole number, at least 1, not 0"),
        (lambda mech: lw.branch(lambda x: mech, (0.0, 1.0), most=0), "most must be a whole number, at least 1, not 0"),
        (lambda mech: lw.branch(lambda x: mech, ("a", 1.0)), "values must be two different finite numbers"),
        (lambda mech: lw.steady_motion(mech, turning="z"), "turning must be three finite numbers, rad/s, not 'z'"),
        (lambda mech: lw.floquet(mech, 1.0, accuracy=0), "accuracy must be a positive number, not 0"),
        (lambda mech: lw.branch(3, (0.0, 1.0)), "family must be a function from a number to a mechanism, not int"),
        (lambda mech: lw.branch(lambda x: mech, (0.0, 1.0), step="a"), "step must be a number, not 'a'"),
        (lambda mech: lw.linearise(mech, inputs=None), "inputs must be a list of names, not None"),
        (lambda mech: lw.linearise(mech, outputs=[1.5]), "outputs must be a list of names; 1.5 is none"),
        (lambda mech: lw.linearise(mech, turning="z"), "turning must be three finite numbers, rad/s, not 'z'"),
        (lambda mech: lw.linearise(mech).response(["a"]), "frequencies must be a list of finite numbers"),
        (lambda mech: lw.linearise(mech).plot([1.0]), "has no outputs: there is no response to draw"),
        (lambda mech: seen(mech).plot([]), "drawn over positive frequencies, rad/s, at least one"),
        (lambda mech: seen(mech).plot([0.0, 1.0]), "drawn over positive frequencies"),
        (lambda mech: seen(mech).plot([1.0], input=1), "there are 1 inputs, counted from 0, no input 1"),
        (lambda mech: lw.modes(mech).motion(1.5), "mode must be a whole number, at least 0, not 1.5"),
        (lambda mech: lw.equilibrium(mech).sensitivity(3), "name of a number is wanted, such as 'BODY.mass', not 3"),
        (lambda mech: lw.steady_motion(mech, turning=(0, 0, 1), keep=3), "keep must be a list of names, not 3"),
        (lambda mech: lw.floquet(mech, "long"), "the period must be a number of seconds, not 'long'"),
        (lambda mech: lw.equilibrium(mech, stable="no"), "stable must be true or false, not 'no'"),
        (lambda mech: lw.equilibrium(mech, t=True), "the time must be a finite number of seconds, not True"),
        (lambda mech: lw.equilibrium(mech, t=""), "the time must be a finite number of seconds, not ''"),
        (lambda mech: lw.branch(lambda x: mech, ("0", "1")), "values must be two different finite numbers"),
        (lambda mech: lw.linearise(mech, inputs={"a": 1}), "inputs must be a list of names, not the mapping"),
        (lambda mech: lw.linearise(mech, turning=["0", "0", "1"]), "turning must be three finite numbers"),
        (lambda mech: lw.linearise(mech, turning=[0, 0, True]), "turning must be three finite numbers"),
        (lambda mech: lw.linearise(mech).response([True]), "frequencies must be a list of finite numbers"),
        (lambda mech: lw.linearise(mech, lw.modes(mech)), "or a steady motion is wanted, not Modes"),
    ],
)
def test_arguments_of_no_sense_are_refused_in_words(call: Any, words: str) -> None:
    """They ended in TypeError and ValueError, or were taken without a word."""
    with pytest.raises(UsageError, match=words):
        call(pendulum())


def seen(mech: lw.Mechanism) -> lw.LinearModel:
    """One input, one output, each by its name alone."""
    body = mech.bodies[0].name
    return lw.linearise(mech, lw.equilibrium(mech), inputs=f"{body}.force.x", outputs=f"{body}.position.x")


def test_a_response_at_an_eigenvalue_is_refused() -> None:
    mech = lw.Mechanism("free", gravity=(0, 0, 0))
    mech.body("block", mass=1.0, inertia=[1, 1, 1])
    with pytest.raises(SingularPositionError, match="the response is infinite there"):
        seen(mech).response([0.0])


def test_a_response_at_a_pole_that_no_number_meets_is_infinite_too() -> None:
    """Rounding alone keeps the matrix from being singular there: 4e11 was given as the response."""
    mech = lw.load("kissel2021_double_pendulum")
    rest = lw.equilibrium(mech)
    model = lw.linearise(mech, rest, inputs=["bar 1.torque.x"], outputs=["elbow.angle"])
    for pole in 2 * np.pi * lw.modes(mech, rest).frequencies:
        with pytest.raises(SingularPositionError, match=f"{pole:.6g} rad/s is the frequency of an undamped mode"):
            model.response([1.0, pole])
        beside = np.abs(model.response([pole * (1 + 1e-9), pole * (1 - 1e-9)]).ravel())
        assert beside[0] == pytest.approx(beside[1], rel=1e-4)


def on_a_rail(formula: str) -> lw.Mechanism:
    """A block on a rail along x, pushed by a formula."""
    mech = lw.Mechanism("stop", gravity=(0, 0, 0))
    mech.table("law", x=[-1, 0, 1], y=[-1, 0, 5], between="linear")
    mech.table("soft", x=[-1, 0, 1], y=[-1, 0, 5], between="pchip")
    mech.body("block", mass=2.0, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="block", components=[formula, 0, 0])
    return mech


X, V = "displacement('rail')", "rate('rail')"


KINKS = (
    f"abs({X})", f"-max(0, {X})", f"-sign({V})", f"if({X} < 0, 0, -5*{X})", f"-table('law', {X})", f"-{V}*(2+sign({X}))"
)  # fmt: skip


SLOPES = (
    (f"-{V}*abs({V})", 0), (f"-max(0, {X})^2", 0), (f"-3*{X} - abs({X} - 1e-4)", 2), (f"-table('soft', {X})", None)
)  # fmt: skip


@pytest.mark.parametrize("formula", KINKS)
def test_a_formula_with_a_kink_at_the_state_is_named(formula: str) -> None:
    for ask in (lw.linearise, lw.modes):
        with pytest.raises(UsageError, match=r"force 'push'.*has a kink or a jump"):
            ask(on_a_rail(formula))


@pytest.mark.parametrize(("formula", "stiffness"), SLOPES)
def test_a_formula_with_a_slope_at_the_state_is_not(formula: str, stiffness: float | None) -> None:
    found = lw.linearise(on_a_rail(formula)).A[1, 0]
    unit = lw.linearise(on_a_rail(f"-{X}")).A[1, 0] / -1.0
    assert stiffness is None or abs(found + stiffness * unit) < 1e-12
