"""A mechanism as a Gymnasium environment: actions are inputs, observations outputs of a simulator (extra ``gym``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import duration
from linkwork.errors import ControllerError, ConvergenceError, LinkworkError, UsageError
from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import did_you_mean, sentence
from linkwork.stepping.simulator import Simulator
from linkwork.verdict import WRONG

Observation = NDArray[np.float64]
Outputs = Mapping[str, float]
LOOK = 100  # periods between two looks at whether joints are still together


class Environment(gymnasium.Env[Observation, Observation]):
    """An environment for reinforcement learning.

    Parameters
    ----------
    mech, step, formulation, integrator, **options : of the simulator; rk4 on articulated bodies is quick.
    actions : input -> least and greatest value. observations : names of outputs.
    period : s between actions, a whole number of steps; one step if left out.
    reward : of the observation by name and the action; 1 for every period if left out.
    ended : whether an episode is over, of the observation by name. start : makes the coordinates to start from, as
        `linkwork.simulate` takes them, with a random generator; the described start if left out.

    A step that cannot be taken, an observation without a value, and joints that have come apart (looked at every
    hundred periods) end the episode: info's ``error`` tells. Raises UsageError for names that do not exist, limits in
    the wrong order, and actions and rewards that are no numbers;
    ControllerError with the function and the time where reward, ended or start raises, which is its ``__cause__``.
    """

    def __init__(
        self,
        mech: Mechanism,
        step: float | None = None,
        formulation: str | Formulation = "articulated-body",
        integrator: str | Integrator[Any] | None = "rk4",
        *,
        actions: Mapping[str, tuple[float, float]],
        observations: Sequence[str],
        period: float | None = None,
        reward: Callable[[Outputs, Observation], float] | None = None,
        ended: Callable[[Outputs], bool] | None = None,
        start: Callable[[np.random.Generator], Mapping[str, Any]] | None = None,
        **options: Any,
    ) -> None:
        self.simulator = sim = Simulator(mech, step, formulation, integrator, **options)
        if isinstance(observations, str):  # which is a sequence of letters
            raise UsageError("observations are several names.", remedy=f"Say observations=({observations!r},).")
        self.names, self.inputs = tuple(observations), tuple(actions)
        self._limits = limits = _limits_of(actions)
        self._read()  # names that do not exist say so here
        for name in actions:
            sim.inputs[name] = sim.inputs[name]
        steps = 1.0 if period is None else duration("period", period) / sim.step_size
        self.steps = round(steps)
        if abs(steps - self.steps) > 1e-6 or self.steps < 1:
            raise UsageError(f"period = {period:g} s is no whole number of steps of {sim.step_size:g} s.")
        self.reward, self.ended, self.start, self.periods = reward, ended, start, 0
        self.action_space = gymnasium.spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float64)
        everywhere = np.full(len(self.names), np.inf)
        self.observation_space = gymnasium.spaces.Box(-everywhere, everywhere, dtype=np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The start of an episode. options : ``{"state": ...}``, a state to start from instead."""
        super().reset(seed=seed)
        state = (options or {}).get("state")
        if state is None and self.start is not None:
            state = self._asked("start", "at the start of an episode", self.start, self.np_random)
        self.simulator.reset(state)
        self.periods = 0
        seen = self._read()
        return seen, {"time": self.simulator.time, **self._without_value(seen)}

    def step(self, action: Observation) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One period with this action. Tells whether the episode ended, and was cut off (never here)."""
        given = np.clip(self._action(action), *self._limits.T)
        self.simulator.inputs.update(dict(zip(self.inputs, given.tolist(), strict=True)))
        info: dict[str, Any] = {}
        try:
            for _ in range(self.steps):
                self.simulator.step()
        except ConvergenceError as error:
            info["error"] = str(error)
        seen = self._read()
        info |= self._without_value(seen)
        self.periods += 1
        if self.periods % LOOK == 0 and not info:
            info |= self._wrong()
        named = dict(zip(self.names, seen.tolist(), strict=True))
        now, gained, over = f"t = {self.simulator.time:.6g} s", 1.0, "error" in info
        if self.reward is not None:
            gained = self._gained(self._asked("reward", now, self.reward, named, given), now, ended=over)
        if (ended := self.ended) is not None and not over:
            over = self._asked("ended", now, lambda seen: bool(ended(seen)), named)
        return seen, gained, over, False, {"time": self.simulator.time, **info}

    def _wrong(self) -> dict[str, str]:
        """That joints have come apart, as `info` tells it: a policy would learn what no mechanism does."""
        found = [str(one) for one in self.simulator.verdicts if one.severity == WRONG]
        return {"error": found[0]} if found else {}

    def _asked(self, name: str, when: str, function: Callable[..., Any], *given: Any) -> Any:
        """What a function of the user's says; raises ControllerError with its name and the time for what it raises."""
        try:
            return function(*given)
        except LinkworkError as error:
            raise ControllerError(f"{when}: {name} failed: {error.message}", remedy=error.remedy) from error
        except Exception as error:  # whatever a user's function raises
            near = did_you_mean(error.args[0], self.names) if isinstance(error, KeyError) and error.args else ""
            what = sentence(str(error).rstrip(".") + (near if near.endswith("?") else ""))
            raise ControllerError(f"{when}: {name} raised {type(error).__name__}: {what}") from error

    def _gained(self, reward: Any, now: str, *, ended: bool) -> float:
        """A reward as a number; none for a period that ended without one."""
        try:
            gained = float(reward)
        except (TypeError, ValueError):
            gained = np.nan
        if not np.isfinite(gained) and not ended:
            raise UsageError(f"{now}: a reward must be a finite number, not {reward!r}.")
        return gained if np.isfinite(gained) else 0.0

    def _action(self, action: Any) -> Observation:
        """An action as numbers, one for each input."""
        try:
            given = np.asarray(action, dtype=float)
        except (TypeError, ValueError):
            given = np.array([np.nan])
        if given.shape not in ((), (len(self.inputs),)) or np.isnan(given).any():
            raise UsageError(f"an action is {len(self.inputs)} numbers for {self.inputs}, not {action!r}.")
        return given

    def _without_value(self, seen: Observation) -> dict[str, str]:
        """Which observation has no value, as `info` tells it."""
        if np.isfinite(seen).all():
            return {}
        lost = [name for name, value in zip(self.names, seen.tolist(), strict=True) if not np.isfinite(value)]
        return {"error": f"observation {', '.join(lost)} has no finite value at t = {self.simulator.time:.6g} s."}

    def _read(self) -> Observation:
        return np.array([self.simulator.outputs[name] for name in self.names], dtype=np.float64)


def _limits_of(actions: Mapping[str, Any]) -> Observation:
    """Least and greatest value of each input, (n, 2). Raises UsageError naming one that has none."""
    if not isinstance(actions, Mapping):
        raise UsageError("actions are a mapping of inputs to limits.", remedy='As in {"motor": (-10, 10)}.')
    found = np.zeros((len(actions), 2))
    for k, (name, pair) in enumerate(actions.items()):
        try:
            found[k] = [float(x) for x in pair] if not isinstance(pair, str) and len(pair) == 2 else np.nan
        except (TypeError, ValueError):
            found[k] = np.nan
        least, most = found[k].tolist()
        if not least <= most:
            raise UsageError(f"input {name!r} has the limits {pair!r}: its least and its greatest value are wanted.")
    return found
