"""A mechanism compiled for one formulation and integrator: set up once, run as often as wanted.

Runs to one end in steps of one size begin from what is set up for them (`run.span`). Whatever else a run meets (other
numbers, a rank loss, a step that fails, a limit) is done as `simulate` does it, from the beginning: the results are the
same to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.variants import checked, variant
from linkwork.options import with_mapping
from linkwork.result import Result
from linkwork.run.simulate import Call, simulate
from linkwork.run.span import Span

if TYPE_CHECKING:
    from linkwork.analysis.state import State

SAVED, SIMULATE = "Save their results: result.save(...).", "linkwork.simulate takes it."
NOT_TAKEN = {  # options of `simulate`, and what is done instead
    "out": SAVED,
    "force": SAVED,
    "samples": "Name what it has: every=10.",
    "verify": SIMULATE,
    "progress": SIMULATE,
}
MOST_SPANS = 4  # pairs of t_end and step of which what was found is kept


def compile_model(
    mech: Mechanism,
    formulation: str | Formulation = "rA",
    integrator: str | Integrator[Any] | None = None,
    **options: Any,
) -> Model:
    """Compile a mechanism once, to run it many times: ``model = lw.compile(mech)``, ``model.run(1.0, 1e-3)``.

    Parameters
    ----------
    mech : the mechanism; what is changed about it later is not seen. formulation, integrator, **options : as in
        `linkwork.simulate`, what writes files left out.

    Raises what `linkwork.simulate` raises of models and options.
    """
    return Model(mech, formulation, integrator, **options)


class Model:
    """A compiled mechanism. mechanism : as it was compiled.

    Several threads may run one at the same time.
    """

    def __init__(
        self,
        mech: Mechanism,
        formulation: str | Formulation = "rA",
        integrator: str | Integrator[Any] | None = None,
        **options: Any,
    ) -> None:
        options = with_mapping(options)
        for name, remedy in NOT_TAKEN.items():
            if options.get(name) is not None:
                raise UsageError(f"a compiled model takes no {name!r}: its runs stay in memory.", remedy=remedy)
        need_mechanism(mech)
        self.mechanism = mech.from_dict(mech.to_dict(), file=mech.file, locate=mech._kept.locate)
        self.mechanism.reading_notes, self.mechanism.account = list(mech.reading_notes), mech.account
        self.how: dict[str, Any] = {"formulation": formulation, "integrator": integrator, **options}
        self._spans: dict[tuple[float, float], Span] = {}
        hints = self.mechanism.run
        Call.of(self.mechanism, hints.t_end or 1.0, hints.step or 1e-3, **self._asked())
        if hints.t_end and hints.step:
            self.set_up(None, None)

    def _asked(self) -> dict[str, Any]:
        how = dict(self.how)
        asked = {name: how.pop(name, None) for name in ("formulation", "integrator", "limits")}
        return {**asked, "samples": None, "options": how}

    def set_up(self, t_end: float | None, step: float | None) -> Span:
        """Runs to this end with steps of this size, set up."""
        call = Call.of(self.mechanism, t_end, step, **self._asked())
        key = call.t_end, call.step
        if key not in self._spans:
            made = Span(self.mechanism, call)
            while len(self._spans) >= MOST_SPANS:
                self._spans.pop(next(iter(self._spans)))
            self._spans[key] = made
        return self._spans[key]

    def run(
        self,
        t_end: float | None = None,
        step: float | None = None,
        *,
        parameters: Mapping[str, float] | None = None,
        state: State | Mapping[str, Any] | None = None,
    ) -> Result:
        """Run to `t_end` with steps of `step` s; the same, to the last bit, as `linkwork.simulate`.

        parameters : numbers of the description by name: parameters, inputs, and numbers of elements, ``rod.mass``.
        state : to start from, as in `linkwork.simulate`.

        The result is judged when that is first asked for (`success`, `judgement`, `messages`, `info`); it is then as
        that of `simulate`, except that a run is not ended at a limit of the judgement. Raises what `simulate` raises.
        """
        given = checked(parameters or {})
        asked: Any = (t_end, step)
        try:
            span = self._spans.get(asked) or self.set_up(t_end, step)
        except TypeError:  # a list, which no span is kept under
            span = self.set_up(t_end, step)
        found = span.run(given) if state is None else None
        if found is None and given and state is None:
            found = span.with_lengths(given)
        if found is None:
            mech = variant(self.mechanism, given)
            start = None if state is None else attached("as_state")(mech, state, like=self._like(span, given))
            found = span.built(mech, given, start)
            if found is None:
                found = simulate(mech, t_end, step, **self.how, state=start)
        return found

    def _like(self, span: Span, given: Mapping[str, float]) -> Mechanism | None:
        """The mechanism as it was compiled, where rows and start are the same with these numbers."""
        plain = span.plain(tuple(given)) if given else None
        return self.mechanism if plain is not None and plain.rows_stay else None

    def __repr__(self) -> str:
        return f"<Model of {self.mechanism.name!r}: {Call.of(self.mechanism, 1.0, 1e-3, **self._asked()).label}>"
