"""The floors of pyproject.toml hold for imports by a name in a string, too: no string of the sources points upwards."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "linkwork"
PLACE = re.compile(r"linkwork(?:\.[A-Za-z_]\w*)+(?::\w+)?")
TOP = ("__init__", "__main__", "cli")  # the front door, and what stands above all floors


def floors() -> dict[str, int]:
    """Module or room -> the number of its floor, the ground 0, from the contract that import-linter checks."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["name"].startswith("Imports point down"))
    return {name: k for k, layer in enumerate(reversed(layers)) for name in re.findall(r"\w+", layer)}


FLOORS = floors()


def strings(tree: ast.Module) -> list[str]:
    """Strings that can name a place, of f-strings the constant parts; docstrings are left out."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, kinds) and node.body]
    docs = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    return [node.value for node in constants if isinstance(node.value, str)]


def upward(source: str, room: str) -> list[str]:
    """Places that a source in this room names, on floors above its own."""
    if room in TOP:
        return []
    named = [text.strip(".") for text in strings(ast.parse(source)) if PLACE.fullmatch(text.strip("."))]
    return [text for text in named if FLOORS.get(re.split(r"[.:]", text)[1], 0) > FLOORS[room]]


@pytest.mark.parametrize("room", sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py")}))
def test_no_string_points_upwards(room: str) -> None:
    files = [PACKAGE / room] if room.endswith(".py") else sorted((PACKAGE / room).rglob("*.py"))
    name = room.removesuffix(".py")
    if name == "mechanisms":  # holds data
        return
    found = {str(f.relative_to(PACKAGE)): up for f in files if (up := upward(f.read_text(encoding="utf-8"), name))}
    assert not {file for file in found if file not in LISTED}, found


def test_lists_of_modules_import_none_of_them() -> None:
    for file in LISTED:
        assert not calls((PACKAGE / file).read_text(encoding="utf-8"))


def test_a_string_that_points_upwards_is_seen() -> None:
    assert upward('import_module("linkwork.analysis.check").check(self)', "mechanism") == ["linkwork.analysis.check"]
    assert upward('X = {"a": "linkwork.plots.energy:draw"}', "result") == ["linkwork.plots.energy:draw"]
    assert upward('import_module(f"linkwork.studies.{name}")', "run") == ["linkwork.studies"]
    assert upward('import_module("linkwork.kernels.jit")', "run") == []
    assert upward('"""linkwork.plots"""', "run") == []


def test_imports_by_a_name_in_a_string_have_names_to_be_read() -> None:
    """What is imported by a variable name is a registry's, or one of the few places that are known to import so."""
    free = {
        str(path.relative_to(PACKAGE)): count
        for path in sorted(PACKAGE.rglob("*.py"))
        if (count := sum(not readable(call) for call in calls(path.read_text(encoding="utf-8"))))
    }
    assert set(free) <= ALLOWED, f"imported by a variable: {sorted(set(free) - ALLOWED)}"


ALLOWED = {
    "__init__.py",  # names of the front door
    "cli/parsing.py",  # makers of options, named where a verb declares them (cli.parameter)
    "attached.py",  # conveniences, whose places the front door says
    "registry.py",  # entries of registries, of other packages too
    "formulations/absolute/formulation.py",  # a formulation's fields space_module and kernels_module
    "shipping/found.py",  # modules that declare entries
    "shipping/kept.py",  # an entry that the building process has named
    "kernels/parallel_compilation_helper.py",  # entries that the parent process has named
    "solvers/choice.py",  # the solver that a formulation names
}
# names modules, to tell the cache of compiled code which of them make entries, and imports none
LISTED = ("kernels/closure.py",)


def calls(source: str) -> list[ast.Call]:
    """The calls of import_module."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [node for node in nodes if isinstance(node.func, ast.Name) and node.func.id == "import_module"]


def readable(call: ast.Call) -> bool:
    """Whether a reader sees which module, or at least which room, is imported."""
    name = call.args[0]
    first = name.values[0] if isinstance(name, ast.JoinedStr) else name
    return isinstance(first, ast.Constant)
