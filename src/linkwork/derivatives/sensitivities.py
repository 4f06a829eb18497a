"""`linkwork.sensitivities`: a run, and the derivatives of what is asked of it with respect to described numbers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import yes_or_no
from linkwork.attached import attached
from linkwork.derivatives.adjoint import Adjoint, functionals
from linkwork.derivatives.asked import Asked, Quantity, quantities
from linkwork.derivatives.described import Described, numbers_of
from linkwork.derivatives.equilibria import derivatives_of_equilibrium, mechanism_of, of_equilibrium
from linkwork.derivatives.kinks_met import kinks_met
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.rounding import MOST, jumped, one_sided, rounding_of, switched
from linkwork.derivatives.wider import TOLD, WiderRowsError
from linkwork.errors import CompilerMissingError, UsageError
from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.linearisation.equilibrium import Equilibrium
from linkwork.linearisation.steady import SteadyMotion
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import did_you_mean, sentence
from linkwork.one_thread import one_blas_thread
from linkwork.quantities.model import known_model
from linkwork.result import Result
from linkwork.run.simulate import USUAL
from linkwork.run.starting import flat
from linkwork.shown import some

Array = NDArray[np.float64]
MODES = ("tangent", "adjoint")


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of quantities with respect to numbers.

    result : the run, equilibrium or steady motion that they belong to. of, to : names of quantities and numbers.
    derivatives : name of a quantity -> (..., numbers), its shape first.
    same_bits : whether the run with tangents came to the very values of the run without; the adjoint goes by those.
    way : how tangents went along with the run, or the adjoint back through it, in words: by recorded steps, or by what
    takes longer, and then why. digits : decimals that rounding leaves of derivatives of a run, about, at its end;
    None where nobody asked.
    messages : what is wrong with them: where rounding grows so far, as in a chaotic motion, that digits are lost.
    """

    result: Result | Equilibrium | SteadyMotion
    of: tuple[str, ...]
    to: tuple[str, ...]
    values: Mapping[str, Array]
    derivatives: Mapping[str, Array]
    same_bits: bool
    way: str = ""
    digits: int | None = MOST
    messages: tuple[str, ...] = ()

    def __getitem__(self, name: str | tuple[str, str]) -> Array:
        """The derivatives of a quantity, (..., numbers); with a number's name besides, (...) by that one."""
        quantity, number = (name, None) if isinstance(name, str) else name
        if quantity not in self.derivatives:
            raise UsageError(sentence(f"{quantity!r} was not asked for{did_you_mean(quantity, self.of)}"))
        found = self.derivatives[quantity]
        if number is None:
            return found
        if number not in self.to:
            raise UsageError(sentence(f"{number!r} is not among the numbers{did_you_mean(number, self.to)}"))
        out: Array = found[..., self.to.index(number)]
        return out

    def __repr__(self) -> str:
        return f"<Sensitivities of {some(self.of)} to {some(self.to)}>"


def sensitivities(
    mech: Mechanism | Equilibrium | SteadyMotion,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str | Formulation = USUAL,
    integrator: str | Integrator[Any] | None = None,
    *,
    of: Asked,
    to: str | Sequence[str],
    mode: str = "tangent",
    state: Any = None,
    digits: bool = True,
    **options: Any,
) -> Sensitivities:
    """Run a mechanism, and differentiate what is asked of the run with respect to numbers of the description.

    The derivatives are those of what the run does, step by step: of the discrete map, not of the motion that it
    approximates. Of an equilibrium or a steady motion instead of a mechanism: how it moves, and its eigenvalues.

    Parameters
    ----------
    of : what is differentiated: variables of a result (``"position"``), formulas of its quantities
        (``"rod.velocity.x"``, ``"hinge.angle"``, ``"integral(coil.force**2)"``; `Result.value`), functions of a result
        that return numbers or arrays, or several of these; a mapping gives them names. Of an equilibrium:
        ``"position"``, ``"JOINT.reaction_force"``, ``"eigenvalues"``, functions; of a steady motion ``"velocity"``,
        ``"spin"``, ``"drift"`` besides.
    to : numbers of the description: ``"BODY.mass"``, ``"BODY.position.z"``, ``"JOINT.point.x"``,
        ``"SPRING.stiffness"``, ``"gravity.z"``, or the name of a parameter or an input.
    mode : ``"tangent"`` carries seven numbers at a time along with the run; ``"adjoint"`` takes the run in reverse, for
        few quantities, each ``"final(...)"``, ``"integral(...)"``, a `linkwork.Final` or `linkwork.Integral`, by many
        numbers, with explicit methods, generalized-alpha and implicit Euler.
    digits : whether to find how many digits rounding leaves, where that takes a further run: of recorded implicit
        steps, of those that solve equations anew, and of adjoints.
    t_end, step, formulation, integrator, state, **options : as `linkwork.simulate` takes them, a file left out.

    Warns (RuntimeWarning) where rounding leaves fewer than four digits of them, and says from when on; where a formula
    jumps on the way, or has a kink for which they are not those of the motion.
    Raises what `simulate` raises, and UsageError for names that do not exist and derivatives that do not: beyond a
    change of redundancy or a rank loss on the way, or of what is not smooth in a number. Needs Numba.
    """
    for name in ("out", "force", "verify"):
        if options.get(name) is not None:
            raise UsageError(f"{name!r} is for `simulate`: sensitivities are not kept in files.")
    if str(mode) not in MODES:
        near = did_you_mean(str(mode), MODES)
        raise UsageError(sentence(f"mode must be one of {', '.join(MODES)}, not {mode!r}{near}"))
    if isinstance(mech, Equilibrium | SteadyMotion):
        if mode != "tangent":
            raise UsageError("sensitivities of an equilibrium have no modes.", remedy="Leave mode out.")
        run = {"t_end": t_end, "step": step, "integrator": integrator, "state": state, **options}
        given = [name for name, value in run.items() if value is not None]
        if given or formulation != USUAL:
            raise UsageError(
                f"{[*given, 'formulation'][0]!r} is of a run: an equilibrium does not move in time.",
                remedy="Leave it out, or hand over a mechanism.",
            )
        return _of_equilibrium(mech, of, to)
    need_mechanism(mech)
    again, numbers = yes_or_no("digits", digits), numbers_of(mech, to)
    if find_spec("numba") is None:
        raise CompilerMissingError("the derivative of a run")
    start = None if state is None else attached("as_state")(mech, state)
    backwards, widened, messages = mode == "adjoint", None, []
    while True:
        how = (t_end, step, formulation, integrator, start, dict(options))
        try:
            nominal = carried_out(mech, *how, numbers, backwards, widened)
            with known_model(nominal.result, mech, flat(mech)):
                asked = quantities(nominal.result, of)
                found, same, way, samples, apart = _found(nominal, numbers, asked, backwards)
                values = {name: np.asarray(f(nominal.result), dtype=float) for name, f in asked.items()}
            break
        except WiderRowsError as error:
            widened, messages = error.rows, [TOLD]
    rounding = jumped(nominal) or switched(nominal, numbers) or rounding_of(nominal, samples, apart=apart, again=again)
    if rounding.message:
        warnings.warn(rounding.message, RuntimeWarning, stacklevel=2)
        messages.append(rounding.message)
    messages += one_sided(nominal, numbers) if rounding.digits != 0 else []
    if rounding.digits != 0 and (kink := kinks_met(nominal, numbers, asked, found)):
        warnings.warn(kink.message, RuntimeWarning, stacklevel=2)
        messages.append(kink.message)
        rounding = kink
    names = tuple(one.name for one in numbers)
    return Sensitivities(
        nominal.result, tuple(asked), names, values, found, same, way, rounding.digits, tuple(messages)
    )


@one_blas_thread()
def _found(
    nominal: Nominal, numbers: Sequence[Described], asked: dict[str, Quantity], backwards: bool
) -> tuple[Any, ...]:
    """Derivatives by name, whether samples have the run's bits, the way, samples, and whether by steps of their own."""
    if backwards:
        back = Adjoint(nominal, numbers).of(functionals(asked))
        return back.derivatives, True, back.way, back.samples, True
    moving = Moving(nominal, numbers)
    found = {name: np.stack(parts, axis=-1) for name, parts in moving.derivatives(asked).items()}
    samples = {name: array[..., 0] for name, array in moving.samples.items()}
    return found, moving.same_bits, moving.way, samples, moving.apart


def _of_equilibrium(found: Equilibrium | SteadyMotion, of: Any, to: str | Sequence[str]) -> Sensitivities:
    numbers = numbers_of(mechanism_of(found), to)
    asked = of_equilibrium(found, of)
    derivatives = derivatives_of_equilibrium(found, asked, numbers)
    values = {name: np.asarray(quantity(found)) for name, (quantity, _) in asked.items()}
    return Sensitivities(found, tuple(asked), tuple(one.name for one in numbers), values, derivatives, True)
