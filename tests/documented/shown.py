"""What a page shows beside a statement or below a block, against what comes out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Any

LEADING = (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp, ast.Call)


def statements(text: str) -> Iterator[tuple[ast.stmt, str]]:
    """The block's statements, each with the comment behind its last line."""
    comments = {
        token.start[0]: token.string.lstrip("# ").strip()
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and token.line.strip() != token.string
    }
    for node in ast.parse(text).body:
        yield node, comments.get(node.end_lineno or 0, "")


def leading(comment: str) -> ast.expr | None:
    """The value with which a comment begins: ``42``, ``(2001, 3) m``, ``True: it runs``; None where it has none."""
    for end in range(len(comment), 0, -1):
        head, tail = comment[:end], comment[end:]
        if head[-1] in " ,:;" or re.match(r"\w", tail):
            continue
        try:
            node = ast.parse(head, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if _plain(node, inside=head.startswith("(")):
            return node
    return None


def _plain(node: ast.expr, *, inside: bool) -> bool:
    """Whether it is a value written out; `inside` of a tuple a name may stand for a size: ``(nt, 3)``."""
    if isinstance(node, ast.Tuple | ast.List):
        return all(_plain(part, inside=inside) for part in node.elts)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _plain(node.operand, inside=False)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "array" and len(node.args) == 1
    return isinstance(node, ast.Constant) or (inside and isinstance(node, ast.Name) and len(node.id) <= 2)


def unmet(value: Any, comment: str, *, assigned: bool = False) -> str | None:
    """What the comment says and the value is not; None where they agree, or the comment says nothing of the kind.

    Of a value that is given a name only its shape is told beside it: ``M = lw.mass_matrix(mech)   # (2, 2) kg m²``.
    """
    node = leading(comment)
    if node is None:
        return None
    shaped = hasattr(value, "shape")
    if assigned and not (shaped and isinstance(node, ast.Tuple)):
        return None
    if isinstance(node, ast.Constant | ast.UnaryOp) and not isinstance(value, int | float | str | bool):
        return None  # "1000 steps", of something else
    if shaped and isinstance(node, ast.Tuple) and _fits(tuple(value.shape), node):
        return None
    if _fits(value, node) or (isinstance(value, tuple) and value and _fits(value[0], node)):
        return None
    return f"the page says {ast.unparse(node)}, and it is {value.shape if shaped else value!r}"


def _fits(value: Any, node: ast.expr) -> bool:
    """Whether the value is what is written, numbers to the digits written."""
    if isinstance(node, ast.Name):
        return isinstance(value, int)
    if isinstance(node, ast.Call):
        return _fits(value, node.args[0])
    if isinstance(node, ast.Tuple | ast.List):
        try:
            parts = list(value)
        except TypeError:
            return False
        wanted = list(node.elts)
        if wanted and isinstance(wanted[-1], ast.Constant) and wanted[-1].value is ...:
            del wanted[-1], parts[len(wanted) :]  # and so on
        return len(parts) == len(wanted) and all(map(_fits, parts, wanted))
    shown = ast.literal_eval(node)
    if isinstance(shown, str) and "..." in shown:
        return isinstance(value, str) and is_shown(shown, value)
    if isinstance(shown, bool | str) or shown in (None, ...):
        return bool(value == shown)
    try:
        return abs(float(value) - shown) <= _half_a_unit(ast.unparse(node))
    except (TypeError, ValueError):
        return False


def _half_a_unit(number: str) -> float:
    """Of the last digit that is written. Of whole numbers less: they are counts."""
    mantissa, _, exponent = number.lower().partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    decimals = len(mantissa.partition(".")[2])
    return 0.5000001 * 10.0 ** (int(exponent or 0) - decimals)


def prints(shown: str) -> re.Pattern[str]:
    """The outputs that a page's block shows: ``...`` in a line stands for anything in it, alone for any lines."""
    parts = []
    for line in shown.strip("\n").splitlines():
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts))


def is_shown(shown: str, *outputs: str) -> bool:
    """Whether one of the outputs is what is shown, from its first line to its last."""
    pattern = prints(shown)
    return any(pattern.fullmatch(f"{output.strip()}\n") for output in outputs)
