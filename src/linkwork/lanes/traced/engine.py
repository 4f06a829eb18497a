"""Machine code of texts that LLVM reads, made once on a machine where it takes long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwork.kernels import kept_files
from linkwork.kernels.closure import digest
from linkwork.kernels.jit import cache_directory

LEAST = 100_000  # characters of a text whose code is kept on disk: it takes about 20 ms to make
NAME, VERSIONS = "linkwork.lanes.traced", 48  # of files on disk, and how many there are


def engine_of(functions: str, optimised: int = 2) -> Any:
    """Machine code of functions for this processor, found by name while this is kept. That of longer texts is kept on
    disk for later processes, by the text and all else that it is made of.

    optimised : 0 (made at once) to 3."""
    import llvmlite.binding as llvm

    machine, about = _machine(optimised)
    text = f'target triple = "{machine.triple}"\n{functions}'
    if len(functions) < LEAST:
        return _finished(llvm.create_mcjit_compiler(_module(text), machine))
    file = _file(about, stamp(functions))
    code = kept_files.read(file)
    if code is None:
        code = machine.emit_object(_module(text))
        kept_files.save(file, code, NAME, VERSIONS)
    else:
        kept_files.used(file)
    return _engine(code, machine)


def stamp(functions: str) -> str:
    """What machine code of a text is known by, besides the machine."""
    return digest(functions)


def engine_kept(stamped: str, optimised: int = 2) -> Any:
    """The machine code of functions whose text has this stamp, from disk; None where it is not there."""
    machine, about = _machine(optimised)
    file = _file(about, stamped)
    code = kept_files.read(file)
    if code is None:
        return None
    kept_files.used(file)
    return _engine(code, machine)


def _machine(optimised: int) -> tuple[Any, str]:
    """This processor, and what machine code for it depends on, in words."""
    import llvmlite
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple, processor = llvm.get_process_triple(), llvm.get_host_cpu_name()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(cpu=processor, features=features, opt=optimised, jit=True)
    return machine, f"{llvmlite.__version__} {llvm.llvm_version_info} {triple} {processor} {features} {optimised}"


def _file(about: str, stamped: str) -> Path:
    return cache_directory() / f"{NAME}-{digest(f'{about} {stamped}')[:32]}.code"


def _engine(code: bytes, machine: Any) -> Any:
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(_module(f'target triple = "{machine.triple}"'), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    return _finished(engine)


def _module(text: str) -> Any:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.verify()
    return module


def _finished(engine: Any) -> Any:
    engine.finalize_object()
    return engine
