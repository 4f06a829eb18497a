"""The API pages: public names, contracts for implementers, registered things, kernels by room."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from docstrings import SOURCES, definition, described, markdown, options_of_bases, tree_of

# where an implementer lands: modules of which all public definitions are shown
CONTRACTS = {
    "Joints": ["linkwork.mechanism.joints.base", "linkwork.mechanism.constraints.base", "linkwork.mechanism.markers"],
    "Rows": ["linkwork.kernels.rows.kind"],
    "Forces": ["linkwork.mechanism.forces.base"],
    "Formulations and problems": [
        "linkwork.problems.shapes",
        "linkwork.problems.implicit",
        "linkwork.problems.explicit",
    ],
    "Integrators": ["linkwork.integrators.implicit_method", "linkwork.integrators.tableaux.tableau"],
    "File formats": ["linkwork.io.formats.base"],
    "Entries and records": ["linkwork.problems.entry", "linkwork.problems.layout", "linkwork.kernels.records"],
    "Registries": ["linkwork.registry"],
    "Errors": ["linkwork.errors"],
}


def write(folder: Path) -> None:
    """All pages of the reference."""
    folder.mkdir()
    (folder / "index.md").write_text(
        "# API reference\n\nMade from the docstrings of the sources.\n\n"
        "- [Public names](public.md): what `import linkwork as lw` offers\n"
        "- [Contracts](contracts.md): what a new joint, force, formulation, integrator or format must have\n"
        "- [Kernels, room by room](kernels/index.md): plain functions on numbers, tuples and arrays\n",
        encoding="utf-8",
    )
    (folder / "public.md").write_text(public(), encoding="utf-8")
    (folder / "contracts.md").write_text(contracts(), encoding="utf-8")
    kernels(folder / "kernels")


def names() -> dict[str, str]:
    """The public names and where each is defined, as the front door lists them."""
    for statement in tree_of("linkwork").body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "_PLACES":
            return dict(ast.literal_eval(statement.value))
    raise LookupError("linkwork lists no places")


def public() -> str:
    """Functions first, then classes by what they are."""
    parts: dict[str, list[str]] = {title: [] for title in ("Functions", "Formulations", "Integrators", "Classes")}
    for name, place in sorted(names().items()):
        module, _, attribute = place.partition(":")
        if not attribute:
            continue
        module, statement = definition(module, attribute)
        inherited: Iterator[str] = iter(())
        title = "Functions"
        if isinstance(statement, ast.ClassDef):
            inherited = options_of_bases(module, statement)
            title = {"formulations": "Formulations", "integrators": "Integrators"}.get(module.split(".")[1], "Classes")
        parts[title].append(
            described(statement, f"linkwork.{name}", inherited=inherited, index=not module.endswith(".contract"))
        )
    sections = (part for title, found in parts.items() if found for part in (f"## {title}", *found))
    return "\n\n".join(["# Public names", *sections])


def contracts() -> str:
    """Modules that a new thing is written against."""
    parts = ["# Contracts", "What somebody writes who adds something; [recipes](../recipes/README.md) show how."]
    base_classes = sorted((SOURCES / "linkwork").rglob("contract.py"))
    found = [".".join(path.relative_to(SOURCES).with_suffix("").parts) for path in base_classes]
    for title, modules in [*([("Base classes", found)] if found else []), *CONTRACTS.items()]:
        parts.append(f"## {title}")
        for module in modules:
            tree = tree_of(module)
            parts += [f"### {module}", markdown(ast.get_docstring(tree) or "")]
            for statement in tree.body:
                if isinstance(statement, ast.FunctionDef | ast.ClassDef) and not statement.name.startswith("_"):
                    kernel = isinstance(statement, ast.FunctionDef) and statement in kernels_of(tree)
                    parts.append(described(statement, f"{module}.{statement.name}", index=not kernel))
    return "\n\n".join(parts)


def kernels(folder: Path) -> None:
    """A page per room, and within the largest ones per folder."""
    folder.mkdir()
    index = [
        "# Kernels",
        "",
        "A kernel allocates nothing, raises nothing, and is compiled into the entries that call it.",
        "",
    ]
    for room, modules in sorted(rooms().items()):
        parts = [f"# Kernels of {room.replace('.', '/')}"]
        for module, found in modules:
            parts += [f"## {module}", markdown(ast.get_docstring(tree_of(module)) or "")]
            parts += [described(kernel, f"{module}.{kernel.name}", short=True) for kernel in found]
        count = sum(len(found) for _, found in modules)
        (folder / f"{room}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        index.append(f"- [{room.replace('.', '/')}]({room}.md): {count}")
    (folder / "index.md").write_text("\n".join(index) + "\n", encoding="utf-8")


def rooms() -> dict[str, list[tuple[str, list[ast.FunctionDef]]]]:
    """Folder -> its modules with their kernels."""
    found: dict[str, list[tuple[str, list[ast.FunctionDef]]]] = {}
    for path in sorted((SOURCES / "linkwork").rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        marked = list(kernels_of(ast.parse(path.read_text(encoding="utf-8"))))
        if marked:
            found.setdefault(".".join(parts[1:-1]), []).append((module, marked))
    return found


def kernels_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions marked @kernel or @kernel(...), private ones left out."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            marks = (mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list)
            if "kernel" in map(ast.unparse, marks):
                yield node
