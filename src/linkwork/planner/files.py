"""Plans in files: a saved plan holds the mechanism, the call and the pair that was chosen, and can be read and run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.arguments import path_of
from linkwork.errors import LinkworkError, UsageError
from linkwork.io.formats.linkwork_json import from_data
from linkwork.io.formats.linkwork_yaml import LARGEST_FILE, parse_yaml, yaml_text
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.io.results.atomic import check_target, writing
from linkwork.mechanism.elements import shown

if TYPE_CHECKING:
    from linkwork.planner.plan import Plan

VERSION = 1  # of the file
ENDINGS = (".yaml", ".yml", ".json")
NUMBERS = ("t_end", "step", "time_limit")
FLAGS = ("accept_drivers", "accept_changes")
NOT_OF_A_FILE = (
    "mech",
    "samples",
    "out",
    "force",
    "options",
)  # no file says what is written


def save_plan(plan: Plan, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a plan as YAML or JSON, by the ending. Raises UsageError, OutputExistsError."""
    ending = _ending_of(path)
    data: dict[str, Any] = {"plan": VERSION, **plan.to_dict()}
    if plan.asked is not None and not plan.chosen.refusal:
        data |= {"call": plan.asked, "model": plan.setting.mechanism.to_dict()}
    with writing(path, force=force) as temporary:
        text = json.dumps(data, indent=1) if ending == ".json" else yaml_text(json.loads(json.dumps(data)))
        Path(temporary).write_text(text, encoding="utf-8")


def check_plan_file(path: str | PathLike[str], *, force: bool = False) -> None:
    """Refuse before a plan is made what could not be written after it. Raises as `save_plan`, and ResultFileError."""
    _ending_of(path)
    check_target(path, force=force)


def load_plan(path: str | PathLike[str], *, out: str | PathLike[str] | None = None, force: bool = False) -> Plan:
    """The plan in a file that `Plan.save` wrote, with the pair that was chosen: ``lw.load_plan("plan.yaml").run()``.

    The mechanism is in the file, as it was when the plan was made. Nothing is chosen or tried again; the accuracy is
    proved anew by the run.

    Parameters
    ----------
    path : .yaml, .yml or .json.
    out, force : where the run is written, as of `linkwork.simulate`.

    Raises UsageError, with the file and the field, for a file that holds no plan, or one that cannot be run; ModelError
    for the mechanism in it.
    """
    file = path_of(path, "the file of a plan")
    where = fspath(file)
    data = _read(file)
    if not isinstance(data, dict) or "plan" not in data:
        raise UsageError(
            "holds no plan.", file=where, remedy="Plans are written by `plan.save` and `linkwork plan --out`."
        )
    version = data["plan"]
    if isinstance(version, bool) or version != VERSION:
        raise UsageError(
            f"is a plan of version {shown(version)}; this linkwork reads version {VERSION}.", file=where, element="plan"
        )
    if "call" not in data or "model" not in data:
        raise UsageError(
            "is a record only, or not whole: it lacks its call or its mechanism. So it is written where the call held "
            "objects that a file cannot, and where no method can run it.",
            file=where,
            remedy="Make the plan anew, with formulation and integrator by name.",
        )
    call = _call_of(data, where)
    mechanism = from_data(data["model"], file)

    from linkwork.planner.plan import plan

    try:
        return plan(mechanism, **call, out=out, force=force)
    except UsageError as error:
        raise UsageError(error.message, file=where, element=error.element or "call", remedy=error.remedy) from None


def _read(file: Path) -> Any:
    """Plain data. Raises UsageError."""
    try:
        if _ending_of(file) == ".json":
            data = parse_json(read_text(file), file)
        else:
            data = parse_yaml(read_text(file, LARGEST_FILE), file)
        check_size(data, file)
    except UsageError:
        raise
    except LinkworkError as error:
        remedy = error.remedy or ("Make it anew with `linkwork plan --out`." if file.is_file() else "Check the path.")
        raise UsageError(error.message, file=fspath(file), element=error.element, remedy=remedy) from None
    return data


def _ending_of(path: str | PathLike[str]) -> str:
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"a plan is a file .yaml or .json, not {ending!r}." if ending else "a plan is a file .yaml or .json.",
            file=fspath(path),
            remedy="Name one that ends so.",
        )
    return ending


def _call_of(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Arguments of `linkwork.plan`, with the pair that was chosen and nothing to be tried. Raises UsageError."""

    def refuse(field: str, value: Any, wanted: str) -> None:
        raise UsageError(f"must be {wanted}, not {shown(value)}.", file=where, element=field)

    call = data["call"]
    if not isinstance(call, dict):
        refuse("call", call, "a mapping")
    for name, value in call.items():
        field = f"call.{name}"
        if not isinstance(name, str) or name in NOT_OF_A_FILE:
            raise UsageError("is not for a file to say.", file=where, element=field)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name in NUMBERS and not number and not (value is None and name == "time_limit"):
            refuse(field, value, "a number of seconds")
        if name in FLAGS and not isinstance(value, bool):
            refuse(field, value, "true or false")
        if name == "every" and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            refuse(field, value, "a whole number of 1 or more")
        if name in ("limits", "state") and value is not None and not isinstance(value, dict):
            refuse(field, value, "a mapping")
    pair: dict[str, str] = {}
    for name in ("formulation", "integrator"):
        value = data.get(name)
        if not isinstance(value, str):
            refuse(name, value, "a name")
        else:
            pair[name] = value
    return {**call, **pair, "effort": "estimate"}
