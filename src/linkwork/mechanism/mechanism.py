"""The mechanism: what a person builds or loads, before any formulation sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from pydantic import ValidationError

from linkwork.attached import attached, attached_with
from linkwork.errors import ModelError, UsageError
from linkwork.garbage_collection import uncollected
from linkwork.mechanism.account import Account
from linkwork.mechanism.body import Body
from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.couplings.base import JointCoupling
from linkwork.mechanism.document import (
    KINDS,
    STANDARD_GRAVITY,
    VERSION,
    Document,
    NamedElement,
    Names,
    Run,
    check_names,
    one_element,
)
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.elements import GROUND, did_you_mean, with_parameters
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.kept import Kept, kept, same
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.lowering_of_joints import lower, try_markers
from linkwork.mechanism.mismatch import DriverMismatch, mismatches
from linkwork.mechanism.named_numbers import as_said
from linkwork.mechanism.other_elements import OtherElements, plain
from linkwork.mechanism.parameters import Input, Parameter, named, values_of
from linkwork.mechanism.plausible import slips
from linkwork.mechanism.sensors.reading import sensors_of
from linkwork.mechanism.tables import Table
from linkwork.mechanism.validation_errors import InvalidValue, Locate, from_pydantic, of_those_read, refuse
from linkwork.shown import counted

if TYPE_CHECKING:
    from os import PathLike

    from linkwork.analysis.check_report import CheckReport
    from linkwork.view import Page

NAMED = ("parameters", "inputs", "tables", "sensors")


class Mechanism(OtherElements):
    """Bodies, joints, constraints, drivers, forces and couplings, checked as they are added.

    Build it with the methods below, or from lists of elements or of plain dictionaries, or from a file with
    `linkwork.load`. SI units; rotations body -> global; `velocity` global, `angular_velocity` in body
    components. Every name is unique; the body 'ground' is always there.

    Raises ModelError naming the element, with everything that is wrong at once.
    """

    def __init__(
        self,
        name: str = "mechanism",
        bodies: Iterable[Any] = (),
        joints: Iterable[Any] = (),
        constraints: Iterable[Any] = (),
        drivers: Iterable[Any] = (),
        forces: Iterable[Any] = (),
        couplings: Iterable[Any] = (),
        *,
        gravity: Sequence[float] = STANDARD_GRAVITY,
        description: str = "",
        run: Run | dict[str, float] | None = None,
    ) -> None:
        lists = (bodies, joints, constraints, drivers, forces, couplings)
        data: dict[str, Any] = {"name": name, "description": description, "gravity": gravity, "run": run or {}}
        self._take(data | {kind: list(some) for kind, some in zip(KINDS, lists, strict=True)})

    @classmethod
    def from_dict(cls, data: Any, *, file: str | None = None, locate: Locate | None = None) -> Self:
        """The mechanism a plain document describes (what a linkwork file holds).

        `file` and `locate` (path in the document -> line number) say in errors where it was read from.
        """
        made = cls.__new__(cls)
        made._take(data, file, locate)
        return made

    @uncollected
    def _take(self, data: Any, file: str | None = None, locate: Locate | None = None) -> None:
        said = dict(data) if isinstance(data, Mapping) else {}
        self.parameters, errors = named("parameters", Parameter, said.get("parameters"), "value")
        self.parameter_values, about_values = values_of(self.parameters)
        with with_parameters(self.parameter_values):
            self.inputs, about_inputs = named("inputs", Input, said.get("inputs"), "default")
            self.tables, about_tables = named("tables", Table, said.get("tables"))
            self.sensors, about_sensors = sensors_of(said.get("sensors"))
        errors += about_inputs + about_tables + about_values + about_sensors
        document = Document()
        if not errors:
            rest = data if not said else {key: value for key, value in said.items() if key not in NAMED}
            try:
                with with_parameters(self.parameter_values):
                    document = Document.model_validate(rest)
            except ValidationError as error:
                errors = from_pydantic(error)
        names, about_names = check_names([(kind, getattr(document, kind)) for kind in KINDS])
        refuse(errors or about_names, data, file=file, locate=locate)
        self.name: str = document.name
        self.description: str = document.description
        self.gravity: tuple[float, float, float] = document.gravity
        self.run: Run = document.run
        self.file = file
        self.reading_notes: list[str] = []  # what the reader of a foreign format wants to be known
        self.account: Account | None = None  # what became of every element of a foreign file
        self.written: Account | None = None  # what became of every element when it was written in a foreign format
        self._elements: dict[str, list[Any]] = {kind: list(getattr(document, kind)) for kind in KINDS}
        self._said: dict[str, list[Any]] = {kind: list(said.get(kind) or ()) for kind in KINDS}
        self._said_besides = {key: said.get(key) for key in ("gravity", "run", "inputs", "tables", "sensors")}
        self._names: Names = names
        self._kept = Kept(locate=of_those_read(locate, self._elements))

    def __repr__(self) -> str:
        kinds = {kind: "body" if kind == "bodies" else kind[:-1] for kind in KINDS}
        counts = ", ".join(counted(len(some), kinds[kind]) for kind, some in self._elements.items() if some)
        return f"<Mechanism {self.name!r}: {counts or 'empty'}>"

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, ground not among them."""
        return tuple(self._elements["bodies"])

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints."""
        return tuple(self._elements["joints"])

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The raw constraints."""
        return tuple(self._elements["constraints"])

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """The drivers."""
        return tuple(self._elements["drivers"])

    @property
    def forces(self) -> tuple[Force, ...]:
        """The forces, gravity not among them."""
        return tuple(self._elements["forces"])

    @property
    def couplings(self) -> tuple[JointCoupling, ...]:
        """The rigid couplings of joint coordinates, and rotors on them."""
        return tuple(self._elements["couplings"])

    def body(self, name: str, **fields: Any) -> Body:
        """Add a body: mass, inertia or shape, position, rotation, velocity, angular_velocity, ... (see Body)."""
        made: Body = self._add("bodies", {"name": name, **fields})
        return made

    def joint(self, name: str, type: str, first: Body | str, second: Body | str, **place: Any) -> Joint:
        """Add a joint: its type (see JOINTS), its two bodies, and point and axis (global) or on_first, on_second."""
        data = {"name": name, "type": type, "first": _named(first), "second": _named(second), **place}
        made: Joint = self._add("joints", data)
        return made

    def constraint(self, name: str, type: str, body_i: Body | str, body_j: Body | str, **fields: Any) -> Constraint:
        """Add a raw constraint: DP1, DP2, D, CD or PFAFFIAN with its vectors and f."""
        data = {"name": name, "type": type, "body_i": _named(body_i), "body_j": _named(body_j), **fields}
        made: Constraint = self._add("constraints", data)
        return made

    def driver(
        self,
        name: str,
        joint: Joint | str | None = None,
        f: float | str = 0.0,
        coordinate: str | None = None,
        *,
        body: Body | str | None = None,
        point: Sequence[float] | None = None,
    ) -> Driver:
        """Add a driver: a joint's coordinate, or the x, y or z of a point of a body, follows f, a formula of t."""
        told = {"joint": _named(joint), "coordinate": coordinate, "body": _named(body), "point": point}
        data = {"name": name, "f": f} | {key: value for key, value in told.items() if value is not None}
        made: Driver = self._add("drivers", data)
        return made

    def force(self, name: str, type: str, **fields: Any) -> Force:
        """Add a force element of one of the types in FORCES ('force', 'spring', ...) with its data."""
        made: Force = self._add("forces", {"name": name, "type": type} | {k: _named(v) for k, v in fields.items()})
        return made

    def coupling(self, name: str, type: str, **fields: Any) -> JointCoupling:
        """Add a rigid coupling of joint coordinates, or a rotor on one, with its data (see COUPLINGS)."""
        made: JointCoupling = self._add(
            "couplings", {"name": name, "type": type} | {k: _named(v) for k, v in fields.items()}
        )
        return made

    def element(self, name: str) -> Any:
        """The element of this name. Raises ModelError with the nearest name if there is none."""
        kind, k = self._find(name)
        return self._elements[kind][k]

    def change(self, name: str, **fields: Any) -> Any:
        """Replace fields of the element of this name (None takes a field out), checked as a whole; returns it.

        This is how a mechanism from a file gets the masses or the driver function that the file lacks.
        """
        kind, k = self._find(name)
        old = self._elements[kind][k]
        before = as_said({key: getattr(old, key) for key in old.model_fields_set}, self._said[kind][k])
        data = before | fields
        data = {key: value for key, value in data.items() if value is not None}
        said = dict(data)
        new = self._checked(kind, k, data)
        trial = {key: [*some] for key, some in self._elements.items()}
        trial[kind][k] = new
        names, errors = check_names(list(trial.items()))
        refuse(errors, trial, file=self.file)
        self._elements, self._names = trial, names
        self._said[kind][k] = said
        return new

    def with_numbers(self, values: Mapping[str, float]) -> Mechanism:
        """The mechanism with other numbers, by name: ``{"rod.mass": 2.0, "rod.position.z": 0.3, "k": 5.0}``.

        Names are those of sweeps and sensitivities (docs/file-format.md). Raises UsageError for names of no number and
        values that are none, ModelError for what the description does not take.
        """
        from linkwork.mechanism.variants import checked, need_numbers, variant

        numbers = checked(values)
        need_numbers(self, numbers)
        return variant(self, numbers)

    def lower(self) -> Lowered:
        """Bodies, rows and forces by number, ready to be compiled. Raises ModelError for places that make no sense."""
        return lower(self)

    def driver_mismatches(self, lowered: Lowered | None = None) -> list[DriverMismatch]:
        """Drivers that disagree with the start state in value or rate; empty when all is well."""
        return mismatches(self, lowered)

    def check(self) -> CheckReport:
        """What this mechanism is: degrees of freedom, redundant or conflicting rows, warnings (`linkwork.check`)."""
        report: CheckReport = attached("Mechanism.check")(self)
        return report

    def view(self, path: str | PathLike[str] | None = None, **options: Any) -> Page:
        """A page that shows the start pose, in one file that needs no network; see `linkwork.view.page_of`."""
        page: Page = attached_with("Mechanism.view", options)(self, path, **options)
        return page

    def _repr_html_(self) -> str:
        """The start pose, in a notebook."""
        shown: str = attached("in_notebook")(self)
        return shown

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual and worth knowing: warnings, not errors."""
        kin = self._kept.kin
        if kin is not None and same(self._noted(), kin._noted()):
            return kept(kin, "notes", lambda: kin.notes)
        held = self._held()
        of_bodies = (note for body in self.bodies for note in body.notes(held=body.name in held))
        return (*self.reading_notes, *of_bodies, *slips(self.gravity, self.bodies, self.forces))

    def _held(self) -> tuple[str, ...]:
        """Bodies that are fixed to ground."""
        ends = ((one.first, one.second) for one in self.joints if one.type == "fixed")
        return tuple(b if a == GROUND else a for a, b in ends if GROUND in (a, b))

    def _noted(self) -> tuple[Any, ...]:
        """What notes are about."""
        gravity = self.gravity if type(self.gravity) is tuple else repr(self.gravity)
        bodies, forces = self.bodies, self.forces
        return (len(bodies), *bodies, len(forces), *forces, *self._held(), *self.reading_notes, *gravity)

    def to_dict(self) -> dict[str, Any]:
        """The plain document that describes this mechanism; `from_dict` takes it back."""
        data: dict[str, Any] = {"linkwork": VERSION, "name": self.name}
        if self.description:
            data["description"] = self.description
        data["gravity"] = list(self.gravity)
        run = self.run.model_dump(mode="json", exclude_none=True)
        if run:
            data["run"] = run
        for kind in NAMED:
            named_ones = getattr(self, kind)
            if named_ones:
                data[kind] = {name: one.model_dump(mode="json", exclude_unset=True) for name, one in named_ones.items()}
        for kind, some in self._elements.items():
            if some:
                data[kind] = [plain(element) for element in some]
        if self.parameters:
            for key, said in {**self._said, **self._said_besides}.items():
                if key in data:
                    data[key] = as_said(data[key], said)
        return data

    def _find(self, name: str) -> tuple[str, int]:
        for kind, some in self._elements.items():
            for k, element in enumerate(some):
                if element.name == name:
                    return kind, k
        known = [n for n in self._names.taken if n != "ground"]
        raise ModelError(f"{name!r} does not exist{did_you_mean(name, known)}", file=self.file)

    def _checked(self, kind: str, k: int, data: dict[str, Any]) -> NamedElement:
        try:
            with with_parameters(self.parameter_values):
                return one_element(kind, data)
        except ValidationError as error:
            found = [InvalidValue((kind, k, *one.path[2:]), one.text) for one in from_pydantic(error)]
        refuse(found, {kind: {k: data}}, file=self.file)
        raise AssertionError("a validation error holds at least one error")

    def _add(self, kind: str, data: dict[str, Any]) -> Any:
        k = len(self._elements[kind])
        element = self._checked(kind, k, data)
        refuse(self._names.check(kind, k, element), {kind: {k: data}}, file=self.file)
        if isinstance(element, Joint):
            refuse(try_markers(self._names.bodies, element, ("joints", k)), {kind: {k: data}}, file=self.file)
        self._names.add(kind, k, element)
        self._elements[kind].append(element)
        self._said[kind].append(data)
        return element


def need_mechanism(given: object) -> None:
    """Raise UsageError for what is no Mechanism."""
    if not isinstance(given, Mechanism):
        raise UsageError(
            f"a Mechanism is wanted, not {type(given).__name__}.", remedy="Use linkwork.load(path) to read a file."
        )


def _named(thing: Any) -> Any:
    """A body or joint by its name."""
    return thing.name if isinstance(thing, Body | Joint) else thing
