"""What every run returns: named arrays over time, whatever the formulation.

A light object over NumPy. Raw arrays are stored (or read from a file slice by slice); reactions, energies and
violations are derived on the first request. Files, tables, xarray and pictures are made by floors above
(`linkwork.attached`), so that nothing heavy is imported before it is asked for.

Conventions (docs/notation.md): SI units; `position`, `velocity`, `acceleration` of the body frame's origin (the
centre of mass) in global components; `rotation` turns body components into global ones; `angular_velocity` and
`angular_acceleration` in body components; a reaction is what the joint exerts on its second body, at the joint's
point on that body, in global components.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.attached import attached, attached_with
from linkwork.errors import UsageError
from linkwork.header import STORED, VARIABLES, Array, Deriver, Header, derive_blockwise, frozen, near_names
from linkwork.questions import Questions
from linkwork.remembered import with_fields
from linkwork.shown import counted, parts_counted
from linkwork.status import NOT_REACHED, Status
from linkwork.verdict import Verdict

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import xarray
    from matplotlib.figure import Figure

    from linkwork.view import Page


class Reaction(NamedTuple):
    """What a joint exerts on its SECOND body, at the joint's point on that body, in GLOBAL components.

    force : (nt, 3) N.   torque : (nt, 3) N m, about the joint's point.
    The first body feels the opposite force at the same place. `Result.reaction_place` names body and point.
    A driver's or raw constraint's reaction is its own, under its own name.
    """

    force: Array
    torque: Array

    def __repr__(self) -> str:
        return f"<Reaction of force {self.force.shape} N, torque {self.torque.shape} N m>"


class Place(NamedTuple):
    """Where a reaction acts: the body's name and the point, (3,) m in that body's components."""

    body: str
    point: Array


class EnergyBalance(NamedTuple):
    """Energies over time in J, each (nt,): total = kinetic + potential; change = total - total at the start.

    work : done since the start by drivers, loads, actuators and dampers (trapezoidal rule over the samples, or over
        closer ones where a planned run was judged on these), or None where the power is not known.
    residual : change - work (change where the work is not known): what the method made or lost.
    """

    kinetic: Array
    potential: Array
    total: Array
    change: Array
    work: Array | None
    residual: Array

    def __repr__(self) -> str:
        change, left = (float(np.max(np.abs(x), initial=0.0)) for x in (self.change, self.residual))
        of = "not explained by work" if self.work is not None else "(work not known)"
        return f"<EnergyBalance: changes by {change:.4g} J at most, {left:.4g} J {of}>"


class Result(Questions):
    """The motion of a mechanism over time, with how it was made.

    Parameters
    ----------
    header : names and provenance, see `Header`.
    arrays : name -> array of the stored variables (`STORED` and the header's extras), time first; `time`,
        `position` (nt, nb, 3) and `rotation` (nt, nb, 3, 3) are required. Anything with a shape that can be
        sliced along time will do, such as a data set in a file.
    derive : computes what is derived; None where the arrays hold all there is.
    success, status, message : how the run ended; `status` is a `linkwork.status.Status` number.
    messages : what was reported on the way: rank changes, rebased angles, replaced drivers.
    path : the file it is read from, if any.

    Every array comes out read-only: a result is a record.
    """

    def __init__(
        self,
        header: Header,
        arrays: Mapping[str, Any],
        *,
        derive: Deriver | None = None,
        success: bool = True,
        status: int = 0,
        message: str = "",
        messages: Sequence[str] = (),
        info: Mapping[str, Any] | None = None,
        path: str | None = None,
    ) -> None:
        self.header = with_fields(header, info={**header.info, **(info or {})})
        self.success, self.status, self.message = bool(success), int(status), message
        self.messages = tuple(messages)
        self.path = path
        self._arrays = dict(arrays)
        for name in ("time", "position", "rotation"):
            if name not in self._arrays:
                raise UsageError(f"a result needs the variable {name!r}.")
        self._derive = derive
        self._derived: dict[str, Array] | None = None
        self._time = frozen(self._arrays["time"])
        for name in self._arrays:
            found, wanted = tuple(self._arrays[name].shape), header.shape(name, self._time.size)
            if found != wanted:
                raise UsageError(f"result variable {name!r} has shape {found}, expected {wanted}.")

    # how it was made -------------------------------------------------------------------------------------

    @property
    def info(self) -> Mapping[str, Any]:
        """Provenance: version, formulation, integrator, step, tolerances, model, counts."""
        return self.header.info

    @property
    def judgement(self) -> str:
        """``good``, ``doubtful`` or ``wrong``: what the run itself gives to believe; empty where nobody has judged."""
        return str(self.info.get("judgement", ""))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What is wrong or doubtful about the run, in words with the cure, the worst first."""
        return tuple(Verdict.from_dict(said) for said in self.info.get("verdicts", ()))

    @property
    def completed(self) -> bool:
        """Whether the run reached its end, be it judged wrong, or less accurate than was asked, or not."""
        return self.success or self.status in (Status.JUDGED_WRONG, NOT_REACHED)

    @property
    def mechanism_document(self) -> str:
        """JSON text of the mechanism, as it ran."""
        return self.header.mechanism_document

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, ground left out."""
        return self.header.bodies

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of what carries a reaction: joints, drivers, raw constraints."""
        return self.header.joints

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the constraint rows."""
        return self.header.rows

    # whole arrays ----------------------------------------------------------------------------------------

    @property
    def time(self) -> Array:
        """(nt,) s."""
        return self._time

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of all variables this result has, derived ones included (which derives them)."""
        return (*self._arrays, *self._all_derived())

    def __contains__(self, name: object) -> bool:
        return name in self._arrays or (name in self.header.derived and name in self._all_derived())

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __getitem__(self, name: str) -> Array:
        """The whole array of a variable, ``result["position"]`` (nt, nb, 3); time comes first."""
        return self.read(name)

    def read(self, name: str, start: int = 0, stop: int | None = None) -> Array:
        """Samples start to stop of a variable; of a result in a file only these are read."""
        if name == "time":
            return self._time[start:stop]
        if name in self._arrays:
            return frozen(self._arrays[name][start:stop])
        derived = self._all_derived() if name in self.header.derived else {}
        if name not in derived:
            known = name in self.header.derived or name in STORED
            text = f"this result does not hold {name!r}." if known else f"there is no result variable {name!r}."
            remedy = "It was not recorded, or the mechanism lacks what it takes (masses)." if known else None
            raise UsageError(text, remedy=remedy or near_names(name, (*VARIABLES, *self.header.extras)))
        return derived[name][start:stop]

    def _all_derived(self) -> dict[str, Array]:
        """Every derived variable, computed once, in blocks of time."""
        if self._derived is None:
            self._derived = {}
            if self._derive is not None:
                self._derived = derive_blockwise(self._derive, self.header, self._arrays, self._time)
        return self._derived

    # by name ---------------------------------------------------------------------------------------------

    def position(self, body: str) -> Array:
        """(nt, 3) m, the body frame's origin in global components."""
        return self._of("position", "body", body)

    def rotation(self, body: str) -> Array:
        """(nt, 3, 3), turns the body's components into global ones."""
        return self._of("rotation", "body", body)

    def velocity(self, body: str) -> Array:
        """(nt, 3) m/s, of the body frame's origin in global components."""
        return self._of("velocity", "body", body)

    def angular_velocity(self, body: str) -> Array:
        """(nt, 3) rad/s, in BODY components."""
        return self._of("angular_velocity", "body", body)

    def acceleration(self, body: str) -> Array:
        """(nt, 3) m/s^2, of the body frame's origin in global components."""
        return self._of("acceleration", "body", body)

    def angular_acceleration(self, body: str) -> Array:
        """(nt, 3) rad/s^2, in BODY components."""
        return self._of("angular_acceleration", "body", body)

    def multiplier(self, row: str) -> Array:
        """(nt,) the multiplier of one constraint row, in the unit of that row."""
        return self._of("multiplier", "row", row)

    def reaction(self, joint: str) -> Reaction:
        """Force (nt, 3) N and torque (nt, 3) N m that the joint exerts on its SECOND body.

        The force acts at the joint's point on that body and the torque is about it; both are in GLOBAL
        components. See `reaction_place` for the body and the point.
        """
        return Reaction(self._of("reaction_force", "joint", joint), self._of("reaction_torque", "joint", joint))

    def reaction_place(self, joint: str) -> Place:
        """The body and the point (body components, m) that `reaction` of this joint refers to."""
        k = self.index("joint", joint)
        if not self.header.joint_bodies:
            raise UsageError("this result does not say where its reactions act.", element=f"joint {joint!r}")
        return Place(self.header.joint_bodies[k], frozen(np.array(self.header.joint_points[k])))

    def index(self, dim: str, name: str) -> int:
        """The place of a name along ``body``, ``joint``, ``row`` or an extra dimension."""
        names = self.header.labels(dim)
        if name in names:
            return names.index(name)
        if dim == "body" and name == "ground":
            raise UsageError("ground is not recorded: it stays at the origin.")
        raise UsageError(f"this result has no {dim} {name!r}.", remedy=near_names(name, names))

    def _of(self, variable: str, dim: str, name: str) -> Array:
        k = self.index(dim, name)
        if variable in self._arrays:
            return frozen(self._arrays[variable][:, k])
        return self[variable][:, k]

    # energy ----------------------------------------------------------------------------------------------

    @property
    def energy(self) -> Array:
        """(nt,) J, kinetic plus potential energy."""
        total: Array = self["kinetic_energy"] + self["potential_energy"]
        return frozen(total)

    def energy_balance(self) -> EnergyBalance:
        """Kinetic, potential, total energy, work done from outside and what is left over, over time."""
        kinetic, potential, total = self["kinetic_energy"], self["potential_energy"], self.energy
        change = total - total[:1]
        work = None
        if "work" in self:
            work = self["work"]
        elif "power" in self:
            power = self["power"]
            steps = 0.5 * (power[1:] + power[:-1]) * np.diff(self.time)
            work = np.concatenate((np.zeros(min(1, power.size)), np.cumsum(steps)))
        return EnergyBalance(kinetic, potential, total, change, work, change if work is None else change - work)

    # carried out above: files, tables, pictures -------------------------------------------------------------------

    @property
    def dataset(self) -> xarray.Dataset:
        """Everything as an xarray.Dataset with units, names and provenance (imports xarray)."""
        data: xarray.Dataset = attached("Result.to_xarray")(self)
        return data

    def save(self, path: str | PathLike[str], *, force: bool = False, **options: Any) -> None:
        """Write a file; its ending chooses the format (``.nc``, ``.csv``). Refuses to overwrite without `force`."""
        attached("Result.save")(self, path, force=force, **options)

    def to_csv(self, path: str | PathLike[str], **options: Any) -> None:
        """Write a table for a spreadsheet; see `linkwork.io.results.table.save` for the options."""
        attached_with("Result.to_csv", options)(self, path, **options)

    def plot(self, kind: str = "overview", path: str | PathLike[str] | None = None, **options: Any) -> Figure:
        """Draw a plot (`linkwork.plots.PLOTS`), and write it to `path` if given. Never opens a window."""
        figure: Figure = attached("Result.plot")(self, kind, path, **options)
        return figure

    def view(self, path: str | PathLike[str] | None = None, **options: Any) -> Page:
        """A page that shows the run moving, in one file that needs no network; see `linkwork.view.page_of`."""
        page: Page = attached_with("Result.view", options)(self, path, **options)
        return page

    def picture(
        self, t: float | Sequence[float] | None = None, path: str | PathLike[str] | None = None, **options: Any
    ) -> Figure:
        """The mechanism at a time, or at several over each other, without a display; see `linkwork.plots.picture`."""
        figure: Figure = attached_with("Result.picture", options)(self, t, path, **options)
        return figure

    def film(self, path: str | PathLike[str], **options: Any) -> Path:
        """The run as a film (.gif, .webp, .mp4, .webm), without a display; see `linkwork.plots.film`."""
        written: Path = attached_with("Result.film", options)(self, path, **options)
        return written

    def _repr_html_(self) -> str:
        """The run moving, in a notebook."""
        shown: str = attached("in_notebook")(self)
        return shown

    def to_dict(self) -> dict[str, Any]:
        """The run in short as plain data: provenance, outcome, end state, violations, energy, iterations."""
        short: dict[str, Any] = attached("Result.to_dict")(self)
        return short

    def summary(self) -> str:
        """The run in short, in words."""
        text: str = attached("Result.summary")(self)
        return text

    def __repr__(self) -> str:
        name = self.info.get("model", "")
        how = ", ".join(str(self.info[key]) for key in ("formulation", "integrator") if self.info.get(key))
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self.time.size else "no sample"
        wrong = "judged WRONG" if self.completed else "NOT completed"
        wrong = "accuracy NOT reached" if self.status == NOT_REACHED else wrong
        outcome = "" if self.success else f", {wrong}: {self.message}"
        return (
            f"<Result {name!r}: {how or 'unknown method'}; {counted(self.time.size, 'sample')}, {span}; "
            f"{parts_counted(self.header.elements)}{outcome}>"
        )
