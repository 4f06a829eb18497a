"""linkwork's own description as YAML 1.2."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, ClassVar

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode
from ruamel.yaml.scanner import Scanner

from linkwork.errors import LinkworkError, ModelError
from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.linkwork_json import from_data
from linkwork.io.formats.text import DEEPEST, read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.validation_errors import Path as Place

LARGEST_FILE = 8 * 2**20  # the parser takes about 9 s for each megabyte


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


def parse_yaml(text: str, path: Path) -> Any:
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


class LineNumbers:
    """Line numbers of paths in a YAML text, composed only when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Node | None = None

    def __call__(self, path: Place) -> int | None:
        """The line of the deepest part of the path that exists."""
        if self._root is None:
            try:
                self._root = reader().compose(self._text)
            except (YAMLError, RecursionError):
                return None
        node, line = self._root, None
        for part in path:
            found = _child(node, part)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line + 1
        return line


def _child(node: Any, part: str | int) -> tuple[Any, Any] | None:
    """(node that marks the place, value node) of one step down."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key, value
    elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


class LinkworkYaml(ModelFormat):
    """`.yaml` or `.yml` with the key `linkwork: 1`."""

    name: ClassVar[str] = "linkwork YAML"
    suffixes: ClassVar[tuple[str, ...]] = (".yaml", ".yml")

    def sniff(self, path: Path) -> bool:
        try:
            return any(line.startswith("linkwork") for line in read_text(path).splitlines())
        except LinkworkError:
            return False

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        no_side(side, path)
        text = read_text(path, LARGEST_FILE)
        return from_data(parse_yaml(text, path), path, LineNumbers(text))

    def write(self, mechanism: Mechanism, path: Path) -> str:
        return yaml_text(mechanism.to_dict())


def yaml_text(data: Any) -> str:
    """Plain data as YAML: vectors on one line, mappings over several."""
    yaml = YAML(pure=True)
    yaml.default_flow_style = None
    yaml.width = 120
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()
