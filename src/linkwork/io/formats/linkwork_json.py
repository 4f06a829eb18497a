"""linkwork's own description as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

from linkwork.errors import LinkworkError, ModelError
from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.document import VERSION
from linkwork.mechanism.elements import shown
from linkwork.mechanism.validation_errors import Locate

_TEXT = r'"(?:[^"\\]|\\.)*"'  # as JSON has it: what stands in it stays
_LIST = re.compile(rf'{_TEXT}|\[\s+((?:[^\[\]{{}}"]|{_TEXT})*?)\s+\]')  # of numbers and texts: put on one line


def from_data(data: Any, path: Path, locate: Locate | None = None) -> Mechanism:
    """The mechanism in a parsed document, whose key ``linkwork`` gives the version of the format."""
    check_size(data, path)
    if not isinstance(data, dict):
        raise ModelError(f"does not hold a mechanism but {shown(data)}.", file=str(path))
    if "linkwork" not in data and "plan" in data:
        remedy = "`lw.load_plan(path).run()` and `linkwork run --plan FILE` carry it out."
        raise ModelError("holds a plan, not a mechanism.", file=str(path), remedy=remedy)
    if "linkwork" not in data:
        raise ModelError(
            "has no format version.",
            file=str(path),
            remedy=f"A linkwork file says `linkwork: {VERSION}` at its top; see docs/file-format.md.",
        )
    version = data["linkwork"]
    if isinstance(version, bool) or version != VERSION:
        raise ModelError(
            f"has the format version {shown(version)}; this linkwork reads version {VERSION}.", file=str(path)
        )
    if "tables" in data:
        from linkwork.io.formats.csv_tables import with_tables

        data = with_tables(data, path)
    return Mechanism.from_dict(data, file=str(path), locate=locate)


class LinkworkJson(ModelFormat):
    """`.json` with the key `linkwork: 1`."""

    name: ClassVar[str] = "linkwork JSON"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def sniff(self, path: Path) -> bool:
        try:
            return '"linkwork"' in read_text(path)
        except LinkworkError:
            return False

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        no_side(side, path)
        return from_data(parse_json(read_text(path), path), path)

    def write(self, mechanism: Mechanism, path: Path) -> str:
        text = json.dumps(mechanism.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        return _LIST.sub(lambda m: m[0] if m[1] is None else "[" + re.sub(r"\s*\n\s*", " ", m[1]) + "]", text) + "\n"
