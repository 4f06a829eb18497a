"""RATTLE and SHAKE on groups, and symmetric compositions of RATTLE: for long conservative runs on constraints.

One step is that of a discrete Lagrangian (`equations.index_1.momenta`): symplectic, symmetric, of order two, with
constraints met at position and velocity level by multipliers at both ends of the step [Andersen 1983; Leimkuhler, Reich
1994; Hairer, Lubich, Wanner 2006, VII.1]. Compositions take steps of gamma_1 h, ..., gamma_s h, some of them backwards
[Hairer, Lubich, Wanner 2006, II.4 and V.3].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.integrators.contract import Integrator
from linkwork.options import Option
from linkwork.problems.shapes import MOMENTA

if TYPE_CHECKING:
    from linkwork.integrators.rattle_run import RattleRun
    from linkwork.problems.explicit import ExplicitProblem

    MomentumIntegrator = Integrator[ExplicitProblem]
else:
    MomentumIntegrator = Integrator

ROOT = 4.0 ** (1.0 / 3.0)
SUZUKI_4 = (1.0 / (4.0 - ROOT), 1.0 / (4.0 - ROOT), -ROOT / (4.0 - ROOT))  # the first half and the middle of five
KAHAN_LI_6 = (  # likewise of nine, by Kahan and Li 1997 [Hairer, Lubich, Wanner 2006, V.3.2]
    0.39216144400731413927925056,
    0.33259913678935943859974864,
    -0.70624617255763935980996482,
    0.08221359629355080023149045,
    0.79854399093482996339895035,
)


def palindrome(half: tuple[float, ...]) -> tuple[float, ...]:
    """The shares of a symmetric composition from its first half, the middle one last."""
    return (*half, *half[-2::-1])


@dataclass(frozen=True, kw_only=True, repr=False)
class Rattle(MomentumIntegrator):
    """RATTLE: positions and momenta on the constraints at the end of every step."""

    name: str = "rattle"
    order: int = 2
    summary: str = (
        "RATTLE on groups: symplectic, symmetric, second order, fixed step, on the constraints at both levels"
    )
    shape: str = MOMENTA
    tolerance: Annotated[
        float,
        Option(
            "how well the equations of a step are met, in parts of a radian and of the mechanism's length", above=0.0
        ),
    ] = 1e-15
    max_iterations: Annotated[int, Option("of the equations of a step", least=1)] = 50

    def shares(self) -> tuple[float, ...]:
        """The steps that one is made of, as shares of it."""
        return (1.0,)

    def projected(self) -> bool:
        """Whether momenta are taken to the velocity equation after every step, and not for samples alone."""
        return True

    def new_run(self, problem: ExplicitProblem, *, step: float, t_end: float, every: int = 1) -> RattleRun:
        """A run from the problem's present state.

        Raises UnsupportedElementError for constraints of velocity level; UsageError for SHAKE with forces that depend
        on velocities.
        """
        from linkwork.integrators.rattle_run import RattleRun, depends_on_velocities, velocity_rows

        if problem.in_momenta is None:
            raise UnsupportedElementError(
                f"{self.name} asks for momenta, which this problem does not have.",
                remedy="Take generalized-alpha, or an explicit method.",
            )
        names = velocity_rows(problem)
        if names:
            raise UnsupportedElementError(
                f"{self.name} takes constraints on positions, and row '{names[0]}' is one on velocities.",
                remedy="Take implicit-midpoint, generalized-alpha, or an explicit method.",
            )
        damped = depends_on_velocities(problem)
        if damped and not self.projected():
            raise UsageError(
                f"{self.name} does not know the velocities that dampers or formulas of forces ask for.",
                remedy="Take rattle.",
            )
        run = RattleRun(problem, self, step=step, t_end=t_end, every=every, damped=damped)
        if damped:
            run.remarks.append(
                f"forces that depend on velocities: {self.name} solves for them at the end of each step and stays "
                "symmetric, but not symplectic"
            )
        return run


@dataclass(frozen=True, kw_only=True, repr=False)
class Shake(Rattle):
    """SHAKE: the poses of RATTLE, without the velocity equation but in samples."""

    name: str = "shake"
    summary: str = "SHAKE on groups: the poses of RATTLE; velocities meet their constraints in samples alone"

    def projected(self) -> bool:
        """They are not."""
        return False


@dataclass(frozen=True, kw_only=True, repr=False)
class Rattle4(Rattle):
    """Suzuki's composition of five steps of RATTLE."""

    name: str = "rattle4"
    order: int = 4
    summary: str = "five steps of RATTLE in Suzuki's composition: symplectic, symmetric, fourth order, fixed step"

    def shares(self) -> tuple[float, ...]:
        """1 / (4 - 4^(1/3)), but the middle one, which goes back."""
        return palindrome(SUZUKI_4)


@dataclass(frozen=True, kw_only=True, repr=False)
class Rattle6(Rattle):
    """Kahan and Li's composition of nine steps of RATTLE."""

    name: str = "rattle6"
    order: int = 6
    summary: str = "nine steps of RATTLE in Kahan and Li's composition: symplectic, symmetric, sixth order, fixed step"

    def shares(self) -> tuple[float, ...]:
        """Those of `KAHAN_LI_6`."""
        return palindrome(KAHAN_LI_6)


RATTLE, SHAKE, RATTLE4, RATTLE6 = Rattle(), Shake(), Rattle4(), Rattle6()
