"""Puts compiled code into a wheel: that in the folder which LINKWORK_SHIP names, made by `linkwork.shipping`.

A wheel with compiled code is for one kind of machine, after which the folder is named as wheels name it, and for every
version of Python. One without, or an installation in place, is for all of them and needs the compiler.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCode(BuildHookInterface):
    """The hook."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a wheel is built."""
        folder = os.environ.get("LINKWORK_SHIP", "")
        if not folder or version == "editable":
            build_data["dependencies"] = list(self.metadata.core.optional_dependencies["jit"])
            return
        where = Path(self.root, folder)
        names = [file.name for file in sorted(where.iterdir())]
        build_data["force_include"] = {str(where / name): f"linkwork/shipped/code/{name}" for name in names}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{where.name}"
