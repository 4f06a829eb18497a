"""A run that was carried out, and what it takes to make it again beside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.grouped import Sparse
from linkwork.derivatives.memory_tape import SamplesTape
from linkwork.derivatives.run_tape import RunTape
from linkwork.derivatives.start import Perturbed, counted_at_start
from linkwork.derivatives.start_tangents import apart
from linkwork.derivatives.states_tape import StatesTape
from linkwork.derivatives.tangent_run import Prepared
from linkwork.equations.derived import MechanismDeriver
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.mechanism import Mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.quantities.model import ran_with
from linkwork.result import Result
from linkwork.run.dynamics import DynamicsSession
from linkwork.run.recording import COLUMNS, named, new_header
from linkwork.run.simulate import Call
from linkwork.run.starting import Start, flat
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Nominal:
    """A run that was carried out, and what it takes to make it again.

    tape : rows, states or memory that were kept on the way; untraced : why its steps are not recorded; tangents : of
    the start; perturbed : mechanisms beside, of these; of what was asked for, where they were needed.
    """

    mechanism: Mechanism
    call: Call
    ready: Start
    session: DynamicsSession
    settings: dict[str, Any]
    result: Result
    droppable: bool
    from_index_1: int
    tape: RunTape | StatesTape | SamplesTape | None = None
    untraced: NotTracedError | None = None
    tangents: list[Sparse] | None = None
    perturbed: Perturbed | None = None

    @property
    def kinks(self) -> Array:
        """(n,) times that no step of its own size crosses [s]."""
        found: Array = getattr(self.session.run, "kinks", np.zeros(0))
        return found

    @property
    def block(self) -> dict[str, Array]:
        """The run's samples, arrays as compiled code of implicit methods writes them."""
        motion = [np.asarray(self.result[name]) for name in COLUMNS]
        whole = np.concatenate([one.reshape(*one.shape[:2], -1) for one in motion], axis=2)
        return {"time": self.result.time, "motion": whole, "multiplier": np.asarray(self.result["multiplier"])}

    @one_blas_thread()
    def prepared(self, compiled: CompiledMechanism, room: int | None = None) -> Prepared:
        """The run of a mechanism beside, not begun. room : samples that there is room for; all, if left out."""
        if (widened := self.ready.compiled.widened) is not None:
            compiled = compiled.other(widened=widened)
        run = self.session.again(compiled, droppable=self.droppable)
        self.begun(run, compiled)
        return Prepared(run, run.samples + 1 if room is None else room)

    def begun(self, run: Any, compiled: CompiledMechanism) -> None:
        """A run of the mechanism beside, as this one began."""
        run.begin_at(self.call.began, compiled.counted_angles)
        if hasattr(run, "kinks"):
            run.kinks = self.kinks  # as many as here, however near the ends they are
        if isinstance(run, ImplicitRun):
            run.run.from_index_1[0] = self.from_index_1
        self.held(run)

    def held(self, run: Any) -> None:
        """Into a run of the mechanism beside, what ends iterations, which is held as the length is."""
        if isinstance(run, ImplicitRun):
            nominal: Any = self.session.run
            run.run.weight[:], run.run.row_size[:] = nominal.run.weight, nominal.run.row_size

    def result_of(self, mechanism: Mechanism, compiled: CompiledMechanism, block: dict[str, Array]) -> Result:
        """A result of these samples, of the mechanism itself or one beside. compiled : that one, at any start. Angles
        begin nearest to those of the run."""
        compiled = replace(compiled, counted_angles=counted_at_start(self.ready.compiled))
        of, problem = self.call.formulation, self.session.run.problem
        settings, angles = self.settings, compiled.counted_angles
        if angles is not None:
            began = {"time": self.call.began, **settings.get("start", {}), "counted_angles": angles.tolist()}
            settings = {**settings, "start": began}
        header = new_header(mechanism, compiled, settings, of.extras(), of.labels(problem))
        deriver = MechanismDeriver(compiled, sensing=True)
        result = Result(header, named(self.session.with_extra_outputs(block)), derive=deriver)
        ran_with(result, mechanism, flat(mechanism), reference=self.result)
        return result

    def alone(self) -> Prepared:
        """The run itself, not begun, with memory that no other run reads, tables included."""
        return self.prepared(apart(self.ready.compiled), 0)
