"""What runs on this machine taught: by topology, version and processor, in memory, and in a JSON file where asked for.

Of a topology (which bodies which kinds of elements join, not their numbers) is kept, by formulation: operations of an
evaluation, nanoseconds per operation; and by pair the tolerance per accuracy that was met. A plan begins with these.
Nothing but numbers and names is in the file. One that does not fit (another version, another processor, a file that is
none) is not used: `merge` says why, and of the one beside the compiled code a plan does.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from functools import cache, lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from linkwork.errors import OutputExistsError, UsageError
from linkwork.kernels.jit import cache_directory
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.mechanism.naming import shown
from linkwork.planner.methods import Method
from linkwork.planner.tolerances import Attempt
from linkwork.source import __version__

FORMAT = "linkwork wisdom 1"
FIELDS = ("operations", "nanoseconds", "tolerances")
LEAST, MOST = 1e-18, 1e18  # of any number in a file: others are nobody's measurement, and are ignored
Topologies: TypeAlias = dict[str, dict[str, dict[str, float]]]
_known: Topologies = {}
_read: set[Path] = set()
_refused: dict[Path, str] = {}  # why a file that was read is of no use


def path() -> Path:
    """Where it is kept: beside the compiled code, which LINKWORK_CACHE_DIR moves."""
    return _file_near(cache_directory())


@lru_cache(maxsize=8)
def _file_near(code: Path) -> Path:
    return code.parent / "wisdom.json"


@cache
def processor() -> str:
    """Of this machine, in words."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        named = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        named = platform.processor() or platform.machine()
    return named


def key_of(mechanism: Mechanism) -> str:
    """The topology: kinds of elements and the bodies they join, by number."""
    return kept(mechanism, "topology", lambda: _key_of(mechanism))


def _key_of(mechanism: Mechanism) -> str:
    described = mechanism.to_dict()
    number = {body["name"]: k for k, body in enumerate(described["bodies"])} | {"ground": -1}
    parts = [str(len(number))]
    for elements in described.values():
        for one in elements if isinstance(elements, list) else ():
            if isinstance(one, dict) and "type" in one:
                ends = [number[value] for value in one.values() if isinstance(value, str) and value in number]
                parts.append(f"{one['type']} {ends}")
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def name_of(method: Method) -> str:
    """A pair."""
    return f"{method.formulation.name} {method.integrator.name}"


def known(mechanism: Mechanism) -> Mapping[str, dict[str, float]]:
    """What is known of a mechanism's topology on this machine."""
    where = path()
    if where not in _read:
        _read.add(where)
        topologies, _refused[where] = _read_in(where)
        _taken_in(topologies)
    return _known.get(key_of(mechanism), {}) if _known else {}


def learn_tolerance(mechanism: Mechanism, best: Attempt, accuracy: float) -> None:
    """From a run that met its accuracy, `best.worst` times what was asked: which tolerance half of it would take."""
    method = best.method
    if method.controlled and best.worst > 0.0:
        needed = best.setting / accuracy * (0.5 / best.worst)
        table = _known.setdefault(key_of(mechanism), {}).setdefault("tolerances", {})
        name = name_of(method)
        table[name] = min(needed, table[name]) if name in table else needed


def learn_speed(mechanism: Mechanism, formulation: str, operations: int, nanoseconds: float) -> None:
    """From a trial: operations of an evaluation, and how long one takes, everything of a run included."""
    mine = _known.setdefault(key_of(mechanism), {})
    mine.setdefault("operations", {})[formulation] = float(operations)
    mine.setdefault("nanoseconds", {})[formulation] = nanoseconds


def export(to: str | PathLike[str] | None = None) -> Path:
    """Write what is known as JSON; beside the compiled code if no file is named. What is there already is kept; what is
    of no use here is replaced there, and raises OutputExistsError in a file that is named."""
    where = path() if to is None else Path(to)
    topologies, reason = _read_in(where)
    if reason and to is not None:
        raise OutputExistsError(f"exists already, and {reason}.", file=fspath(to), remedy="Take another name.")
    _taken_in(topologies)
    document = {"format": FORMAT, "version": __version__, "processor": processor(), "topologies": _known}
    where.parent.mkdir(parents=True, exist_ok=True)
    temporary = where.with_name(f".{where.name}.{os.getpid()}.part")  # several processes may write at a time
    temporary.write_text(json.dumps(document, indent=1, sort_keys=True), encoding="utf-8")
    temporary.replace(where)
    _refused.pop(where, None)
    return where


def exported() -> str:
    """Write what is known beside the compiled code; where that cannot be done, why, else ''. A plan needs no file."""
    try:
        export()
    except OSError as error:
        return (
            f"what was learnt is not kept for other processes: {path()} cannot be written ({error.strerror or error}); "
            "LINKWORK_CACHE_DIR names another directory"
        )
    return ""


def merge(other: str | PathLike[str]) -> int:
    """Take in a file of wisdom; returns how many topologies were new. What is known already stays, and numbers that
    nobody can have measured are left out. Raises UsageError where there is no such file, and where nothing in it can be
    of use here: no wisdom, of another version or processor, or without a number that could have been measured."""
    if not Path(other).is_file():
        raise UsageError(f"there is no file {other}.")
    topologies, reason = _read_in(Path(other))
    if not reason and not topologies:
        reason = "it holds no number that a run on this machine could have taught"
    if reason:
        raise UsageError(
            f"nothing was taken: {reason}.",
            file=fspath(other),
            remedy="Measure here, with effort 'measure' or 'patient'.",
        )
    return _taken_in(topologies)


def unused() -> str:
    """Why what lies beside the compiled code is not used, '' where it is or nothing lies there. `known` reads it."""
    return _refused.get(path(), "")


def _read_in(file: Path) -> tuple[Topologies, str]:
    """What of a file is of use here, and why nothing is, '' if something may be. A file that is not there holds
    nothing."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"it cannot be read ({error.strerror or error})"
    except (ValueError, RecursionError):
        return {}, "it is no wisdom, since it is not JSON"
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return {}, f"it is no wisdom of the form {FORMAT!r}"
    for what, here in (("version", __version__), ("processor", processor())):
        if (there := document.get(what)) != here:
            return {}, f"it is of {what} {shown(there)}, and this is {shown(here)}"
    topologies = document.get("topologies")
    if not isinstance(topologies, dict):
        return {}, "it lists no topologies"
    found = {name: _measured(said) for name, said in topologies.items() if isinstance(said, dict)}
    return {name: said for name, said in found.items() if said}, ""


def _measured(said: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The numbers of a topology that somebody can have measured."""
    tables = {field: said[field] for field in FIELDS if isinstance(said.get(field), dict)}
    found = {
        field: {
            str(who): float(number)
            for who, number in table.items()
            if isinstance(number, int | float) and not isinstance(number, bool) and LEAST < number < MOST
        }
        for field, table in tables.items()
    }
    return {field: numbers for field, numbers in found.items() if numbers}


def _taken_in(topologies: Topologies) -> int:
    new = len(topologies.keys() - _known.keys())
    for name, said in topologies.items():
        mine = _known.setdefault(name, {})
        for field, numbers in said.items():
            mine[field] = numbers | mine.get(field, {})
    return new


def forget() -> None:
    """Know nothing, the file included in what was read."""
    _known.clear()
    _refused.clear()
    _read.clear()
    _read.add(path())
