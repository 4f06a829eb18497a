"""Compiling ahead: everything that runs with some formulations need, found by running a few shipped mechanisms.

What is compiled depends on what a mechanism has: forces, loops, redundant rows. The models below have all of that
between them. A run of two steps asks for the same functions as a long one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec

from linkwork.errors import CompilerMissingError, LinkworkError, NotDrivenError, UnsupportedElementError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.kernels.compiling import Compilation, listening
from linkwork.run.matching import fitting, formulation_of, integrator_of
from linkwork.run.simulate import simulate

# an open chain; a closed loop with a driver; springs, loads; redundant rows
MODELS = ("kissel2021_double_pendulum", "kissel2021_slider_crank", "spatial_slider_crank_spring", "planar_four_bar")
STEPS = 2


@dataclass
class Warmed:
    """What was compiled for a formulation with an integrator: functions, and s. refused : by models, in words."""

    formulation: str
    integrator: str
    functions: int = 0
    seconds: float = 0.0
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Both names."""
        return f"{self.formulation} + {self.integrator}"


def pairs(formulations: Iterable[str] = (), integrators: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Which to compile: these formulations (all without any), each with its usual integrator, or with those given that
    fit it. Raises UsageError for unknown names."""
    chosen = [formulation_of(name).name for name in formulations] or list(FORMULATIONS)
    wanted = [integrator_of(name).name for name in integrators]
    found = [
        (name, [each for each in wanted if each in fitting(name)] if wanted else fitting(name)[:1]) for name in chosen
    ]
    return [(name, integrator) for name, some in found for integrator in some]


def warm(wanted: Iterable[tuple[str, str]], tell: Callable[[Compilation], None] | None = None) -> Iterator[Warmed]:
    """Compile for one pair after the other what is not in the cache, and say what that took.

    tell : is told of each function that was compiled.
    """
    for formulation, integrator in wanted:
        made = Warmed(formulation, integrator)

        def count(state: Compilation, made: Warmed = made) -> None:
            if state.ended:
                made.functions += state.total
                made.seconds += state.seconds
            if tell is not None:
                tell(state)

        with listening(count):
            for model in MODELS:
                try:
                    _run(model, formulation, integrator)
                except LinkworkError as error:
                    made.refused[model] = error.message
        yield made


def tune(wanted: Iterable[tuple[str, str]], tell: Callable[[Compilation], None] | None = None) -> tuple[int, int]:
    """Compile for this very processor what these pairs need, and use it from now on; to be called in a process that
    has not run anything yet. Returns how many functions were compiled, and how many are used in place of shipped ones.

    Raises CompilerMissingError; UsageError where no compiled code came with linkwork.
    """
    from linkwork.shipped import library
    from linkwork.shipped.tuned import keep

    index = library.shipped_index()
    if find_spec("numba") is None:
        raise CompilerMissingError("code for this very processor")
    if index is None:
        raise UsageError(
            "no compiled code came with this installation: all of it is compiled for this very processor already.",
            remedy="`linkwork warm` compiles it ahead.",
        )
    with library.without_shipped() as asked:
        made = sum(one.functions for one in warm(wanted, tell))
    return made, keep(index, asked)


def _run(model: str, formulation: str, integrator: str) -> None:
    """Everything that a user may ask of this model, in short."""
    from linkwork.analysis.kinematics import kinematics
    from linkwork.io.formats import load

    mechanism = load(model)
    step = mechanism.run.step or 1e-3
    result = simulate(mechanism, STEPS * step, step, formulation, integrator)
    assert result.variables  # energies, reactions and violations are derived
    if formulation_of(formulation).supports_kinematics:
        with suppress(NotDrivenError, UnsupportedElementError):
            kinematics(mechanism, STEPS * step, step, formulation=formulation)
