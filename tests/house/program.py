"""A checkout's sources as a graph: which function, class or constant names which others, by static reading."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from house.counts import Source

Node = tuple[str, str]  # module; a name at its top level, or CLASS.METHOD


@dataclass
class Module:
    """One file: what it defines at its top level, and what its imports call what."""

    name: str
    source: Source
    defined: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)  # name here -> dotted name of what it is


@dataclass
class Named:
    """What the code of a definition names: dotted names, attributes of something unknown, and places as strings."""

    dotted: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)  # regular expressions of f-strings


def modules_of(sources: list[Source]) -> dict[str, Module]:
    """All modules by their dotted name."""
    modules = {}
    for source in sources:
        parts = ["linkwork", *source.path.removesuffix(".py").split("/")]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = read_module(Module(name, source))
    return modules


def read_module(module: Module) -> Module:
    """With the names that it defines and imports."""
    for statement in module.source.tree.body:
        for target in targets(statement):
            module.defined[target] = statement
        if isinstance(statement, ast.ClassDef):
            for item in statement.body:
                if isinstance(item, ast.FunctionDef):
                    module.defined[f"{statement.name}.{item.name}"] = item
    for item in module.source.nodes:
        if isinstance(item, ast.ImportFrom) and not item.level:
            module.imported.update({alias.asname or alias.name: f"{item.module}.{alias.name}" for alias in item.names})
        elif isinstance(item, ast.Import):
            module.imported.update({alias.asname: alias.name for alias in item.names if alias.asname})
    return module


def targets(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement at the top level defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        yield from (item.id for target in statement.targets for item in ast.walk(target) if isinstance(item, ast.Name))
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id


def find(modules: dict[str, Module], dotted: str, seen: frozenset[str] = frozenset()) -> Iterator[Node | str]:
    """The definition, or the module, that a dotted name stands for; re-exports are followed."""
    dotted = dotted.replace(":", ".")
    if dotted in modules:
        yield dotted
        return
    parts = dotted.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        module, rest = modules.get(".".join(parts[:cut])), parts[cut:]
        if module is None or dotted in seen:
            continue
        if rest[0] in module.defined:
            yield module.name, rest[0]
        elif rest[0] in module.imported:
            yield from find(modules, ".".join([module.imported[rest[0]], *rest[1:]]), seen | {dotted})
        return


def named_by(module: Module, name: str) -> Named:
    """What the code of a definition names. Left out: annotations, and what is raised."""
    named = Named()
    visit(module, module.defined[name], named)
    return named


def visit(module: Module, node: ast.AST, named: Named) -> None:
    """Collect what a piece of code names."""
    if isinstance(node, ast.Raise):
        return
    skipped: set[int] = set()
    if isinstance(node, ast.Name):
        if node.id in module.defined:
            named.dotted.add(f"{module.name}.{node.id}")
        elif node.id in module.imported:
            named.dotted.add(module.imported[node.id])
    elif isinstance(node, ast.Attribute):
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in module.imported
            and node.value.id not in module.defined
        ):
            named.dotted.add(f"{module.imported[node.value.id]}.{node.attr}")
            return
        named.attributes.add(node.attr)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and re.fullmatch(r"linkwork\.[\w.]+(:\w+)?", node.value):
            named.dotted.add(node.value)
    elif isinstance(node, ast.JoinedStr):
        named.patterns.add("".join(pattern(module, part) for part in node.values))
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
        named.attributes |= {str(part.value) for part in node.args[1:2] if isinstance(part, ast.Constant)}
    elif isinstance(node, ast.FunctionDef):
        skipped = {id(node.returns), id(node.args)}
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            visit(module, default, named)
    elif isinstance(node, ast.AnnAssign):
        skipped = {id(node.annotation)}
    elif isinstance(node, ast.ClassDef):
        skipped = {id(item) for item in node.body if isinstance(item, ast.FunctionDef)}  # definitions of their own
    for child in ast.iter_child_nodes(node):
        if id(child) not in skipped:
            visit(module, child, named)


def pattern(module: Module, part: ast.expr) -> str:
    """A part of an f-string as a regular expression; constants of the module stand for themselves."""
    if isinstance(part, ast.Constant):
        return re.escape(str(part.value))
    if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
        statement = module.defined.get(part.value.id)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            return re.escape(str(statement.value.value))
    return r"(\w+)"
