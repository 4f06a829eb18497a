"""What runs on this machine taught: by topology, version and processor, in memory, and in a JSON file where asked for.

Of a topology (which bodies which kinds of elements join, not their numbers) is kept, by formulation: operations of an
evaluation, nanoseconds per operation; and by pair the tolerance per accuracy that was met. A plan begins with these.
Nothing but numbers and names is in the file, and what does not fit (another version, another processor, a file that is
none) is ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from functools import cache
from os import PathLike
from pathlib import Path

from linkwork.errors import UsageError
from linkwork.kernels.jit import cache_directory
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.planner.methods import Method
from linkwork.planner.tolerances import Attempt
from linkwork.source import __version__

FORMAT = "linkwork wisdom 1"
FIELDS = ("operations", "nanoseconds", "tolerances")
LEAST, MOST = 1e-18, 1e18  # of any number in a file: others are nobody's measurement, and are ignored
_known: dict[str, dict[str, dict[str, float]]] = {}
_read: set[Path] = set()


def path() -> Path:
    """Where it is kept: beside the compiled code, which LINKWORK_CACHE_DIR moves."""
    return cache_directory().parent / "wisdom.json"


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
        _taken_in(where)
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
    """Write what is known as JSON; beside the compiled code if no file is named. What is there already is kept."""
    where = path() if to is None else Path(to)
    _taken_in(where)
    document = {"format": FORMAT, "version": __version__, "processor": processor(), "topologies": _known}
    where.parent.mkdir(parents=True, exist_ok=True)
    temporary = where.with_name(f".{where.name}.{os.getpid()}.part")  # several processes may write at a time
    temporary.write_text(json.dumps(document, indent=1, sort_keys=True), encoding="utf-8")
    temporary.replace(where)
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
    """Take in a file of wisdom; returns how many topologies were new. What does not fit here is ignored. Raises
    UsageError where there is no such file."""
    if not Path(other).is_file():
        raise UsageError(f"there is no file {other}.")
    return _taken_in(other)


def _taken_in(other: str | PathLike[str]) -> int:
    try:
        document = json.loads(Path(other).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return 0
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return 0
    if (document.get("version"), document.get("processor")) != (__version__, processor()):
        return 0
    new = 0
    topologies = document.get("topologies")
    for name, said in topologies.items() if isinstance(topologies, dict) else ():
        if not isinstance(said, dict) or not isinstance(name, str):
            continue
        new += name not in _known
        mine = _known.setdefault(name, {})
        for field in FIELDS:
            for who, number in said.get(field, {}).items() if isinstance(said.get(field), dict) else ():
                if isinstance(number, (int, float)) and not isinstance(number, bool) and LEAST < number < MOST:
                    mine.setdefault(field, {}).setdefault(str(who), float(number))
    return new


def forget() -> None:
    """Know nothing, the file included in what was read."""
    _known.clear()
    _read.clear()
    _read.add(path())
