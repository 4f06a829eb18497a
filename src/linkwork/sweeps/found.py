"""What a sweep found: a row for each run, labelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.header import Array, frozen, near_names
from linkwork.shown import counted
from linkwork.sweeps.said import Said, count_said, said_texts
from linkwork.sweeps.shards import Shard
from linkwork.verdict import DOUBTFUL, GOOD, ORDER

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

NOT_DONE = -2  # status of a run that was not carried out
ON_DEVICE = 2  # in `in_lanes`: neither alone (0) nor in lanes (1)
ABOUT_RUNS = "judgement", "in_lanes"  # what is said of runs besides what is kept of them
NotFinite = dict[str, tuple[int, int]]  # by name: of how many runs that went well, and the first of these


class Sweep:
    """Runs along the first dimension.

    values : name -> (runs,) the numbers that were swept. arrays : name -> (runs, ...) what was kept; not a number where
    a run failed; those of a file are read when they are asked for. dims : of each. time (nt,) s. status (runs,) : 0, or
    why a run failed. errors : by run, in words. info : how it was made. path : the file that holds it, if any.
    """

    def __init__(
        self,
        values: Mapping[str, Array],
        arrays: Mapping[str, Array],
        dims: Mapping[str, tuple[str, ...]],
        time: Array,
        status: Any,
        errors: Mapping[int, str],
        info: Mapping[str, Any],
        path: str | None = None,
    ) -> None:
        self.values = {name: frozen(one) for name, one in values.items()}
        self.arrays, self.dims, self.time, self.status = arrays, dict(dims), frozen(time), frozen(status)
        self.errors, self.info, self.path = dict(errors), dict(info), path

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.status)

    @property
    def failed(self) -> Array:
        """Numbers of the runs that failed."""
        found: Array = np.flatnonzero((self.status != 0) & (self.status != NOT_DONE))
        return found

    @property
    def judged(self) -> Array:
        """Numbers of the runs whose judgement was asked for and found."""
        judged = self.arrays["judgement"] if "judgement" in self.arrays else np.full(self.runs, np.nan)
        found: Array = np.flatnonzero(np.isfinite(judged))
        return found

    @property
    def doubtful(self) -> Array:
        """Numbers of the judged runs that are doubtful or wrong."""
        return self._worse_than(ORDER.index(GOOD))

    @property
    def wrong(self) -> Array:
        """Numbers of the judged runs that are wrong."""
        return self._worse_than(ORDER.index(DOUBTFUL))

    def _worse_than(self, judgement: int) -> Array:
        runs = self.judged
        found: Array = runs[self.arrays["judgement"][runs] > judgement] if runs.size else runs
        return found

    @property
    def messages(self) -> tuple[str, ...]:
        """What all runs say of themselves, of the mechanism as described: an end that is no whole number of steps, a
        start that was changed, reactions that are shared out; and what else judged runs say, with how many and the
        first."""
        return (*self.info.get("messages", ()), *said_texts(self.info.get("said", {}), len(self.judged)))

    @property
    def not_finite(self) -> NotFinite:
        """What is kept and has entries that are not finite, a root of a negative number say, in runs that went well: by
        name, in how many runs, and the first of these. Such runs have not failed, and no plot shows these entries."""
        known = self.info.get("not_finite")
        if known is None:  # of a file that an earlier version wrote
            known = NotFinite()
            count_not_finite(known, 0, self.arrays, self.status)
        return {name: (int(count), int(first)) for name, (count, first) in known.items()}

    @property
    def completed(self) -> bool:
        """Whether every run was carried out, failed ones among them."""
        return not bool(np.any(self.status == NOT_DONE))

    @property
    def names(self) -> tuple[str, ...]:
        """What was swept, and what was kept."""
        return (*self.values, *self.arrays)

    def __getitem__(self, name: str) -> Array:
        for several in (self.values, self.arrays):
            if name in several:
                return several[name]
        raise UsageError(f"this sweep has no {name!r}.", remedy=near_names(name, self.names))

    @property
    def dataset(self) -> xarray.Dataset:
        """Everything as an xarray.Dataset: dimensions run and time, swept numbers as coordinates."""
        data: xarray.Dataset = attached("Sweep.to_xarray")(self)
        return data

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write a NetCDF file, which `linkwork.open_sweep` and xarray read."""
        attached("Sweep.save")(self, path, force=force)

    def plot(self, kind: str = "bands", path: str | PathLike[str] | None = None, **options: Any) -> Figure:
        """Draw a plot (`linkwork.plots.SWEEP_PLOTS`), and write it to `path` if given."""
        figure: Figure = attached("Sweep.plot")(self, kind, path, **options)
        return figure

    def _judged_text(self) -> str:
        """How many runs were judged, and what came of it, in words."""
        if not self.judged.size:
            return "none judged"
        return f"{len(self.judged)} judged: {len(self.wrong)} wrong, {len(self.doubtful) - len(self.wrong)} doubtful"

    def __repr__(self) -> str:
        done = int(np.sum(self.status != NOT_DONE))
        first = next((f" ({run_text(self, k)}: {text})" for k, text in self.errors.items()), "")
        runs = counted(self.runs, "run")
        return (
            f"<Sweep of {self.info.get('model', '')!r} over {', '.join(self.values)}: {done} of {runs}, "
            f"{len(self.failed)} failed{first}, {', '.join(filter(None, (lanes_text(self), self._judged_text())))}; "
            f"{'; '.join((', '.join(self.arrays), *self.messages, *not_finite_texts(self)))}>"
        )


def run_text(found: Sweep, k: int) -> str:
    """A run with its numbers, in words."""
    return f"run {k}, {', '.join(f'{name} = {values[k]:.6g}' for name, values in found.values.items())}"


def lanes_text(found: Sweep) -> str:
    """How many runs went in lanes, in words; nothing where that was not asked for."""
    if "in_lanes" not in found.arrays:
        return ""
    where, device = found.arrays["in_lanes"], found.info.get("gpu", "")
    why = f" ({found.info['one_by_one']})" if found.info.get("one_by_one") else ""
    lanes = f"{int(np.sum(where == 1))} in lanes{why}"
    if not device:
        return lanes
    off = f" ({found.info['off_device']})" if found.info.get("off_device") else ""
    return f"{int(np.sum(where == ON_DEVICE))} on {device}{off}, {lanes}"


def not_finite_texts(found: Sweep) -> list[str]:
    """What is not finite in runs that went well, in words, a sentence for each name."""
    return [
        f"{name!r} is not finite in {count} of {found.runs} runs, run {first} the first"
        for name, (count, first) in found.not_finite.items()
    ]


def count_not_finite(known: NotFinite, first: int, arrays: Mapping[str, Array], status: Any) -> None:
    """Add the runs of a shard, whose first is number `first` of the plan; shards come in the order of the plan."""
    for name in arrays:
        if name in ABOUT_RUNS:
            continue
        values = arrays[name]
        which = np.flatnonzero(~np.isfinite(values).all(axis=tuple(range(1, values.ndim))) & (status == 0))
        if which.size:
            count, start = known.get(name, (0, first + int(which[0])))
            known[name] = count + len(which), start


def joined(
    values: Mapping[str, Array],
    shards: Iterable[Shard],
    dims: Mapping[str, tuple[str, ...]],
    shapes: Mapping[str, Any],
    info: Mapping[str, Any],
) -> Sweep:
    """The sweep that shards make up; runs of those that are missing are marked. shapes : of one run, by name."""
    runs = len(next(iter(values.values())))
    arrays = {name: np.full((runs, *shape), np.nan) for name, shape in shapes.items()}
    status, errors = np.full(runs, NOT_DONE), dict[int, str]()
    time, not_finite, said = np.zeros(0), NotFinite(), Said()
    for shard in shards:
        count_not_finite(not_finite, shard.first, shard.arrays, shard.status)
        count_said(said, shard.said, info["messages"])
        part = slice(shard.first, shard.first + len(shard.status))
        status[part] = shard.status
        errors |= shard.errors
        time = shard.time if not time.size or np.isnan(time).any() else time
        for name, array in shard.arrays.items():
            arrays[name][part] = array
    kept = {name: frozen(one) for name, one in arrays.items()}
    told = {**info, "not_finite": not_finite, "said": said}
    return Sweep(values, kept, dims, time, status, dict(sorted(errors.items())), told)
