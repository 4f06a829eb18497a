"""What the annotations of a class say, evaluated.

`typing.get_type_hints` does the same, and checks besides that each is a type, which took a tenth of what linkwork's own
code takes in the first run of a process: hundreds of fields of records and options are annotated.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any, ForwardRef


def hints_of(owner: type, leaving_out: Collection[Any] = ()) -> dict[str, Any]:
    """The annotations of a class and its bases, what stands behind `Annotated` included, by name; those of bases first.

    leaving_out : annotations, as they are written, that are not asked for. Raises NameError for one that names nothing.
    """
    found: dict[str, Any] = {}
    for base in reversed(owner.__mro__):
        written = vars(base).get("__annotations__")
        if not written:
            continue
        names = vars(sys.modules[base.__module__])
        for name, hint in written.items():
            said = hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint  # which a named tuple makes of a text
            if said not in leaving_out:
                found[name] = eval(said, names, dict(vars(base))) if isinstance(said, str) else said
    return found
