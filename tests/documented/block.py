"""Run one Python block of a page in this process: python block.py PAGE LINE FOLDER, with the block on standard input.

Names that the page's earlier blocks gave to values come from files in FOLDER and go there again; what they imported and
defined is imported and defined again. The exit status is 1 where a comment beside a statement shows another value.
"""

from __future__ import annotations

import ast
import io
import pickle
import sys
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def main(page: str, line: str, place: str) -> int:
    """Names in, block, names out."""
    text, folder = sys.stdin.read(), Path(place)
    module = ModuleType("__main__")
    sys.modules["__main__"] = module  # what the block defines belongs to it, as if it were typed
    names = vars(module)
    for earlier in sorted(folder.glob("*.py")):
        body = [node for node in ast.parse(earlier.read_text()).body if isinstance(node, DEFINITIONS)]
        exec(compile(ast.Module(body, []), page, "exec"), names)
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for stored in folder.glob("*.pickle"):
        if stored.stem in used:
            names[stored.stem] = pickle.loads(stored.read_bytes())
    wrong = run(text, page, int(line), names)
    if not wrong:
        keep(text, names, folder)
    for said in wrong:
        sys.stderr.write(f"{said}\n")
    return 1 if wrong else 0


def run(text: str, page: str, line: int, names: dict[str, Any]) -> list[str]:
    """Run the block statement by statement; what comments say that is not so."""
    from shown import is_shown, statements, unmet

    wrong = []
    for node, comment in statements(text):
        ast.increment_lineno(node, line - 1)
        said = None
        if isinstance(node, ast.Expr):
            heard = io.StringIO()
            with redirect_stdout(heard):
                value = eval(compile(ast.Expression(node.value), page, "eval"), names)
            sys.stdout.write(heard.getvalue())
            said = unmet(value, comment)
            if heard.getvalue() and comment.startswith("...") and not is_shown(comment, heard.getvalue()):
                said = f"the page says {comment!r}, and it prints {heard.getvalue()!r}"
        else:
            exec(compile(ast.Module([node], []), page, "exec"), names)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                said = unmet(names[node.targets[0].id], comment, assigned=True)
        if said is not None:
            wrong.append(f"{page}:{node.end_lineno}: {said}")
    return wrong


def keep(text: str, names: dict[str, Any], folder: Path) -> None:
    """The block and the values of its names, for the blocks that follow."""
    (folder / f"{len(list(folder.glob('*.py'))):03d}.py").write_text(text)
    given = {
        node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for name in given & set(names):
        try:
            stored = pickle.dumps(names[name])
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            sys.stderr.write(f"note: {name!r} cannot go to the next block's process: {error}\n")
        else:
            (folder / f"{name}.pickle").write_bytes(stored)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
