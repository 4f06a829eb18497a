"""What a compiled function is made of: its own code and that of everything behind it, as one key for the disk cache.

The key is taken from the functions as they are loaded, not from files: instructions, constants, the global names they
use, and what these names stand for, functions and what stands behind them included. Documentation, line numbers, paths
and all that no kernel uses have no part in it. So an edit of a plot, a page or a joint compiles nothing anew, and the
same sources in another folder or environment find what is compiled.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from hashlib import sha256
from inspect import CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from linkwork.kernels import kept_files
from linkwork.kernels.jit import cache_directory

# compiled code means what these say it means
GROUND = (
    "linkwork.kernels.closure",
    "linkwork.kernels.jit",
    "linkwork.kernels.object_file",
    "linkwork.kernels.c_functions",
    "linkwork.kernels.numba_passes",
    "linkwork.kernels.fused",
    "linkwork.kernels.records",
    "linkwork.problems.addresses",
    "linkwork.problems.layout",
    "linkwork.problems.blocks",
)
FLAGS = CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR  # Numba's calls clear others while a profiler watches
FOREIGN = {"numpy", "numba", "llvmlite", "scipy", "typing_extensions", *sys.stdlib_module_names}

SOURCES, VERSIONS = "linkwork.sources", 12  # of digests on disk: the name of their files, and how many there are

Marks = dict[Callable[..., Any], tuple[Callable[..., Any], dict[str, Any]]]


def key_of(function: Callable[..., Any], marks: Marks) -> str:
    """The key of a function to be compiled, 24 hexadecimal digits.

    marks : what is called in Python -> what compiled code runs for it, and how that is compiled (`jit.MARKS`).
    """
    lines = {ground()}
    waiting, seen = [function], set()
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            line, behind = about(found, *marks.get(found, (found, None)))
            lines.add(line)
            waiting += behind
    return digest("\n".join(sorted(lines)))[:24]


_known: dict[Any, tuple[str, list[Any]]] = {}


def about(function: Any, stands_in: Any, options: Any) -> tuple[str, list[Any]]:
    """A function in words, and the functions straight behind it. stands_in : what compiled code runs for it."""
    if function not in _known:
        uses = dict(used_by(function))
        said = " ".join(f"{name}={label(value)}" for name, value in sorted(uses.items()))
        behind = [each for value in uses.values() for each in functions_in(value)]
        line = digest(f"{label(function)} {label(stands_in)} {options} {said}")
        _known[function] = line, behind if stands_in is function else [stands_in]
    return _known[function]


@cache
def ground() -> str:
    """Of the files that say how kernels become compiled code."""
    folder = Path(__file__).parents[2]
    return digest_of_files(*(folder.joinpath(*name.split(".")).with_suffix(".py") for name in GROUND))


def digest_of_files(*files: Path) -> str:
    """Of source files without their documentation. It is kept on disk: to parse them takes some ten milliseconds."""
    sources = [file.read_bytes() for file in files]
    about = sha256(b"".join((*(sha256(each).digest() for each in sources), sys.version.encode()))).hexdigest()
    place = cache_directory() / f"{SOURCES}-{about[:32]}.code"
    found = kept_files.read(place)
    if found is None:
        found = digest("".join(ast.dump(without_words(ast.parse(each))) for each in sources)).encode()
        kept_files.save(place, found, SOURCES, VERSIONS)
    return found.decode()


def without_words(tree: ast.Module) -> ast.Module:
    """The same without documentation."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


def digest(text: str) -> str:
    """Of a text."""
    return sha256(text.encode()).hexdigest()


def used_by(function: Any) -> Iterator[tuple[str, Any]]:
    """Names that a function uses, and what they stand for: globals, members of modules, what it closes over."""
    world = function.__globals__
    names = {name for code in codes_of(function.__code__) for name in code.co_names}
    for name in names & world.keys():
        value = world[name]
        if isinstance(value, ModuleType) and not is_foreign(value.__name__):
            yield from ((f"{name}.{each}", getattr(value, each)) for each in names if hasattr(value, each))
        else:
            yield name, value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f"<{name}>", cell.cell_contents
    for k, value in enumerate(function.__defaults__ or ()):
        yield f"<default {k}>", value


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A function's code and that of all functions defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def functions_in(value: Any) -> Iterator[Any]:
    """Functions of ours that a value is or holds."""
    if isinstance(value, FunctionType):
        if not is_foreign(value.__module__):
            yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from functions_in(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from functions_in(each)
    elif isinstance(wrapped := getattr(value, "__wrapped__", None), FunctionType):  # an entry
        yield from functions_in(wrapped)


def is_foreign(module: str | None) -> bool:
    """Whether a module belongs to a library that is no part of the key: Numba's version stands in it as a whole."""
    return module is None or module.split(".")[0] in FOREIGN


def label(value: Any) -> str:
    """A value in words that are the same in every process, and others if compiled code would be another.

    Raises TypeError for what could change without it being seen.
    """
    if isinstance(value, FunctionType):
        return label_of_function(value)
    if isinstance(value, type):
        return label_of_class(value)
    if isinstance(value, Enum):
        return f"{label_of_class(type(value))}.{value.name}"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(label, value))})"
    if isinstance(value, (set, frozenset)):
        return f"set({', '.join(sorted(map(label, value)))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{label(name)}: {label(each)}' for name, each in value.items())})"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.shape}, {sha256(np.ascontiguousarray(value).tobytes()).hexdigest()})"
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, (np.ufunc, BuiltinFunctionType)):
        return f"{type(value).__name__} {value.__name__}"
    if isinstance(wrapped := getattr(value, "__wrapped__", None), FunctionType):  # an entry
        return f"entry {label_of_function(wrapped)}"
    said = repr(value)
    if " at 0x" in said:
        raise TypeError(f"a kernel uses {said}, of which no key for the cache can be made")
    return f"{type(value).__name__} {said}"


def name_of(value: Any) -> str:
    """Where a function or class is defined."""
    return f"{value.__module__}.{value.__qualname__}"


@cache
def label_of_function(function: Any) -> str:
    """Its name and its own code, without what its global names stand for."""
    name = name_of(function)
    if is_foreign(function.__module__):
        return name
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    held = [name_of(each) if isinstance(each, FunctionType) else label(each) for each in cells]
    return f"{name} {digest(label_of_code(function.__code__, function.__doc__))} {held}"


def label_of_code(code: CodeType, documentation: str | None = None) -> str:
    """Instructions, names and constants of a function and of those defined in it."""
    first = 1 if documentation is not None and code.co_consts[:1] == (documentation,) else 0
    said = [label_of_code(each) if isinstance(each, CodeType) else label(each) for each in code.co_consts[first:]]
    names = (code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars, code.co_argcount)
    return f"{code.co_code.hex()} {names} {code.co_flags & FLAGS} {said}"


def label_of_class(kind: type) -> str:
    """Its name, and its fields or members."""
    name = name_of(kind)
    if issubclass(kind, Enum):
        return f"{name} {[(each.name, repr(each.value)) for each in kind]}"
    return f"{name} {getattr(kind, '_fields', '')}"
