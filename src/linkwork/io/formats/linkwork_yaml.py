"""linkwork's own description as YAML 1.2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from linkwork.errors import LinkworkError
from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.linkwork_json import from_data
from linkwork.io.formats.text import read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.validation_errors import Path as Place

LARGEST_FILE = 8 * 2**20  # without libyaml the parser takes about 9 s for each megabyte


def parse_yaml(text: str, path: Path) -> Any:
    """The plain data in a YAML text; tags that would make objects are refused."""
    from linkwork.io.formats.core_yaml import parse

    return parse(text, path)


class LineNumbers:
    """Line numbers of paths in a YAML text, composed only when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_of: Callable[[Place], int | None] | None = None

    def __call__(self, path: Place) -> int | None:
        """The line of the deepest part of the path that exists."""
        if self._line_of is None:
            from linkwork.io.formats.core_yaml import line_numbers

            self._line_of = line_numbers(self._text)
        return self._line_of(path)


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
    from linkwork.io.formats.core_yaml import text_of

    return text_of(data)
