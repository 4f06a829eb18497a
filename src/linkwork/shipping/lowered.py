"""An entry as Numba lowers it, before LLVM has seen it: the same for every processor.

Numba types and lowers an entry and the kernels behind it once; what it would hand to LLVM is kept as text, and goes
through the same passes again for each kind of processor (`shipping.optimised`).
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from numba.core import cgutils
from numba.core.codegen import CPUCodeLibrary

from linkwork.kernels import object_file
from linkwork.kernels.jit import OPTIONS, activate
from linkwork.kernels.numba_passes import EntryLibrary, KernelLibrary
from linkwork.problems.entry import Entry

TEXTS: WeakKeyDictionary[Any, list[str]] = WeakKeyDictionary()  # library -> what was added to it
to_llvm = CPUCodeLibrary.add_ir_module


def keep_texts() -> None:
    """From now on this process keeps what Numba lowers, and leaves kernels and entries at that."""
    activate()
    CPUCodeLibrary.add_ir_module = keep


def keep(library: Any, module: Any) -> None:
    """Take a module in, in place of Numba's own way."""
    TEXTS.setdefault(library, []).append(cgutils.normalize_ir_text(str(module)))
    if not isinstance(library, (KernelLibrary, EntryLibrary)):  # Numba's own functions, which are asked for their code
        to_llvm(library, module)


def lower(entry: Entry) -> tuple[Any, str]:
    """The library of an entry and all behind it, and the name of its function there."""
    return object_file.lower(entry.__wrapped__, entry.signature, OPTIONS)
