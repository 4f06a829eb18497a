"""Adding to what a finished result file says of itself: a changed copy takes its place, whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from os import PathLike
from typing import Any

from linkwork.io.results.atomic import writing
from linkwork.io.results.schema import plain_text


def amend(path: str | PathLike[str], info: Mapping[str, Any]) -> None:
    """Add `info`, plain data, to the provenance in a NetCDF file; what is plain also as global attributes.

    Raises ResultFileError where it cannot be written.
    """
    import h5py

    with writing(path, force=True) as temporary:
        shutil.copyfile(path, temporary)
        with h5py.File(temporary, "r+") as file:
            document = json.loads(file["run_document"].asstr()[()])
            document["info"] |= info
            file["run_document"][()] = json.dumps(document, ensure_ascii=True, default=str)
            for key, value in info.items():
                if isinstance(value, (int, float)):
                    file.attrs[key] = value
                elif isinstance(value, str) and len(value) < 4000:
                    file.attrs[key] = plain_text(value)
