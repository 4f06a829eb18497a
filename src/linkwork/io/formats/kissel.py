"""The model layout of the software published with Kissel 2021 (`.json` and `.mdl`, the same JSON).

Bodies with `id`, `r`, `r_dot`, `A`, `omega` (body components) and primitive constraints with their functions
of time as text. Masses, inertias and trustworthy drivers come from a side file (see `side`) or from Python.
Attitudes printed with few digits are replaced by the nearest rotations, and a note says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.io.formats.base import ModelFormat
from linkwork.io.formats.kissel_functions import check_derivatives
from linkwork.io.formats.sidecar import apply_side, find_side
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import GROUND, did_you_mean, function_of_time, shown
from linkwork.mechanism.rotation import nearest_rotation
from linkwork.mechanism.validation_errors import InvalidValue, refuse
from linkwork.mechanism.validation_errors import Path as Place

DEFECT = 1e-4  # how far from orthonormal an attitude may be printed
BODY_KEYS = ("name", "id", "r", "r_dot", "A", "omega", "r_ddot", "omega_dot")
ROW_KEYS = (
    "name",
    "type",
    "body_i",
    "body_j",
    "a_bar_i",
    "a_bar_j",
    "s_bar_p_i",
    "s_bar_q_j",
    "c",
    "f",
    "f_dot",
    "f_ddot",
)
FIELDS = {"a_bar_i": "a_i", "a_bar_j": "a_j", "s_bar_p_i": "s_i", "s_bar_q_j": "s_j", "c": "c", "f": "f"}
MARKS = ('"a_bar_i"', '"s_bar_p_i"', '"r_dot"')


class Kissel(ModelFormat):
    """Files in the layout of Kissel 2021's published models."""

    name: ClassVar[str] = "Kissel 2021"
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".mdl")

    def sniff(self, path: Path) -> bool:
        try:
            text = read_text(path)
        except LinkworkError:
            return False
        return '"linkwork"' not in text and any(mark in text for mark in MARKS)

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        data = parse_json(read_text(path), path)
        check_size(data, path)
        work = _Reading(data)
        document = work.document()
        refuse(work.errors, data, file=str(path))
        mechanism = Mechanism.from_dict(document, file=str(path))
        mechanism.reading_notes += work.notes
        apply_side(mechanism, find_side(path) if side is None else side)
        mechanism.reading_notes += check_derivatives(work.derivatives, mechanism)
        mechanism.reading_notes += _constant_drivers(mechanism)
        return mechanism


class _Reading:
    """The translation of one file's data, with what is wrong and what is worth knowing."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.errors: list[InvalidValue] = []
        self.notes: list[str] = []
        self.derivatives: dict[str, tuple[Any, Any, Any]] = {}  # constraint -> f, f_dot, f_ddot as written
        self._names: dict[int, str] = {}  # body id -> name
        self._taken: set[str] = {GROUND}

    def document(self) -> dict[str, Any]:
        """The same mechanism as a linkwork document."""
        if not isinstance(self.data, dict):
            self.errors.append(InvalidValue((), f"must be a mapping of keys to values, not {shown(self.data)}"))
            return {}
        for key in self.data:
            if key not in ("name", "bodies", "constraints"):
                self.errors.append(InvalidValue((), f"has the key {shown(key)}, which this layout does not have"))
        document: dict[str, Any] = {"bodies": [], "constraints": []}
        if "name" in self.data:
            document["name"] = self.data["name"]
        for k, body in self._list("bodies"):
            self._body(("bodies", k), body, document["bodies"])
        for k, row in self._list("constraints"):
            self._row(("constraints", k), row, document["constraints"])
        return document

    def _list(self, key: str) -> list[tuple[int, dict[str, Any]]]:
        some = self.data.get(key)
        if not isinstance(some, list):
            self.errors.append(InvalidValue((), f"needs a list of {key}"))
            return []
        for k, one in enumerate(some):
            if not isinstance(one, dict):
                self.errors.append(InvalidValue((key, k), f"must be a mapping of keys to values, not {shown(one)}"))
        return [(k, one) for k, one in enumerate(some) if isinstance(one, dict)]

    def _keys(self, at: Place, element: dict[str, Any], known: tuple[str, ...], needs: tuple[str, ...]) -> None:
        for key in element:
            if key not in known:
                self.errors.append(InvalidValue(at, f"has no key {shown(key)}{did_you_mean(key, known)}"))
        for key in needs:
            if key not in element:
                self.errors.append(InvalidValue(at, f"needs {key!r}, which is missing"))

    def _body(self, at: Place, body: dict[str, Any], made: list[dict[str, Any]]) -> None:
        self._keys(at, body, BODY_KEYS, ("name", "id"))
        number, name = body.get("id"), body.get("name")
        if isinstance(number, bool) or not isinstance(number, int):
            self.errors.append(InvalidValue(at, f"has the id {shown(number)}, which is not an integer"))
            return
        if number in self._names:
            self.errors.append(InvalidValue(at, f"has the id {number}, which body {self._names[number]!r} has already"))
        if name == GROUND or not set(body) - {"name", "id"}:
            self._names[number] = GROUND
            return
        self._names[number] = self._unique(at, name)
        made.append(
            {"name": self._names[number]}
            | {ours: body[theirs] for theirs, ours in (("r", "position"), ("r_dot", "velocity")) if theirs in body}
            | {"rotation": self._attitude(at, body.get("A"), self._names[number])}
            | ({"angular_velocity": body["omega"]} if "omega" in body else {})
        )
        self._keys(at, body, BODY_KEYS, ("r", "A"))
        ignored = [key for key in ("r_ddot", "omega_dot") if key in body]
        if ignored:
            self.notes.append(
                f"body {name!r}: {' and '.join(ignored)} not used; accelerations follow from the equations of motion"
            )

    def _attitude(self, at: Place, A: Any, name: str) -> Any:
        """A as an exact rotation if it is nearly one; otherwise as it is, for the checks that follow."""
        try:
            matrix = np.array(A, dtype=float)
        except (TypeError, ValueError, OverflowError):
            return A
        if matrix.shape != (3, 3) or not np.all(np.abs(matrix) < 2.0):
            return A
        rotation, defect = nearest_rotation(matrix)
        if defect > DEFECT or np.linalg.det(rotation) < 0.0:
            return A
        if defect > 1e-12:
            self.notes.append(
                f"body {name!r}: its attitude was orthonormal only to {defect:.2g} "
                "and was replaced by the nearest rotation"
            )
        return rotation

    def _row(self, at: Place, row: dict[str, Any], made: list[dict[str, Any]]) -> None:
        self._keys(at, row, ROW_KEYS, ("name", "type", "body_i", "body_j"))
        name = self._unique(at, row.get("name"))
        one: dict[str, Any] = {"name": name, "type": row.get("type")}
        for key in ("body_i", "body_j"):
            number = row.get(key)
            known = number in self._names if isinstance(number, int) else False
            if key in row and not known:
                ids = ", ".join(str(n) for n in list(self._names)[:20])
                self.errors.append(InvalidValue(at, f"{key} is {shown(number)}, but the bodies have the ids {ids}"))
            one[key] = self._names.get(number, GROUND) if isinstance(number, int) else GROUND
        one |= {ours: row[theirs] for theirs, ours in FIELDS.items() if theirs in row}
        if "driv" in name.lower():
            one["driver"] = True
        self.derivatives[name] = (row.get("f"), row.get("f_dot"), row.get("f_ddot"))
        made.append(one)

    def _unique(self, at: Place, name: Any) -> str:
        """The name, or a numbered one where the file uses it twice."""
        if not isinstance(name, str):
            if name is not None:
                self.errors.append(InvalidValue(at, f"has the name {shown(name)}, which is not text"))
            return "?"
        unique, n = name, 2
        while unique in self._taken:
            unique, n = f"{name} ({n})", n + 1
        if unique != name:
            self.notes.append(f"{at[0]}[{at[1]}]: the name {name!r} is taken; it is called {unique!r} here")
        self._taken.add(unique)
        return unique


def _constant_drivers(mechanism: Mechanism) -> list[str]:
    """A driver without motion holds the mechanism still: say so."""
    return [
        f"constraint {row.name!r} is a driver with the constant f = {row.f}, which holds its coordinate still; "
        "give its function in a side file, or with Mechanism.change"
        for row in mechanism.constraints
        if row.driver and isinstance(function_of_time(row.f), float)
    ]
