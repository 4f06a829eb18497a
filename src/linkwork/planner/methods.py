"""A formulation and an integrator that can be made more and more accurate: by its tolerance, or by its step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.problems.shapes import EXPLICIT

LOOSEST, TIGHTEST = 1e-2, 1e-13  # rtol
ATOL = 1e-3  # of rtol: errors are measured against sizes that are never zero, atol only keeps rest from dividing by it
LEAST_ATOL = 1e-14  # of lengths and radians: rounding of a start at rest under preload is no error to be resolved
RATIO, HALVES = 10.0, 2.0  # of two tolerances that are compared, and of two steps
FIRST, POWER = 0.1, 0.9  # rtol of the first run: FIRST accuracy^POWER, which a third of the runs is loosened from
UNDRIVEN = 0.03  # instead of FIRST, of explicit methods where no driver holds errors of speed from adding up
LIMITED = {5: 1.0}  # instead of FIRST, where stability limits the steps: the cam's errors are a tenth of rtol then
FEW_RADIANS, MANY_RADIANS = 20.0, 400.0  # of a motion, up to which that holds; and beyond which a pair is to tell
MOST_STEPS = 4_000_000  # within one run with steps of one size
LEAST_STEPS = 20  # over a span: forces that act for a shorter time than a step of an adaptive method are not seen
FEWEST_STEPS = 2  # likewise, of runs looser than the first one, whose error is known from that one


@dataclass(frozen=True)
class Method:
    """A pair, with the options that stay, and how its error follows from its setting: error ~ setting^order.

    A setting is rtol, or for steps of one size the step [s].
    """

    formulation: Formulation
    integrator: Integrator[Any]

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.formulation.name} with {self.integrator.name}"

    @cached_property
    def controlled(self) -> bool:
        """Whether it finds its own steps."""
        return "rtol" in self.integrator.options

    @property
    def explicit(self) -> bool:
        """Whether its steps are limited by stability."""
        return self.integrator.shape == EXPLICIT

    @cached_property
    def integration_order(self) -> int:
        """Of the integrator."""
        return int(self.integrator.describe()["order"])

    @property
    def order(self) -> float:
        """The error falls like setting^order."""
        return self.integrator.tolerance_exponent if self.controlled else float(self.integration_order)

    @property
    def finer(self) -> float:
        """By how much a setting is divided for the run that the last is compared with."""
        return RATIO if self.controlled else HALVES

    def remaining(self, seen: float | None = None) -> float:
        """What should be left of an error at the finer setting, as a share. seen : the order that was observed, which
        counts where it is lower than the method's, down to half of it."""
        order = self.order if seen is None else min(self.order, max(seen, 0.5 * self.order))
        return float(self.finer**-order)

    def first(self, accuracy: float, interval: float, radians: float = 0.0, *, limited: bool = False) -> float:
        """The setting to begin with, for a relative accuracy. interval : between samples [s]. radians : of an undriven
        motion over the span, as at its start: an error of speed that has grown evenly is one of phase that grew with
        the square; 0 of a driven motion. limited : by stability, so that errors are smaller than a tolerance says."""
        if not self.controlled:
            return interval
        if limited:
            share, grown = LIMITED.get(self.integration_order, FIRST), 1.0
        else:
            share = UNDRIVEN if radians and self.explicit else FIRST
            grown = max(1.0, min(radians, MANY_RADIANS) / FEW_RADIANS) ** 2
        return float(min(LOOSEST, max(share * accuracy**POWER / grown, TIGHTEST * self.finer)))

    def options(
        self, setting: float, span: float, interval: float, every: int, first: float, longest: float = math.inf
    ) -> tuple[float, int, Mapping[str, Any]]:
        """Step [s], how many steps to a sample, and options of a run that records each `every * interval`.

        first : the setting that runs began with, with which the largest step falls and grows, too, lest two runs whose
            steps tolerances do not limit be the same. longest : of all steps [s].
        """
        has = self.integrator.options
        given: dict[str, Any] = {}
        if "stabilisation" in has and not self.said("stabilisation", "baumgarte", "project_every"):
            given["stabilisation"] = "projection"
        if self.controlled:
            rtol = min(setting, max(first, 10.0 * LOOSEST))
            given["rtol"], given["atol"] = rtol, max(ATOL * rtol, LEAST_ATOL)
            if "max_step" in has and not self.said("max_step"):
                share = min(LEAST_STEPS / FEWEST_STEPS, (setting / first) ** (1.0 / self.integration_order))
                given["max_step"] = min(share * span / LEAST_STEPS, longest)
            return interval, every, given
        parts = max(1, round(interval / setting), math.ceil(interval / longest))
        return interval / parts, every * parts, given

    @property
    def times(self) -> tuple[float, ...] | None:
        """Of samples, from the start on [s], where they are chosen (t_eval)."""
        found: tuple[float, ...] | None = getattr(self.integrator, "t_eval", None)
        return found

    def with_times(self, count: int) -> Method:
        """The same with so many times of samples, evenly from the first to the last chosen; itself where none are."""
        if self.times is None:
            return self
        more = tuple(np.linspace(min(self.times), max(self.times), count).tolist())
        return Method(self.formulation, self.integrator.with_options(t_eval=more))

    def end(self, began: float, t_end: float) -> float:
        """The time of the last sample of a run [s]."""
        return t_end if self.times is None else began + max(self.times)

    def loosest(self, first: float) -> float:
        """The setting beyond which no run is looser. first : as of `options`."""
        if not self.controlled:
            return first
        return float(first * (LEAST_STEPS / FEWEST_STEPS) ** self.integration_order)

    def said(self, *names: str) -> bool:
        """Whether one of these options was given."""
        return not self._given.isdisjoint(names)

    @cached_property
    def _given(self) -> frozenset[str]:
        return frozenset(self.integrator.given())

    def exhausted(self, setting: float, span: float) -> bool:
        """Whether a setting is finer than makes sense."""
        return setting < 0.999 * TIGHTEST if self.controlled else span / setting > MOST_STEPS

    @property
    def stages(self) -> int:
        """Evaluations of the slope that a step takes, of explicit methods."""
        tableau = getattr(self.integrator, "tableau", None)
        return 1 if tableau is None else int(tableau.stages)

    @property
    def stages_of_samples(self) -> int:
        """Further evaluations that samples within a step take together, of explicit methods."""
        tableau = getattr(self.integrator, "tableau", None)
        return 0 if tableau is None else int(tableau.extra_stages)

    def steps_at(self, accuracy: float) -> float:
        """How many steps a relative accuracy takes, next to other pairs: accuracy^(-1/order)."""
        return float(max(accuracy, 1e-12) ** (-1.0 / max(self.integration_order, 1)))
