"""Which files an entry is made of: those of all functions behind it, and whatever they import from linkwork.

More than the entry is made of, and never less: what a kernel uses is a function behind it or has to be imported. The
content of files is the same for every version of Python, unlike the instructions that just-in-time compilation goes by.
What reads shipped code has no part in it: its index has a format.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import linkwork
from linkwork.kernels.closure import GROUND, about
from linkwork.kernels.jit import MARKS
from linkwork.kernels.switch import Switch
from linkwork.problems.entry import Entry

ROOT = Path(linkwork.__file__).parent


def files_of(entry: Entry) -> list[str]:
    """The files, as paths from linkwork's folder."""
    functions = functions_behind(entry)
    waiting = [entry.module, *GROUND, "linkwork.problems.entry", *(each.__module__ for each in functions)]
    seen = set[str]()
    while waiting:
        module = waiting.pop()
        if module not in seen and module.startswith("linkwork.") and not module.startswith("linkwork.shipped"):
            seen.add(module)
            waiting += imported(module)
    return sorted(path_of(module).relative_to(ROOT).as_posix() for module in seen)


def functions_behind(entry: Entry) -> set[Any]:
    """All functions that the entry calls, and those that they call."""
    waiting, seen = [entry.__wrapped__], set[Any]()
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            waiting += about(found, *MARKS.get(found, (found, None)))[1]
    return seen


def switches() -> Iterator[tuple[str, list[str]]]:
    """Every switch that a loaded module holds, `module:name`, and the functions that it chooses from.

    Other packages may add to a registry behind one, so that what was compiled ahead of time knows too few.
    """
    for name, module in sorted(sys.modules.items()):
        if name.startswith("linkwork."):
            for attribute, value in sorted(vars(module).items()):
                if isinstance(value, Switch) and value.functions[0].__module__.startswith("linkwork."):
                    yield f"{name}:{attribute}", [f"{each.__module__}.{each.__qualname__}" for each in value.functions]


@cache
def imported(module: str) -> tuple[str, ...]:
    """Modules of linkwork that a module imports when it is imported itself."""
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    found: list[str] = []
    for node in at_import(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(name for name in found if name.split(".")[0] == "linkwork" and is_module(name))


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """What is carried out when a module is imported: nothing within functions, or for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from at_import(node)


@cache
def is_module(name: str) -> bool:
    """Whether a name is a module's, and not something in one."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def path_of(module: str) -> Path:
    """A module's file."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def digest(file: str) -> str:
    """Of one of the files, as `linkwork.shipped` compares it."""
    return sha256((ROOT / file).read_bytes()).hexdigest()[:16]
