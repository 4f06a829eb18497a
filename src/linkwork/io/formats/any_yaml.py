"""Every YAML 1.2 text, read by ruamel.yaml; and the line numbers of what stands in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode
from ruamel.yaml.scanner import Scanner

from linkwork.errors import ModelError
from linkwork.io.formats.text import DEEPEST
from linkwork.mechanism.validation_errors import Path as Place


class ShallowScanner(Scanner):
    """Refuses brackets within brackets without end, which the scanner would take time for as the square of their
    number: twelve seconds for 3000."""

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
        """A bracket opens. Raises RecursionError."""
        if len(self.flow_context) >= DEEPEST:
            raise RecursionError
        super().fetch_flow_collection_start(TokenClass, to_push)


def reader() -> YAML:
    """A reader of plain data."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = ShallowScanner
    return yaml


def parse(text: str, path: Path) -> Any:
    """The plain data in a YAML text; tags that would make objects are refused."""
    try:
        return reader().load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark is not None else ""
        problem = " ".join(str(error.problem or error.context or "cannot be parsed").split())
        raise ModelError(f"is not valid YAML{place}: {problem}.", file=str(path)) from None
    except YAMLError as error:
        problem = " ".join(str(error).split())[:200]
        raise ModelError(f"is not valid YAML: {problem}.", file=str(path)) from None
    except RecursionError:
        raise ModelError("is nested too deeply, or contains itself.", file=str(path)) from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, AssertionError) as error:
        # what the parser's own constructors stumble over: impossible dates, unhashable keys, ...
        raise ModelError(f"is not valid YAML: {str(error)[:200]}.", file=str(path)) from None


def line_numbers(text: str) -> Callable[[Place], int | None]:
    """Of a path in a text: the line of its deepest part that exists; None for all where the text is no YAML."""
    try:
        root: Node | None = reader().compose(text)
    except (YAMLError, RecursionError):
        root = None

    def line_of(path: Place) -> int | None:
        node, line = root, None
        for part in path:
            found = _child(node, part)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line + 1
        return line

    return line_of


def _child(node: Any, part: str | int) -> tuple[Any, Any] | None:
    """(node that marks the place, value node) of one step down."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key, value
    elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None
