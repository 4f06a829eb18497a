"""The mechanism that a result file holds: a run can be repeated, or changed, from its file alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

from linkwork.errors import ModelError
from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.sources import reads
from linkwork.mechanism import Mechanism


class OfResult(ModelFormat):
    """A .nc file of a run; read, not written: `Result.save` writes them."""

    name: ClassVar[str] = "result"
    suffixes: ClassVar[tuple[str, ...]] = (".nc",)

    def sniff(self, path: Path) -> bool:
        """By its ending."""
        return path.suffix.lower() in self.suffixes

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """The mechanism as it ran. Raises ResultFileError, ModelError."""
        from linkwork.io.results import open_result

        no_side(side, path)
        reads(path)
        document = open_result(path).mechanism_document
        if not document:
            raise ModelError("holds a result without its mechanism.", file=str(path))
        return Mechanism.from_dict(json.loads(document), file=str(path))
