"""A mechanism as a Gymnasium environment: Gymnasium's own checker, seeds, ends of episodes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ControllerError, UsageError

gymnasium = pytest.importorskip("gymnasium", reason="the extra gym is not installed")

NAMES = ("rail.displacement", "hinge.angle", "rail.displacement_rate", "hinge.angle_rate")


def environment(**changes: object):
    from linkwork.stepping.environment import Environment

    mech = lw.Mechanism("cart and pole")
    mech.body("cart", mass=1.0, inertia=[0.01, 0.01, 0.01])
    mech.body("pole", mass=0.1, inertia=[0.01, 0.01, 0.0001], position=[0.0, 0.0, 0.5])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.joint("hinge", "revolute", "cart", "pole", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("motor", "force", body="cart", components=[0.0, 0.0, 0.0])
    how = {
        "actions": {"motor.x": (-10.0, 10.0)},
        "observations": NAMES,
        "period": 0.02,
        "ended": lambda y: abs(y["hinge.angle"]) > 0.2 or abs(y["rail.displacement"]) > 2.4,
        "start": lambda rng: {"hinge": rng.uniform(-0.05, 0.05)},
    }
    return Environment(mech, 0.005, **(how | changes))


def test_gymnasiums_own_checker_has_nothing_to_say() -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*observation space m.*imum value is.*infinity.*")
        warnings.filterwarnings("ignore", message=".*symmetric and normalized space.*")  # forces are in N
        check_env(environment(), skip_render_check=True)


def test_episodes_repeat_with_their_seed_and_end_when_the_pole_falls() -> None:
    env = environment()
    seen = []
    for _ in range(2):
        first, _ = env.reset(seed=7)
        steps, over = [first], False
        while not over:
            found, reward, over, cut, info = env.step(np.array([1.0]))
            steps.append(found)
            assert (reward, cut) == (1.0, False)
        seen.append(np.array(steps))
        assert abs(found[1]) > 0.2
        assert info["time"] == pytest.approx(0.02 * (len(steps) - 1))
    assert np.array_equal(*seen)
    assert not np.array_equal(env.reset(seed=8)[0], seen[0][0])
    assert env.reset(options={"state": {"hinge": 0.1}})[0][1] == pytest.approx(0.1)


def test_a_linear_law_keeps_the_pole_up() -> None:
    env = environment(reward=lambda y, u: -abs(y["hinge.angle"]))
    seen, _ = env.reset(seed=1)
    total = 0.0
    for _ in range(250):
        u = np.array([0.91, 30.7, 2.1, 8.0]) @ seen
        seen, reward, over, _, _ = env.step(np.array([u]))
        total += reward
        assert not over
    assert -5.0 < total < 0.0


def test_what_does_not_exist_is_refused() -> None:
    for wrong in ({"actions": {"motor": (0, 1)}}, {"observations": ("hinge",)}, {"period": 0.007}):
        with pytest.raises(UsageError):
            environment(**wrong)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"actions": {"motor.x": (10, -10)}}, "input 'motor.x' has the limits"),
        ({"actions": {"motor.x": (float("nan"), 1)}}, "input 'motor.x' has the limits"),
        ({"actions": {"motor.x": 5}}, "input 'motor.x' has the limits 5"),
        ({"actions": [("motor.x", 1)]}, "a mapping of inputs to limits"),
        ({"observations": "hinge.angle"}, r"several names\. Say observations=\('hinge.angle',\)"),
        ({"observations": (3,)}, "by its name, not by 3"),
    ],
)
def test_what_makes_no_environment_is_refused_by_name(changes: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        environment(**changes)


@pytest.mark.parametrize("action", [[np.nan], [1.0, 2.0], "x", None, [[1.0]]])
def test_actions_are_one_number_for_each_input(action: object) -> None:
    env = environment()
    env.reset(seed=0)
    with pytest.raises(UsageError, match=r"an action is 1 numbers for \('motor.x',\)"):
        env.step(action)


@pytest.mark.parametrize("reward", [float("nan"), "x", None])
def test_rewards_are_numbers(reward: object) -> None:
    env = environment(reward=lambda y, a: reward)
    env.reset(seed=0)
    with pytest.raises(UsageError, match="a reward must be a finite number"):
        env.step([0.0])


def test_joints_that_come_apart_end_the_episode() -> None:
    """A four-bar at large steps of a method of low order: a policy would learn what no mechanism does."""
    from linkwork.stepping.environment import Environment

    loop = lw.load("planar_four_bar").to_dict() | {"drivers": []}
    mech = lw.Mechanism.from_dict(loop)
    body = mech.bodies[0].name
    mech.force("push", "force", body=body, components=[0, 0, 0])
    env = Environment(
        mech, 5e-3, "lie-mixed", "euler", actions={"push.x": (-1, 1)}, observations=(f"{mech.joints[0].name}.angle",)
    )
    env.reset()
    for _ in range(400):
        *_, over, _, info = env.step(np.array([0.0]))
        if over:
            break
    assert over
    assert "apart" in info["error"], info


def test_an_observation_without_a_value_ends_the_episode() -> None:
    mech = environment().simulator.mechanism
    mech.sensor("root", "sqrt(0.03 - t)")
    from linkwork.stepping.environment import Environment

    env = Environment(
        mech, 0.005, actions={"motor.x": (-1, 1)}, observations=("root",), period=0.02, reward=lambda y, a: y["root"]
    )
    _, info = env.reset(seed=0)
    assert "error" not in info
    _, gained, over, _, _ = env.step([0.0])
    assert gained == pytest.approx(0.1)
    assert not over
    _, gained, over, _, info = env.step([0.0])
    assert over
    assert gained == 0.0
    assert info["error"] == "observation root has no finite value at t = 0.04 s."


def no_root(*_: object) -> bool:
    raise ArithmeticError("no root")


@pytest.mark.parametrize(
    ("changes", "steps", "said"),
    [
        ({"reward": no_root}, 1, r"^t = 0\.02 s: reward raised ArithmeticError: no root\. \[LW-CONTROL\]"),
        (
            {"reward": lambda y, u: y["hinge.angel"]},
            1,
            r"reward raised KeyError: 'hinge.angel'; did you mean 'hinge.angle'\?",
        ),
        ({"reward": lambda y: 1.0}, 1, r"reward raised TypeError: .*takes 1 positional argument but 2 were given"),
        ({"ended": lambda y: y["rail.displacement"] > 1e-5 and no_root()}, 2, r"^t = 0\.04 s: ended raised Arith"),
        ({"ended": lambda y: np.ones(2)}, 1, r"ended raised ValueError: The truth value of an array"),
        ({"start": no_root}, 0, r"^at the start of an episode: start raised ArithmeticError"),
        ({"start": lambda rng: lw.load("cart_pool")}, 0, r"start failed: .*cart_pool.*cart_pole"),
    ],
)
def test_a_function_that_raises_is_named_with_the_time(changes: dict[str, object], steps: int, said: str) -> None:
    env = environment(**({"start": None} | changes))

    def episode() -> None:
        env.reset(seed=0)
        for k in range(steps):
            env.step([0.0 if k == 0 else 5.0])

    with pytest.raises(ControllerError, match=said) as caught:
        episode()
    assert env.simulator.time == pytest.approx(0.02 * steps)
    assert isinstance(caught.value.__cause__, Exception)
