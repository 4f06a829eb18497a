"""What was lowered, through Numba's own passes for one kind of processor.

The passes, and the order in which libraries are linked, are those of just-in-time compilation, so that the same
instructions come of it where both compile for the same processor.
"""

from __future__ import annotations

import re
from typing import Any
from weakref import WeakKeyDictionary

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, config
from numba.core.codegen import CPUCodegen, CPUCodeLibrary

from linkwork.kernels.numba_passes import KernelLibrary
from linkwork.shipping.levels import Level
from linkwork.shipping.lowered import TEXTS

HEADER = re.compile(r'^target (triple|datalayout) = ".*"$', re.MULTILINE)


class LevelCodegen(CPUCodegen):  # type: ignore[misc]  # Numba comes without types
    """Numba's optimiser for a kind of processor that need not be this one. Nothing is made executable."""

    _library_class = CPUCodeLibrary

    def __init__(self, level: Level) -> None:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self.level = level
        self.known: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # library as lowered -> as optimised
        super().__init__(level.name)

    def _init(self, module: Any) -> None:
        target = llvm.Target.from_triple(self.level.triple)
        self._tm = target.create_target_machine(
            cpu=self.level.cpu, features="", opt=int(config.OPT), reloc="pic", codemodel="default"
        )
        self._data_layout = str(self._tm.target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = self.level.triple
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        """Nothing is made executable."""

    def library(self, lowered: Any) -> Any:
        """The same library for this processor, its functions simplified; optimised as a whole if Numba does so."""
        if lowered not in self.known:
            made = self.known[lowered] = self.create_library(lowered.name)
            for text in TEXTS[lowered]:
                module = llvm.parse_assembly(HEADER.sub("", text))
                module.triple, module.data_layout = self.level.triple, self._data_layout
                module.verify()
                made.add_llvm_module(module)
            if not isinstance(lowered, KernelLibrary):
                for behind in dict.fromkeys(lowered._linking_libraries):
                    made._final_module.link_in(self.library(behind)._get_module_for_linking(), preserve=True)
                made._optimize_final_module()
                made._final_module.verify()
            made._finalized = True
        return self.known[lowered]
