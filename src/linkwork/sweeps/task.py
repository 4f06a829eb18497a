"""What a worker is told of a sweep, in plain data: the same on every thread, process and machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.variants import need_numbers, place_of, places_of
from linkwork.quantities.of_results import variables_of
from linkwork.run.copied import idle_parameters
from linkwork.run.held import Held
from linkwork.run.model import Model
from linkwork.source import __version__, source_hash
from linkwork.sweeps.batch import Batch
from linkwork.sweeps.columns import columns_of, is_derived, is_force, is_reading
from linkwork.sweeps.derived import Deriving
from linkwork.sweeps.ends import ends_of, times_of
from linkwork.sweeps.kept import Kept, kept_of
from linkwork.sweeps.lines import Lines

IN_LANES = "in_lanes"  # what says of each run whether it went in lanes
STARTS = "starts are built one by one"
DEPENDENT = (
    "constraint rows depend on each other, and these numbers change rows, or the start: runs are built one by one"
)
IDLE = "nothing in the description takes {!r}: runs do not depend on it"
BUILT = "these numbers move the start, or enter what is built anew: runs are built one by one"
AT_REST = (
    "runs begin at rest but for the rates that are swept, as starts from joint coordinates do: the velocities of the "
    "description are left out"
)
OF_ERRORS = "file", "lines"  # what results do not depend on
_MODELS: dict[tuple[str, str | None], Work] = {}  # of this process, by digest and file
_LOCK = Lock()


@dataclass(frozen=True)
class Task:
    """A sweep without its numbers.

    document : the mechanism. numbers : names of numbers of the description; coordinates : of joints at the start, with
    ``_rate``; both in the order of the plan's columns, `names`. keep : name -> formula. judge : every how many
    runs one is judged, 0 for none. lanes : several instances at once in a thread, where that is possible. gpu : on a
    device, where that is possible, else in lanes. version, sources : of the linkwork that made it. file, lines : that
    the mechanism was read from, and where its parts stand in it, for errors alone.
    """

    document: Mapping[str, Any]
    names: tuple[str, ...]
    keep: Mapping[str, str]
    t_end: float
    step: float
    formulation: str
    integrator: str | None
    options: Mapping[str, Any]
    judge: int = 0
    lanes: bool = False
    gpu: bool = False
    version: str = __version__
    sources: str = field(default_factory=source_hash)
    file: str | None = None
    lines: Lines | None = None

    @cached_property
    def digest(self) -> str:
        """Of all that results depend on besides the numbers."""
        try:
            told = asdict(replace(self, file=None, lines=None))
            text = json.dumps({name: told[name] for name in told if name not in OF_ERRORS}, sort_keys=True)
        except TypeError:
            raise UsageError("options of a sweep are plain numbers and words.") from None
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def work(self) -> Work:
        """The compiled model, made once in each process. Raises UsageError in one that has another linkwork."""
        key = self.digest, self.file
        if (self.version, self.sources) != (__version__, source_hash()):
            raise UsageError(
                f"a worker has linkwork {__version__}, or other sources of it, where the sweep was started with "
                f"{self.version}.",
                remedy="Install the same version on every worker.",
            )
        with _LOCK:
            if key not in _MODELS:
                while len(_MODELS) >= 2:
                    _MODELS.pop(next(iter(_MODELS)))
                _MODELS[key] = Work(self)
            return _MODELS[key]


class Work:
    """A task, ready to be worked on: the compiled model, and what is kept."""

    def __init__(self, task: Task) -> None:
        self.task = task
        mech = Mechanism.from_dict(dict(task.document), file=task.file, locate=task.lines)
        self.model = Model(mech, task.formulation, task.integrator, **task.options)
        self.kept: list[Kept] = kept_of(mech, task.keep, task.names)
        self.numbers, self.coordinates = sorted_names(mech, task.names)
        self.span = self.model.set_up(task.t_end, task.step)
        ends = ends_of(self.span, self.kept)
        self.batches = ends or self.span  # of instances, which record what is kept of them
        self.time = None if ends is None else times_of(self.span)  # where instances do not record them
        self.samples = self.span.samples
        held = self.batches.borrow()
        self.lowered = self.span.ready.compiled.lowered
        self.columns = columns_of(self.lowered, self.kept)
        paths = set().union(*(one.quantities for one in self.kept))
        derived = [path for path in paths if is_derived(self.lowered, path)]
        self.rows_kept = self.span.ready.compiled.nc if derived else 0  # whose multipliers are recorded
        of = (variables_of(self.lowered, path) for path in derived if not is_force(self.lowered, path))
        self.derived = tuple(sorted({name for names in of for name in names}))  # what is derived of runs
        self.plain = None
        if self.numbers and not self.coordinates:
            self.plain = self.batches.plain(self.numbers)
        sensing, forces = (any(one(self.lowered, path) for path in paths) for one in (is_reading, is_force))
        self.deriving = Deriving(self.span, self.numbers, self.plain, sensing=sensing, forces=forces)
        self.one_by_one = ""  # why no run goes in lanes, where that was asked for
        self.off_device = ""  # why none goes on a device, likewise
        if task.lanes:
            built = ""
            if self.coordinates:
                built = STARTS
            elif self.plain is None:
                built = BUILT if self.span.fixed else DEPENDENT
            self.one_by_one = self.off_device = built
            if not built:
                self.one_by_one = self._left_by_lanes(held)
        self.lanes = task.lanes and not self.one_by_one
        self.batches.hand_back(held)

    @property
    def messages(self) -> list[str]:
        """What every run would say of itself: as the mechanism is described, and of its start."""
        moving = any(np.any(one.velocity) or np.any(one.angular_velocity) for one in self.lowered.bodies)
        idle = (IDLE.format(name) for name in idle_parameters(self.model.mechanism, self.numbers))
        return [*self.span.messages, *((AT_REST,) if self.coordinates and moving else ()), *idle]

    def _left_by_lanes(self, held: Held) -> str:
        """Why lanes carry no run of these numbers, in words."""
        spots = self.plain.spots if self.plain is not None else ()
        batch = Batch(spots, np.zeros((0, len(spots))), held.run.total)
        if self.task.gpu:
            self.off_device = str(attached("why_off_device")(held, batch))
            if not self.off_device:
                return ""
        found: str = attached("why_one_by_one")(held, batch)
        return found


def sorted_names(mech: Mechanism, names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of numbers of the description, and of joints' coordinates at the start. Raises UsageError for others."""
    from linkwork.analysis.start_state import given

    lowered = mech.lower()
    numbers: list[str] = []
    coordinates: list[str] = []
    labels: dict[str, str] = {}
    for name in names:
        if place_of(mech, name) is not None:
            numbers.append(name)
            continue
        try:
            label = given(lowered, name.removesuffix("_rate"), 0.0).label + "_rate" * name.endswith("_rate")
        except UsageError:
            places_of(mech, [name])  # says what was meant
            raise
        if label in labels:
            raise UsageError(f"{labels[label]!r} and {name!r} are one number.", remedy="Sweep over one of them.")
        labels[label] = name
        coordinates.append(name)
    need_numbers(mech, numbers)
    return tuple(numbers), tuple(coordinates)
