"""Counts of a checkout's sources, by static reading: types, numbered slots, private words, docstrings, repeats."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

TYPED_ROOMS = ("formulations", "integrators", "problems", "solvers", "equations")
WINDOW = 6  # lines
FEW_WORDS = 5
SEQUENCES = (
    "shape",
    "args",
    "argv",
    "parts",
    "parents",
    "gravity",
    "usual",
    "usual_share",
    "depth",
    "rank",
    "unit",
    "dims",
    "name",
)

# Private words of names, with the field's word: a name (split at underscores) or a file that has one counts.
PRIVATE = {
    "own": "work, workspace",
    "settle": "accept_step",
    "seek": "detect_redundant_rows",
    "ascend": "backward_pass",
    "descend": "forward_pass",
    "hang": "base_acceleration",
    "weigh": "gravity_wrench",
    "stars": "step_state",
    "beside": "singular_configurations",
    "triples": "three_freedom_joints",
    "turns": "sincos",
    "twofold": "double_double",
    "together": "parallel_compilation",
    "complaint": "validation_error",
    "complaints": "validation_errors",
    "bad": "value_error",
    "desk": "scheduler",
    "reposed": "relocated",
    "collecting": "garbage_collection",
    "ways": "independence",
    "HELD": "FIXED, DRIVEN",
    "TURN": "REVOLUTE",
    "BALL": "SPHERICAL",
    "SLIDES": "TRANSLATION",
    "balls": "spherical joints",
    "pins": "revolute joints",
}
NOT_OURS = {"seek", "mjJNT_BALL"}  # names of Python's files and of MuJoCo
# The same for whole names of functions, classes, fields and files: as words, and of variables, they are plain English.
PRIVATE_NAMES = {
    "place": "set_state",
    "shift": "retract",
    "share": "minimum_norm_multipliers",
    "present": "output",
    "slope": "rhs",
    "hand_up": "propagate_to_parent",
    "take": "eliminate",
    "leave": "eliminate",
    "sums": "limit_stencil",
    "trust": "singularity_threshold",
    "wide": "sparse_redundancy",
    "wide_exchange": "pivot_exchange",
    "choose": "loop_redundancy",
    "whole": "trees with forces and loops",
    "fine": "double_double",
    "narrow": "supernodes",
    "gaps": "semidefinite_ldl",
    "story": "run of a study",
    "conflicts": "contradictory_rows",
    "further": "extra_outputs",
    "over": "D_inv",
    "what": "integer data",
    "acc": "articulated_inertia",
}


@dataclass(frozen=True, eq=False)
class Source:
    """One file: its path in the package, its text, its tree and its names."""

    path: str
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]  # all of the tree
    names: tuple[str, ...]  # every name in its code, as often as it stands there

    @property
    def room(self) -> str:
        """The folder at the package's root, or the file there."""
        return self.path.partition("/")[0]


def read(checkout: Path) -> list[Source]:
    """All Python files of the package."""
    package = checkout / "src" / "linkwork"
    found = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        names = tuple(t.string for t in tokens if t.type == tokenize.NAME)
        tree = ast.parse(text)
        found.append(Source(path.relative_to(package).as_posix(), text, tree, tuple(ast.walk(tree)), names))
    return found


def count(sources: list[Source]) -> dict[str, float]:
    """Every number that can be read off the sources, by name."""
    typed = [annotation for s in sources if s.room in TYPED_ROOMS for annotation in parameter_types(s)]
    formulations = [a for s in sources if s.room == "formulations" for a in parameter_types(s)]
    words = private_words(sources)
    kernels = [node for s in sources for node in kernels_of(s)]
    groups = [group for s in sources for group in index_groups(s)]
    return {
        "files of src": len(sources),
        "lines of src": sum(s.text.count("\n") for s in sources),
        "longest file, lines": max(s.text.count("\n") for s in sources),
        "files named compiled_*": sum(Path(s.path).name.startswith("compiled") for s in sources),
        "parameters of simulate": parameters_of_simulate(sources),
        "parameters of functions in " + ", ".join(TYPED_ROOMS): len(typed),
        "of them with Any in their type": sum("Any" in a for a in typed),
        "of them Any, %": round(100.0 * sum("Any" in a for a in typed) / len(typed), 1),
        "Any in formulations alone, %": round(100.0 * sum("Any" in a for a in formulations) / len(formulations), 1),
        "groups A, B, C = range(n)": len(groups),
        "index constants in them": sum(groups),
        "raw numbered reads of a field": sum(raw_reads(s, of_one_row(sources)) for s in sources),
        "imports by a name in a string": sum(len(re.findall(r"\bimport_module\(", s.text)) for s in sources),
        "private words in names": sum(words.values()),
        "kernels": len(kernels),
        f"of them with a docstring of {FEW_WORDS} words or fewer": sum(few_words(node) for node in kernels),
        f"lines in repeated runs of {WINDOW}": repeated_lines(sources),
    }


def parameter_types(source: Source) -> Iterator[str]:
    """The annotation of every parameter but self and cls; Any where there is none."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef):
            given = node.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
            for k, argument in enumerate(every):
                if k == 0 and argument.arg in ("self", "cls"):
                    continue
                yield ast.unparse(argument.annotation) if argument.annotation else "Any"


def index_groups(source: Source) -> Iterator[int]:
    """Sizes of the groups of names for places in an array: `A, B, C = range(3)`."""
    for node in source.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Call):
            yield from [len(node.targets[0].elts)] if ast.unparse(node.value.func) == "range" else []


def of_one_row(sources: list[Source]) -> set[str]:
    """Fields that records declare as one column of an array, or an array of one number: `work.time[0]` has a name."""
    declared = re.compile(r"^    (\w+): Annotated\[\s*\w+,\s*(?:Columns\(\"\w+\"\)|Shape\(1\))", re.MULTILINE)
    return {name for source in sources for name in declared.findall(source.text)}


def raw_reads(source: Source, of_one_row: set[str]) -> int:
    """Places such as `.options[2]` or `.limits[1:3]`: a field of something, read or written by a number.

    Left out: vectors, sequences whose places are their meaning (`SEQUENCES`), and place 0 of `of_one_row`.
    """
    found = 0
    for node in source.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
            continue
        if node.value.attr in SEQUENCES:
            continue
        numbers = (node.slice.lower, node.slice.upper) if isinstance(node.slice, ast.Slice) else (node.slice,)
        given = [n for n in numbers if n is not None]
        if isinstance(node.slice, ast.Constant) and node.slice.value == 0 and node.value.attr in of_one_row:
            continue
        found += bool(given) and all(isinstance(n, ast.Constant) and isinstance(n.value, int) for n in given)
    return found


def parameters_of_simulate(sources: list[Source]) -> int:
    """Of the function that users call, open keywords counted as one."""
    for source in sources:
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "simulate":
                given = node.args
                named = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
                return named + bool(given.vararg) + bool(given.kwarg)
    raise LookupError("no function simulate")


def kernels_of(source: Source) -> Iterator[ast.FunctionDef]:
    """Functions marked @kernel, or @kernel(...)."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef):
            marks = {ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
            if "kernel" in marks:
                yield node


def few_words(node: ast.FunctionDef) -> bool:
    """Whether its docstring has five words or fewer."""
    return len((ast.get_docstring(node) or "").split()) <= FEW_WORDS


def private_words(sources: list[Source]) -> Counter[str]:
    """How often each private word stands in a name of the sources: of a variable, field, function, class or file."""
    found: Counter[str] = Counter()
    for source in sources:
        found.update(
            part
            for name in (Path(source.path).stem, *source.names)
            if name not in NOT_OURS
            for part in name.split("_")
            if part in PRIVATE
        )
        found.update(name for name in (Path(source.path).stem, *defined_or_asked(source)) if name in PRIVATE_NAMES)
    return found


def defined_or_asked(source: Source) -> Iterator[str]:
    """Names of functions, classes and fields where they are defined, imported or asked for; variables are left out."""
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
            yield from (node.module or "").split(".")[-1:]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def repeated_lines(sources: list[Source]) -> int:
    """Lines that belong to a run of six that stands elsewhere, too.

    Blanks, comments, docstrings, imports and lone brackets do not count; lines are compared as they stand, indentation
    aside.
    """
    runs: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for source in sources:
        prose: set[int] = set()
        for node in source.nodes:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.stmt) and (docstring or isinstance(node, ast.Import | ast.ImportFrom)):
                prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        kept = []
        for number, line in enumerate(source.text.splitlines(), 1):
            plain = line.partition("  #")[0].strip()
            if number not in prose and not plain.startswith("#") and plain.strip("()[]{},:"):
                kept.append((number, plain))
        for k in range(len(kept) - WINDOW + 1):
            window = kept[k : k + WINDOW]
            runs.setdefault(tuple(line for _, line in window), []).extend((source.path, n) for n, _ in window)
    return len({place for places in runs.values() if len(places) > WINDOW for place in places})


def naming(sources: list[Source], word: str, *, outside: tuple[str, ...] = ()) -> list[str]:
    """Files whose code (names and strings, no prose) has a word; some folders left out."""
    wanted = re.compile(rf"(?<![A-Za-z])({word})(?![A-Za-z])")
    return [s.path for s in sources if not s.path.startswith(outside) and any(map(wanted.search, code_words(s)))]


@lru_cache(maxsize=2000)
def code_words(source: Source) -> frozenset[str]:
    """Names and strings of a file's code; what stands alone, such as a docstring, is prose."""
    prose = {id(node.value) for node in source.nodes if isinstance(node, ast.Expr)}
    strings = (node.value for node in source.nodes if isinstance(node, ast.Constant) and id(node) not in prose)
    return frozenset({*source.names, *(value for value in strings if isinstance(value, str))})
