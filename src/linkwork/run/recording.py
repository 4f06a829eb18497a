"""Recording a run: blocks of samples become a Result in memory, or a file that grows with bounded memory."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import need_file_to_replace
from linkwork.equations.derived import MechanismDeriver
from linkwork.equations.late_deriver import LateDeriver
from linkwork.equations.sensing import sensor_variables
from linkwork.garbage_collection import uncollected
from linkwork.header import BLOCK, Header, Variable
from linkwork.io.results import check_result, result_writer
from linkwork.io.results.snapshot import Snapshot, Unfinished
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.remembered import with_fields
from linkwork.result import Result
from linkwork.run.sensors_without_value import SensorsWithoutValue
from linkwork.run.snapshot import arrays_in, numbers_of, restore
from linkwork.shipped import compiled_code
from linkwork.source import __version__, source_hash
from linkwork.status import Status
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]

# where each variable stands among the recorded columns of a body
COLUMNS = {
    "position": (0, 3),
    "rotation": (3, 12),
    "velocity": (12, 15),
    "angular_velocity": (15, 18),
    "acceleration": (18, 21),
    "angular_acceleration": (21, 24),
}


Extras = Mapping[str, tuple[tuple[str, ...], str, str]]


@uncollected
def new_header(
    mechanism: Mechanism,
    compiled: CompiledMechanism,
    settings: Mapping[str, Any],
    extras: Extras | None = None,
    labels: Mapping[str, tuple[str, ...]] | None = None,
) -> Header:
    """What is known of a run before it begins. extras, labels : as of `new_names`."""
    return about(new_names(compiled, extras, labels), mechanism, settings)


def new_names(
    compiled: CompiledMechanism, extras: Extras | None = None, labels: Mapping[str, tuple[str, ...]] | None = None
) -> Header:
    """A header with names alone.

    extras : what a formulation records besides: name -> (dimensions after time, unit, meaning).
    labels : names along the dimensions that only these have.
    """
    names = (*compiled.body_names, "ground")
    joints = compiled.lowered.joints
    sensors = sensor_variables(compiled.lowered)
    recorded = {name: Variable(("time", *dims), unit, what) for name, (dims, unit, what) in (extras or {}).items()}
    return Header(
        bodies=tuple(compiled.body_names),
        joints=tuple(compiled.joint_names),
        rows=tuple(compiled.row_names),
        joint_bodies=tuple(names[joint.reaction_at[0]] for joint in joints),
        joint_points=tuple(joint.reaction_at[1] for joint in joints),
        extras=recorded | sensors,
        sensors=tuple(sensors),
        coordinates=labels or {},
    )


def about(names: Header, mechanism: Mechanism, settings: Mapping[str, Any] | None = None) -> Header:
    """The same of runs of this mechanism, with its document. settings : how they are made."""
    document, model_hash = kept(mechanism, "document", lambda: _document(mechanism))
    info = {
        "linkwork_version": __version__,
        "source_hash": source_hash(),
        "compiled_code": compiled_code(),
        "model": mechanism.name,
        "model_hash": model_hash,
        **(settings or {}),
        **({"account": mechanism.account.brief()} if mechanism.account else {}),
    }
    return with_fields(names, info=info, mechanism_document=document)


def _document(mechanism: Mechanism) -> tuple[str, str]:
    """The mechanism as JSON text, and a short hash of it."""
    text = json.dumps(mechanism.to_dict(), sort_keys=True)
    return text, hashlib.sha256(text.encode()).hexdigest()[:16]


class Recorder:
    """Collects blocks as integrators and analyses hand them over: time, motion (n, nb, 24), and what else there is."""

    def __init__(
        self,
        header: Header,
        compiled: CompiledMechanism,
        *,
        out: str | PathLike[str] | None,
        force: bool,
        expected: int,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        """out : None, a file, or an `Unfinished` one. asked : the call, for those who go on with it."""
        self.header, self.expected, self.force = header, expected, force
        self.deriver = (LateDeriver if out is None else MechanismDeriver)(compiled, sensing=True)
        self.unread = SensorsWithoutValue(compiled.lowered)
        self.blocks: list[dict[str, Array]] = []
        self.unfinished = out if isinstance(out, Unfinished) else None
        self.table = out if out is not None and os.fspath(out).lower().endswith(".csv") else None
        self.writer = (
            None
            if out is None or self.table is not None
            else result_writer(
                out,
                header,
                force=force,
                derive=self.deriver,
                expected=expected,
                lasting=True,
                asked=_plain_data(asked),
            )
        )
        if self.unfinished is not None:
            kept = self.unfinished.snapshot
            restore(arrays_in(self.deriver), _under("deriver", kept.arrays), str(self.unfinished))
            vars(self.deriver).update(kept.facts["deriver"])

    def keep(self, snapshot: Callable[[], Snapshot]) -> None:
        """Now and then, see to it that what is in the file survives the process. snapshot : where the run stands."""
        if self.writer is not None:
            self.writer.keep(lambda: self.with_deriver(snapshot()))

    def with_deriver(self, snapshot: Snapshot) -> Snapshot:
        """A run's snapshot with what deriving remembers from block to block."""
        deriving = {f"deriver.{name}": array.copy() for name, array in arrays_in(self.deriver).items()}
        return Snapshot({**snapshot.arrays, **deriving}, {**snapshot.facts, "deriver": numbers_of(self.deriver)})

    def recorded(self, first: int = 0, last: int | None = None) -> Iterator[dict[str, Array]]:
        """What is there of samples from one number on, up to another, as blocks like those that were appended."""
        writer = self.writer
        if writer is None:
            yield from part_of(self.blocks, first, last)
            return
        end = writer.nt if last is None else min(last, writer.nt)
        for start in range(first, end, BLOCK):
            stop = min(start + BLOCK, end)
            columns = [
                writer.recorded(name, start, stop).reshape(stop - start, -1, b - a) for name, (a, b) in COLUMNS.items()
            ]
            rest = {name: writer.recorded(name, start, stop) for name in ("time", "multiplier")}
            yield {**rest, "motion": np.concatenate(columns, axis=2)}

    def append(self, block: Mapping[str, Array]) -> None:
        """Take over one block."""
        if not len(block["time"]):
            return
        self.unread.look(block)
        if self.writer is None:
            self.blocks.append(dict(block))
        else:
            self.writer.append(named(block))

    def finish(
        self,
        *,
        status: int,
        message: str,
        messages: tuple[str, ...],
        info: Mapping[str, Any],
        snapshot: Callable[[], Snapshot] | None = None,
    ) -> Result:
        """The result, complete or as far as it came; where it was interrupted, `snapshot` lets it be gone on with."""
        success = status == Status.OK and not message
        how: dict[str, Any] = {
            "success": success,
            "status": int(status),
            "message": message,
            "messages": (*messages, *self.unread.messages),
            "info": info,
        }
        if self.writer is not None:
            if snapshot is not None:
                interrupted = status == Status.OK and not success
                how |= {"snapshot": self.with_deriver(snapshot()), "to_be_continued": interrupted}
            finished: Result = self.writer.finish(**how)
            return finished
        joined = named(joined_blocks(self.blocks)) if self.blocks else self._nothing()
        result = Result(self.header, joined, derive=self.deriver, **how)
        if self.table is not None:
            result.save(self.table, force=self.force)
        return result

    def abandon(self) -> None:
        """Give up a file that must not appear, after an error that leaves nothing to keep."""
        if self.writer is not None and not self.writer.finished:
            self.writer.abandon()

    def _nothing(self) -> dict[str, Array]:
        return {
            "time": np.zeros(0),
            "position": np.zeros(self.header.shape("position", 0)),
            "rotation": np.zeros(self.header.shape("rotation", 0)),
        }


def check_output(out: str | PathLike[str] | None, *, force: bool) -> None:
    """Refuse before any work is done what could not be written at its end. Raises UsageError for an ending that names
    no format and for leave to replace a file where none is written, OutputExistsError for a file that is there,
    ResultFileError where none can be made."""
    need_file_to_replace(force, out)
    if out is not None and not isinstance(out, Unfinished):
        check_result(out, force=force)


def _plain_data(asked: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The call as JSON has it, None where it holds what JSON cannot."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(asked, default=_listed))
    except (TypeError, ValueError):
        return None
    return found


def _listed(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(type(value).__name__)


def _under(place: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays whose places begin so, without that beginning."""
    return {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{place}.")}


def joined_blocks(blocks: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """One after another; of one block the very same arrays."""
    first, *more = blocks
    return {
        name: np.concatenate([array, *(one[name] for one in more)]) if more else array for name, array in first.items()
    }


def part_of(blocks: Iterable[Mapping[str, Array]], first: int, last: int | None = None) -> Iterator[dict[str, Array]]:
    """Samples from one number on, up to another, of blocks that follow each other."""
    begin = 0
    for block in blocks:
        end = begin + len(block["time"])
        part = slice(max(first - begin, 0), None if last is None else max(last - begin, 0))
        if end > first and (last is None or begin < last):
            yield {name: array[part] for name, array in block.items()}
        begin = end


def named(block: Mapping[str, Array]) -> dict[str, Array]:
    """A block's arrays under the names that results have."""
    motion = block["motion"]
    out = {"time": block["time"]}
    for name, (first, last) in COLUMNS.items():
        out[name] = motion[:, :, first:last]
    out["rotation"] = out["rotation"].reshape(*motion.shape[:2], 3, 3)
    out |= {name: values for name, values in block.items() if name not in ("time", "motion")}
    return out
