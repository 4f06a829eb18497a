"""Where this code comes from: its version and a hash of its sources (cache key and provenance)."""

from __future__ import annotations

import os
from functools import cache

__version__ = "0.1.0"


@cache
def source_hash() -> str:
    """A short hash of every Python source of the package, in a fixed order."""
    from glob import glob  # late: the front door imports this module
    from hashlib import sha256

    root = os.path.dirname(__file__)  # noqa: PTH120  # every run asks, and pathlib takes four times as long
    digest = sha256()
    for name in sorted(glob("**/*.py", root_dir=root, recursive=True)):  # noqa: PTH207
        digest.update(name.replace(os.sep, "/").encode())
        with open(f"{root}/{name}", "rb", buffering=0) as stream:  # noqa: PTH123
            digest.update(stream.read())
    return digest.hexdigest()[:16]
