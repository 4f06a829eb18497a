"""Definitions and docstrings of the sources as Markdown, by static reading: nothing is imported or compiled."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src"
ANOTHER = re.compile(r"(?<=[.;]) (?=[a-z_]\w*(?:, \w+)* : )")  # a further entry in the same line
ENTRY = re.compile(r"^([\w*]+(?:, [\w*]+)*) : (.*)$")  # "name, other : what they are"


def tree_of(module: str) -> ast.Module:
    """The parsed file of a module."""
    path = SOURCES / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def definition(module: str, name: str) -> tuple[str, ast.stmt]:
    """Where a name of a module is defined, re-exports followed, and how."""
    tree = tree_of(module)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.name == name:
            return module, statement
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("linkwork"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return definition(node.module, alias.name)
    raise LookupError(f"{module} defines no {name}")


def options_of_bases(module: str, statement: ast.ClassDef) -> Iterator[str]:
    """Fields that say what they mean, and that a class has from its base classes, those nearest first."""
    for base in statement.bases:
        try:
            place, found = definition(module, ast.unparse(base))
        except LookupError:
            continue  # of another package
        if isinstance(found, ast.ClassDef):
            options = annotated_names(found)
            yield from (shown for shown in fields(found) if shown.split("`")[1] in options)
            yield from options_of_bases(place, found)


def annotated_names(statement: ast.ClassDef) -> set[str]:
    """Fields that say what they mean, by `Annotated`."""
    items = (item for item in statement.body if isinstance(item, ast.AnnAssign))
    return {ast.unparse(item.target) for item in items if ast.unparse(item.annotation).startswith("Annotated")}


def described(
    statement: ast.stmt, full_name: str, *, inherited: Iterable[str] = (), short: bool = False, index: bool = True
) -> str:
    """A function or a class with its public methods, as directives that Sphinx's index and search know.

    inherited : fields of base classes, as `fields` gives them. index : False where another page is the one to find.
    """
    aside = "" if index else ":no-index:\n\n"
    if isinstance(statement, ast.FunctionDef):
        return directive("function", full_name + signature(statement, short=short), text_of(statement), aside)
    assert isinstance(statement, ast.ClassDef)
    inner = [text_of(statement), *fields(statement), *inherited]
    for item in statement.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            marks = {ast.unparse(mark) for mark in item.decorator_list}
            kind = "property" if "property" in marks else "method"
            head = item.name + ("" if kind == "property" else signature(item, bound="staticmethod" not in marks))
            inner.append(directive(kind, head, text_of(item), aside))
    bases = ", ".join(ast.unparse(base) for base in statement.bases)
    return directive("class", full_name + (f"({bases})" if bases else ""), "\n\n".join(filter(None, inner)), aside)


def directive(kind: str, head: str, body: str, aside: str = "") -> str:
    """A fence longer than those inside it."""
    longest = max((len(found) for found in re.findall(r"^`{3,}", body, re.MULTILINE)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{{py:{kind}}} {head}\n{aside or chr(10)}{body}\n{fence}\n"


def signature(function: ast.FunctionDef, *, bound: bool = False, short: bool = False) -> str:
    """Parameters and what is returned; of kernels without their types, which are floats, tuples and arrays."""
    given = function.args
    if bound and given.args:
        given = ast.arguments(**{**vars(given), "args": given.args[1:]})
    if short:
        plain = ast.arguments(
            **{
                **vars(given),
                "args": [ast.arg(a.arg) for a in given.args],
                "posonlyargs": [ast.arg(a.arg) for a in given.posonlyargs],
                "kwonlyargs": [ast.arg(a.arg) for a in given.kwonlyargs],
            }
        )
        return f"({ast.unparse(plain)})"
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(given)}){returned}".replace("\n", " ")


def fields(statement: ast.ClassDef) -> Iterator[str]:
    """Annotated fields that the docstring does not explain: name, type, default, and what the annotation says."""
    told = ast.get_docstring(statement) or ""
    for item in statement.body:
        name = item.target.id if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) else "_"
        if name.startswith("_") or re.search(rf"^[\w, ]*\b{name}\b[\w, ]* : ", told, re.MULTILINE):
            continue
        assert isinstance(item, ast.AnnAssign)
        value = f" = {one_line(item.value)}" if item.value else ""
        kind, meaning = annotated(item.annotation)
        yield f"`{name}`\n: `{kind}{value}`{'; ' if meaning else ''}{escaped(meaning)}"


def annotated(annotation: ast.expr) -> tuple[str, str]:
    """Type and meaning, of `Annotated[Floats, Shape("nb", 3), "m", "what"]` or `Annotated[int, Option("what")]`."""
    if not (isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated"):
        return one_line(annotation), ""
    assert isinstance(annotation.slice, ast.Tuple)
    kind, *others = annotation.slice.elts
    said, shape = [], ""
    for other in others:
        if isinstance(other, ast.Constant):
            said.append(str(other.value))
        elif isinstance(other, ast.Call) and ast.unparse(other.func) == "Shape":
            shape = f"({', '.join(str(ast.literal_eval(extent)) for extent in other.args)})"
        elif isinstance(other, ast.Call):
            said += [str(part.value) for part in other.args if isinstance(part, ast.Constant)]
            said += [
                f"{part.arg} {one_line(part.value)}"
                for part in other.keywords
                if part.arg in ("least", "most", "above")
            ]
    return f"{one_line(kind)} {shape}".strip(), ", ".join(filter(None, said))


def one_line(node: ast.expr) -> str:
    """An expression as text that fits into a line of Markdown."""
    return ast.unparse(node).replace("`", "'").replace("\n", " ")


def text_of(statement: ast.FunctionDef | ast.ClassDef) -> str:
    """The docstring as Markdown."""
    return markdown(ast.get_docstring(statement) or "")


def markdown(docstring: str) -> str:
    """Plain paragraphs, lists of parameters and indented equations as Markdown."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        lines = block.split("\n")
        if len(lines) > 1 and re.fullmatch(r"-{3,}", lines[1].strip()):  # a NumPy section
            out.append(f"**{lines[0].strip()}**")
            lines = lines[2:]
        if not lines or not any(lines):
            continue
        if all(line.startswith("  ") or not line for line in lines):
            out.append("\n".join(["```text", *(inspect.cleandoc("\n".join(lines))).split("\n"), "```"]))
        elif ENTRY.match(lines[0]):
            out.append("\n".join(parameters(lines)))
        else:
            out.append("\n".join(escaped(line.strip()) for line in lines))
    return "\n\n".join(out)


def parameters(lines: list[str]) -> Iterator[str]:
    """`name : what it is` as a definition list; further lines of an entry are indented."""
    for line in (part for whole in lines for part in ANOTHER.split(whole)):
        entry = ENTRY.match(line)
        if entry:
            yield f"\n`{entry[1]}`\n: {escaped(entry[2])}"
        else:
            yield f"  {escaped(line.strip())}"


def escaped(line: str) -> str:
    """Signs that mean something in Markdown, outside of code."""
    parts = re.split(r"(`+[^`]*`+)", line)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"([*<\\|\[\]{}$~^])", r"\\\1", parts[k])
        parts[k] = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", parts[k])
    text = "".join(parts)
    return re.sub(r"^([-+#>:=]|\d+[.)])", r"\\\1", text)
